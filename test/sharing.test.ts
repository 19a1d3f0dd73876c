import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../sql/client/guard.ts';
import { createBareDatabase, type TestDatabase } from './support/database.ts';

/** Quick statements share connections: many go out at once, and none suffers from another. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createBareDatabase();
});
afterAll(() => database.drop());

type Client = ReturnType<typeof connect> & AsyncDisposable;

function open(poolSize: number): Client {
  const client = connect({
    url: database.url,
    poolSize,
    statementTimeout: 2000,
    queueTimeout: 1000,
    queueLimit: 1000,
    prepare: true,
    role: '',
  });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

const ask = (client: Client, text: string, key: string, quick: boolean) =>
  client.for({ key, isGone: () => false }).rows<{ n: number }>(text, [], { quick });

const BACKEND = 'select pg_backend_pid() as n';

/** Which server processes answer so many statements at once. */
async function backends(client: Client, count: number, key: string, quick: boolean): Promise<Set<number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(client, BACKEND, key, quick)));
  return new Set(answers.map(([row]) => row!.n));
}

test('many quick statements at once are all answered, by as few connections as there may be', async () => {
  await using client = open(3);
  expect((await backends(client, 500, 'a', true)).size).toBeLessThanOrEqual(3);
  expect(client.counters.attempts).toBeLessThanOrEqual(3);
});

test('a connection is left to quick statements, and one to other askers', async () => {
  await using client = open(4);
  const sleeps = ['a', 'a', 'a', 'b', 'b', 'b'].map(key =>
    ask(client, 'select pg_sleep(0.5)::text', key, false),
  );
  const begin = performance.now();
  await Promise.all(['b', 'c', 'd'].map(key => ask(client, BACKEND, key, true)));
  expect(performance.now() - begin).toBeLessThan(400);
  await Promise.all(sleeps);
});

test('nothing is sent behind a statement that turns out not to be quick', async () => {
  await using client = open(2);
  await Promise.all([backends(client, 4, 'a', true), backends(client, 4, 'b', true)]);
  const slow = ask(client, 'select pg_sleep(0.6)::text', 'a', true);
  await new Promise(resolve => setTimeout(resolve, 60));
  const begin = performance.now();
  for (let n = 0; n < 20; n++)
    await Promise.all([backends(client, 2, 'b', true), backends(client, 2, 'c', true)]);
  expect(performance.now() - begin).toBeLessThan(500);
  await slow;
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
