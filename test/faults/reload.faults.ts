import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { Load } from '../support/load.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { openStock } from '../support/stock.ts';

const RELOADS = 3;
const RATE = 200;

let database: TestDatabase;
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  const stock = openStock(database.url);
  key = await stock.account('a-1');
  await stock.close();
  service = await serve(database.url, { WEB_CONCURRENCY: '2', SHUTDOWN_GRACE: '1500ms' });
  await service.untilReady();
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await database?.drop();
});

const reloads = () => service.log.filter(line => line.includes('"reloaded"')).length;

describe('a reload', () => {
  it(`loses none of ${RATE} requests per second during ${RELOADS} consecutive reloads`, async () => {
    const paths = ['/v1/me?n=*', '/v1/quota?n=*', '/readyz?n=*'];
    const load = new Load({ url: service.url, key, rate: RATE, paths, patience: 10_000 });
    for (let reload = 1; reload <= RELOADS; reload++) {
      service.child.kill('SIGHUP');
      while (reloads() < reload) await sleep(50);
    }
    const { sent, failures, slowest } = await load.stop();
    process.stderr.write(
      `${sent} requests, ${failures.length} kinds of failures, slowest ${Math.round(slowest)} ms\n`,
    );
    expect(failures).toEqual([]);
    expect(service.errors).toEqual({});
    expect(sent).toBeGreaterThan(RELOADS * RATE);
  }, 120_000);
});
