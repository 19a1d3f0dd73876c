import { Rows } from '@sightline/postgres';
import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../sql/account-id.ts';
import type { Database, DatabaseClient, OwnedRow } from '../../sql/client.ts';
import { NOW } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { everyRoute } from '../support/routes.ts';
import { type Answer, startService } from '../support/service.ts';
import { estateOf, ownProbes, type Probe, tenant } from './tenancy.ts';

/** The service with a fence taken down. The other ones are worth as much as a client then sees. */
const own = tenant('bess', 'team', 2);
const other = tenant('adam', 'team', 1);

/** Passes every statement on as it is changed. */
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
    owned: (...statement) => changed.owned(...statement),
    // A snapshot looks at its rows itself, so only its statements can be changed. Its rows are few: one part.
    snapshot: () => {
      const snapshot = database.snapshot();
      const { owned } = change({
        rows: (...statement) => database.rows(...statement),
        async owned(account, text, parameters) {
          const parts = snapshot.parts(account as AccountId, text, parameters)[Symbol.asyncIterator]();
          return (await parts.next()).value ?? Rows.of([]);
        },
      });
      return {
        async *parts<Row extends OwnedRow>(...statement: Parameters<Database['owned']>) {
          const rows = await owned<Row>(...statement);
          if (rows.length > 0) yield rows;
        },
        close: () => snapshot.close(),
      };
    },
    ping: timeout => database.ping(timeout),
    end: () => database.end(),
  };
}

/** Every statement of owned data forgets whose it should be. */
const forgetful = (database: Database): Database => ({
  rows: (...statement) => database.rows(...statement),
  owned: (accounts, text, ...rest) => database.owned(accounts, forgetOwner(text), ...rest),
});

function forgetOwner(text: string): string {
  return text
    .replace(/\b(\w+\.)?(account_id|id) = any\(\$1::text\[\]\)/g, '$$1::text[] is not null')
    .replace(/\b(\w+\.)?account_id = \$1(?!\d)/g, '$$1::text is not null')
    .replace(/\b\w+\.account_id = \w+\.account_id and /g, '');
}

/** The rows are not looked at. */
const trusting = (database: Database): Database => ({
  rows: (...statement) => database.rows(...statement),
  owned: (_accounts, ...statement) => database.rows(...statement),
});

interface Weakened extends AsyncDisposable {
  /** With a key of the account that is not the other one. */
  ask(probe: Probe): Promise<Answer>;
}

async function weaken(change: (database: Database) => Database): Promise<Weakened> {
  const service = await startService({
    now: NOW,
    mayFail: true,
    through: database => changing(database, change),
  });
  await service.load(...estateOf(own), ...estateOf(other));
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

/** With the other's ids, where a route or a field takes any. */
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

/** Routes that need nothing but the caller's own row, which the key has found. */
const OF_THE_KEY = ['/v1/me', '/v1/plan', '/v1/report-types'];

describe('without the account in the statements', () => {
  it('every route and field that owns anything fails, and shows nothing of the other account', async () => {
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

describe('without the look at the rows', () => {
  it('every route and field answers, and shows nothing of the other account', async () => {
    await using service = await weaken(trusting);
    for (const probe of await everything()) {
      const answer = await service.ask(probe);
      expectNothingForeign(answer, probe);
      expect(answer.status, JSON.stringify(probe)).toBeLessThan(500);
      expect(answer.text).not.toContain('Internal server error');
    }
  });
});

describe('without both', () => {
  it('the other account would be seen: the tests above look in the right places', async () => {
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
