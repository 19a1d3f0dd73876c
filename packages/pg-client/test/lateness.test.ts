import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../sql/client.ts';
import { createBareDatabase, type TestDatabase } from '../../../test/support/database.ts';

/** A database for tests in which a busy process or a slow statement must not look like an unavailable database. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createBareDatabase();
});
afterAll(() => database.drop());

type Client = ReturnType<typeof connect> & AsyncDisposable & { lost: string[] };

/** Opens a client. PostgreSQL's statement timeout is long, so only the limit of each statement applies. */
function open(poolSize: number): Client {
  const lost: string[] = [];
  const client = connect(
    {
      url: database.url,
      poolSize,
      statementTimeout: 60_000,
      queueTimeout: 60_000,
      queueLimit: 1000,
      prepare: true,
      role: '',
    },
    { away: reason => lost.push(reason.message), back() {} },
  );
  return Object.assign(client, { lost, [Symbol.asyncDispose]: () => client.end() });
}

test('answers that arrive during a long turn are read before the timeout is checked', async () => {
  await using client = open(2);
  await client.rows('select 1', []);
  const answer = client.rows('select pg_sleep(0.05)::text', [], { limit: 300 });
  await sleep(10);
  // Timers run before sockets are read.
  await turn();
  // Longer than the limit, but too short to count as a suspended process.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  expect((await answer).length).toBe(1);
  expect(client.lost).toEqual([]);
});

test('slow statements of the only account do not mark the database as unavailable', async () => {
  await using client = open(10);
  await client.rows('select 1', []);
  const caller = { key: 'a', isGone: () => false };
  const slow = Array.from({ length: 4 }, () =>
    client
      .rows('select pg_sleep(60)::text', [], { limit: 2000, caller: caller })
      .catch(error => error.message),
  );
  expect(await Promise.all(slow)).toEqual(Array(4).fill('the database did not answer in time'));
  expect(client.lost).toEqual([]);
  expect((await client.rows('select 1', [])).length).toBe(1);
});
