import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './error.ts';

/** The content of a server's `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Folder of the server's socket, or '' if it has none. */
  socketFolder: string;
  /** `starting`, `ready` or `stopping`; '' until `postmaster.opts` is written. */
  status: string;
}

/** Time in which a server records its options; a slow system needs a few seconds. */
const RECORD_LIMIT_MS = 60_000;

/** Finds the server that is running, starting or stopping on this data. */
export function runningPostmaster(cluster: string): Postmaster | undefined {
  const server = recordedPostmaster(cluster);
  return isServerOf(server.pid, cluster) ? server : undefined;
}

/** Reads `postmaster.pid`, which can remain after a crash. */
function recordedPostmaster(cluster: string): Postmaster {
  const [pid, , , port, socketFolder = '', , , status = ''] = readLines(join(cluster, 'postmaster.pid'));
  return { pid: Number(pid), port: Number(port), socketFolder, status: status.trim() };
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Checks whether a process is running. A zombie is not. */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  if (process.platform === 'linux') return commandLine(pid).length > 0;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Checks whether a process is the server of this cluster, because process ids are reused. On Linux, its arguments
 * identify it.
 */
function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') return isRunning(pid);
  return commandLine(pid).includes(cluster);
}

function commandLine(pid: number): string[] {
  return readLines(`/proc/${pid}/cmdline`).join('\n').split('\0').filter(Boolean);
}

/** Returns a cluster name that identifies the process that started the server. */
export function clusterName(): string {
  return `sightline-${process.pid}`;
}

function findStarter(cluster: string): number {
  const options = readLines(join(cluster, 'postmaster.opts')).join('\n');
  return Number(/cluster_name=sightline-(\d+)/.exec(options)?.[1]);
}

/**
 * Prepares for a new server: stops an orphaned one, and removes the files of a dead one.
 * @throws {EmbeddedDatabaseError} when another instance is using the data
 */
export async function clearPredecessor(
  cluster: string,
  end: (server: Postmaster) => Promise<void>,
): Promise<void> {
  const server = await untilStarterRecorded(cluster);
  if (server) {
    const starter = findStarter(cluster);
    if (isRunning(starter)) throw inUse(cluster, starter);
    await end(server);
    removeSocketFolder(server);
  }
  removeRemains(cluster);
}

/**
 * Returns the running server once `postmaster.opts` names its starter. A server records its process id first, and until
 * it has written its options, the file is missing or describes an earlier server.
 */
async function untilStarterRecorded(cluster: string): Promise<Postmaster | undefined> {
  const deadline = performance.now() + RECORD_LIMIT_MS;
  while (performance.now() < deadline) {
    const server = runningPostmaster(cluster);
    if (!server || server.status) return server;
    await sleep(5);
  }
  throw inUse(cluster);
}

/**
 * Removes the files of a dead server. PostgreSQL would mistake a new process with the same id for that server, and
 * refuse to start.
 */
function removeRemains(cluster: string): void {
  const server = recordedPostmaster(cluster);
  // Another process may have started a server in the meantime.
  if (!server.pid || isServerOf(server.pid, cluster)) return;
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  removeSocketFolder(server);
}

export function inUse(cluster: string, starter?: number): EmbeddedDatabaseError {
  const who = starter ? `process ${starter}` : 'another process';
  return new EmbeddedDatabaseError(
    `The data folder ${cluster} is in use by ${who}: stop that one first, or name another with DATA_DIRECTORY.`,
  );
}

/** Stops a server: with a fast shutdown and, if that takes more than a few seconds, an immediate one. */
export async function endPostmaster(cluster: string, { pid }: Postmaster): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalProcess(pid, signal);
    const deadline = performance.now() + 10_000;
    while (isServerOf(pid, cluster) && performance.now() < deadline) await sleep(10);
  }
  if (isServerOf(pid, cluster)) throw inUse(cluster);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** Creates a folder for a socket. Its name is short, because some systems limit the path of a socket to 103 bytes. */
export function newSocketFolder(): string {
  return `/tmp/sightline-${randomBytes(6).toString('hex')}`;
}

/**
 * Removes a server's socket folder. The path is checked, because it comes from a file that the server's account can
 * write.
 */
function removeSocketFolder({ socketFolder }: Postmaster): void {
  if (!/^\/tmp\/sightline-[0-9a-f]{12}$/.test(socketFolder)) return;
  rmSync(socketFolder, { recursive: true, force: true });
}
