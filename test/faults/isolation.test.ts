import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { Load } from '../support/load.ts';
import {
  CALM_PATHS,
  figuresOf,
  type Neighbours,
  OTHER_MONTH,
  OTHER_PATHS,
  settle,
} from '../support/neighbours.ts';
import { type Served, serve } from '../support/served.ts';

/** The long form, with times: isolation.faults.ts. */

let database: TestDatabase;
let neighbours: Neighbours;
let service: Served;

beforeAll(async () => {
  database = await createDatabase();
  neighbours = await settle(database.url, { others: 1 });
  service = await serve(database.url);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await neighbours?.[Symbol.asyncDispose]();
  await database?.drop();
});

const SLOW = 'statements of this key are slow, and such have no connection left';

describe('a key whose statements hang', () => {
  it('fails alone, by /v1 and by /graphql, and the log and a metric say why', async () => {
    const calm = { url: service.url, key: neighbours.calm, rate: 40, paths: CALM_PATHS };
    const warm = new Load(calm);
    await sleep(300);
    await warm.stop();
    const unlock = await neighbours.lock();
    const [key] = neighbours.others;
    const loads = [new Load(calm), new Load({ url: service.url, key: key!, rate: 10, paths: OTHER_PATHS })];
    const begin = performance.now();
    let unready = 0;
    while (performance.now() < begin + 3000) {
      if (!(await service.isReady())) unready++;
      await sleep(100);
    }
    const query = `{ viewer { cspReports(unit: months, date: "${OTHER_MONTH}") { nodes { id } } } }`;
    const answer = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await answer.text()).toContain('INTERNAL_SERVER_ERROR');
    const [calmly, hanging] = await Promise.all(loads.map(load => load.stop()));
    await unlock();
    expect(calmly!.failures).toEqual([]);
    expect(unready).toBe(0);
    expect(hanging!.failures).toEqual(['500 {"error":"Internal server error"}']);
    expect(figuresOf(loads[1]!.outcomes)).toMatchObject({ failed: hanging!.sent });
    expect(service.errors[SLOW]).toBeGreaterThan(0);
    expect(
      await service.metric('sightline_database_statements_refused_total\\{reason="slow"\\}'),
    ).toBeGreaterThan(0);
  });
});
