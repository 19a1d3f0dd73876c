import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../sql/account-id.ts';
import { connect } from '../../../sql/client.ts';
import { createBareDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { connectOperator, type Operator } from '../../../test/support/operator.ts';
import { until } from '../../../test/support/until.ts';
import { CHECK_INTERVAL, OVERDUE } from '../src/client/limits.ts';

/** A database for tests of statements that share connections. */

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
  client.rows<{ n: number }>(text, [], { quick, caller: { key, isGone: () => false } });

const BACKEND = 'select pg_backend_pid() as n';

/** A statement that blocks until the test opens the gate. */
const WAIT = 'select pg_advisory_xact_lock_shared(1)::text';

/** A delay in milliseconds after which a statement counts as slow. */
const NOTICED = 100;

interface Gate extends AsyncDisposable {
  /** Returns whether exactly this many statements are blocked. */
  waiting(count: number): Promise<boolean>;
  open(): Promise<void>;
  shut(): Promise<void>;
}

async function shut(): Promise<Gate> {
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

/** Sends this many concurrent statements and returns the process ids of the backends that answered. */
async function backends(client: Client, count: number, key: string, quick: boolean): Promise<Set<number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(client, BACKEND, key, quick)));
  return new Set(answers.map(([row]) => row!.n));
}

test('many concurrent quick statements share the available connections', async () => {
  await using client = open(3);
  expect((await backends(client, 500, 'a', true)).size).toBeLessThanOrEqual(3);
  expect(client.counters.attempts).toBeLessThanOrEqual(3);
});

/** Waits until each key has received an answer. */
async function getKnown(client: Client, ...keys: string[]): Promise<void> {
  for (const key of keys) await ask(client, BACKEND, key, true);
}

test('slow statements of one key leave a connection for other keys', async () => {
  await using client = open(4);
  await getKnown(client, 'a', 'b', 'c');
  await using gate = await shut();
  const slow = Array.from({ length: 4 }, () => ask(client, WAIT, 'a', false));
  // These statements are answered while the slow ones are blocked.
  for (const quick of [true, false])
    await Promise.all(['b', 'c'].map(key => ask(client, BACKEND, key, quick)));
  const { running, waiting, failed } = client.counters;
  expect([running + waiting, failed]).toEqual([slow.length, 0]);
  await gate.open();
  await Promise.all(slow);
});

test('a refused connection beyond the pool size fails no statement', async () => {
  await using login = await limitedLogin(4);
  await using client = open(4, login.url);
  await getKnown(client, 'a', 'b', 'c', 'd', 'calm');
  await using gate = await shut();
  const slow = ['a', 'b', 'c', 'd'].map(key => ask(client, WAIT, key, false));
  await until(() => gate.waiting(4));
  const answer = ask(client, BACKEND, 'calm', true);
  await until(() => client.counters.attempts > 4);
  await until(() => expect(client.counters).toMatchObject({ connections: 4, waiting: 1 }));
  // The service's own statement also waits, and the database does not count as unavailable.
  const own = client.rows(BACKEND, []);
  const before = client.counters.attempts;
  await until(() => client.counters.attempts > before + 3);
  expect(client.counters).toMatchObject({ isAway: false, failed: 0 });
  await gate.open();
  await Promise.all([answer, own, ...slow]);
});

function connected(): { sql: Operator } & AsyncDisposable {
  const sql = connectOperator(database.directUrl);
  return { sql, [Symbol.asyncDispose]: () => sql.end() };
}

/** Creates a login with a connection limit. */
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

test('statements that fail immediately do not mark statements of other keys as slow', {
  tags: 'slow',
}, async () => {
  await using client = open(4);
  await getKnown(client, 'calm', 'failing');
  await using gate = await shut();
  const waiting = ask(client, WAIT, 'calm', false);
  await until(() => gate.waiting(1));
  for (const begun = performance.now(); performance.now() < begun + 2 * OVERDUE; )
    await expect(ask(client, 'select 1 / 0 as n', 'failing', true)).rejects.toThrow('division by zero');
  // A quick answer is required, because a slow key would not get a second connection.
  await ask(client, BACKEND, 'calm', false);
  await gate.open();
  await waiting;
});

test('an account whose Citus worker is lost is retried only at intervals', async () => {
  await using client = open(4);
  await using operator = connected();
  const { sql } = operator;
  const ask = (account: AccountId, text: string) =>
    client.queryTenant(account, text, [], { caller: { key: 'team', isGone: () => false } });
  const [lost, calm] = ['lost', 'calm'] as [AccountId, AccountId];
  const look = () => ask(lost, `select 'lost' as account_id, look()`);
  const answerWith = (body: string) =>
    sql.query(`create or replace function look() returns text language plpgsql as $$ begin ${body} end $$`);
  // The error of a Citus coordinator.
  await answerWith("raise 'connection to the remote node failed' using errcode = '08006';");
  await until(() => look().catch(() => client.counters.refused.lost > 0));
  const [before, begun] = [client.statements, performance.now()];
  for (let n = 0; n < 500; n++) await expect(look()).rejects.toThrow();
  expect(client.statements - before).toBeLessThanOrEqual(1 + (performance.now() - begun) / CHECK_INTERVAL);
  expect(client.counters.isAway).toBe(false);
  // Other statements of the same key are not affected.
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

test('no statement is queued after one that turns out to be slow', async () => {
  await using client = open(2);
  await getKnown(client, 'a', 'b', 'c');
  await Promise.all([backends(client, 4, 'a', true), backends(client, 4, 'b', true)]);
  await using gate = await shut();
  const slow = ask(client, WAIT, 'a', true);
  // The first statement is blocked, so the key counts as slow.
  await until(() => gate.waiting(1));
  await sleep(NOTICED);
  for (let n = 0; n < 20; n++)
    await Promise.all([backends(client, 2, 'b', true), backends(client, 2, 'c', true)]);
  expect(client.counters).toMatchObject({ running: 1, waiting: 0, failed: 0 });
  await gate.open();
  await slow;
});

/** Sends this many statements at once and returns how many of them ran concurrently. */
async function countConcurrent(client: Client, count: number, text: string, key: string): Promise<number> {
  const answers = Array.from({ length: count }, () => ask(client, text, key, false));
  const { running } = client.counters;
  await Promise.all(answers);
  return running;
}

test('a statement counts as quick if its key has just run the same text quickly', async () => {
  await using client = open(4);
  await getKnown(client, 'a');
  expect(await countConcurrent(client, 20, BACKEND, 'a')).toBe(3);
  await until(async () => (await countConcurrent(client, 20, BACKEND, 'a')) === 12);
  expect(await countConcurrent(client, 20, 'select 2 as n', 'a')).toBe(3);
  await ask(client, 'select pg_sleep(0.05)::text', 'a', false);
  expect(await countConcurrent(client, 20, BACKEND, 'a')).toBe(3);
  await until(async () => (await countConcurrent(client, 20, BACKEND, 'a')) === 12);
  // Each key detects the loss itself, and leaves the other key one of the three connections.
  await getKnown(client, 'b');
  expect(await countConcurrent(client, 20, BACKEND, 'b')).toBe(2);
  for (const key of ['a', 'b'])
    await until(async () => (await countConcurrent(client, 20, BACKEND, key)) === 8);
});

test.each([true, false])(
  'a new key is served while other keys fill the connections; quick: %s',
  async quick => {
    await using client = open(4);
    await getKnown(client, 'a', 'b');
    for (const key of ['a', 'b'])
      await until(async () => (await countConcurrent(client, 20, BACKEND, key)) > 2);
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

test('statements that counted as quick use further connections when one hangs', async () => {
  await using client = open(4);
  await getKnown(client, 'a');
  await using gate = await shut();
  const hang = () => Array.from({ length: 4 }, () => ask(client, WAIT, 'a', false));
  let answers = hang();
  // On a busy machine, the last statements can start late.
  while (client.counters.running < 4) {
    await gate.open();
    await Promise.all(answers);
    await gate.shut();
    answers = hang();
  }
  await until(() => expect(client.counters).toMatchObject({ running: 4, waiting: 1 }));
  await gate.open();
  await Promise.all(answers);
});

test('a lost connection fails only the running statement, and the queued ones are answered', async () => {
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

test('a failed statement does not affect the statements after it', async () => {
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
