import { spawnSync } from 'node:child_process';

/** The steps of `npm run check`. One that fails keeps none of the others from being run. */
const PARTS = ['check:types', 'check:lint', 'codegen -- --check', 'check:openapi'];

const failed = PARTS.filter(
  part => spawnSync(`npm run ${part}`, { shell: true, stdio: 'inherit' }).status !== 0,
);

if (failed.length > 0) {
  process.stderr.write(`\nFailed: ${failed.map(part => `npm run ${part}`).join(', ')}\n`);
  process.exitCode = 1;
}
