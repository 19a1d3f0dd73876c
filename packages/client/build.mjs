// Turns `dist` into the published package after tsc: adds its files and a package.json of its own. Within the
// repository, the package is imported from its sources.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const { exports: sources, scripts: _, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
const data = readdirSync('.').filter(name => name.endsWith('.json') && !/^(package|tsconfig)/.test(name));
for (const name of [...data, 'LICENSE', 'README.md']) copyFileSync(name, `dist/${name}`);
copyFileSync('../../schema/schema.graphql', 'dist/schema.graphql');

// Type declarations for CommonJS, which can `require` ES modules since Node 20.19, but for which TypeScript wants
// separate files.
for (const name of readdirSync('dist').filter(name => name.endsWith('.d.ts'))) {
  const types = readFileSync(`dist/${name}`, 'utf8').replace(/(['"]\.\/[\w.-]+)\.js(['"])/g, '$1.cjs$2');
  writeFileSync(`dist/${name.replace(/\.d\.ts$/, '.d.cts')}`, types);
}

function toBuilt(source) {
  const [, name] = /^\.\/src\/(.+)\.ts$/.exec(source) ?? [];
  if (!name) return source;
  const require = { types: `./${name}.d.cts`, default: `./${name}.js` };
  return { require, types: `./${name}.d.ts`, default: `./${name}.js` };
}

const built = Object.entries({ ...sources, './schema.graphql': './schema.graphql' });
const exports = Object.fromEntries(built.map(([path, source]) => [path, toBuilt(source)]));
writeFileSync('dist/package.json', `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);
