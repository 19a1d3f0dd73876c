import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../schema/context.ts';
import { directLoaders } from '../schema/loaders.ts';
import type { Account } from '../sql/account.ts';
import type { Database } from '../sql/client.ts';
import { callersByDigest } from '../sql/keys.ts';
import type { JsonBody } from '../src/executor/json.ts';
import { computeDigest } from '../src/keys/format.ts';
import type { Notes } from '../src/observability/notes.ts';
import { WatchedDatabase } from '../src/observability/watched-database.ts';
import { createFacade, type Facade } from '../src/rest/facade.ts';
import { NOW, open, plan, team } from './support/fixtures.ts';
import { belongings, routesOfV1 } from './support/routes.ts';
import { startService, type TestService } from './support/service.ts';

/** Barriers between the accounts' data. Each must hold without the others. */
let service: TestService;
let database: Database;
let facade: Facade;
let ada: Account;
let bob: Account;

beforeAll(async () => {
  service = await startService({ now: NOW });
  ({ database } = service);
  ada = await accountBehind(await open(service, team('ada'), plan('ada')));
  await service.load(team('bob'), ...belongings('bob'));
  bob = await accountBehind(await service.key('team', 'bob'));
  facade = await createFacade();
});
afterAll(() => service.close());

/** The authenticated account: the only source of an AccountId. */
async function accountBehind(key: string): Promise<Account> {
  const digest = computeDigest(key).toString('hex');
  return (await callersByDigest(database, [digest], new Date(NOW), 60_000)).get(digest)!.account!;
}

async function toText(body: JsonBody): Promise<string> {
  if (typeof body === 'string') return body;
  const pieces: Buffer[] = [];
  // A chunk of a stream is valid until the next one is requested.
  for await (const piece of 'pieces' in body ? body.pieces : body) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

const OTHERS =
  'shows what `belongings` gives another account: its statement takes an account, or say `unknown` in routes.ts';

describe('the tenant condition of every query', async () => {
  it.each(await routesOfV1())('isolates $path even without the row check', async ({ target, unknown }) => {
    const unwatched: Database = {
      rows: (...statement) => database.rows(...statement),
      queryTenant: (_accounts, ...statement) => database.rows(...statement),
    };
    const context = (account: Account): Context => ({
      account,
      database: unwatched,
      load: directLoaders(unwatched),
      now: new Date(NOW),
      reportsResultCap: 1000,
    });
    const [path = '', query = ''] = target.slice('/v1'.length).split('?');
    const { route, variables } = facade(path, query);
    const run = async (who: Account) => toText(await route.answer(variables, context(who)));
    await run(bob);
    if (unknown) await expect(run(ada)).rejects.toThrow(unknown.error);
    else expect(await run(ada).catch(String), OTHERS).not.toMatch(/bob|own\.example|pol_own|-1"|event-1/);
  });
});

describe('the row check', () => {
  const EVERYBODYS = 'select account_id, id, name, policy from csp_policy';

  it('rejects rows of another account, even for a query without a tenant condition', async () => {
    for (const accounts of [ada.id, [ada.id], []]) {
      await expect(database.queryTenant(accounts, EVERYBODYS, [])).rejects.toThrow('a row of another tenant');
    }
    expect(await database.queryTenant([ada.id, bob.id], EVERYBODYS, [])).toHaveLength(1);
  });

  it('rejects rows that do not name their account', async () => {
    await expect(database.queryTenant(bob.id, 'select id from csp_policy', [])).rejects.toThrow(
      'a row of another tenant',
    );
  });
});

describe('the role of the service', () => {
  it.each([
    "insert into csp_policy values ('ada', 'x', 'x', 'x')",
    "update account set email = 'x'",
    'delete from report',
    'truncate audit_event',
    'create table mine (id int)',
    'select name from api_key',
    'select * from api_key',
  ])('is denied: %s', async statement => {
    await expect(database.rows(statement, [])).rejects.toThrow(
      /permission denied|in a read-only transaction/,
    );
  });
});

describe('the database of a request', () => {
  it('passes its caller with every statement, so keys do not wait for slow ones of others', async () => {
    const sent: unknown[] = [];
    const record = async (...args: readonly unknown[]) => {
      sent.push(args.at(-1));
      return [];
    };
    const notes = { statements: 0 } as Notes;
    const caller = { key: 'key 1', isGone: () => false, notes };
    const database = new WatchedDatabase({ rows: record, queryTenant: record } as never, caller);
    await database.rows('select 1', []);
    await database.queryTenant([], 'select 1', [], { limit: 5 });
    expect(sent).toEqual([{ caller }, { caller, limit: 5 }]);
    expect(notes.statements).toBe(2);
  });
});
