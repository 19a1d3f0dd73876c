import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePage } from '@sightline/web';
import { graphiQL } from '@sightline/web/graphiql';
import { bundle } from './scripts/bundle.ts';
import { putInPlace } from './scripts/put-in-place.ts';
import { BUILT_GRAPHIQL } from './src/graphql/graphiql.ts';
import { BUILT_DESCRIPTION, descriptionAsJson } from './src/pages/description.ts';
import { bundle as bundleDocs } from './src/pages/docs.ts';
import { BUILT } from './src/pages/files.ts';
import { BUILT_DOCUMENTS } from './src/rest/operations.ts';
import { collectDocuments } from './src/rest/sofa.ts';

/**
 * `npm run build`: compiles the service to JavaScript, and copies the files that it reads at run time next to the code.
 * Arguments: the output folder, by default `dist`, then further entry points. A version that is running from that
 * folder continues to work: files are replaced one by one at the end.
 */
const root = dirname(fileURLToPath(import.meta.url));
const [into = 'dist', ...further] = process.argv.slice(2);
const dist = resolve(root, into);
const draft = `${dist}.new`;

function copy(from: string, to: string): void {
  cpSync(from, join(draft, to), { recursive: true });
}

rmSync(draft, { recursive: true, force: true });
await bundle(['src/cli/index.ts', ...further], draft);
copy(join(root, 'sql/migrations'), 'sql/migrations');
copy(join(root, 'openapi.yaml'), 'openapi.yaml');

const renderGraphiQL = await graphiQL();
write('src/graphql', { name: BUILT_GRAPHIQL, content: renderGraphiQL() });
write('src/rest', { name: BUILT_DOCUMENTS, content: JSON.stringify(await collectDocuments()) });
write('src/pages', { name: BUILT_DESCRIPTION, content: descriptionAsJson()() });
write(join('src/pages', BUILT, 'app'), ...(await bundlePage()));
write(join('src/pages', BUILT, 'docs'), ...(await bundleDocs()));
putInPlace(draft, dist, 'src/cli/index.js');

function write(to: string, ...files: readonly { name: string; content: string | Uint8Array }[]): void {
  const folder = join(draft, to);
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
}
