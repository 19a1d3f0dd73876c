import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { openStock, type Stock } from '../support/stock.ts';

const LIMIT = { STATEMENT_TIMEOUT: '1s' };

let database: TestDatabase;
let stock: Stock;
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  stock = openStock(database.url);
  key = await stock.account('a-1');
  service = await serve(database.url, LIMIT);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await stock?.close();
  await database?.drop();
});

/** While the table is locked, all reads of reports exceed the statement timeout. */
function whileReportsAreSlow<Result>(work: () => Promise<Result>): Promise<Result> {
  return stock.sql.transaction(async transaction => {
    await transaction.query('lock table report, daily_group, removed_position in access exclusive mode');
    return work();
  });
}

async function get(path: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
  return [response.status, await response.json()];
}

async function ask(query: string): Promise<unknown> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

const MONTH = new Date().toISOString().slice(0, 7);
const GROUPS = `{ account(id: "a-1") { reportGroups(type: csp, unit: months, date: "${MONTH}", by: [SAMPLE]) { totalCount } } }`;
const TOO_LONG = expect.stringContaining('choose a shorter period or fewer filters');

// Poolers do not pass on settings of a session, so operators set the limit on the role (docs/operations.md).
describe.skipIf(process.env.TEST_POOLER)('a statement that exceeds the statement timeout', () => {
  it('returns TIME_LIMIT_EXCEEDED with advice in GraphQL', async () => {
    const body = await whileReportsAreSlow(() => ask(GROUPS));
    // On a busy machine, the request can reach its own deadline first, in which case the response has no data.
    expect(body).toMatchObject({
      errors: [{ message: TOO_LONG, extensions: { code: 'TIME_LIMIT_EXCEEDED' } }],
    });
    expect((body as { data?: unknown }).data ?? null).toBeOneOf([null, { account: { reportGroups: null } }]);
  });

  it('makes /export return 503 with advice', async () => {
    const answers = await whileReportsAreSlow(async () => [await get('/export/reports/csp?after=')]);
    for (const answer of answers) expect(answer).toEqual([503, { error: TOO_LONG }]);
  });

  it('makes /v1 return 500 with advice, because 503 is not one of its statuses', async () => {
    const answer = await whileReportsAreSlow(() => get(`/v1/reports/csp?unit=months&date=${MONTH}`));
    expect(answer).toEqual([500, { error: TOO_LONG }]);
  });

  it('never marks the database as unreachable', async () => {
    await whileReportsAreSlow(() =>
      Promise.all([ask(GROUPS), ask(GROUPS), sleep(10).then(() => ask(GROUPS))]),
    );
    expect(service.log.filter(line => line.includes('unreachable'))).toEqual([]);
    expect(await service.isReady()).toBe(true);
  });
});
