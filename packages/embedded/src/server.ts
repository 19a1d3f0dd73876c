import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, fchownSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, handOver } from './account.ts';
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

export interface Server {
  url: string;
  stop(): Promise<void>;
}

/** PostgreSQL's settings, name and value. */
export type Settings = Readonly<Record<string, string>>;

export interface Launch {
  cluster: string;
  binaries: Binaries;
  account: Account | undefined;
  settings: Settings;
}

const PORT = 5432;
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 10_000;

/** Settings under which the server runs on every system; those given may override them. */
export const DEFAULTS: Settings = {
  // Containers often have a /dev/shm too small for the default.
  dynamic_shared_memory_type: 'mmap',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export function logPath(cluster: string): string {
  return join(cluster, 'server.log');
}

/** Starts the server on a private socket, and ends it with this process, however this process ends. */
export async function launchServer({ cluster, binaries, account, settings }: Launch): Promise<Server> {
  await clearPredecessor(cluster, server => endPostmaster(cluster, server));
  // Earlier versions ran it as "nobody".
  if (account) handOver(cluster, account);
  const log = openLog(cluster, account);
  const socketFolder = makeSocketFolder(account);
  // In a session of its own: Ctrl-C on the terminal reaches the service alone, which then ends the server.
  const program = join(binaries.folder, 'bin', 'postgres');
  const server = spawn(program, serverArguments(cluster, socketFolder, settings), {
    ...processOptions(account),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
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
  await untilReady(server, cluster, ended);
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

/** A folder stands in the place of the host (PostgreSQL manual, 34.1.1.2). */
export function socketUrl(folder: string): string {
  return `postgres://${SUPERUSER}@${encodeURIComponent(folder)}:${PORT}/postgres`;
}

function makeSocketFolder(account: Account | undefined): string {
  const folder = newSocketFolder();
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** A new file every time: what has the name may be a link that the server's account made, and we may be root. */
function openLog(cluster: string, account: Account | undefined): number {
  rmSync(logPath(cluster), { force: true });
  const log = openSync(logPath(cluster), 'wx', 0o600);
  if (account) fchownSync(log, account.uid, account.gid);
  return log;
}

// A line means that the server has ended; the end of the input, that its writer has died.
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

/** Ends the server when this process dies, even of SIGKILL. Answers with what calls the watchdog off. */
function watch(pid: number, socketFolder: string, account: Account | undefined): () => void {
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, String(pid), socketFolder], {
    ...processOptions(account),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => {});
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  // A pipe is a socket here, and would keep this process alive.
  (watchdog.stdin as typeof watchdog.stdin & { unref(): void }).unref();
  return () => watchdog.stdin.end('\n');
}

async function untilReady(
  server: ChildProcess,
  cluster: string,
  ended: Promise<Error | undefined>,
): Promise<void> {
  let failure: Error | undefined;
  ended.then(error => {
    failure = error ?? startFailure(cluster);
  });
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline) {
    if (failure) throw failure;
    const { pid, isReady } = runningPostmaster(cluster) ?? {};
    if (isReady && pid === server.pid) return;
    await sleep(5);
  }
  await stopServer(server, ended);
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL is not ready after ${START_LIMIT_MS / 1000} seconds; ${logPath(cluster)} may tell why.`,
  );
}

export function startFailure(cluster: string): EmbeddedDatabaseError {
  const reason = firstError(readFileSync(logPath(cluster), 'utf8'));
  if (reason.includes('already exists') || reason.includes('still in use')) return inUse(cluster);
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
