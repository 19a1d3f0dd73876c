import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './scripts/bundle.ts';
import { bundlePage } from './src/app-page/bundle.ts';
import { BUILT } from './src/app-page/files.ts';
import { installed, REDOC_FILES } from './src/docs/redoc.ts';
import { BUILT_GRAPHIQL, fromPackage } from './src/graphql/graphiql.ts';

/**
 * `npm run build`: the service as JavaScript, and what it reads at run time beside what reads it.
 * Arguments: the folder to build into, by default `dist`; further sources to build.
 */
const root = dirname(fileURLToPath(import.meta.url));
const [into = 'dist', ...further] = process.argv.slice(2);
const dist = resolve(root, into);

function copy(from: string, to: string): void {
  cpSync(from, join(dist, to), { recursive: true });
}

const redoc = installed();
if (!redoc) throw new Error('Redoc is not installed; "npm ci" installs it.');

rmSync(dist, { recursive: true, force: true });
await bundle(['src/cli/index.ts', ...further], dist);
copy(join(root, 'sql/migrations'), 'sql/migrations');
copy(join(root, 'openapi.yaml'), 'openapi.yaml');
for (const file of Object.values(REDOC_FILES)) copy(join(redoc, file), join('src/docs/redoc', file));

const renderGraphiQL = await fromPackage();
mkdirSync(join(dist, 'src/graphql'), { recursive: true });
writeFileSync(join(dist, 'src/graphql', BUILT_GRAPHIQL), renderGraphiQL());

const page = join(dist, 'src/app-page', BUILT);
mkdirSync(page, { recursive: true });
for (const { name, content } of await bundlePage()) writeFileSync(join(page, name), content);
