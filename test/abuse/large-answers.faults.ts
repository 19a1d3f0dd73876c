import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_EARNEST, LIMITS } from '../faults/scale.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { openStock, type Stock } from '../support/stock.ts';

const MIB = 1024 * 1024;
const MONTH = '/v1/reports/csp?unit=months&date=2026-05';

let database: TestDatabase;
let stock: Stock;
let served: ServiceProcess;
/** The same service with its default limits. */
let limited: ServiceProcess;
let keys: string[];

/** Returns the status of the longest response, whether it is complete, and whether it says that there is more. */
async function ask(key: string): Promise<string> {
  const response = await fetch(limited.url + MONTH, {
    headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' },
  });
  const body = (await response.json()) as { reports?: unknown[]; truncated?: boolean };
  return `${response.status} ${body.truncated === true && body.reports!.length > 30}`;
}

/** Forty reports of 1 MiB, the largest that the feed accepts. They exceed the maximum response size. */
beforeAll(async () => {
  database = await createDatabase();
  stock = openStock(database.url);
  keys = [await stock.account('large')];
  for (let more = 0; more < 3; more++) keys.push(await stock.key('personal', 'large'));
  await stock.sql`update plan set data_retention_days = 3660`;
  await stock.sql`create table report_large partition of report
    for values from ('2026-05-01 00:00+00') to ('2026-06-01 00:00+00')`;
  await stock.sql`insert into report (account_id, type, date, id, count, raw)
    select 'large', 'csp', timestamptz '2026-05-20 12:00+00' - n * interval '1 second', 'r' || n, 1,
      repeat(md5(n::text), 32768) from generate_series(1, 40) n`;
  served = await serve(database.url);
  await served.untilReady();
  limited = await serve(database.url, IN_EARNEST ? LIMITS : {});
  await limited.untilReady();
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await limited?.[Symbol.asyncDispose]();
  await stock?.close();
  await database?.drop();
});

/** Opens a connection and requests the longest response on it. */
function openRequest(key: string): Socket {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  const lines = [
    `GET ${MONTH} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${key}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Returns the number of bytes received by a client that pauses after every 256 KiB. */
async function read(socket: Socket, pause: number): Promise<number> {
  let size = 0;
  let next = 0;
  for await (const chunk of socket) {
    size += chunk.length;
    if (size < next) continue;
    next = size + 256 * 1024;
    await sleep(pause);
  }
  return size;
}

it('four concurrent responses of maximum length need limited memory while their clients read', async () => {
  const sizes = await Promise.all(keys.map(key => read(openRequest(key), 50)));
  for (const size of sizes) {
    expect(size).toBeLessThanOrEqual(32 * MIB);
    expect(size).toBeGreaterThan(30 * MIB);
  }
  const status = readFileSync(`/proc/${served.child.pid}/status`, 'utf8');
  expect(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024).toBeLessThanOrEqual(350);
});

it('nine consecutive responses of maximum length are complete despite the load of another account', async () => {
  const other = await stock.account('other');
  let isOver = false;
  const load = Array.from({ length: 20 }, async () => {
    while (!isOver)
      await (await fetch(`${limited.url}/v1/plan`, { headers: { Authorization: `Bearer ${other}` } })).text();
  });
  for (let more = 0; more < 9; more++) expect(await ask(keys[0]!)).toBe('200 true');
  isOver = true;
  await Promise.all(load);
});

it('twenty concurrent responses of maximum length are complete or refused', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(keys[index % 4]!)));
  const whole = answers.filter(answer => answer === '200 true');
  const refused = answers.filter(answer => answer === '500 false');
  expect(whole.length + refused.length).toBe(20);
  expect(whole.length).toBeGreaterThanOrEqual(4);
  // Active readers are never disconnected, and no statement times out.
  expect(Object.keys(limited.errors).filter(error => error.includes('statement timeout'))).toEqual([]);
});

it('a fifth response of maximum length is refused while four wait for their readers, and sent afterwards', async () => {
  const get = (path: string, key: string) =>
    fetch(served.url + path, { headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' } });
  /** Returns the status without reading the response. */
  const fifth = async () => {
    const response = await get(MONTH, keys[0]!);
    await response.body!.cancel();
    return [response.status, response.headers.has('RateLimit')];
  };
  const readers = keys.map(openRequest);
  const begun = readers.map(reader => once(reader, 'readable'));
  // A reader that makes progress every second is not disconnected, and its response takes two minutes.
  const sizes = Promise.allSettled(readers.map(reader => read(reader, 1000)));
  await Promise.all(begun);
  await expect.poll(fifth).toEqual([500, true]);
  await expect
    .poll(() => Object.keys(served.errors))
    .toContain("the account's clients have not read 128 MiB of earlier responses yet");
  expect((await get('/v1/plan', keys[0]!)).status).toBe(200);
  expect((await get('/v1/plan', await stock.account('third'))).status).toBe(200);
  for (const reader of readers) reader.destroy();
  await sizes;
  await expect.poll(fifth).toEqual([200, true]);
});
