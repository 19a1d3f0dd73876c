import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { replaceFunction } from '../../../test/support/replaced-functions.ts';
import { simulatePauses } from '../../../test/support/simulated-pauses.ts';
import { until } from '../../../test/support/until.ts';
import { Bytes } from '../src/bytes.ts';
import { FairQueue } from '../src/fair-queue.ts';
import { type PlanQuota, Quotas } from '../src/quotas.ts';
import { Share } from '../src/share.ts';
import { Spool } from '../src/spool.ts';
import { createToken, Tokens } from '../src/tokens.ts';
import { post, startTestCollector, violation } from './collecting.ts';

/** Limits that are reached exactly, and events that arrive while something else is in progress. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-boundaries-'));
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

it('a file of tokens has changed if its time, its size or the file itself is another one', async () => {
  const path = join(folder, 'tokens');
  const listed = [
    await createToken(join(folder, 'a'), { account: 'a' }, new Date(0)),
    await createToken(join(folder, 'b'), { account: 'b' }, new Date(0)),
  ];
  const [a, b] = await Promise.all(['a', 'b'].map(name => readFile(join(folder, name), 'utf8')));
  const tokens = new Tokens(path);
  const find = async () => {
    for (let look = 0; look < 2; look++) await tokens.refresh();
    return listed.map(token => tokens.find(token)?.account ?? '').join('');
  };
  await writeFile(path, a!);
  await utimes(path, 1000, 1000);
  await tokens.refresh(true);
  // Another time.
  await writeFile(path, b!);
  await utimes(path, 2000, 2000);
  const found = [await find()];
  // Another size.
  await writeFile(path, a! + b!);
  await utimes(path, 2000, 2000);
  found.push(await find());
  // Another file of the same size and time.
  await writeFile(join(folder, 'new'), `${a}${' '.repeat(b!.length)}`);
  await utimes(join(folder, 'new'), 2000, 2000);
  expect((await stat(join(folder, 'new'))).size).toBe((await stat(path)).size);
  await rename(join(folder, 'new'), path);
  found.push(await find());
  expect(found).toEqual(['b', 'ab', 'a']);
});

it('an account can have the longest name of a folder, and a token one hundred hosts', async () => {
  const path = join(folder, 'tokens');
  const hosts = Array.from({ length: 100 }, (_, index) => `h${index}.example`);
  const token = await createToken(path, { account: 'a'.repeat(255), hosts });
  const tokens = new Tokens(path);
  await tokens.refresh(true);
  expect(tokens.find(token)).toMatchObject({ account: 'a'.repeat(255), hosts });
});

it('reports of the last month do not count if the month ends while the service is asked', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T23:59:59Z') });
  let answer: PlanQuota = { used: 0, limit: 10, month: '2026-11' };
  const quotas = new Quotas(1000, () => answer);
  quotas.add('acme', 100, 8);
  const taken = quotas.countTaken();
  vi.setSystemTime('2026-12-01T00:00:00Z');
  answer = { used: 5, limit: 10, month: '2026-12' };
  quotas.rebase(taken, new Map([['acme', 2]]));
  expect([quotas.hasRoom('acme', 1, 3), quotas.hasRoom('acme', 1, 4)]).toEqual([true, false]);
});

it('reports of the last month are not taken from those of this month', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T23:59:59Z') });
  const quotas = new Quotas(1000, () => undefined);
  quotas.add('acme', 100, 8);
  vi.setSystemTime('2026-12-01T00:00:00Z');
  expect(Object.fromEntries(quotas.countTaken())).toEqual({ acme: 0 });
});

it('a file that is written during a scan of the spool is counted', async () => {
  const spool = new Spool(
    folder,
    2 ** 30,
    () => false,
    () => {},
  );
  await spool.open();
  const list = readdir;
  spool.add('acme', [Buffer.from('x\n')], { types: ['csp'], counted: 3 });
  // The folder is listed before the file exists, and the list arrives once the file is complete.
  const restore = replaceFunction('node:fs/promises', 'readdir', (async (
    ...given: Parameters<typeof list>
  ) => {
    const entries = await list(...given);
    await spool.flush();
    return entries;
  }) as typeof list);
  try {
    expect(Object.fromEntries(await spool.look())).toEqual({ acme: 3 });
  } finally {
    restore();
  }
  expect(Object.fromEntries(await spool.look())).toEqual({ acme: 3 });
});

it('a disk that does not respond within two seconds is a problem, and is not tried again meanwhile', async () => {
  const spool = new Spool(
    folder,
    2 ** 30,
    () => false,
    () => {},
  );
  await spool.open();
  const limits: unknown[] = [];
  let attempts = 0;
  let respond = () => {};
  const restoreWrite = replaceFunction('node:fs/promises', 'writeFile', () => {
    attempts++;
    return new Promise<void>(resolve => {
      respond = resolve;
    });
  });
  const restorePauses = simulatePauses(async (milliseconds, value) => {
    limits.push(milliseconds);
    return value;
  });
  let clock = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  try {
    const problems: (string | undefined)[] = [];
    for (let look = 0; look < 3; look++) {
      problems.push((await spool.findProblem())?.message);
      await vi.waitFor(() => expect(attempts).toBe(1));
      clock += 5000;
    }
    expect(problems).toEqual(Array(3).fill('The disk does not respond'));
    expect(limits).toEqual([2000]);
    respond();
    restoreWrite();
    restorePauses();
    await vi.waitFor(async () => expect(await spool.findProblem()).toBeUndefined());
  } finally {
    restoreWrite();
    restorePauses();
  }
});

it('the queue of bodies lets other events happen after ten milliseconds of work', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const queue = new FairQueue(() => false);
  let ended = 0;
  const perTurn: number[] = [];
  for (let job = 0; job < 25; job++)
    queue.add('acme', () => {
      now += 1;
      ended++;
    });
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(resolve => setImmediate(resolve));
    perTurn.push(ended);
  }
  expect(perTurn).toEqual([10, 20, 25]);
});

it('a growing buffer keeps what it has, and its size at least doubles', () => {
  const bytes = new Bytes();
  const sizes: number[] = [];
  for (const text of ['a'.repeat(300), 'b'.repeat(300), 'c'.repeat(600), 'd']) {
    bytes.add(Buffer.from(text));
    sizes.push(bytes.size);
  }
  expect(sizes).toEqual([300, 1200, 1200, 2402]);
  expect(bytes.whole().toString()).toBe(`${'a'.repeat(300)}${'b'.repeat(300)}${'c'.repeat(600)}d`);
});

it('an account can send exactly the reports of ten seconds at once', async () => {
  await using collector = await startTestCollector({ accountRate: 20 });
  const clock = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(clock);
  for (const count of [100, 99, 1, 1]) await post(collector.to, `[${Array(count).fill(violation())}]`);
  await collector.collector.close();
  const ended = ['accepted', 'rate'].map(outcome =>
    collector.metric(`sightline_collect_reports_total{account="acme",outcome="${outcome}"}`),
  );
  expect(await Promise.all(ended)).toEqual([200, 1]);
});

it('the service is asked for filters even if the spool cannot be read', async () => {
  let requests = 0;
  const ask = async () => void requests++;
  await using collector = await startTestCollector({ ask, askEvery: 20 });
  // Renamed, because the collector can write to the folder while its files are removed one by one.
  await rename(collector.spool, `${collector.spool}.gone`);
  const hasFailed = () =>
    collector.said.some(text => text.includes('filters and quotas cannot be requested'));
  await until(hasFailed);
  const before = requests;
  expect(await until(() => requests > before + 1)).toBe(true);
});

it('a body for which the queue has no room is dropped, counted and answered, and its memory is free again', async () => {
  await using collector = await startTestCollector();
  const queue = vi.spyOn(FairQueue.prototype, 'add').mockReturnValue(false);
  // Together, these bodies are larger than all memory for bodies.
  const body = ' '.repeat(1_000_000);
  for (let sent = 0; sent < 17; sent++) {
    const { status, headers } = await post(collector.to, body);
    expect([status, headers.get('connection')]).toEqual([204, 'close']);
  }
  expect(queue).toHaveBeenCalledTimes(17);
  queue.mockRestore();
  await post(collector.to, violation());
  await collector.collector.close();
  const counts = ['unread', 'accepted'].map(outcome =>
    collector.metric(`sightline_collect_reports_total{account="acme",outcome="${outcome}"}`),
  );
  expect(await Promise.all(counts)).toEqual([17, 1]);
  expect(await collector.metric('sightline_collect_answers_total{status="204"}')).toBe(18);
});

it('a body that turns out to be too large frees its memory exactly once', async () => {
  const add = vi.spyOn(Share.prototype, 'add');
  await using collector = await startTestCollector();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.alloc(1_048_577, 0x20));
      controller.close();
    },
  });
  const answer = await fetch(collector.to, { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(answer.status).toBe(413);
  await collector.collector.close();
  const sums = new Map<unknown, number>();
  for (const [index, [, amount]] of add.mock.calls.entries()) {
    const share = add.mock.contexts[index];
    sums.set(share, (sums.get(share) ?? 0) + amount);
  }
  expect([...sums.values()]).toEqual([0]);
});

it('an idle connection stays open for longer than that of a proxy, and a request may take five seconds', async () => {
  await using collector = await startTestCollector();
  const { headers } = await post(collector.to, violation());
  expect(headers.get('keep-alive')).toBe('timeout=75');
  const { requestTimeout, headersTimeout } = collector.collector.server;
  expect([requestTimeout, headersTimeout]).toEqual([5000, 5000]);
});

it('a file of tokens can be empty, or contain only white space', async () => {
  const path = join(folder, 'tokens');
  await writeFile(path, '');
  const token = await createToken(path, { account: 'a' });
  expect(await readFile(path, 'utf8')).toMatch(/^\{.+\}\n$/);
  await writeFile(path, `\n \r\n${await readFile(path, 'utf8')}\n\t\n`);
  const tokens = new Tokens(path);
  await tokens.refresh(true);
  expect([tokens.find(token)?.account, tokens.accounts]).toEqual(['a', 1]);
});
