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

/** A cached key lookup is used briefly, but never after the key has changed. */
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

/** Each test uses a new account, which has not been looked up before. */
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

/**
 * Counts the statements that the work causes within one lease. Repeats the work if the machine was too slow for that.
 */
async function statementsWithin(work: () => Promise<unknown>): Promise<number> {
  return until(async () => {
    // The earlier lookups have expired.
    await sleep(LONGEST_LEASE + 5);
    const [before, begin] = [service.statements, performance.now()];
    await work();
    return performance.now() - begin < LONGEST_LEASE && service.statements - before;
  });
}

/** Counts the statements of consecutive requests. */
function splitStatements(requests: number): Promise<number> {
  return statementsWithin(async () => {
    for (let sent = 0; sent < requests; sent++) await status(key);
  });
}

/** Returns when the last request without a 401 was sent, in milliseconds. */
async function dead(as: string, of = service): Promise<number> {
  const begin = performance.now();
  for (let last = begin; ; await sleep(2)) {
    const sentAt = performance.now();
    if ((await of.get('/v1/me', as)).status === 401) return last - begin;
    last = sentAt;
  }
}

describe('a cached key', () => {
  it('needs no statement for a cached or unchanged response', async () => {
    const { headers } = await service.get('/v1/plan', key);
    const statements = await statementsWithin(async () => {
      await service.get('/v1/plan', key);
      await service.get('/v1/plan', key);
      await service.get('/v1/plan', key, { 'if-none-match': headers.get('etag')! });
    });
    expect(statements).toBe(1);
  });

  it('is looked up again after the lease', async () => {
    expect(await splitStatements(1)).toBe(1);
    expect(await splitStatements(1)).toBe(1);
  });

  it('is rejected within one lease after its revocation, on /graphql as well', async () => {
    expect(await status(key)).toBe(200);
    expect((await graphql(key)).status).toBe(200);
    await operator`update api_key set revoked_at = ${new Date(Date.parse(NOW) - 1)} where account_id = ${id}`;
    expect(await dead(key)).toBeLessThan(LONGEST_LEASE);
    await sleep(LONGEST_LEASE);
    expect((await graphql(key)).status).toBe(401);
  });

  it('is rejected from the millisecond of its expiry or of the end of its rotation', async () => {
    // Later than the database's clock, which revocations use as well.
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

  it('does not make malformed, mistyped or unknown keys valid', async () => {
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

  it('becomes valid as soon as its account is loaded', async () => {
    const token = await service.key('personal', 'bob');
    expect(await status(token)).toBe(401);
    await service.load(personal('bob'), plan('bob'));
    expect(await status(token)).toBe(200);
  });

  it('is found for any spelling of the scheme, while long headers are not cached', async () => {
    const before = service.statements;
    const ofLength = (length: number) => `Bearer ${key.padStart(length - 'Bearer '.length)}`;
    const lookUps: number[] = [];
    for (const header of [`bearer ${key}`, `BEARER  ${key}`, ofLength(64), ofLength(65), ofLength(500)]) {
      for (let requests = 0; requests < 2; requests++) {
        const answer = await service.request('/v1/me', { headers: { authorization: header } });
        expect(answer.status).toBe(200);
      }
      lookUps.push(service.statements - before - lookUps.reduce((sum, count) => sum + count, 0));
    }
    expect(lookUps).toEqual([1, 1, 1, 2, 2]);
  });
});

describe('during an announced change', () => {
  it('every request looks up its key, and afterwards a single lookup is enough', async () => {
    await operator`insert into announced_change (id) values (1)`;
    expect(await splitStatements(5)).toBe(5);
    await operator`delete from announced_change`;
    expect(await splitStatements(5)).toBe(1);
  });

  it('responses have distinct tags and are not cached, since servers can differ', async () => {
    await operator`insert into announced_change (id) values (999)`;
    const [first, second] = [await service.get('/v1/filters', key), await service.get('/v1/filters', key)];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
    await operator`delete from announced_change`;
    const after = await service.get('/v1/filters', key, { 'If-None-Match': first.headers.get('etag')! });
    expect(after.status).toBe(200);
  });
});

it('a request after a load never gets an older response, even with a cached key', {
  tags: 'slow',
}, async () => {
  for (let round = 1; round <= 4; round++) {
    const hot = async () => {
      for (let time = 0; time < 20; time++) await service.get('/v1/plan', key);
    };
    const loading = service.load(plan(id, { collectHosts: round }));
    await Promise.all([loading, hot(), hot(), hot()]);
    expect((await service.get('/v1/plan', key)).body.collectHosts).toBe(round);
  }
});

it('a revoked key is rejected within one lease of the system clock', async () => {
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
