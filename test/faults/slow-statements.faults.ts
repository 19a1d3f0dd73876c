import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { until } from '../support/until.ts';
import { IN_EARNEST, LIMITS } from './scale.ts';

const AT_WORK = 'sightline_requests_at_work';

let database: TestDatabase;
let stock: Stock;
let service: ServiceProcess;
/** A service with a statement timeout of one minute. It caches key lookups, so that they are not counted. */
let patient: ServiceProcess;
let slow: string;
let cheap: string;

beforeAll(async () => {
  database = await createDatabase();
  stock = openStock(database.url);
  slow = await stock.account('a-slow');
  cheap = await stock.account('a-cheap');
  [service, patient] = await Promise.all([
    serve(database.url, LIMITS),
    serve(database.url, { KEY_LEASE: '250ms' }),
  ]);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await patient?.[Symbol.asyncDispose]();
  await stock?.close();
  await database?.drop();
});

interface TimedResponse {
  status: number;
  milliseconds: number;
}

async function ask(path: string, key: string, of = service): Promise<TimedResponse> {
  const begin = performance.now();
  const response = await fetch(of.url + path, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return { status: response.status, milliseconds: performance.now() - begin };
}

/** Reads of the setup wizard wait while its table is locked. */
const whileWizardIsSlow = <Result>(work: () => Promise<Result>) => whileSlow('csp_wizard', work);

function whileSlow<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  return stock.sql.transaction(async transaction => {
    await transaction.query(`lock table ${table} in access exclusive mode`);
    return work();
  });
}

describe('slow statements', () => {
  it('are aborted at their time limit, and their connections stay usable', async () => {
    const before = await service.metric('sightline_database_connection_attempts_total');
    const { status, milliseconds } = await whileWizardIsSlow(() => ask('/v1/wizard/csp', slow));
    expect(status).toBe(500);
    expect(milliseconds).toBeGreaterThan(1900);
    if (IN_EARNEST) expect(milliseconds).toBeLessThan(3000);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(n => ask(`/v1/wizard/csp?n=${n}`, slow)));
    expect(answers.map(answer => answer.status)).toEqual(Array(8).fill(200));
    const made = (await service.metric('sightline_database_connection_attempts_total')) - before;
    expect(made).toBeLessThanOrEqual(3);
    expect(await service.metric('sightline_database_driver_replacements_total')).toBe(0);
  });

  it('of one key leave connections for cheap statements of another key', async () => {
    const stuck = await whileWizardIsSlow(async () => {
      const requested = Array.from({ length: 40 }, (_, n) => ask(`/v1/wizard/csp?n=a${n}`, slow, patient));
      await until(async () => (await patient.metric(AT_WORK)) === requested.length);
      // These are answered while the slow statements wait.
      const quick: TimedResponse[] = [];
      for (let n = 0; n < 40; n++) quick.push(await ask(`/v1/quota?n=${n}`, cheap, patient));
      expect(quick.filter(({ status }) => status !== 200)).toEqual([]);
      const times = quick.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
      if (IN_EARNEST) expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(300);
      expect(await patient.metric(AT_WORK)).toBe(requested.length);
      return requested;
    });
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('of one request can wait for each other longer than for those of other requests', async () => {
    const fresh = await stock.account('a-fresh');
    await using hasty = await serve(database.url, { DATABASE_QUEUE_TIMEOUT: '50ms' });
    const today = new Date().toISOString().slice(0, 10);
    const groups = (type: string) =>
      `${type}: reportGroups(type: ${type}, from: "${today}", by: [DAY]) { totalCount }`;
    const query = `{ account(id: "a-fresh") { ${['csp', 'nel', 'dmarc', 'coep', 'crash'].map(groups).join(' ')} } }`;
    const requested = await whileSlow('report', async () => {
      const answer = fetch(`${hasty.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${fresh}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      await until(async () => (await hasty.metric('sightline_database_statements_waiting')) > 1);
      // Longer than the wait behind other statements, plus two checks for overdue ones.
      await sleep(500);
      return [answer];
    });
    const response = await requested[0]!;
    const empty = { totalCount: 0 };
    expect(await response.json()).toEqual({
      data: { account: { csp: empty, nel: empty, dmarc: empty, coep: empty, crash: empty } },
    });
  });

  it('are not started for clients that have disconnected', async () => {
    const statements = () => patient.metric('sightline_database_statements_total');
    const before = await statements();
    await whileWizardIsSlow(async () => {
      const requests = Array.from({ length: 30 }, (_, n) =>
        get(`${patient.url}/v1/wizard/csp?n=b${n}`, { headers: { authorization: `Bearer ${slow}` } }).on(
          'error',
          () => {},
        ),
      );
      await until(async () => (await patient.metric(AT_WORK)) === requests.length);
      for (const request of requests) request.destroy();
      await until(async () => (await patient.metric(AT_WORK)) === 0);
    });
    // The current statement continues, and the next one would be sent now.
    await sleep(200);
    // The sent statements (four on each of three connections) and a few key lookups.
    expect((await statements()) - before).toBeLessThan(20);
  });
});
