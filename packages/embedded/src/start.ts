import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serverAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { clusterPath, prepareCluster } from './cluster.ts';
import { EmbeddedDatabaseError } from './error.ts';
import { runningPostmaster } from './postmaster.ts';
import { launchServer, type Settings, socketUrl } from './server.ts';
import { launchOnWindows, loopbackUrl } from './windows.ts';

export interface EmbeddedOptions {
  /** The data folder; PostgreSQL's own is `postgresql` in it. Made when missing. */
  directory: string;
  /** PostgreSQL's settings beside or instead of the usual ones. */
  settings?: Settings;
}

export interface EmbeddedDatabase {
  /** The superuser's address of the database `postgres`. */
  url: string;
  /** True if the database is new, and so empty. */
  created: boolean;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes with the project. It ends with this process, however this process ends.
 * @throws {EmbeddedDatabaseError} when it cannot run here or on this data
 */
export async function startEmbedded({
  directory,
  settings = {},
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const folder = resolve(directory);
  try {
    const account = serverAccount(clusterPath(folder));
    const binaries = findBinaries(folder, account);
    const { folder: cluster, created } = await prepareCluster(folder, binaries, account);
    const launch = process.platform === 'win32' ? launchOnWindows : launchServer;
    const server = await launch({ cluster, binaries, account, settings });
    return { ...server, created };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new EmbeddedDatabaseError(`The data folder ${folder} cannot be used: ${error.message}.`);
  }
}

/** Tells whether the data folder holds a database. */
export function hasEmbedded(directory: string): boolean {
  return existsSync(join(clusterPath(resolve(directory)), 'PG_VERSION'));
}

/** The address of the embedded database that another process runs on this data folder, if one does. */
export function findEmbedded(directory: string): string | undefined {
  const path = clusterPath(resolve(directory));
  if (!existsSync(path)) return undefined;
  const cluster = realpathSync(path);
  const server = runningPostmaster(cluster);
  if (!server?.isReady) return undefined;
  return server.socketFolder ? socketUrl(server.socketFolder) : loopbackUrl(cluster, server.port);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
