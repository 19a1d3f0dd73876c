import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './network.ts';
import { hasProgram } from './programs.ts';

/** True if Redis is installed; otherwise, the tests that need it are skipped. */
export const HAS_REDIS = hasProgram('redis-server');
if (!HAS_REDIS)
  process.stderr.write('skipped: tests with Redis need redis-server, which is not installed here\n');

/** A Redis for the test, without persistence. */
export interface TestRedis extends AsyncDisposable {
  url: string;
  /** Kills it, which loses all data. */
  kill(): Promise<void>;
  /** Restarts it, empty, at the same address. */
  start(): Promise<void>;
  /** Closes its clients' connections, but accepts new ones. */
  hangUp(): Promise<void>;
  /** Accepts connections but does not answer. */
  freeze(): void;
  thaw(): void;
}

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    child = spawn('redis-server', [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
    ]);
    while (!(await answers(port))) await sleep(20);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    async hangUp() {
      await send(port, 'CLIENT KILL TYPE normal');
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    [Symbol.asyncDispose]: kill,
  };
}

async function answers(port: number): Promise<boolean> {
  return (await send(port, 'PING').catch(String)).startsWith('+PONG');
}

async function send(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${command}\r\n`);
  try {
    return String((await once(socket, 'data'))[0]);
  } finally {
    socket.destroy();
  }
}
