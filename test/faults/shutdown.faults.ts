import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { keepAliveAgent } from '../support/keep-alive.ts';
import { Load } from '../support/load.ts';
import { serve } from '../support/served.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { until } from '../support/until.ts';
import { watchMachine } from '../support/yardstick.ts';
import { LIMITS, RATE } from './scale.ts';

let database: TestDatabase;
let stock: Stock;
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  stock = openStock(database.url);
  key = await stock.account('a-1');
});

afterAll(async () => {
  await stock?.close();
  await database?.drop();
});

describe('SIGTERM under load', () => {
  it('makes the service unready at once, after which it completes running requests and exits with 0', async () => {
    await using service = await serve(database.url, { SHUTDOWN_GRACE: '1500ms' });
    const load = new Load({ url: service.url, key, rate: RATE, paths: ['/v1/me?n=*', '/v1/quota?n=*'] });
    await sleep(500);
    const machine = watchMachine();
    const begin = performance.now();
    const ended = service.end();
    await until(async () => !(await service.isReady()));
    await sleep(700);
    const { failures, sent } = await load.stop();
    expect(sent).toBeGreaterThan(RATE);
    expect(failures).toEqual([]);
    expect(await ended).toBe(0);
    expect(performance.now() - begin).toBeLessThan(machine.over(5000));
  });

  it('lets slow requests finish without cutting off any', async () => {
    await using service = await serve(database.url, LIMITS);
    const agent = keepAliveAgent();
    const headers = { authorization: `Bearer ${key}` };
    const status = (path: string) =>
      new Promise<number | string>(resolve => {
        const request = get(service.url + path, { agent, headers }, response => {
          response.resume().on('end', () => resolve(response.statusCode!));
        });
        request.on('error', error => resolve(error.message));
      });
    const machine = watchMachine();
    const begin = performance.now();
    await stock.sql.transaction(async transaction => {
      await transaction.query('lock table csp_wizard in access exclusive mode');
      const slow = [status('/v1/wizard/csp?n=1'), status('/v1/wizard/csp?n=2')];
      await sleep(300);
      const ended = service.end();
      expect(await Promise.all(slow)).toEqual([500, 500]);
      expect(await ended).toBe(0);
    });
    agent.destroy();
    expect(performance.now() - begin).toBeLessThan(machine.over(5000));
  });
});
