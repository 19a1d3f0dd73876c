import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { serverAccount } from '../../packages/embedded/src/account.ts';
import { findBinaries } from '../../packages/embedded/src/binaries.ts';
import { clusterPath, prepareCluster } from '../../packages/embedded/src/cluster.ts';

/** Makes an empty database in a data folder, where none is, as a first start does. */
export async function makeCluster(directory: string): Promise<void> {
  const account = serverAccount(clusterPath(directory));
  await prepareCluster(directory, findBinaries(directory, account), account);
}

/** Copies a data folder that no server runs on, with its owners. */
export function copyCluster(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-a', clusterPath(from), clusterPath(to)]);
}

/**
 * The same as `makeCluster` in a tenth of the time, for tests of something else than making it: all of one run have one
 * identifier.
 */
export async function freshCluster(directory: string): Promise<void> {
  const made = await madeByRun();
  if (made) copyCluster(made, directory);
  else await makeCluster(directory);
}

/** The data folder that a run of tests has made. The benches start servers, too, where vitest cannot be loaded. */
async function madeByRun(): Promise<string | undefined> {
  if (!process.env.VITEST) return undefined;
  const { inject } = await import('vitest');
  return inject('cluster');
}
