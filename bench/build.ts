import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is measured is what runs in production: compiled, each in a process of its own. "npm run check" has the types. */
export function build(): void {
  process.stderr.write('compiling …\n');
  rmSync(`${root}bench/dist`, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}bench`, '--noCheck'],
    { stdio: ['ignore', 2, 2] },
  );
  for (const file of ['sql/migrations', 'openapi.yaml'])
    cpSync(root + file, `${root}bench/dist/${file}`, { recursive: true });
}
