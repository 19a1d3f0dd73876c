// Behind tsc: what else is in the archive.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

copyFileSync('../../schema/schema.graphql', 'dist/schema.graphql');

// The same types for CommonJS, whose `require` takes ES modules since Node 20.19: TypeScript asks for a file of its own.
for (const name of readdirSync('dist').filter(name => name.endsWith('.d.ts'))) {
  const types = readFileSync(`dist/${name}`, 'utf8').replace(/(['"]\.\/[\w.-]+)\.js(['"])/g, '$1.cjs$2');
  writeFileSync(`dist/${name.replace(/\.d\.ts$/, '.d.cts')}`, types);
}
