import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReportReader } from '../../../src/collect/reader.ts';
import { replaceFunction } from '../../../test/support/replaced-functions.ts';
import { until } from '../../../test/support/until.ts';
import { post, startTestCollector, violation } from './collecting.ts';

const NOW = '2026-05-20T10:11:12.013Z';
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) }));
afterEach(() => void vi.useRealTimers());

const elsewhere = violation({ 'document-uri': 'https://other.example/' });

it('a collector that ends answers its last requests, closes connections and writes all reports', async () => {
  await using collector = await startTestCollector({ every: 3_600_000 });
  const { hostname, port, pathname } = new URL(collector.to);
  const body = violation();
  const send = async (head: string) => {
    const socket = connect(Number(port), hostname);
    const received = new Promise(resolve => collector.collector.server.once('request', resolve));
    socket.write(`${head} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n{`);
    await received;
    return socket;
  };
  const pending = [await send(`POST ${pathname}`), await send(`POST ${pathname}`)];
  const closed = collector.collector.close();
  const answers = pending.map(async (socket, index) => {
    socket.write(index === 0 ? body.slice(1) : 'x'.repeat(body.length - 1));
    return textOf(socket);
  });
  const [accepted, refused] = await Promise.all(answers);
  expect(accepted).toMatch(/^HTTP\/1.1 204 .*\r\nConnection: close\r\n/s);
  expect(refused).toMatch(/^HTTP\/1.1 400 .*\r\nConnection: close\r\n/s);
  await closed;
  expect((await collector.lines()).map(line => line.body)).toEqual([JSON.parse(body)]);
});

it('only a refused body closes its connection while the collector runs', async () => {
  await using collector = await startTestCollector();
  const { hostname, port, pathname } = new URL(collector.to);
  const connection = async (head: string, content = '') => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`${head}\r\n\r\n${content}`);
    const answer = await new Promise<Buffer>(resolve => socket.once('data', resolve));
    socket.destroy();
    const [, status, close = ''] = /^HTTP\/1.1 (\d+) .*?(?:Connection: (\S+)|$)/s.exec(String(answer)) ?? [];
    return `${status} ${close}`;
  };
  const request = (method: string, path = pathname, more = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: x${more}`;
  const length = (count: number) => `\r\nContent-Length: ${count}`;
  expect([
    await connection(request('POST', pathname, length(2)), '{}'),
    await connection(request('POST', pathname, `${length(2)}\r\nContent-Encoding: gzip`), '{}'),
    await connection(request('POST', pathname, length(1_048_577)), 'x'),
    await connection(request('POST', '/r/0000000000000000000000', length(2)), '{}'),
    await connection(request('PUT', pathname, length(0))),
    await connection(request('GET', '/healthz')),
    await connection('hello'),
  ]).toEqual([
    '400 keep-alive',
    '415 close',
    '413 close',
    '404 keep-alive',
    '405 keep-alive',
    '200 keep-alive',
    '400 close',
  ]);
  const answers = [200, 204, 400, 404, 405, 413, 415].map(status =>
    collector.metric(`sightline_collect_answers_total{status="${status}"}`),
  );
  expect(await Promise.all(answers)).toEqual([1, 0, 2, 1, 1, 1, 1]);
});

it('a collector that ends saves its state completely, for its owner and group', async () => {
  const reader = { ...createReportReader(), save: () => [{ day: '2026-05-20', types: 3 }] };
  await using collector = await startTestCollector({ reader }, { hosts: ['acme.example'] });
  await post(collector.to, violation());
  await post(collector.to, elsewhere);
  await collector.collector.close();
  const path = join(collector.spool, '.usage.json');
  const { usage, stored, read, ...rest } = JSON.parse(await readFile(path, 'utf8'));
  const line = { type: 'csp', date: '2026-05-20', filtered: 0, sampled: 0, rejected: 1 };
  expect(usage).toEqual([['["2026-05-20","csp","acme"]', { ...line, account: 'acme', isNew: false }]]);
  expect(stored).toEqual([
    ['acme', { day: '2026-05-20', bytes: expect.any(Number), month: '2026-05', reports: 1 }],
  ]);
  const [name] = (await readdir(join(collector.spool, 'acme'))).filter(file => file.includes('-1.ndjson'));
  const [first] = (await readFile(join(collector.spool, 'acme', name!), 'utf8')).split('\n');
  expect(stored[0][1].bytes).toBe(first!.length + 1);
  expect([read, rest]).toEqual([[{ day: '2026-05-20', types: 3 }], {}]);
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe('640');
  expect(await readdir(collector.spool)).toEqual(['.usage.json', 'acme']);
});

it('a collector that ends while it saves its state saves the final one last', async () => {
  const write = writeFile;
  const saves: (() => void)[] = [];
  const restore = replaceFunction('node:fs/promises', 'writeFile', async (path, ...rest) => {
    const isState = String(path).endsWith('.usage.json.part');
    if (isState && saves.length === 0) await new Promise<void>(resolve => saves.push(resolve));
    return write(path, ...rest);
  });
  try {
    await using collector = await startTestCollector({}, { hosts: ['acme.example'] });
    await until(() => saves.length === 1);
    await post(collector.to, elsewhere);
    const closed = collector.collector.close();
    expect(await Promise.race([closed.then(() => 'ended'), sleep(200, 'waits')])).toBe('waits');
    saves[0]!();
    await closed;
    const { usage } = JSON.parse(await readFile(join(collector.spool, '.usage.json'), 'utf8'));
    expect(usage.map(([, line]: [string, object]) => line)).toMatchObject([{ rejected: 1, isNew: false }]);
  } finally {
    restore();
  }
});

it('a reader continues with the unknown types of the process before it', () => {
  const read = (reader: ReturnType<typeof createReportReader>, type: string) => {
    const report = reader.read({ type, age: 1, url: 'https://acme.example/', body: {} }, 'acme');
    return typeof report === 'string' ? report : report.type;
  };
  const [before, after] = [createReportReader(), createReportReader()];
  for (let name = 0; name < 50; name++) expect(read(before, `name-${name}`)).toBe('other');
  after.restore(undefined);
  after.restore(JSON.parse(JSON.stringify(before.save())));
  expect([read(after, 'name-7'), read(after, 'name-50')]).toEqual(['other', 'unstored']);
});

it('a collector that starts restores each part of the state', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-state-'));
  const spool = join(folder, 'spool');
  await mkdir(spool);
  const usage = (type: string, date: string, rejected: number, isNew: boolean) => [
    JSON.stringify([date, type, 'acme']),
    { type, date, filtered: 1, sampled: 2, rejected, account: 'acme', isNew },
  ];
  const stored = (account: string, day: string, bytes: number, month: string, reports: number) => [
    account,
    { day, bytes, month, reports },
  ];
  const state = {
    usage: [
      usage('csp', '2026-05-20', 5, false),
      usage('nel', '2026-05-20', 6, true),
      usage('nel', '2026-05-19', 7, false),
    ],
    stored: [
      stored('acme', '2026-05-20', 9_900, '2026-05', 3),
      stored('yesterday', '2026-05-19', 9_900, '2026-05', 3),
      stored('april', '2026-04-30', 0, '2026-04', 3),
    ],
    read: undefined,
  };
  await writeFile(join(spool, '.usage.json'), JSON.stringify(state));
  const restored: unknown[] = [];
  const reader = { ...createReportReader(), restore: (saved: unknown) => void restored.push(saved) };
  const findQuota = () => ({ used: 0, limit: 4, month: '2026-05' });
  try {
    await using collector = await startTestCollector(
      { spool, reader, findQuota, mostDaily: 10_000 },
      { hosts: ['acme.example'] },
    );
    const accounts = ['yesterday', 'april'];
    const urls = [
      collector.to,
      ...(await Promise.all(accounts.map(account => collector.token({ account })))),
    ];
    await until(async () => (await post(urls[2]!, '{}')).status === 400);
    for (const url of urls) await post(url, `[${[violation(), violation()]}]`);
    await post(collector.to, elsewhere);
    const counts = async (outcome: string) =>
      Promise.all(
        ['acme', ...accounts].map(account =>
          collector.metric(`sightline_collect_reports_total{account="${account}",outcome="${outcome}"}`),
        ),
      );
    // The bytes of the day, one report of the month, and nothing from April.
    expect(await counts('quota')).toEqual([2, 1, 0]);
    await collector.collector.close();
    expect(await counts('accepted')).toEqual([0, 1, 2]);
    const lines = (await collector.lines()).flatMap(line => (line.usage ? [line.usage] : []));
    const of = { filtered: 1, sampled: 2 };
    // The start writes what the earlier process left unwritten.
    expect(lines).toEqual([
      { ...of, type: 'nel', date: '2026-05-20', rejected: 6 },
      { ...of, type: 'csp', date: '2026-05-20', rejected: 8 },
    ]);
    expect(restored).toEqual([undefined]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
