import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePage } from './src/app-page/bundle.ts';
import { BUILT } from './src/app-page/files.ts';
import { installed, REDOC_FILES } from './src/docs/redoc.ts';

/**
 * The last step of `npm run build`: what the compiled service reads at run time, beside what reads it.
 * Argument: the folder of the compiled files; default: `dist`.
 */
const root = dirname(fileURLToPath(import.meta.url));
const dist = resolve(root, process.argv[2] ?? 'dist');

function copy(from: string, to: string): void {
  cpSync(from, join(dist, to), { recursive: true });
}

const redoc = installed();
if (!redoc) throw new Error('Redoc is not installed; "npm ci" installs it.');

copy(join(root, 'sql/migrations'), 'sql/migrations');
copy(join(root, 'openapi.yaml'), 'openapi.yaml');
for (const file of Object.values(REDOC_FILES)) copy(join(redoc, file), join('src/docs/redoc', file));

const page = join(dist, 'src/app-page', BUILT);
rmSync(page, { recursive: true, force: true });
mkdirSync(page, { recursive: true });
for (const { name, content } of await bundlePage()) writeFileSync(join(page, name), content);
