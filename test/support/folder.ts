import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../packages/embedded/src/postmaster.ts';

const PREFIX = 'sightline-test-';

/**
 * Creates an empty data folder. If possible, it is in memory, where creating a database takes a tenth of the time. The
 * caller removes it.
 */
export function makeFolder(): string {
  const parent = freeBytes('/dev/shm') >= 512 * 1024 * 1024 ? '/dev/shm' : tmpdir();
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // The server can run as another user.
  chmodSync(folder, 0o755);
  return folder;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Otherwise, folders of killed runs would accumulate in memory. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, run] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (run && !isRunning(Number(run))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}
