import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The benchmarks measure production builds: the service is bundled as by `npm run build`, the other contenders are
 * compiled, and each runs in a separate process. "npm run check" checks the types.
 */
export function build(): void {
  process.stderr.write('compiling …\n');
  rmSync(`${root}bench/dist`, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}bench`, '--noCheck'],
    { stdio: ['ignore', 2, 2] },
  );
  for (const workspace of manifest.workspaces) resolveCompiled(workspace);
  execFileSync(process.execPath, ['--import', 'tsx', 'build.ts', 'bench/dist/built', 'bench/sightline.ts'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}

/**
 * The packages of this project export TypeScript sources, which Node cannot run. Compiled files import the compiled
 * ones instead.
 */
function resolveCompiled(workspace: string): void {
  const compiled = `${root}bench/dist/${workspace}`;
  if (!existsSync(compiled)) return;
  const text = readFileSync(`${root}${workspace}/package.json`, 'utf8');
  writeFileSync(`${compiled}/package.json`, text.replaceAll('.ts"', '.js"'));
  const link = `${root}bench/dist/node_modules/${JSON.parse(text).name}`;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(compiled, link);
}
