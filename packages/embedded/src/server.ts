import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, fchownSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { handOver, type SystemUser } from './account.ts';
import type { Binaries } from './binaries.ts';
import { SUPERUSER } from './cluster.ts';
import { firstError, processOptions, startError } from './command.ts';
import { EmbeddedDatabaseError } from './error.ts';
import {
  clearPredecessor,
  clusterName,
  endPostmaster,
  inUse,
  newSocketFolder,
  runningPostmaster,
} from './postmaster.ts';

export interface EmbeddedServer {
  url: string;
  stop(): Promise<void>;
}

/** PostgreSQL's settings by name. */
export type Settings = Readonly<Record<string, string>>;

export interface Launch {
  cluster: string;
  binaries: Binaries;
  account: SystemUser | undefined;
  settings: Settings;
}

const PORT = 5432;
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 10_000;
/** Number of bytes of the log that are read after a failed start. */
const LOG_BYTES = 65_536;

/** Default settings, which work on every system. The caller's settings override them. */
export const DEFAULTS: Settings = {
  // In containers, /dev/shm is often too small for the default.
  dynamic_shared_memory_type: 'mmap',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export function logPath(cluster: string): string {
  return join(cluster, 'server.log');
}

/** Starts the server on a private socket, and ends it with this process. */
export async function launchServer({
  cluster,
  binaries,
  account,
  settings,
}: Launch): Promise<EmbeddedServer> {
  await clearPredecessor(cluster, server => endPostmaster(cluster, server));
  // The files can belong to "nobody", as which earlier versions ran the server.
  if (account) handOver(cluster, account);
  const log = openLog(cluster, account);
  const socketFolder = makeSocketFolder(account);
  // The server runs in a separate session, so that Ctrl-C on the terminal reaches only the service, which then stops
  // it.
  const program = join(binaries.folder, 'bin', 'postgres');
  const server = spawn(program, serverArguments(cluster, socketFolder, settings), {
    ...processOptions(account),
    detached: true,
    stdio: ['ignore', log, log],
  });
  server.unref();
  const ended = new Promise<Error | undefined>(resolve => {
    server.once('error', error => resolve(startError(error)));
    server.once('exit', () => resolve(undefined));
  });
  const dismiss = server.pid ? watch(server.pid, socketFolder, account) : () => {};
  ended.then(() => {
    dismiss();
    rmSync(socketFolder, { recursive: true, force: true });
  });
  try {
    await untilReady(server, cluster, log, ended);
  } finally {
    closeSync(log);
  }
  return { url: socketUrl(socketFolder), stop: () => stopServer(server, ended) };
}

function serverArguments(cluster: string, socketFolder: string, settings: Settings): string[] {
  const all: Settings = {
    ...DEFAULTS,
    ...settings,
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    port: String(PORT),
    cluster_name: clusterName(),
  };
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Returns the URL of a server on a socket, whose folder replaces the host (PostgreSQL manual, 34.1.1.2). */
export function socketUrl(folder: string): string {
  return `postgres://${SUPERUSER}@${encodeURIComponent(folder)}:${PORT}/postgres`;
}

function makeSocketFolder(account: SystemUser | undefined): string {
  const folder = newSocketFolder();
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/**
 * Creates the log. An existing file is never opened: it can be a link that the server's user created, and this process
 * can be root.
 */
function openLog(cluster: string, account: SystemUser | undefined): number {
  rmSync(logPath(cluster), { force: true });
  const log = openSync(logPath(cluster), 'wx+', 0o600);
  if (account) fchownSync(log, account.uid, account.gid);
  return log;
}

// A program that stops the server when its input ends, which means that the parent has died. A line of input means that
// the server has already stopped.
const WATCHDOG = `
  read -r line && exit
  kill -INT "$0"
  for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$0" || break
    sleep 0.5
  done
  kill -QUIT "$0"
  rm -rf "$1"
`;

/** Stops the server when this process ends, even by SIGKILL. Returns a function that stops the watchdog. */
function watch(pid: number, socketFolder: string, account: SystemUser | undefined): () => void {
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, String(pid), socketFolder], {
    ...processOptions(account),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  // Node implements the pipe as a socket, which would otherwise keep this process alive.
  (watchdog.stdin as typeof watchdog.stdin & { unref(): void }).unref();
  return () => watchdog.stdin.end('\n');
}

/**
 * Reads the log through its descriptor, because another start on the same data can have replaced the file. The position
 * is explicit, because the server shares the descriptor's.
 */
function readLog(log: number): string {
  const content = Buffer.alloc(Math.min(fstatSync(log).size, LOG_BYTES));
  return content.toString('utf8', 0, readSync(log, content, 0, content.length, 0));
}

async function untilReady(
  server: ChildProcess,
  cluster: string,
  log: number,
  ended: Promise<Error | undefined>,
): Promise<void> {
  let outcome: { error: Error | undefined } | undefined;
  ended.then(error => {
    outcome = { error };
  });
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline) {
    if (outcome) throw outcome.error ?? startFailure(cluster, readLog(log));
    const { pid, status } = runningPostmaster(cluster) ?? {};
    if (status === 'ready' && pid === server.pid) return;
    await sleep(5);
  }
  await stopServer(server, ended);
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL is not ready after ${START_LIMIT_MS / 1000} seconds; ${logPath(cluster)} can show the reason.`,
  );
}

export function startFailure(cluster: string, log: string): EmbeddedDatabaseError {
  const reason = firstError(log);
  // An empty lock file belongs to a server that has not written its process id yet.
  if (/already exists|still in use|lock file .* is empty/.test(reason)) return inUse(cluster);
  return new EmbeddedDatabaseError(
    `The embedded PostgreSQL cannot open its data folder ${cluster}: ${reason}. ` +
      `Move the folder away, or name another with DATA_DIRECTORY.`,
  );
}

async function stopServer(server: ChildProcess, ended: Promise<unknown>): Promise<void> {
  server.ref();
  server.kill('SIGINT');
  const timer = setTimeout(() => server.kill('SIGQUIT'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}
