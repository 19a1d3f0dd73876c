import { spawnSync } from 'node:child_process';

/** The steps of `npm run check`. All of them run, even if one fails. */
const PARTS = ['check:types', 'check:lint', 'codegen -- --check', 'check:openapi'];

const failed = PARTS.filter(
  part => spawnSync(`npm run ${part}`, { shell: true, stdio: 'inherit' }).status !== 0,
);

if (failed.length > 0) {
  process.stderr.write(`\nFailed: ${failed.map(part => `npm run ${part}`).join(', ')}\n`);
  process.exitCode = 1;
}
