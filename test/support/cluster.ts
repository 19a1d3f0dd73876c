import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { serverAccount } from '../../packages/embedded/src/account.ts';
import { findBinaries } from '../../packages/embedded/src/binaries.ts';
import { clusterPath, prepareCluster } from '../../packages/embedded/src/cluster.ts';

/** Creates an empty database in a new data folder, as on a first start. */
export async function makeCluster(directory: string): Promise<void> {
  const account = serverAccount(clusterPath(directory));
  await prepareCluster(directory, findBinaries(directory, account), account);
}

/** Copies the data folder of a stopped server, with the owners of the files. */
export function copyCluster(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-a', clusterPath(from), clusterPath(to)]);
}

/**
 * Like `makeCluster`, in a tenth of the time. All databases of a run get the same system identifier, so this is for
 * tests to which it does not matter.
 */
export async function freshCluster(directory: string): Promise<void> {
  const made = await madeByRun();
  if (made) copyCluster(made, directory);
  else await makeCluster(directory);
}

/** The data folder that this test run created. Benchmarks also start servers, but cannot load Vitest. */
async function madeByRun(): Promise<string | undefined> {
  if (!process.env.VITEST) return undefined;
  const { inject } = await import('vitest');
  return inject('cluster');
}
