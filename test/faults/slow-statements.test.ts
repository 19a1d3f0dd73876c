import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Served, serve } from '../support/served.ts';
import { openStock, type Stock } from '../support/stock.ts';

let database: TestDatabase;
let stock: Stock;
let service: Served;
let slow: string;
let cheap: string;

beforeAll(async () => {
  database = await createDatabase();
  stock = openStock(database.url);
  slow = await stock.account('a-slow');
  cheap = await stock.account('a-cheap');
  service = await serve(database.url);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await stock?.close();
  await database?.drop();
});

interface Timed {
  status: number;
  milliseconds: number;
}

async function ask(path: string, key: string): Promise<Timed> {
  const begin = performance.now();
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return { status: response.status, milliseconds: performance.now() - begin };
}

/** While it lasts, whatever reads the wizard waits. */
function whileWizardIsSlow<Result>(work: () => Promise<Result>): Promise<Result> {
  return stock.sql.begin(async transaction => {
    await transaction`lock table csp_wizard in access exclusive mode`;
    return work();
  }) as Promise<Result>;
}

describe('slow statements', () => {
  it('end at their limit, and leave their connections good', async () => {
    const before = await service.metric('sightline_database_connection_attempts_total');
    const { status, milliseconds } = await whileWizardIsSlow(() => ask('/v1/wizard/csp', slow));
    expect(status).toBe(500);
    expect(milliseconds).toBeGreaterThan(1900);
    expect(milliseconds).toBeLessThan(3000);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(n => ask(`/v1/wizard/csp?n=${n}`, slow)));
    expect(answers.map(answer => answer.status)).toEqual(Array(8).fill(200));
    const made = (await service.metric('sightline_database_connection_attempts_total')) - before;
    expect(made).toBeLessThanOrEqual(3);
    expect(await service.metric('sightline_database_driver_replacements_total')).toBe(0);
  });

  it("of one key leave room for another key's cheap ones", async () => {
    await whileWizardIsSlow(async () => {
      const stuck = Array.from({ length: 40 }, (_, n) => ask(`/v1/wizard/csp?n=a${n}`, slow));
      await sleep(100);
      const quick: Timed[] = [];
      for (let n = 0; n < 40; n++) quick.push(await ask(`/v1/quota?n=${n}`, cheap));
      expect(quick.filter(({ status }) => status !== 200)).toEqual([]);
      const times = quick.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
      expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(300);
      const answers = await Promise.all(stuck);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
      expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(3000);
    });
  });

  it('of clients that went away do not begin', async () => {
    // Leased, so that there are no look-ups to be counted.
    await using service = await serve(database.url, { KEY_LEASE: '250ms' });
    const statements = () => service.metric('sightline_database_statements_total');
    const before = await statements();
    await whileWizardIsSlow(async () => {
      const requests = Array.from({ length: 30 }, (_, n) =>
        get(`${service.url}/v1/wizard/csp?n=b${n}`, { headers: { authorization: `Bearer ${slow}` } }).on(
          'error',
          () => {},
        ),
      );
      await sleep(200);
      for (const request of requests) request.destroy();
      // Until the service has seen it, on a busy machine too.
      await sleep(400);
    });
    await sleep(200);
    // Those that were sent, four on each of three connections, and a few look-ups of the caller.
    expect((await statements()) - before).toBeLessThan(20);
  });
});
