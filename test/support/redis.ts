import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './network.ts';

/** True if this machine has a Redis to start: tests that need one are skipped otherwise. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis of the test's own, that keeps nothing. */
export interface TestRedis extends AsyncDisposable {
  url: string;
  /** It is gone at once, and everything in it. */
  kill(): Promise<void>;
  /** It is there again, and empty, at the same address. */
  start(): Promise<void>;
  /** It ends the connections of its clients, and takes new ones. */
  hangUp(): Promise<void>;
  /** It keeps its connections, takes new ones, and answers nothing. */
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
