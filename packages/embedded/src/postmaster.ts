import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './error.ts';

/** A server's own facts in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Folder of its socket, `''` without one. */
  socketFolder: string;
  isReady: boolean;
}

/** The server that runs, starts or stops on this data. */
export function runningPostmaster(cluster: string): Postmaster | undefined {
  const server = recordedPostmaster(cluster);
  return isServerOf(server.pid, cluster) ? server : undefined;
}

/** As the last server left it, also one that died. */
function recordedPostmaster(cluster: string): Postmaster {
  const [pid, , , port, socketFolder = '', , , status] = readLines(join(cluster, 'postmaster.pid'));
  return { pid: Number(pid), port: Number(port), socketFolder, isReady: status?.trim() === 'ready' };
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Tells whether the process runs; a dead one that its parent has not collected does not. */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  if (process.platform === 'linux') return commandLine(pid).length > 0;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Process ids are given out again, quickest in containers: on Linux the arguments tell a server from a stranger. */
function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') return isRunning(pid);
  return commandLine(pid).includes(cluster);
}

function commandLine(pid: number): string[] {
  return readLines(`/proc/${pid}/cmdline`).join('\n').split('\0').filter(Boolean);
}

/** The name under which a server runs tells who started it. */
export function clusterName(): string {
  return `sightline-${process.pid}`;
}

function starterOf(cluster: string): number {
  const options = readLines(join(cluster, 'postmaster.opts')).join('\n');
  return Number(/cluster_name=sightline-(\d+)/.exec(options)?.[1]);
}

/**
 * Makes way for a new server: ends one whose starter is gone, and removes what a dead one left.
 * @throws {EmbeddedDatabaseError} when another instance is using the data
 */
export async function clearPredecessor(
  cluster: string,
  end: (server: Postmaster) => Promise<void>,
): Promise<void> {
  const server = runningPostmaster(cluster);
  if (server) {
    const starter = starterOf(cluster);
    if (isRunning(starter)) throw inUse(cluster, starter);
    await end(server);
    removeSocketFolder(server);
  }
  removeRemains(cluster);
}

/** PostgreSQL would take a stranger with the same process id for a server, and refuse to start. */
function removeRemains(cluster: string): void {
  const server = recordedPostmaster(cluster);
  // Somebody else, started at the same moment, may have been faster.
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

/** Asks the server to end at once but in order, and after some seconds without. */
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
    // It has ended by itself.
  }
}

/** Short, since the path of a socket has 103 bytes at most on some systems. */
export function newSocketFolder(): string {
  return `/tmp/sightline-${randomBytes(6).toString('hex')}`;
}

/** The name is checked to the letter: it comes from a file that the server's account may write. */
function removeSocketFolder({ socketFolder }: Postmaster): void {
  if (!/^\/tmp\/sightline-[0-9a-f]{12}$/.test(socketFolder)) return;
  rmSync(socketFolder, { recursive: true, force: true });
}
