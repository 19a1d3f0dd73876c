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
  /** The data folder, created if missing. Its subfolder `postgresql` is PostgreSQL's data directory. */
  directory: string;
  /** PostgreSQL settings, which override the defaults. */
  settings?: Settings;
}

export interface EmbeddedDatabase {
  /** The URL of the database `postgres`, for the superuser. */
  url: string;
  /** True if the database was created by this start, and so is empty. */
  created: boolean;
  stop(): Promise<void>;
}

/**
 * Starts the included PostgreSQL, which stops when this process ends.
 * @throws {EmbeddedDatabaseError} if it cannot run on this system or data
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

/** Checks whether the data folder contains a database. */
export function hasEmbedded(directory: string): boolean {
  return existsSync(join(clusterPath(resolve(directory)), 'PG_VERSION'));
}

/** Returns the address of the embedded database that another process runs on this data folder, if there is one. */
export function findEmbedded(directory: string): string | undefined {
  const path = clusterPath(resolve(directory));
  if (!existsSync(path)) return undefined;
  const cluster = realpathSync(path);
  const server = runningPostmaster(cluster);
  if (server?.status !== 'ready') return undefined;
  return server.socketFolder ? socketUrl(server.socketFolder) : loopbackUrl(cluster, server.port);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
