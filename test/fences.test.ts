import type { Body } from '@sightline/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../schema/context.ts';
import { directLoaders } from '../schema/loaders.ts';
import type { Account } from '../sql/account.ts';
import type { Database } from '../sql/client.ts';
import { callersByDigest } from '../sql/keys.ts';
import { digestOf } from '../src/keys/format.ts';
import { createFacade, type Facade } from '../src/rest/facade.ts';
import { NOW, open, plan, team } from './support/fixtures.ts';
import { belongings, routesOfV1 } from './support/routes.ts';
import { startService, type TestService } from './support/service.ts';

/** Fences between the data of accounts: each holds without the others. */
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

/** The account as authentication finds it: nothing else makes an AccountId. */
async function accountBehind(key: string): Promise<Account> {
  const digest = digestOf(key).toString('hex');
  return (await callersByDigest(database, [digest], new Date(NOW), 60_000)).get(digest)!.account!;
}

async function textOf(body: Body): Promise<string> {
  if (typeof body === 'string') return body;
  const pieces: Buffer[] = [];
  // A piece of a stream is good until the next one is asked for.
  for await (const piece of 'pieces' in body ? body.pieces : body) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

const OTHERS =
  'shows what `belongings` gives another account: its statement takes an account, or say `unknown` in routes.ts';

describe('the account in every query', async () => {
  it.each(await routesOfV1())(
    'keeps $path apart, though none of its rows is looked at',
    async ({ target, unknown }) => {
      const unwatched: Database = {
        rows: (...statement) => database.rows(...statement),
        owned: (_accounts, ...statement) => database.rows(...statement),
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
      const run = async (who: Account) => textOf(await route.answer(variables, context(who)));
      await run(bob);
      if (unknown) await expect(run(ada)).rejects.toThrow(unknown.error);
      else expect(await run(ada).catch(String), OTHERS).not.toMatch(/bob|own\.example|pol_own|-1"|event-1/);
    },
  );
});

describe('the look at every row', () => {
  const EVERYBODYS = 'select account_id, id, name, policy from csp_policy';

  it('refuses those of another account, though the query asked for all', async () => {
    for (const accounts of [ada.id, [ada.id], []]) {
      await expect(database.owned(accounts, EVERYBODYS, [])).rejects.toThrow('a row of another owner');
    }
    expect(await database.owned([ada.id, bob.id], EVERYBODYS, [])).toHaveLength(1);
  });

  it('refuses rows that do not say whose they are', async () => {
    await expect(database.owned(bob.id, 'select id from csp_policy', [])).rejects.toThrow(
      'a row of another owner',
    );
  });
});

describe("the service's role", () => {
  it.each([
    "insert into csp_policy values ('ada', 'x', 'x', 'x')",
    "update account set email = 'x'",
    'delete from report',
    'truncate audit_event',
    'create table mine (id int)',
    'select name from api_key',
    'select * from api_key',
  ])('may not %s', async statement => {
    await expect(database.rows(statement, [])).rejects.toThrow(
      /permission denied|in a read-only transaction/,
    );
  });
});
