import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { passwordPath, SUPERUSER } from './cluster.ts';
import { processOptions } from './command.ts';
import { clearPredecessor, clusterName } from './postmaster.ts';
import {
  DEFAULTS,
  type EmbeddedServer,
  type Launch,
  logPath,
  type Settings,
  startFailure,
} from './server.ts';

// A Node program, because no other program on every Windows can wait for the end of its input and then run a command.
const WATCHDOG = `
  process.stdin.resume().on('end', () =>
    require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'ignore', windowsHide: true }))
`;

/**
 * Starts the server on Windows. It listens on a loopback port with a generated password, because Windows has no private
 * sockets. `pg_ctl` starts and stops it, because it can drop an administrator's rights.
 */
export async function launchOnWindows({ cluster, binaries, settings }: Launch): Promise<EmbeddedServer> {
  const control = join(binaries.folder, 'bin', 'pg_ctl.exe');
  const stopArgs = ['stop', '-D', cluster, '-m', 'fast', '-w'];
  await clearPredecessor(cluster, async () => {
    await exitStatus(control, stopArgs);
  });
  const port = await freePort();
  const options = toOptions({
    ...DEFAULTS,
    dynamic_shared_memory_type: 'windows',
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    cluster_name: clusterName(),
  });
  const startArgs = ['start', '-D', cluster, '-w', '-t', '120', '-l', logPath(cluster), '-o', options];
  if ((await exitStatus(control, startArgs)) !== 0) {
    throw startFailure(cluster, readFileSync(logPath(cluster), 'utf8'));
  }
  const watchdog = spawn(process.execPath, ['-e', WATCHDOG, control, ...stopArgs], {
    ...processOptions(undefined),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  (watchdog.stdin as typeof watchdog.stdin & { unref(): void }).unref();
  const stop = async () => {
    await exitStatus(control, stopArgs);
    watchdog.kill();
  };
  return { url: loopbackUrl(cluster, port), stop };
}

export function loopbackUrl(cluster: string, port: number): string {
  return `postgres://${SUPERUSER}:${readFileSync(passwordPath(cluster), 'utf8')}@127.0.0.1:${port}/postgres`;
}

function toOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c "${name}=${value}"`)
    .join(' ');
}

function exitStatus(program: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // Output is ignored, because the server would inherit a pipe and keep it open.
    const child = spawn(program, args, { ...processOptions(undefined), stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
