import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { simulateClock } from '../../../test/support/simulated-clock.ts';
import { until } from '../../../test/support/until.ts';
import { FairQueue } from '../src/fair-queue.ts';
import { Buckets } from '../src/rates.ts';
import { Share } from '../src/share.ts';
import { Spool } from '../src/spool.ts';
import { post, startTestCollector, type TestCollector, violation } from './collecting.ts';

type WithAddress = TestCollector & { to: string };

const outcome = (account: string, name: string) =>
  `sightline_collect_reports_total{account="${account}",outcome="${name}"}`;

/** Adds a second account, which receives few reports. */
async function addOther(collector: WithAddress): Promise<string> {
  const other = await collector.token({ account: 'other' });
  await until(async () => (await post(other, '{}')).status === 400);
  return other;
}

async function sendAll(to: string, count: number, body = violation()): Promise<void> {
  for (let time = 0; time < count; time++) expect((await post(to, body)).status).toBe(204);
}

it.concurrent.for([
  ['bytes', violation({ 'script-sample': 'x'.repeat(9000) })],
  ['files', violation()],
] as const)(
  'the collector reserves spool %s for another account',
  { tags: 'slow' },
  async ([, body], { expect }) => {
    await using collector = await startTestCollector({ mostSpooled: 160_000 });
    const other = await addOther(collector);
    await until(async () => {
      await sendAll(collector.to, 1, body);
      return (await collector.metric(outcome('acme', 'spool'))) > 0;
    }, 25);
    expect((await fetch(`${collector.url}/healthz`)).status).toBe(200);
    await until(async () => (await collector.lines()).length > 3);
    await sendAll(other, 5);
    await until(async () => (await collector.lines('other')).length === 5);
    expect(await collector.metric(outcome('other', 'spool'))).toBe(0);
    // Once its files are imported, the flooded account has room again.
    const folder = join(collector.spool, 'acme');
    for (const name of await readdir(folder)) await rm(join(folder, name));
    await until(async () => {
      await sendAll(collector.to, 1, body);
      return (await collector.lines()).length > 0;
    }, 200);
  },
);

/** Opens a spool of 1 GiB in a folder that is removed after the test. */
async function openSpool(onWritten: ConstructorParameters<typeof Spool>[3] = () => {}): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-spool-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spool = new Spool(folder, 2 ** 30, () => true, onWritten);
  await spool.open();
  return spool;
}

it('the spool reserves memory for another account while the disk is slow', async () => {
  const written = new Map<string, number>();
  const spool = await openSpool((account, tally, error) => {
    expect(error).toBeUndefined();
    written.set(account, (written.get(account) ?? 0) + tally.get('csp')!);
  });
  const line = [Buffer.alloc(500_000, 0x20), Buffer.from('\n')];
  let taken = 0;
  // Nothing is written before the end of this turn of the event loop.
  const facts = { types: ['csp'], counted: 1 };
  while (spool.add('acme', line, facts)) taken++;
  expect(taken).toBeGreaterThan(5);
  for (let time = 0; time < 4; time++) expect(spool.add('other', line, facts)).toBe(true);
  await spool.flush();
  expect(Object.fromEntries(written)).toEqual({ acme: taken, other: 4 });
  expect(spool.add('acme', line, facts)).toBe(true);
  await spool.flush();
});

it('a scan of the spool counts the written files and the lines in memory of each account', async () => {
  const spool = await openSpool();
  const facts = { types: ['csp'], counted: 1 };
  const line = (bytes: number) => [Buffer.alloc(bytes, 0x20)];
  for (const account of ['acme', 'other']) spool.add(account, line(40_960), facts);
  await spool.flush();
  spool.add('acme', line(1000), facts);
  spool.add('third', line(100), facts);
  const before = spool.waiting;
  const reports = await spool.look();
  expect([before, spool.waiting]).toEqual([83_020, 83_020]);
  expect(Object.fromEntries(reports)).toEqual({ acme: 2, other: 1, third: 1 });
  await spool.flush();
});

it('a written file takes whole blocks of the spool', async () => {
  const spool = await openSpool();
  for (const [bytes, waiting] of [
    [4096, 4096],
    [5000, 12_288],
    [1, 16_384],
  ] as const) {
    spool.add('acme', [Buffer.alloc(bytes, 0x20)]);
    await spool.flush();
    expect(spool.waiting).toBe(waiting);
  }
  await spool.look();
  expect(spool.waiting).toBe(16_384);
});

it('the collector reserves memory for another account while many bodies stay incomplete', {
  tags: 'slow',
}, async () => {
  await using collector = await startTestCollector();
  const other = await addOther(collector);
  const { hostname, port, pathname } = new URL(collector.to);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`;
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(head + ' '.repeat(900_000));
    return socket;
  });
  await until(async () => (await collector.metric(outcome('acme', 'unread'))) > 0);
  const long = violation({ 'script-sample': 'x'.repeat(900_000) });
  await Promise.all([sendAll(other, 3, long), sendAll(other, 20)]);
  expect(await collector.metric(outcome('other', 'unread'))).toBe(0);
  await until(async () => (await collector.lines('other')).length === 23);
  for (const socket of sockets) socket.destroy();
  await until(async () => {
    await sendAll(collector.to, 1, long);
    return (await collector.metric(outcome('acme', 'accepted'))) > 0;
  }, 50);
});

it('the queue of bodies prefers the account that has used less processing time', async () => {
  const advance = simulateClock();
  const queue = new FairQueue(() => true);
  const order: string[] = [];
  const add = (account: string, milliseconds: number) =>
    queue.add(account, () => {
      advance(milliseconds);
      order.push(account);
    });
  let queued = 0;
  while (add('acme', 2)) queued++;
  expect(queued).toBe(500);
  for (let count = 0; count < 20; count++) expect(add('other', 0)).toBe(true);
  while (order.filter(account => account === 'other').length < 20) await setImmediate();
  expect(order.filter(account => account === 'acme').length).toBeLessThan(20);
  // Idle time gives no credit, so a new account gets only its share.
  for (let count = 0; count < 50; count++) expect(add('third', 2)).toBe(true);
  const before = order.length;
  while (order.filter(account => account === 'third').length < 50) await setImmediate();
  expect(order.slice(before).filter(account => account === 'acme').length).toBeGreaterThan(0);
  while (order.length < queued + 70) await setImmediate();
});

it('the queue of bodies of a single account has room for a thousand', async () => {
  const queue = new FairQueue(() => false);
  let ended = 0;
  const add = () => queue.add('acme', () => void ended++);
  expect(Array.from({ length: 1001 }, add).indexOf(false)).toBe(1000);
  await until(() => ended === 1000);
  expect(add()).toBe(true);
  await until(() => ended === 1001);
});

it('an idle account does not catch up with the time that another one has used', async () => {
  const advance = simulateClock();
  const queue = new FairQueue(() => true);
  const order: string[] = [];
  const add = (account: string) =>
    queue.add(account, () => {
      advance(2);
      order.push(account);
    });
  for (let count = 0; count < 100; count++) add('acme');
  while (order.length < 50) await setImmediate();
  const before = order.length;
  for (let count = 0; count < 3; count++) add('idle');
  while (order.length < before + 5) await setImmediate();
  expect(order.slice(before, before + 5)).toEqual(['idle', 'acme', 'idle', 'acme', 'idle']);
});

it('a rate allows a whole burst at once, and then what has been added since', () => {
  const buckets = new Buckets({ perSecond: 2, burst: 10 }, 2);
  expect(buckets.take('acme', 11, 0)).toBe(false);
  expect(buckets.take('acme', 10, 0)).toBe(true);
  expect(buckets.take('acme', 1, 499)).toBe(false);
  expect(buckets.take('acme', 1, 500)).toBe(true);
  expect(buckets.take('acme', 11, 60_000)).toBe(false);
  expect(buckets.take('acme', 10, 60_000)).toBe(true);
});

it('a rate adds what has passed since the last look, even after a refusal', () => {
  const buckets = new Buckets({ perSecond: 2, burst: 10 }, 2);
  expect(buckets.take('acme', 10, 1000)).toBe(true);
  const times = [1250, 1499, 1500, 1750, 2000];
  expect(times.map(now => buckets.take('acme', 1, now))).toEqual([false, false, true, false, true]);
});

it('a rate is forgotten for the client that was seen least recently, once there are too many', () => {
  const buckets = new Buckets({ perSecond: 2, burst: 10 }, 2);
  for (const client of ['one', 'two', 'one', 'three']) buckets.take(client, 5, 0);
  expect(['one', 'three', 'two'].map(client => buckets.take(client, 6, 0))).toEqual([false, false, true]);
});

it('the collector loses no report of an account while another one uses all processing time', {
  tags: 'slow',
}, async () => {
  await using collector = await startTestCollector();
  const other = await addOther(collector);
  const heavy = violation({ x: Array.from({ length: 9000 }, () => ({})) });
  let isOver = false;
  const flood = Array.from({ length: 40 }, async () => {
    while (!isOver) await post(collector.to, heavy);
  });
  await sendAll(other, 15);
  isOver = true;
  await Promise.all(flood);
  await until(async () => (await collector.lines('other')).length === 15);
});

it('a shared resource is available completely to a single account', () => {
  const share = new Share(10, () => false);
  expect([share.take('acme', 10), share.take('acme', 1)]).toEqual([true, false]);
  share.add('acme', -10);
  expect(share.take('acme', 3)).toBe(true);
});

it('a shared resource always has a part left for further accounts', () => {
  const share = new Share(1000, () => true);
  for (const account of ['one', 'two', 'three', 'four']) while (share.take(account, 1));
  expect(share.take('fifth', 10)).toBe(true);
  share.add('one', -500);
  while (share.take('two', 1));
  expect(share.take('fifth', 100)).toBe(true);
  share.replace(new Map([['one', 600]]));
  expect([share.take('one', 1), share.take('two', 200), share.used]).toEqual([false, true, 800]);
});
