import cluster from 'node:cluster';
import type { Redis } from 'ioredis';
import { expect, it, vi } from 'vitest';
import { countForAll, createSharedCounter } from '../../src/http/counting.ts';
import { createRateLimit } from '../../src/http/rate-limit.ts';
import { createRedisCounter } from '../../src/http/redis-limit.ts';
import { Windows } from '../../src/http/windows.ts';
import { readMessage, writeMessage } from '../../src/workers/messages.ts';

/** A rate limit window in milliseconds that never ends during a test. */
const LONG = 3_600_000;

it('a limit states its window in whole seconds, and its count', async () => {
  const limit = createRateLimit({ max: 2, window: 1500 }, async () => ({ count: 2, left: 1500 }));
  expect(await limit('k')).toEqual({
    'RateLimit-Policy': '"default";q=2;w=2',
    RateLimit: '"default";r=0;t=2',
  });
  const unknown = createRateLimit({ max: 2, window: 1500 }, async () => ({ count: 9, left: Number.NaN }));
  expect(await unknown('k')).toMatchObject({ RateLimit: '"default";r=1;t=2' });
  expect(unknown.counters).toEqual({ passed: 1, refused: 0, local: 1 });
});

it('processes without a common counter share a limit, and those alone do not count as local', async () => {
  const shared = createRateLimit({ max: 7, window: LONG }, undefined, 3);
  const left = () => (shared('k') as Record<string, string>).RateLimit;
  expect([left(), left()]).toEqual(['"default";r=4;t=3600', '"default";r=1;t=3600']);
  expect(left).toThrow('Too many requests');
  expect(shared.counters).toEqual({ passed: 2, refused: 1, local: 3 });
  const alone = createRateLimit({ max: 7, window: LONG });
  expect(alone('k')).toMatchObject({ RateLimit: '"default";r=6;t=3600' });
  expect(alone.counters).toEqual({ passed: 1, refused: 0, local: 0 });
});

it('a window ends exactly after its length, whatever other keys do', () => {
  vi.useFakeTimers();
  const windows = new Windows(1000);
  expect(windows.count('a')).toEqual({ count: 1, left: 1000 });
  vi.advanceTimersByTime(500);
  expect([windows.count('b', 2), windows.count('a', 3)]).toEqual([
    { count: 2, left: 1000 },
    { count: 4, left: 500 },
  ]);
  vi.advanceTimersByTime(499);
  expect(windows.count('a')).toEqual({ count: 5, left: 1 });
  vi.advanceTimersByTime(1);
  expect([windows.count('a'), windows.count('b')]).toEqual([
    { count: 1, left: 1000 },
    { count: 3, left: 500 },
  ]);
  vi.advanceTimersByTime(499);
  expect([windows.count('a'), windows.count('b')]).toEqual([
    { count: 2, left: 501 },
    { count: 4, left: 1 },
  ]);
  vi.advanceTimersByTime(1);
  expect(windows.count('b')).toEqual({ count: 1, left: 1000 });
  vi.advanceTimersByTime(1000);
  expect([windows.count('a'), windows.count('b')]).toEqual([
    { count: 1, left: 1000 },
    { count: 1, left: 1000 },
  ]);
  vi.useRealTimers();
});

it('windows are swept for as long as there are requests, and no longer', () => {
  vi.useFakeTimers();
  const windows = new Windows(1000);
  for (let round = 0; round < 2; round++) {
    windows.count('a');
    windows.count('b');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(0);
  }
  vi.useRealTimers();
});

it('a count in Redis ends with the window of its key, and a refused key asks again only after it', async () => {
  const calls: unknown[] = [];
  let reply: unknown = [1, 2500];
  const redis = {
    status: 'ready',
    defineCommand() {},
    rlflxIncr: async (values: unknown[]) => {
      calls.push(values);
      return reply;
    },
  };
  const count = createRedisCounter(redis as unknown as Redis, { max: 2, window: 2500 });
  expect(await count('k')).toEqual({ count: 1, left: 2500 });
  expect(calls).toEqual([['sightline:k', '1', '2', '2', '2.5']]);
  reply = [2, 2400];
  expect(await count('k')).toEqual({ count: 2, left: 2400 });
  // Another process may have counted further requests.
  reply = [7, 2300];
  expect(await count('k')).toEqual({ count: 3, left: 2300 });
  expect(await count('k')).toEqual({ count: 3, left: expect.any(Number) });
  expect(calls).toHaveLength(3);
  reply = [1, 2500];
  expect(await count('other')).toEqual({ count: 1, left: 2500 });
  redis.status = 'reconnecting';
  await expect(count('other')).rejects.toThrow('not ready');
  expect(calls).toHaveLength(4);
});

type Listener = (...values: unknown[]) => void;

/** The listener for messages that some work adds to an emitter. */
function findAddedListener(emitter: NodeJS.EventEmitter, work: () => void): Listener {
  const on = vi.spyOn(emitter, 'on').mockReturnThis();
  work();
  const [[name, listener]] = on.mock.calls as unknown as [[string, Listener]];
  on.mockRestore();
  expect(name).toBe('message');
  return listener;
}

it('a process sends the counts of one turn to its parent in one message, and reads the answer', async () => {
  const sent: unknown[] = [];
  let failure: Error | null = null;
  const { send } = process;
  process.send = ((...values: [unknown, unknown, unknown, (error: unknown) => void]) => {
    const own = readMessage<Record<string, unknown>>(values[0]);
    // Vitest's own messages go to its parent.
    if (!own) return Reflect.apply(send!, process, values);
    const { version: _, ...content } = own;
    sent.push(content);
    return values[3](failure);
  }) as never;
  let count: (keyId: string) => Promise<object>;
  const receive = findAddedListener(process, () => {
    count = createSharedCounter();
  });
  const turn = async () => {
    await new Promise(setImmediate);
    return sent.splice(0);
  };
  const first = ['a', 'b', 'a'].map(key => count(key));
  expect(await turn()).toEqual([
    {
      counting: 1,
      requests: [
        ['a', 2],
        ['b', 1],
      ],
    },
  ]);
  const second = count!('a');
  expect(await turn()).toEqual([{ counting: 2, requests: [['a', 1]] }]);
  for (const other of ['text', {}, writeMessage({ counted: 3, windows: [{ count: 9, left: 9 }] })])
    receive(other);
  receive(writeMessage({ counted: 2, windows: [{ count: 6, left: 5 }] }));
  receive(
    writeMessage({
      counted: 1,
      windows: [
        { count: 5, left: 10 },
        { count: 1, left: 20 },
      ],
    }),
  );
  expect(await Promise.all([...first, second])).toEqual([
    { count: 4, left: 10 },
    { count: 1, left: 20 },
    { count: 5, left: 10 },
    { count: 6, left: 5 },
  ]);
  failure = new Error('no parent');
  await expect(count!('a')).rejects.toThrow('no parent');
  failure = null;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const unanswered = expect(count!('a')).rejects.toThrow('no answer in time');
  await turn();
  vi.advanceTimersByTime(1000);
  await unanswered;
  vi.useRealTimers();
  process.send = send!;
});

it('the parent counts for all its processes, and answers those that are connected', () => {
  const count = findAddedListener(cluster, () => countForAll(LONG));
  const answers: unknown[] = [];
  const worker = (isConnected: boolean) => ({
    isConnected: () => isConnected,
    send: ({ version: _, ...content }: Record<string, unknown>) => answers.push(content),
  });
  const ask = (isConnected: boolean, counting: number, ...requests: [string, number][]) =>
    count(worker(isConnected), writeMessage({ counting, requests }));
  ask(true, 7, ['a', 2], ['b', 1]);
  ask(false, 8, ['a', 3]);
  ask(true, 9, ['a', 1]);
  count(worker(true), writeMessage({ counting: 10 }));
  count(worker(true), 'text');
  const left = expect.any(Number);
  expect(answers).toEqual([
    {
      counted: 7,
      windows: [
        { count: 2, left },
        { count: 1, left },
      ],
    },
    { counted: 9, windows: [{ count: 6, left }] },
  ]);
});
