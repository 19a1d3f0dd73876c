import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Parameter, ServerError } from '@sightline/pg-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId } from '../sql/account-id.ts';
import { connect } from '../sql/client.ts';
import { createBareDatabase, type TestDatabase } from './support/database.ts';
import { toAddress } from './support/network.ts';
import { connectOperator } from './support/operator.ts';
import { startTlsServer } from './support/tls-server.ts';

/**
 * Tests statements on connections that use the project's own implementation of the protocol
 * (`packages/pg-client/src/driver/wire.ts`).
 */
let database: TestDatabase;
let client: ReturnType<typeof connect>;

beforeAll(async () => {
  database = await createBareDatabase();
  client = open(database.url);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

function open(url: string): ReturnType<typeof connect> {
  return connect({
    url,
    poolSize: 1,
    statementTimeout: 5000,
    queueTimeout: 5000,
    queueLimit: 1000,
    prepare: true,
    role: '',
  });
}

const quick = { quick: true };

/** Returns the rows of a statement as objects. */
async function select<Row extends object>(
  ...statement: Parameters<typeof client.rows>
): Promise<readonly Row[]> {
  return (await client.rows<Row>(...statement)).objects();
}

/** Uses the client's connection, because its other sessions are read-only. */
async function write(text: string): Promise<void> {
  await select('set default_transaction_read_only = off', [], { prepare: false });
  await select(text, [], { prepare: false });
}

/** Connects through a network that splits the server's output into pieces of this many bytes. */
async function inPieces(
  size: number,
  databaseUrl = database.url,
): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const network = createServer(near => {
    const far = connectTo(toAddress(databaseUrl));
    near
      .setNoDelay()
      .on('error', () => {})
      .on('close', () => far.destroy())
      .pipe(far);
    far.on('error', () => near.destroy());
    void (async () => {
      for await (const chunk of far as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length && near.writable; at += size) {
          near.write(chunk.subarray(at, at + size));
          await sleep(1);
        }
      }
    })().catch(() => {});
  }).listen(0, '127.0.0.1');
  await once(network, 'listening');
  const { port } = network.address() as AddressInfo;
  return {
    url: databaseUrl.replace(/@[^/]+/, `@127.0.0.1:${port}`),
    async [Symbol.asyncDispose]() {
      network.close();
      await once(network, 'close');
    },
  };
}

describe('a statement parameter', () => {
  const cases: [type: string, value: Parameter, expected: unknown][] = [
    ['text', 'with "quotes", \\ and é 𝒳', 'with "quotes", \\ and é 𝒳'],
    ['text', '', ''],
    ['text', null, null],
    ['text', 'x'.repeat(300_000), 'x'.repeat(300_000)],
    ['int', 42, 42],
    ['bigint', -9_007_199_254_740_991, -9_007_199_254_740_991],
    ['float8', 1.5e-7, 1.5e-7],
    ['boolean', true, true],
    ['boolean', false, false],
    ['timestamptz', '2026-01-02T03:04:05.678Z', '2026-01-02 03:04:05.678+00'],
    ['date', '2026-01-02', '2026-01-02'],
    ['text[]', [], []],
    ['text[]', ['a', '', 'NULL', '{"}', 'back\\slash', 'é,'], ['a', '', 'NULL', '{"}', 'back\\slash', 'é,']],
  ];

  it.each(cases)('of type %s arrives unchanged: %j', async (type, value, expected) => {
    for (const prepare of [true, false, true]) {
      expect(await select(`select $1::${type} as value`, [value], { prepare })).toEqual([
        { value: expected },
      ]);
    }
  });

  it('is assigned by its position', async () => {
    expect(await select('select $2::int as two, $1::int as one, $3::text as none', [1, 2, null])).toEqual([
      { two: 2, one: 1, none: null },
    ]);
  });

  it('that is missing fails only its own statement', async () => {
    const [failed, answered] = await Promise.allSettled([
      select('select $1::int as a, $2::int as b', [1], quick),
      select('select $1::int as a', [1], quick),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '08P01' } });
    expect(answered).toMatchObject({ value: [{ a: 1 }] });
  });
});

describe('a statement', () => {
  it('without rows returns none', async () => {
    await write('create temporary table nothing (id int)');
    expect(await select('insert into nothing values (1)', [])).toEqual([]);
    expect(await select('select id from nothing where id > $1', [5])).toEqual([]);
    expect(await select('', [])).toEqual([]);
  });

  it('that fails has the error of PostgreSQL', async () => {
    const error = await select('select 1 / $1::int', [0]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ code: '22012', message: 'division by zero', severity: 'ERROR' });
  });

  it('that cannot be parsed fails for all of its senders and for no others', async () => {
    const wrong = () => select('select nobody', [], quick);
    const right = (n: number) => select('select $1::int as n', [n], quick);
    for (let time = 0; time < 2; time++) {
      const settled = await Promise.allSettled([wrong(), right(1), wrong(), wrong(), right(2)]);
      const missing = { status: 'rejected', reason: { code: '42703' } };
      expect(settled).toMatchObject([
        missing,
        { value: [{ n: 1 }] },
        missing,
        missing,
        { value: [{ n: 2 }] },
      ]);
    }
  });

  it('that failed to parse succeeds once the missing table exists', async () => {
    const ask = () => select('select id from later', []);
    await expect(ask()).rejects.toMatchObject({ code: '42P01' });
    await write('create temporary table later (id int)');
    expect(await ask()).toEqual([]);
  });

  it('is prepared again after the server has deallocated it', async () => {
    const ask = () => select('select $1::int + 1 as next', [1], quick);
    expect(await ask()).toEqual([{ next: 2 }]);
    await select('deallocate all', [], { prepare: false });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill([{ next: 2 }]));
    const prepared = await select<{ statement: string }>('select statement from pg_prepared_statements', [], {
      prepare: false,
    });
    expect(prepared.filter(({ statement }) => statement.includes('as next'))).toHaveLength(1);
  });

  it('uses a generic plan if declared as planned, and otherwise a custom plan', async () => {
    for (let turn = 0; turn < 7; turn++) {
      await Promise.all([
        select('select $1::int as kept', ['1'], { ...quick, prepare: 'planned' }),
        select('select $1::int as made', ['1'], quick),
      ]);
    }
    const plans = await select(
      `select statement, generic_plans::int as kept, custom_plans::int as made from pg_prepared_statements
       where statement like 'select $1::int as %' order by statement`,
      [],
    );
    // PostgreSQL uses custom plans five times before it considers a generic one.
    expect(plans).toEqual([
      { statement: 'select $1::int as kept', kept: 2, made: 5 },
      { statement: 'select $1::int as made', kept: 0, made: 7 },
    ]);
  });

  it('that is not prepared leaves nothing on the server', async () => {
    await select('select $1::text as once', ['x'], { prepare: false });
    const kept = await select(
      `select statement from pg_prepared_statements where statement like '%as once'`,
      [],
      { prepare: false },
    );
    expect(kept).toEqual([]);
  });

  it('fails when an administrator ends its connection, and the next one succeeds', async () => {
    const ended = select('select pg_sleep(3)::text', []).catch(String);
    const administrator = connectOperator(database.directUrl);
    try {
      await expect
        .poll(
          () => administrator`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`,
        )
        .toHaveLength(1);
    } finally {
      await administrator.end();
    }
    expect(await ended).toContain('the server closed the connection');
    expect(await select('select 1 as one', [])).toEqual([{ one: 1 }]);
  });
});

describe('a database snapshot', () => {
  /** Reads all rows, pausing after each chunk. */
  async function slowly(count: number): Promise<number> {
    const snapshot = client.snapshot();
    const text = "select 'ada' as account_id, repeat('x', 1000) as text from generate_series(1, $1)";
    let taken = 0;
    for await (const rows of snapshot.parts('ada' as AccountId, text, [count])) {
      taken += rows.length;
      await sleep(1);
    }
    snapshot.close();
    return taken;
  }

  it('reuses the connection of an ended snapshot, regardless of where its reader was slow', {
    tags: 'slow',
  }, async () => {
    expect(await slowly(1)).toBe(1);
    const { attempts } = client.counters;
    for (let count = 800; count < 1200; count += 20) expect(await slowly(count)).toBe(count);
    expect(client.counters.attempts).toBe(attempts);
  });
});

describe('a database connection', () => {
  const readInPieces = async (size: number) => {
    await using network = await inPieces(size);
    const client = open(network.url);
    const rows = await client.rows(`select n, repeat('é', n) as text from generate_series(1, 9) n`, []);
    await client.end();
    expect(rows.objects()).toEqual(
      Array.from({ length: 9 }, (_, n) => ({ n: n + 1, text: 'é'.repeat(n + 1) })),
    );
  };
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 13, 40])('opens and reads rows in pieces of %i bytes', readInPieces);
  it('opens and reads rows in pieces of 9 to 39 bytes', { tags: 'slow' }, async () => {
    for (let size = 9; size < 40; size++) await readInPieces(size);
  });

  it('reads encrypted rows of any length in pieces of any size', { tags: 'slow' }, async () => {
    await using server = await startTlsServer('localhost');
    for (const size of [7, 1000, 100_000]) {
      await using network = await inPieces(size, server.url);
      const client = open(network.url);
      const lengths = size < 1000 ? [0, 1, 100] : [0, 8180, 8192, 49_152, 60_000, 300_000];
      const rows = await client.rows<{ text: string }>(
        `select repeat('é', length / 2) as text from unnest($1::text[]::int[]) length`,
        [lengths.map(String)],
      );
      await client.end();
      expect(rows.objects().map(({ text }) => Buffer.byteLength(text))).toEqual(
        lengths.map(length => length - (length % 2)),
      );
    }
  });
});
