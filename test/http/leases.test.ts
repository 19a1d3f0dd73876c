import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LONGEST_LEASE } from '../../sql/changes/announcer.ts';
import { endKey } from '../../sql/operator/key-administration.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { NOW, personal, plan } from '../support/fixtures.ts';
import type { Operator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { until } from '../support/until.ts';

/** A key that was looked up is good for a moment, and for no longer than it is true. */
let service: TestService;
let stock: Stock;
let operator: Operator;
let id: string;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW, keyLease: LONGEST_LEASE });
  stock = openStock(service.databaseUrl);
  operator = stock.sql;
});
afterAll(async () => {
  await stock.close();
  await service.close();
});

/** An account of the test's own: nobody can have looked it up before. */
let accounts = 0;
beforeEach(async () => {
  service.setNow(NOW);
  id = `ada-${++accounts}`;
  key = await stock.account(id);
});

const status = async (as: string) => (await service.get('/v1/me', as)).status;
const graphql = (token: string) =>
  service.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"query":"{ viewer { __typename } }"}',
  });

/** Statements of some work that took no longer than a lease: on a busy machine it is done again until it does. */
async function statementsWithin(work: () => Promise<unknown>): Promise<number> {
  return until(async () => {
    // Earlier look-ups are of no use any more.
    await sleep(LONGEST_LEASE + 5);
    const [before, begin] = [service.statements, performance.now()];
    await work();
    return performance.now() - begin < LONGEST_LEASE && service.statements - before;
  });
}

/** Statements of some requests, one after the other. */
function statementsOf(requests: number): Promise<number> {
  return statementsWithin(async () => {
    for (let sent = 0; sent < requests; sent++) await status(key);
  });
}

/** Milliseconds from now until the last request was sent that is answered otherwise than with 401. */
async function dead(as: string, of = service): Promise<number> {
  const begin = performance.now();
  for (let last = begin; ; await sleep(2)) {
    const asked = performance.now();
    if ((await of.get('/v1/me', as)).status === 401) return last - begin;
    last = asked;
  }
}

describe('a key that was just looked up', () => {
  it('costs no statement, nor does an answer that is kept or unchanged', async () => {
    const { headers } = await service.get('/v1/plan', key);
    const statements = await statementsWithin(async () => {
      await service.get('/v1/plan', key);
      await service.get('/v1/plan', key);
      await service.get('/v1/plan', key, { 'if-none-match': headers.get('etag')! });
    });
    expect(statements).toBe(1);
  });

  it('is looked up again when the time of the lease is over', async () => {
    expect(await statementsOf(1)).toBe(1);
    expect(await statementsOf(1)).toBe(1);
  });

  it('is dead within the time of a lease after it was revoked, on /graphql too', async () => {
    expect(await status(key)).toBe(200);
    expect((await graphql(key)).status).toBe(200);
    await operator`update api_key set revoked_at = ${new Date(Date.parse(NOW) - 1)} where account_id = ${id}`;
    expect(await dead(key)).toBeLessThan(LONGEST_LEASE);
    await sleep(LONGEST_LEASE);
    expect((await graphql(key)).status).toBe(401);
  });

  it('is dead at the instant in which it expires, or ends after its rotation', async () => {
    // Later than the database's clock, which has a say in a revocation.
    const end = new Date(Date.now() + 3_600_000);
    const holder = { accountId: id, name: null, expiresAt: null };
    const expiring = await issueKey(operator, 'personal', {
      ...holder,
      expiresAt: end,
    });
    const rotated = await issueKey(operator, 'personal', holder);
    await operator`update api_key set revoked_at = ${end} where id = ${rotated.id}`;
    service.setNow(new Date(end.getTime() - 1).toISOString());
    for (const { key: token } of [expiring, rotated]) expect(await status(token)).toBe(200);
    service.setNow(end.toISOString());
    for (const { key: token } of [expiring, rotated]) expect(await status(token)).toBe(401);
  });

  it('is not kept under what is no key, or one that is mistyped or unknown', async () => {
    await status(key);
    const wrong = [
      key.slice(0, -1),
      `${key}x`,
      key.replace('svc_d_', 'svc_t_'),
      key.toLowerCase(),
      `${key} ${key}`,
    ];
    for (const token of wrong)
      for (let time = 0; time < 2; time++) expect(await status(token), token).toBe(401);
    const unknown = await service.key('personal', 'nobody');
    expect([await status(unknown), await status(unknown)]).toEqual([401, 401]);
  });

  it('becomes good at once when its account comes', async () => {
    const token = await service.key('personal', 'bob');
    expect(await status(token)).toBe(401);
    await service.load(personal('bob'), plan('bob'));
    expect(await status(token)).toBe(200);
  });

  it('is the same key where the scheme is written otherwise, and long headers are not kept', async () => {
    const before = service.statements;
    for (const header of [`bearer ${key}`, `BEARER  ${key}`, `Bearer ${' '.repeat(500)}${key}`]) {
      const answer = await service.request('/v1/me', { headers: { authorization: header } });
      expect(answer.status).toBe(200);
    }
    await service.request('/v1/me', { headers: { authorization: `Bearer ${' '.repeat(500)}${key}` } });
    expect(service.statements - before).toBe(4);
  });
});

describe('while a change is announced', () => {
  it('every request looks its key up, and when it is over none need', async () => {
    await operator`insert into announced_change (id) values (1)`;
    expect(await statementsOf(5)).toBe(5);
    await operator`delete from announced_change`;
    expect(await statementsOf(5)).toBe(1);
  });

  it('what is read has a tag of its own and is not kept, since servers may differ in what they have', async () => {
    await operator`insert into announced_change (id) values (999)`;
    const [first, second] = [await service.get('/v1/filters', key), await service.get('/v1/filters', key)];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
    await operator`delete from announced_change`;
    const after = await service.get('/v1/filters', key, { 'If-None-Match': first.headers.get('etag')! });
    expect(after.status).toBe(200);
  });
});

it('no request that begins after a load is answered from before it, also of a key that was just looked up', async () => {
  for (let round = 1; round <= 4; round++) {
    const hot = async () => {
      for (let time = 0; time < 20; time++) await service.get('/v1/plan', key);
    };
    const loading = service.load(plan(id, { collectHosts: round }));
    await Promise.all([loading, hot(), hot(), hot()]);
    expect((await service.get('/v1/plan', key)).body.collectHosts).toBe(round);
  }
});

it('a key that is ended now is refused within the time of a lease by the real clock', async () => {
  await using real = await startService({ keyLease: LONGEST_LEASE, databaseUrl: service.databaseUrl });
  const { id: keyId, key: token } = await issueKey(operator, 'personal', {
    accountId: id,
    name: null,
    expiresAt: null,
  });
  expect((await real.get('/v1/me', token)).status).toBe(200);
  await endKey(operator, keyId, 0);
  expect(await dead(token, real)).toBeLessThan(LONGEST_LEASE);
});
