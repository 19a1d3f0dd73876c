import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePage } from '@sightline/pages';
import { graphiQL } from '@sightline/pages/graphiql';
import { bundle } from './scripts/bundle.ts';
import { BUILT_GRAPHIQL } from './src/graphql/graphiql.ts';
import { BUILT_DESCRIPTION, descriptionAsJson } from './src/pages/description.ts';
import { bundle as bundleDocs } from './src/pages/docs.ts';
import { BUILT } from './src/pages/files.ts';
import { BUILT_DOCUMENTS } from './src/rest/operations.ts';
import { collectDocuments } from './src/rest/sofa.ts';

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

rmSync(dist, { recursive: true, force: true });
await bundle(['src/cli/index.ts', ...further], dist);
copy(join(root, 'sql/migrations'), 'sql/migrations');
copy(join(root, 'openapi.yaml'), 'openapi.yaml');

const renderGraphiQL = await graphiQL();
write('src/graphql', { name: BUILT_GRAPHIQL, content: renderGraphiQL() });
write('src/rest', { name: BUILT_DOCUMENTS, content: JSON.stringify(await collectDocuments()) });
write('src/pages', { name: BUILT_DESCRIPTION, content: descriptionAsJson()() });
write(join('src/pages', BUILT, 'app'), ...(await bundlePage()));
write(join('src/pages', BUILT, 'docs'), ...(await bundleDocs()));

function write(to: string, ...files: readonly { name: string; content: string | Uint8Array }[]): void {
  const folder = join(dist, to);
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
}
