import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../sql/account-id.ts';
import { connect } from '../../../sql/client.ts';
import { createBareDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { connectOperator, type Operator } from '../../../test/support/operator.ts';
import { until } from '../../../test/support/until.ts';
import { LOOK_INTERVAL } from '../src/client/lost-owners.ts';
import { OVERDUE } from '../src/client/standing.ts';

/** Quick statements share connections: many go out at once, and none suffers from another. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createBareDatabase();
});
afterAll(() => database.drop());

type Client = ReturnType<typeof connect> & AsyncDisposable;

function open(poolSize: number, url = database.url): Client {
  const client = connect({
    url,
    poolSize,
    statementTimeout: 60_000,
    queueTimeout: 60_000,
    queueLimit: 1000,
    prepare: true,
    role: '',
  });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

const ask = (client: Client, text: string, key: string, quick: boolean) =>
  client.rows<{ n: number }>(text, [], { quick, asker: { key, isGone: () => false } });

const BACKEND = 'select pg_backend_pid() as n';

/** As slow as the test wants it to be: it waits at the door. */
const WAIT = 'select pg_advisory_xact_lock_shared(1)::text';

/** Milliseconds after which a statement counts as slow, and some more. */
const NOTICED = 100;

interface Door extends AsyncDisposable {
  /** Tells whether so many statements wait. */
  waiting(count: number): Promise<boolean>;
  open(): Promise<void>;
  shut(): Promise<void>;
}

async function shut(): Promise<Door> {
  const sql = connectOperator(database.url);
  const shut = async () => void (await sql`select pg_advisory_lock(1)`);
  await shut();
  return {
    shut,
    async waiting(count) {
      const rows = await sql`
        select from pg_locks join pg_database on pg_database.oid = database
        where locktype = 'advisory' and not granted and datname = current_database()`;
      return rows.length === count;
    },
    open: async () => void (await sql`select pg_advisory_unlock_all()`),
    [Symbol.asyncDispose]: () => sql.end(),
  };
}

/** The server processes that answer so many statements at once. */
async function backends(client: Client, count: number, key: string, quick: boolean): Promise<Set<number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(client, BACKEND, key, quick)));
  return new Set(answers.map(([row]) => row!.n));
}

test('many quick statements at once are all answered, by as few connections as there may be', async () => {
  await using client = open(3);
  expect((await backends(client, 500, 'a', true)).size).toBeLessThanOrEqual(3);
  expect(client.counters.attempts).toBeLessThanOrEqual(3);
});

/** Once something of theirs was answered. */
async function known(client: Client, ...keys: string[]): Promise<void> {
  for (const key of keys) await ask(client, BACKEND, key, true);
}

test('a connection is left to other keys, for whatever they ask', async () => {
  await using client = open(4);
  await known(client, 'a', 'b', 'c');
  await using door = await shut();
  const slow = Array.from({ length: 4 }, () => ask(client, WAIT, 'a', false));
  // These are answered while nothing of those can be.
  for (const quick of [true, false])
    await Promise.all(['b', 'c'].map(key => ask(client, BACKEND, key, quick)));
  await door.open();
  await Promise.all(slow);
});

test('a connection beyond the pool that the server does not let in costs no statement', async () => {
  await using login = await limitedLogin(4);
  await using client = open(4, login.url);
  await known(client, 'a', 'b', 'c', 'd', 'calm');
  await using door = await shut();
  const slow = ['a', 'b', 'c', 'd'].map(key => ask(client, WAIT, key, false));
  await until(() => door.waiting(4));
  const answer = ask(client, BACKEND, 'calm', true);
  await until(() => client.counters.attempts > 4);
  await until(() => expect(client.counters).toMatchObject({ connections: 4, waiting: 1 }));
  // The service's own waits for one, too, and the database is not away for that.
  const own = client.rows(BACKEND, []);
  const before = client.counters.attempts;
  await until(() => client.counters.attempts > before + 3);
  expect(client.counters).toMatchObject({ isAway: false, failed: 0 });
  await door.open();
  await Promise.all([answer, own, ...slow]);
});

function connected(): { sql: Operator } & AsyncDisposable {
  const sql = connectOperator(database.directUrl);
  return { sql, [Symbol.asyncDispose]: () => sql.end() };
}

/** A login that is let in so many times at once. */
async function limitedLogin(count: number): Promise<{ url: string } & AsyncDisposable> {
  const sql = connectOperator(database.directUrl);
  const name = `limited_${new URL(database.directUrl).pathname.slice(-8)}`;
  await sql.query(`create role ${name} login password '${name}' connection limit ${count}`);
  return {
    url: database.directUrl.replace(/\/\/.*@/, `//${name}:${name}@`),
    async [Symbol.asyncDispose]() {
      await sql.query(`drop role ${name}`);
      await sql.end();
    },
  };
}

test('what fails at once makes nothing slow that takes its time', async () => {
  await using client = open(4);
  await known(client, 'calm', 'failing');
  await using door = await shut();
  const waiting = ask(client, WAIT, 'calm', false);
  await until(() => door.waiting(1));
  for (const begun = performance.now(); performance.now() < begun + 2 * OVERDUE; )
    await expect(ask(client, 'select 1 / 0 as n', 'failing', true)).rejects.toThrow('division by zero');
  // As a slow one it would have no second connection.
  await ask(client, BACKEND, 'calm', false);
  await door.open();
  await waiting;
});

test('an account whose server is lost, behind the one that answers, is asked about now and then', async () => {
  await using client = open(4);
  await using operator = connected();
  const { sql } = operator;
  const ask = (account: AccountId, text: string) =>
    client.owned(account, text, [], { asker: { key: 'team', isGone: () => false } });
  const [lost, calm] = ['lost', 'calm'] as [AccountId, AccountId];
  const look = () => ask(lost, `select 'lost' as account_id, look()`);
  const answerWith = (body: string) =>
    sql.query(`create or replace function look() returns text language plpgsql as $$ begin ${body} end $$`);
  // As the coordinator of Citus says it.
  await answerWith("raise 'connection to the remote node failed' using errcode = '08006';");
  await until(() => look().catch(() => client.counters.refused.lost > 0));
  const [before, begun] = [client.statements, performance.now()];
  for (let n = 0; n < 500; n++) await expect(look()).rejects.toThrow();
  expect(client.statements - before).toBeLessThanOrEqual(1 + (performance.now() - begun) / LOOK_INTERVAL);
  expect(client.counters.isAway).toBe(false);
  // Others of the same key are none of it.
  for (let n = 0; n < 20; n++) await ask(calm, `select 'calm' as account_id`);
  await answerWith("return 'here';");
  await until(() =>
    look().then(
      () => true,
      () => false,
    ),
  );
  await Promise.all(Array.from({ length: 50 }, look));
});

test('nothing is sent behind a statement that turns out not to be quick', async () => {
  await using client = open(2);
  await known(client, 'a', 'b', 'c');
  await Promise.all([backends(client, 4, 'a', true), backends(client, 4, 'b', true)]);
  await using door = await shut();
  const slow = ask(client, WAIT, 'a', true);
  // Known as slow from now on.
  await until(() => door.waiting(1));
  await sleep(NOTICED);
  for (let n = 0; n < 20; n++)
    await Promise.all([backends(client, 2, 'b', true), backends(client, 2, 'c', true)]);
  await door.open();
  await slow;
});

/** Asks so often at once. Answers with how many were under way then. */
async function underWay(client: Client, count: number, text: string, key: string): Promise<number> {
  const answers = Array.from({ length: count }, () => ask(client, text, key, false));
  const { running } = client.counters;
  await Promise.all(answers);
  return running;
}

test('a statement counts as quick where the last one of its key had its text and was', async () => {
  await using client = open(4);
  await known(client, 'a');
  expect(await underWay(client, 20, BACKEND, 'a')).toBe(3);
  await until(async () => (await underWay(client, 20, BACKEND, 'a')) === 12);
  expect(await underWay(client, 20, 'select 2 as n', 'a')).toBe(3);
  await ask(client, 'select pg_sleep(0.05)::text', 'a', false);
  expect(await underWay(client, 20, BACKEND, 'a')).toBe(3);
  await until(async () => (await underWay(client, 20, BACKEND, 'a')) === 12);
  // Another key has to find out for itself, and each leaves the other one of the three connections.
  await known(client, 'b');
  expect(await underWay(client, 20, BACKEND, 'b')).toBe(2);
  for (const key of ['a', 'b']) await until(async () => (await underWay(client, 20, BACKEND, key)) === 8);
});

test.each([true, false])(
  'a new key is answered beside keys that fill connections; quick: %s',
  async quick => {
    await using client = open(4);
    await known(client, 'a', 'b');
    for (const key of ['a', 'b']) await until(async () => (await underWay(client, 20, BACKEND, key)) > 2);
    let isAnswered = false;
    const flood = async (key: string) => {
      while (!isAnswered) await ask(client, BACKEND, key, quick);
    };
    const floods = ['a', 'b'].flatMap(key => Array.from({ length: 20 }, () => flood(key)));
    await until(() => expect(client.counters.waiting).toBeGreaterThan(0));
    await ask(client, BACKEND, 'new', false);
    isAnswered = true;
    await Promise.all(floods);
  },
);

test('a statement that counted as quick is sent elsewhere, too, where the one before it hangs', async () => {
  await using client = open(4);
  await known(client, 'a');
  await using door = await shut();
  const hang = () => Array.from({ length: 4 }, () => ask(client, WAIT, 'a', false));
  let answers = hang();
  // A busy machine may have taken its time for the last ones.
  while (client.counters.running < 4) {
    await door.open();
    await Promise.all(answers);
    await door.shut();
    answers = hang();
  }
  await until(() => expect(client.counters).toMatchObject({ running: 4, waiting: 1 }));
  await door.open();
  await Promise.all(answers);
});

test('a connection that is lost fails the statement at work, and those behind it are answered', async () => {
  await using client = open(1);
  await ask(client, BACKEND, 'a', true);
  const [lost, ...others] = await Promise.allSettled([
    ask(client, 'select pg_terminate_backend(pg_backend_pid())', 'a', true),
    ...Array.from({ length: 10 }, (_, n) => ask(client, `select ${n} as n`, 'a', true)),
  ]);
  expect(lost!.status).toBe('rejected');
  expect(others.map(answer => answer.status === 'fulfilled' && answer.value.last()!.n)).toEqual(
    Array.from({ length: 10 }, (_, n) => n),
  );
});

test('a statement that fails by itself leaves those behind it to their answers', async () => {
  await using client = open(1);
  const [failed, ...others] = await Promise.allSettled([
    ask(client, 'select 1/0', 'a', true),
    ask(client, 'select 1 as n', 'a', true),
    ask(client, 'select 2 as n', 'a', true),
  ]);
  expect(failed!.status).toBe('rejected');
  expect(others.map(answer => answer.status === 'fulfilled' && answer.value.last())).toEqual([
    { n: 1 },
    { n: 2 },
  ]);
});
