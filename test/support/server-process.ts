import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemUser } from '../../packages/embedded/src/account.ts';
import type { Binaries } from '../../packages/embedded/src/binaries.ts';
import { processOptions } from '../../packages/embedded/src/command.ts';
import { runningPostmaster } from '../../packages/embedded/src/postmaster.ts';
import { DEFAULTS, type Settings } from '../../packages/embedded/src/server.ts';

/** A PostgreSQL that listens on a port of 127.0.0.1 and has data. It ends with this process at the latest. */
export interface ServerProcess {
  /** Stops it quickly but in order. */
  end(): Promise<void>;
}

export interface Start {
  binaries: Binaries;
  cluster: string;
  account: SystemUser | undefined;
  settings: Settings;
  port: number;
}

/**
 * Resolves once it accepts connections.
 * @throws {Error} if it ends before that
 */
export async function startServerProcess({
  binaries,
  cluster,
  account,
  settings,
  port,
}: Start): Promise<ServerProcess> {
  const all = {
    ...DEFAULTS,
    ...settings,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = join(binaries.folder, 'bin', 'postgres');
  const server = spawn(program, ['-D', cluster, ...args], { ...processOptions(account), stdio: 'ignore' });
  const quit = () => void server.kill('SIGQUIT');
  process.once('exit', quit);
  while (runningPostmaster(cluster)?.status !== 'ready') {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    await sleep(5);
  }
  return {
    async end() {
      process.off('exit', quit);
      quit();
      await hasEnded(server);
    },
  };
}

async function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Sends a signal to a server's processes, each of which has its own process group. */
export function signalServer(cluster: string, name: NodeJS.Signals): void {
  for (const pid of listProcesses(cluster)) {
    try {
      process.kill(pid, name);
    } catch {
      // It has already ended.
    }
  }
}

function listProcesses(cluster: string): number[] {
  let postmaster: number;
  try {
    postmaster = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return [];
  }
  const listed = execFileSync('ps', ['-ax', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = listed
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number));
  return [postmaster, ...pairs.filter(([, parent]) => parent === postmaster).map(([pid]) => pid!)];
}
