import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canReach, handOver, isNameless, NOBODY, type SystemUser, systemFolder } from './account.ts';
import type { Binaries } from './binaries.ts';
import { runInitdb } from './command.ts';
import { EmbeddedDatabaseError } from './error.ts';
import { isRunning } from './postmaster.ts';

export const SUPERUSER = 'sightline';

/** Returns the path of PostgreSQL's data directory within the data folder. */
export function clusterPath(directory: string): string {
  return join(directory, 'postgresql');
}

/** Returns the path of the file with the superuser's password, which exists only on Windows. */
export function passwordPath(cluster: string): string {
  return join(cluster, 'sightline-password');
}

export interface Cluster {
  /** The path without symbolic links. */
  folder: string;
  created: boolean;
}

/**
 * Finds the cluster in the data folder, or creates an empty one.
 * @throws {EmbeddedDatabaseError} if the existing data cannot be used
 */
export async function prepareCluster(
  directory: string,
  binaries: Binaries,
  account: SystemUser | undefined,
): Promise<Cluster> {
  const path = clusterPath(directory);
  mkdirSync(directory, { recursive: true });
  const created = isVacant(path) && (await createCluster(path, binaries, account));
  checkVersion(path, binaries.major);
  return { folder: realpathSync(path), created };
}

function isVacant(path: string): boolean {
  return !existsSync(path) || readdirSync(path).length === 0;
}

function checkVersion(path: string, major: string): void {
  const file = join(path, 'PG_VERSION');
  if (!existsSync(file)) {
    throw new EmbeddedDatabaseError(
      `The data folder ${path} contains no PostgreSQL database: move it away, or name another with DATA_DIRECTORY.`,
    );
  }
  const found = readFileSync(file, 'utf8').trim();
  if (found !== major) {
    throw new EmbeddedDatabaseError(
      `The data folder ${path} was written by PostgreSQL ${found}, and this is PostgreSQL ${major}: ` +
        `move it away, or name another with DATA_DIRECTORY.`,
    );
  }
}

/**
 * Creates a cluster under a temporary name and renames it, so that a cluster with the final name is always complete.
 * Returns false if another process has created one in the meantime.
 */
async function createCluster(
  path: string,
  binaries: Binaries,
  account: SystemUser | undefined,
): Promise<boolean> {
  const isReachable = !account || canReach(dirname(path), account);
  const place = isReachable ? path : join(systemFolder(), `data-${randomBytes(6).toString('hex')}`);
  const draft = `${place}.${process.pid}.new`;
  removeAbandoned(place);
  removeVacant(path);
  try {
    await initialise(draft, binaries, account);
    renameSync(draft, place);
    if (place !== path) symlinkSync(place, path);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (place !== path) rmSync(place, { recursive: true, force: true });
    if (!isVacant(path)) return false;
    throw error;
  }
}

/** Removes an empty folder or a dangling link. */
function removeVacant(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) unlinkSync(path);
  else if (found) rmdirSync(path);
}

/** Removes what an interrupted initialization left behind. */
function removeAbandoned(place: string): void {
  for (const name of readdirSync(dirname(place))) {
    const [, maker] = /\.(\d+)\.new$/.exec(name) ?? [];
    if (!maker || !name.startsWith(`${basename(place)}.`)) continue;
    if (Number(maker) !== process.pid && isRunning(Number(maker))) continue;
    rmSync(join(dirname(place), name), { recursive: true, force: true });
  }
}

async function initialise(
  folder: string,
  { folder: root }: Binaries,
  account: SystemUser | undefined,
): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const maker = account && isNameless(account) ? NOBODY : account;
  if (maker) chownSync(folder, maker.uid, maker.gid);
  // The built-in provider sorts and converts case identically on every system.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
  const common = ['-D', folder, '-U', SUPERUSER, ...locale, '--no-instructions'];
  if (process.platform !== 'win32') {
    await runInitdb(join(root, 'bin', 'initdb'), [...common, '--auth=trust'], maker);
    if (account) handOver(folder, account);
    return;
  }
  const file = `${folder}.password`;
  const password = randomBytes(24).toString('base64url');
  writeFileSync(file, password, { mode: 0o600 });
  try {
    const auth = ['--auth=scram-sha-256', `--pwfile=${file}`];
    await runInitdb(join(root, 'bin', 'initdb.exe'), [...common, ...auth], account);
    writeFileSync(passwordPath(folder), password, { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}
