import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProxyFault } from '../support/fault-proxy.ts';
import { type DatabaseBehindProxy, encrypted, inTheClear } from '../support/faulty-database.ts';
import { Load } from '../support/load.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { watchMachine } from '../support/yardstick.ts';
import { IN_EARNEST, LIMITS, PATIENCE, RATE, SECONDS } from './scale.ts';

const POOL_SIZE = 4;
const ATTEMPTS = 'sightline_database_connection_attempts_total';
const PATHS = ['/v1/me?n=*', '/v1/last-seven-days?n=*', '/v1/watches/script?n=*', '/v1/usage-metrics?n=*'];

let database: DatabaseBehindProxy;
let key: string;
let service: ServiceProcess;

async function start(make: () => Promise<DatabaseBehindProxy>): Promise<void> {
  database = await make();
  key = database.paced.keys[0]!;
  service = await serve(database.url, {
    ...LIMITS,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    ...database.env,
  });
}

async function end(): Promise<void> {
  await service?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
}

/** Returns the milliseconds until a request is answered as it was before the fault. */
async function recovery(): Promise<number> {
  const begin = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  while ((await fetch(`${service.url}/v1/quota`, { headers })).status !== 200) await sleep(10);
  return performance.now() - begin;
}

const FAILED = '500 {"error":"Internal server error"}';

/**
 * The faults with `FAULTS=brief`: a server that fails to start, and a network that loses data silently, or alters it
 * with TLS.
 */
const QUICK: Record<string, readonly ProxyFault[]> = {
  'in the clear': ['finAtStart', 'halfOpen'],
  'with TLS': ['garble'],
};

const FAULTS: [ProxyFault, seconds: number][] = [
  ['refuse', SECONDS],
  ['reset', SECONDS],
  ['finAtStart', SECONDS],
  ['cut', SECONDS],
  ['garble', SECONDS],
  // These have an effect only after the statement timeout.
  ['latency', SECONDS + 2],
  ['halfOpen', SECONDS + 2],
];

describe.each([
  ['in the clear', inTheClear],
  ['with TLS', encrypted],
] as const)('a fault between the service and its database, %s', (how, make) => {
  beforeAll(() => start(make));
  afterAll(end);

  it.each(FAULTS.filter(([fault]) => IN_EARNEST || QUICK[how]!.includes(fault)))(
    '%s: every request gets a response, and the service recovers',
    async (fault, seconds) => {
      const { proxy } = database;
      await recovery();
      const before = await service.metric(ATTEMPTS);
      const machine = watchMachine();
      const begun = performance.now();
      const load = new Load({
        url: service.url,
        key,
        rate: RATE,
        paths: PATHS,
        patience: PATIENCE,
      });
      await sleep(200);
      await proxy.set(fault);
      await sleep(seconds * 1000);
      const attempts = (await service.metric(ATTEMPTS)) - before;
      await proxy.set('none');
      const healed = performance.now();
      const recovered = await recovery();
      if (IN_EARNEST) await machine.pass(healed, 2000);
      const elapsed = (healed - begun) / 1000;
      const { failures, slowest, answeredSince } = await load.stop();

      // The tenant of the row can be altered as well, which only TLS detects.
      if (fault !== 'garble' || how === 'with TLS')
        expect(failures.filter(failure => failure !== FAILED)).toEqual([]);
      expect(failures.filter(failure => !/^\d/.test(failure))).toEqual([]);
      expect(service.child.exitCode).toBeNull();
      expect(attempts).toBeLessThanOrEqual(20 * Math.ceil(elapsed));
      // All other checks depend on timing.
      if (!IN_EARNEST) return;
      expect(slowest).toBeLessThan(machine.over(3000));
      expect(recovered).toBeLessThan(machine.over(2000));
      expect(answeredSince(healed + machine.over(2000))).toEqual([200]);
      expect(proxy.busiestSecond).toBeLessThanOrEqual(20);
      expect(proxy.mostOpen).toBeLessThanOrEqual(POOL_SIZE);
    },
  );
});
