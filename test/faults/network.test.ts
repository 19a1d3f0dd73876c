import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Fault, FaultProxy } from '../support/fault-proxy.ts';
import { Load } from '../support/load.ts';
import { type Served, serve } from '../support/served.ts';
import { openStock } from '../support/stock.ts';
import { IN_EARNEST, LIMITS, PATIENCE, RATE, SECONDS } from './scale.ts';

const POOL_SIZE = 4;
const ATTEMPTS = 'sightline_database_connection_attempts_total';
const PATHS = ['/v1/me?n=*', '/v1/last-seven-days?n=*', '/v1/watches/script?n=*', '/v1/usage-metrics?n=*'];

let database: TestDatabase;
let proxy: FaultProxy;
let service: Served;
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  const stock = openStock(database.url);
  key = await stock.account('a-1');
  await stock.close();
  proxy = await FaultProxy.start(database.url);
  service = await serve(proxy.url, { ...LIMITS, DATABASE_POOL_SIZE: String(POOL_SIZE) });
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await proxy?.close();
  await database?.drop();
});

/** Milliseconds from now until a request is answered as if nothing had been. */
async function recovery(): Promise<number> {
  const begin = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  while ((await fetch(`${service.url}/v1/quota`, { headers })).status !== 200) await sleep(10);
  return performance.now() - begin;
}

const FAILED = '500 {"error":"Internal server error"}';

/** Those that are tried within `npm test`: a server that fails to start, and a network that fails to say so. */
const QUICK = new Set<Fault>(['finAtStart', 'halfOpen']);

const FAULTS: [Fault, seconds: number][] = [
  ['refuse', SECONDS],
  ['reset', SECONDS],
  ['finAtStart', SECONDS],
  ['cut', SECONDS],
  ['garble', SECONDS],
  // These only show when the time of a statement is over.
  ['latency', SECONDS + 2],
  ['halfOpen', SECONDS + 2],
];

describe('a fault between the service and its database', () => {
  it.each(FAULTS.filter(([fault]) => IN_EARNEST || QUICK.has(fault)))(
    '%s: leaves no request without an answer, and nothing behind',
    async (fault, seconds) => {
      await recovery();
      const before = await service.metric(ATTEMPTS);
      const begun = performance.now();
      const load = new Load({ url: service.url, key, rate: RATE, paths: PATHS, patience: PATIENCE });
      await sleep(200);
      await proxy.set(fault);
      await sleep(seconds * 1000);
      const attempts = (await service.metric(ATTEMPTS)) - before;
      await proxy.set('none');
      const healed = performance.now();
      const recovered = await recovery();
      if (IN_EARNEST) await sleep(Math.max(0, healed + 2200 - performance.now()));
      const elapsed = (healed - begun) / 1000;
      const { failures, slowest, answeredSince } = await load.stop();

      // What a row says may have been changed, too, and with it whose key it is: only TLS would tell.
      if (fault !== 'garble') expect(failures.filter(failure => failure !== FAILED)).toEqual([]);
      expect(failures.filter(failure => !/^\d/.test(failure))).toEqual([]);
      expect(service.child.exitCode).toBeNull();
      expect(attempts).toBeLessThanOrEqual(20 * Math.ceil(elapsed));
      // All others hold by the clock.
      if (!IN_EARNEST) return;
      expect(slowest).toBeLessThan(3000);
      expect(recovered).toBeLessThan(2000);
      expect(answeredSince(healed + 2000)).toEqual([200]);
      expect(proxy.busiestSecond).toBeLessThanOrEqual(20);
      expect(proxy.mostOpen).toBeLessThanOrEqual(POOL_SIZE);
    },
  );
});
