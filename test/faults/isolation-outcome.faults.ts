import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import {
  CALM_MONTH,
  CALM_PATHS,
  type Neighbours,
  OTHER_MONTH,
  OTHER_PATHS,
  settle,
} from '../support/neighbours.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { until } from '../support/until.ts';
import { LIMITS } from './scale.ts';

/** Checks only outcomes; isolation.faults.ts also measures times. */

let database: TestDatabase;
let neighbours: Neighbours;

beforeAll(async () => {
  database = await createDatabase();
  neighbours = await settle(database.url, { others: 1 });
});

afterAll(async () => {
  await neighbours?.[Symbol.asyncDispose]();
  await database?.drop();
});

const REFUSED = 'statements of this key are slow, and no connection for slow statements became free in time';
const METRIC = 'sightline_database_statements_refused_total\\{reason="slow"\\}';

const paths = (templates: readonly string[], count: number) =>
  Array.from({ length: count }, (_, n) => templates[n % templates.length]!.replace('*', String(n)));

function graphql(month: string): RequestInit {
  const query = `{ viewer { cspReports(unit: months, date: "${month}") { reports { id } } } }`;
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify({ query }) };
}

async function ask({ url }: ServiceProcess, key: string, path: string, init: RequestInit = {}) {
  const headers = { ...init.headers, authorization: `Bearer ${key}` };
  const response = await fetch(url + path, { ...init, headers });
  return { status: response.status, body: await response.text() };
}

describe('a key with hanging statements', () => {
  it('delays only its own requests', async () => {
    const { calm, others, lock } = neighbours;
    await using service = await serve(database.url, { DATABASE_POOL_SIZE: '4' });
    // Both keys must already be classified as quick.
    for (const key of [calm, others[0]!]) expect((await ask(service, key, '/v1/quota')).status).toBe(200);
    const unlock = await lock();
    let ended = 0;
    const stuck = paths(OTHER_PATHS, 20).map(path =>
      ask(service, others[0]!, path).finally(() => {
        ended++;
      }),
    );
    await until(async () => (await service.metric('sightline_database_statements_waiting')) > 0);
    for (const path of paths(CALM_PATHS, 20)) expect((await ask(service, calm, path)).status).toBe(200);
    expect((await ask(service, calm, '/graphql', graphql(CALM_MONTH))).status).toBe(200);
    expect(await service.isReady()).toBe(true);
    expect(ended).toBe(0);
    await unlock();
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is refused when no connection becomes free in time, with the reason in the log and a metric', async () => {
    const { calm, others, lock } = neighbours;
    await using service = await serve(database.url, { ...LIMITS, DATABASE_POOL_SIZE: '4' });
    const unlock = await lock();
    const failed: Promise<{ status: number; body: string }>[] = [];
    for (let n = 0; !service.errors[REFUSED]; n++) {
      failed.push(ask(service, others[0]!, paths(OTHER_PATHS, n + 1)[n]!));
      failed.push(ask(service, others[0]!, '/graphql', graphql(OTHER_MONTH)));
      for (const path of paths(CALM_PATHS, 4)) await ask(service, calm, `${path}${n}`);
    }
    const bodies = new Set((await Promise.all(failed)).map(({ body }) => body));
    await unlock();
    for (const body of bodies) expect(body).toMatch(/choose a shorter period|retry this one when/);
    expect(await service.metric(METRIC)).toBeGreaterThan(0);
  });
});
