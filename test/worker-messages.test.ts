import cluster, { type Worker } from 'node:cluster';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RedeemedForAll, redeemForAll } from '../src/cluster/one-time-key.ts';
import { serveByMany } from '../src/cluster/serve.ts';
import { readConfig } from '../src/config.ts';
import { startService } from '../src/main.ts';
import { createLogger } from '../src/observability/logger.ts';
import { OneTimeKey } from '../src/pages/sign-in.ts';
import { readMessage, writeMessage } from '../src/workers/messages.ts';
import { WorkerFailed } from '../src/workers/workers.ts';
import { FakeWorker } from './support/fake-worker.ts';
import { freePort } from './support/network.ts';
import { until } from './support/until.ts';

describe('a message between processes', () => {
  it.each<[message: unknown, content: unknown]>([
    [writeMessage({ a: 1 }), { version: 1, a: 1 }],
    [{ a: 1 }, undefined],
    [{ version: 2, a: 1 }, undefined],
    [{ version: '1' }, undefined],
    [null, undefined],
    ['text', undefined],
    [undefined, undefined],
  ])('%j is read as %j', (message, content) => {
    expect(readMessage(message)).toEqual(content);
  });
});

describe('a one-time code', () => {
  it('is redeemed for the workers once, and only by messages of this version', () => {
    const oneTimeKey = new OneTimeKey('svc_d_key');
    const before = cluster.listeners('message');
    redeemForAll(oneTimeKey);
    const sent: unknown[] = [];
    let isConnected = true;
    const worker = { isConnected: () => isConnected, send: (answer: unknown) => sent.push(answer) };
    const ask = (message: unknown) => cluster.emit('message', worker as unknown as Worker, message);
    ask({ redeeming: 1, code: oneTimeKey.code });
    ask(writeMessage({ counting: 1, requests: [] }));
    ask(writeMessage({ redeeming: 2, code: 'wrong' }));
    ask(writeMessage({ redeeming: 3, code: oneTimeKey.code }));
    ask(writeMessage({ redeeming: 4, code: oneTimeKey.code }));
    isConnected = false;
    ask(writeMessage({ redeeming: 5, code: oneTimeKey.code }));
    for (const listener of cluster.listeners('message'))
      if (!before.includes(listener)) cluster.off('message', listener as never);
    expect(sent).toEqual([
      { version: 1, redeemed: 2, key: undefined },
      { version: 1, redeemed: 3, key: 'svc_d_key' },
      { version: 1, redeemed: 4, key: undefined },
    ]);
  });

  it('is asked for in the parent process, for one second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const sent: { redeeming: number; code: string }[] = [];
    let failure: Error | undefined;
    const send = (message: never, ...rest: unknown[]) => {
      sent.push(message);
      if (failure) (rest[2] as (error: Error) => void)(failure);
      return true;
    };
    const { send: before } = process;
    const listeners = process.listeners('message');
    process.send = send as never;
    try {
      const key = new RedeemedForAll();
      const answer = (message: unknown) => process.emit('message', message, undefined);
      for (const code of [undefined, 7, null, ['x'], 'x'.repeat(101)])
        expect(await key.take(code)).toBeUndefined();
      expect(sent).toEqual([]);
      const [one, two, three] = ['x'.repeat(100), 'two', 'three'].map(code => key.take(code));
      expect(sent.map(({ redeeming, code }) => [redeeming, code.length])).toEqual([
        [1, 100],
        [2, 3],
        [3, 5],
      ]);
      answer({ redeemed: 1, key: 'without a version' });
      answer(writeMessage({ redeemed: 2, key: 'of two' }));
      answer(writeMessage({ redeemed: 2, key: 'of nobody' }));
      vi.advanceTimersByTime(999);
      answer(writeMessage({ redeemed: 1, key: 'of one' }));
      vi.advanceTimersByTime(1);
      answer(writeMessage({ redeemed: 3, key: 'late' }));
      expect(await Promise.all([one, two, three])).toEqual(['of one', 'of two', undefined]);
      failure = new Error('gone');
      expect(await key.take('four')).toBeUndefined();
    } finally {
      vi.useRealTimers();
      if (before) process.send = before;
      else Reflect.deleteProperty(process, 'send');
      for (const listener of process.listeners('message'))
        if (!listeners.includes(listener)) process.off('message', listener);
    }
  });
});

describe('the port for the metrics of several processes', () => {
  let forked: FakeWorker[];
  let listeners: readonly unknown[];
  beforeEach(() => {
    forked = [];
    listeners = cluster.listeners('message');
    vi.spyOn(cluster, 'setupPrimary').mockImplementation(() => {});
    vi.spyOn(cluster, 'fork').mockImplementation(() => {
      const worker = new FakeWorker(forked.length);
      forked.push(worker);
      return worker as unknown as Worker;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    for (const listener of cluster.listeners('message'))
      if (!listeners.includes(listener)) cluster.off('message', listener as never);
  });

  /** Starts two processes, and returns the address of their metrics once it answers. */
  async function startTwo() {
    const [port, adminPort] = [await freePort(), await freePort()];
    const config = readConfig({ PORT: `${port}`, ADMIN_PORT: `${adminPort}`, WEB_CONCURRENCY: '2' });
    const databaseUrl = 'postgres://nobody@127.0.0.1:1/nothing';
    const serving = serveByMany({ config, databaseUrl, logger: createLogger('silent') });
    await vi.waitUntil(() => forked.length === 2);
    const metrics = `http://127.0.0.1:${adminPort}/healthz`;
    expect((await fetch(metrics)).status).toBe(200);
    return { serving, metrics };
  }

  it('is closed with them', async () => {
    const { serving, metrics } = await startTwo();
    for (const worker of forked) worker.listen();
    const { url, close } = await serving;
    expect(url).toBe('http://127.0.0.1:4000');
    await close();
    expect(forked.map(worker => worker.process.sent)).toEqual([['SIGTERM'], ['SIGTERM']]);
    await expect(fetch(metrics)).rejects.toThrow('fetch failed');
  });

  it('is closed if one of them does not listen, and the others are ended', async () => {
    const { serving, metrics } = await startTwo();
    forked[0]!.end(1);
    await expect(serving).rejects.toThrow(WorkerFailed);
    expect(forked[1]!.process.sent).toEqual(['SIGTERM']);
    await expect(fetch(metrics)).rejects.toThrow('fetch failed');
  });
});

it('a service that closes while Redis is unreachable leaves no port open and no timer running', async () => {
  const [began, ended] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
  onTestFinished(() => void vi.restoreAllMocks());
  const adminPort = await freePort();
  const service = await startService({
    config: readConfig({ PORT: '0', ADMIN_PORT: `${adminPort}`, REDIS_URL: 'redis://127.0.0.1:1' }),
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    logger: createLogger('silent'),
    onRefusal: () => {},
  });
  const addresses = [`${service.url}/healthz`, `http://127.0.0.1:${adminPort}/healthz`];
  for (const address of addresses)
    expect((await fetch(address, { headers: { connection: 'close' } })).status).toBe(200);
  await service.close(0);
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow('fetch failed');
  const begun = began.mock.results.map(({ value }) => value);
  expect(begun.length).toBeGreaterThan(0);
  const running = () => begun.filter(timer => !ended.mock.calls.some(([known]) => known === timer));
  await until(() => running().length === 0);
});
