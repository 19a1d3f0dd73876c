import { Rows } from '@sightline/pg-client';
import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../sql/account-id.ts';
import type { Database, DatabaseClient, TenantRow } from '../../sql/client.ts';
import { NOW } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { everyRoute } from '../support/routes.ts';
import { type Answer, startService } from '../support/service.ts';
import { getEstate, ownProbes, type Probe, tenant } from './tenancy.ts';

/** The service with one barrier removed. The other barriers must still protect the data. */
const own = tenant('bess', 'team', 2);
const other = tenant('adam', 'team', 1);

/** Modifies each statement before it is sent. */
function changing(database: DatabaseClient, change: (database: Database) => Database): DatabaseClient {
  const changed = change(database);
  return {
    get statements() {
      return database.statements;
    },
    get counters() {
      return database.counters;
    },
    rows: (...statement) => changed.rows(...statement),
    queryTenant: (...statement) => changed.queryTenant(...statement),
    // Snapshots check their rows themselves, so only their statements can be modified. This one is small enough to form
    // a single part.
    snapshot: () => {
      const snapshot = database.snapshot();
      const { queryTenant } = change({
        rows: (...statement) => database.rows(...statement),
        async queryTenant(account, text, parameters) {
          const parts = snapshot.parts(account as AccountId, text, parameters)[Symbol.asyncIterator]();
          return (await parts.next()).value ?? Rows.of([]);
        },
      });
      return {
        async *parts<Row extends TenantRow>(...statement: Parameters<Database['queryTenant']>) {
          const rows = await queryTenant<Row>(...statement);
          if (rows.length > 0) yield rows;
        },
        close: () => snapshot.close(),
      };
    },
    ping: timeout => database.ping(timeout),
    end: () => database.end(),
  };
}

/** Removes the tenant condition from every statement. */
const forgetful = (database: Database): Database => ({
  rows: (...statement) => database.rows(...statement),
  queryTenant: (accounts, text, ...rest) => database.queryTenant(accounts, forgetOwner(text), ...rest),
});

function forgetOwner(text: string): string {
  return text
    .replace(/\b(\w+\.)?(account_id|id) = any\(\$1::text\[\]\)/g, '$$1::text[] is not null')
    .replace(/\b(\w+\.)?account_id = \$1(?!\d)/g, '$$1::text is not null')
    .replace(/\b\w+\.account_id = \w+\.account_id and /g, '');
}

/** Skips the check of the rows. */
const trusting = (database: Database): Database => ({
  rows: (...statement) => database.rows(...statement),
  queryTenant: (_accounts, ...statement) => database.rows(...statement),
});

interface WeakenedService extends AsyncDisposable {
  /** Sends the probe with another account's key. */
  ask(probe: Probe): Promise<Answer>;
}

async function weaken(change: (database: Database) => Database): Promise<WeakenedService> {
  const service = await startService({
    now: NOW,
    mayFail: true,
    through: database => changing(database, change),
  });
  await service.load(...getEstate(own), ...getEstate(other));
  const key = await service.key('team', own.id);
  return {
    ask: ({ target, document }) =>
      document === undefined ? service.get(target, key) : ask(service, key, document),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

function expectNothingForeign({ text }: Answer, probe: Probe): void {
  for (const mark of other.marks) expect(text, JSON.stringify(probe)).not.toContain(mark);
}

/** The ids of the other account, in every route and field that accepts an id. */
async function everything(): Promise<Probe[]> {
  const targets = (await everyRoute())
    .filter(({ unknown }) => !unknown)
    .flatMap(({ target, isExport }) => (isExport ? [target, `${target}?after=`] : [target]))
    .concat(
      `/v1/policies/csp/${other.policyId}`,
      `/v1/certificate-transparency/cert/${other.sha256}`,
      ...['script', 'data', 'frame', 'policy'].map(product => `/v1/watches/${product}/${other.site}`),
    );
  return ownProbes(targets);
}

/** Routes that need only the caller's own row, which is read during authentication. */
const OF_THE_KEY = ['/v1/me', '/v1/plan', '/v1/report-types'];

describe('a service without the tenant condition in its statements', () => {
  it('fails on every route and field with tenant data and exposes nothing of the other account', {
    tags: 'slow',
  }, async () => {
    await using service = await weaken(forgetful);
    for (const probe of await everything()) {
      const answer = await service.ask(probe);
      expectNothingForeign(answer, probe);
      if (OF_THE_KEY.includes(probe.target)) continue;
      expect(answer.text, JSON.stringify(probe)).toContain('Internal server error');
      if (!probe.document) expect(answer.status).toBe(500);
    }
  });
});

describe('a service without the row check', () => {
  it('responds on every route and field and exposes nothing of the other account', {
    tags: 'slow',
  }, async () => {
    await using service = await weaken(trusting);
    for (const probe of await everything()) {
      const answer = await service.ask(probe);
      expectNothingForeign(answer, probe);
      expect(answer.status, JSON.stringify(probe)).toBeLessThan(500);
      expect(answer.text).not.toContain('Internal server error');
    }
  });
});

describe('a service without both barriers', () => {
  it('exposes the other account, so these tests can detect a leak', { tags: 'slow' }, async () => {
    await using service = await weaken(database => forgetful(trusting(database)));
    let seen = 0;
    const all = await everything();
    for (const probe of all) {
      const { text } = await service.ask(probe);
      if (other.marks.some(mark => text.includes(mark))) seen++;
    }
    expect(seen).toBeGreaterThan(all.length / 2);
  });
});
