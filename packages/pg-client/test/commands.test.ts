import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBareDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FaultProxy } from '../../../test/support/fault-proxy.ts';
import { startTlsServer, type TlsServer } from '../../../test/support/tls-server.ts';
import { until } from '../../../test/support/until.ts';
import { CommandConnection, ConnectionLost, ServerError } from '../src/index.ts';

/** A database for the statements of commands. */

let database: TestDatabase;
let server: TlsServer;
beforeAll(async () => {
  [database, server] = await Promise.all([createBareDatabase(), startTlsServer('localhost')]);
});
afterAll(async () => {
  await Promise.all([database?.drop(), server?.[Symbol.asyncDispose]()]);
});

type Connection = CommandConnection & AsyncDisposable;

function open(url: string): Connection {
  const connection = new CommandConnection(url, { TimeZone: 'UTC' });
  return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.end() });
}

const PIECE = 1024 * 1024;
/** Yields rows in the text format of COPY, one per piece. */
function* rows(count: number, made: () => void = () => {}): Generator<Buffer> {
  for (let row = 0; row < count; row++) {
    made();
    yield Buffer.concat([Buffer.alloc(PIECE - 1, 'x'), Buffer.from('\n')]);
  }
}

/** Number of pieces that exceeds the buffers of both sockets. */
const MUCH = 32;

/** Compressing the rows would take most of the time. */
const storeUncompressed = (sql: CommandConnection, table: string) =>
  sql.query(`alter table ${table} alter column text set storage external`);

const copyIn = (sql: CommandConnection, text: string, pieces: Iterable<Buffer>) =>
  sql.transaction(session => session.copy(text, pieces));

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error,
  );

describe.each([
  ['without TLS', () => database.directUrl],
  ['over TLS', () => server.url],
])("a command's connection %s", (_, url) => {
  const connect = () => open(url());

  it('returns common types as JavaScript values and all others as text', async () => {
    await using sql = connect();
    const text = `select true as yes, 1::smallint as small, 2 as number, 3::oid as oid, 0.5::float8 as half,
      9007199254740993::bigint as large, '{"a":[1]}'::jsonb as json, '{1,2}'::int[] as list, 'é' as text,
      '2026-05-01 12:00:00.5+02'::timestamptz as instant, '\\x00ff'::bytea as bytes, null as nothing, 1.50 as exact`;
    const row = {
      yes: true,
      small: 1,
      number: 2,
      oid: 3,
      half: 0.5,
      large: '9007199254740993',
      json: { a: [1] },
      list: '{1,2}',
      text: 'é',
      instant: new Date('2026-05-01T10:00:00.500Z'),
      bytes: Buffer.from([0, 255]),
      nothing: null,
      exact: '1.50',
    };
    expect(await sql.query(text)).toEqual([row]);
    expect(await sql.query(`${text} where $1`, [true])).toEqual([row]);
  });

  it('opens one session for statements that are sent at once', async () => {
    await using sql = connect();
    const backends = await Promise.all([1, 2].map(() => sql.query('select pg_backend_pid() as pid')));
    expect(backends[0]).toEqual(backends[1]);
  });

  it('sends parameters as text', async () => {
    await using sql = connect();
    const text = `select $1::int + 1 as number, $2::text[] as list, $3::text as quoted, $4::text is null as nothing`;
    const [row] = await sql.query(text, [41, ['a', 'b"c'], "it's $1", null]);
    expect(row).toEqual({ number: 42, list: '{a,"b\\"c"}', quoted: "it's $1", nothing: true });
  });

  it('returns the rows of several statements in order, and the row count of the last', async () => {
    await using sql = connect();
    const text = `create temp table one (n int); insert into one values (1), (2) returning n;; select 'x' as x`;
    expect(await sql.query(text)).toEqual([{ n: 1 }, { n: 2 }, { x: 'x' }]);
    expect(await sql.transaction(session => session.count('update one set n = n + 1'))).toBe(2);
    expect(await sql.query('')).toEqual([]);
  });

  it('reads rows that are longer than one read', async () => {
    await using sql = connect();
    const found = await sql.query<{ text: string }>(
      `select repeat('é', 1000000) as text from generate_series(1, 3)`,
    );
    expect(found.map(({ text }) => text.length)).toEqual([1_000_000, 1_000_000, 1_000_000]);
  });

  it('continues after an error in the middle of a result', async () => {
    await using sql = connect();
    const [broken, next] = [
      failure(sql.query('select 1 / (50000 - n) from generate_series(1, 100000) n')),
      sql.query('select 1 as n'),
    ];
    expect(await broken).toBeInstanceOf(ServerError);
    expect(await broken).toMatchObject({ code: '22012', message: 'division by zero' });
    expect(await next).toEqual([{ n: 1 }]);
    expect(await failure(sql.query('select $1::int', ['x']))).toMatchObject({ code: '22P02' });
    expect(await sql.query('select 2 as n')).toEqual([{ n: 2 }]);
  });

  it('commits a transaction as a whole or not at all', async () => {
    await using sql = connect();
    await sql.query('create temp table kept (n int)');
    const done = sql.transaction(async transaction => {
      await transaction.query('insert into kept values (1)');
      return 'done';
    });
    expect(await done).toBe('done');
    const failed = sql.transaction(async transaction => {
      await transaction.query('insert into kept values (2)');
      throw new Error('of the work');
    });
    await expect(failed).rejects.toThrow('of the work');
    expect(await sql.query('select n from kept')).toEqual([{ n: 1 }]);
  });

  it('rejects a transaction in which a statement failed, even if the error was caught', async () => {
    await using sql = connect();
    const work = sql.transaction(async transaction => {
      await transaction.query('select 1 / 0').catch(() => {});
    });
    await expect(work).rejects.toThrow('the transaction was rolled back');
  });

  it('rejects all pending statements when its backend is killed, and reconnects', async () => {
    await using sql = connect();
    await using other = connect();
    const [backend] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waiting = ['select pg_sleep(60)', 'select 1', 'select 2'].map(text => failure(sql.query(text)));
    await until(async () => {
      const text = `select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`;
      return (await other.query(text, [backend!.pid])).length === 1;
    });
    await other.query('select pg_terminate_backend($1)', [backend!.pid]);
    const [first, ...rest] = await Promise.all(waiting);
    expect(first).toMatchObject({ code: '57P01' });
    for (const error of rest) expect(error).toBeInstanceOf(ConnectionLost);
    expect(await sql.query('select 3 as n')).toEqual([{ n: 3 }]);
  });

  it('rejects a transaction whose session was lost, without running the rest in another session', async () => {
    await using sql = connect();
    await using other = connect();
    await other.query('create table if not exists here (n int)');
    const work = sql.transaction(async transaction => {
      const [backend] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      await other.query('select pg_terminate_backend($1)', [backend!.pid]);
      await failure(transaction.query('insert into here values (1)'));
      await transaction.query('insert into here values (2)');
    });
    expect(await failure(work)).toBeInstanceOf(ConnectionLost);
    expect(await sql.query('select n from here')).toEqual([]);
    // The rollback fails as well.
    const ended = sql.transaction(async transaction => {
      await failure(transaction.query('select pg_terminate_backend(pg_backend_pid())'));
      throw new Error('of the work');
    });
    await expect(ended).rejects.toThrow('of the work');
  });

  describe('COPY of rows', () => {
    const table = async (sql: CommandConnection, check = 'true') => {
      await sql.query(`create temp table copied (text text check (${check}))`);
      await storeUncompressed(sql, 'copied');
      return 'copy copied from stdin';
    };
    const copied = (sql: CommandConnection) =>
      sql.query('select count(*)::int as rows, sum(length(text))::int as characters from copied');

    it('accepts more rows than the socket buffers hold', { tags: 'slow' }, async () => {
      await using sql = connect();
      await copyIn(sql, await table(sql), rows(MUCH));
      expect(await copied(sql)).toEqual([{ rows: MUCH, characters: MUCH * (PIECE - 1) }]);
    });

    it('accepts an empty list of rows', async () => {
      await using sql = connect();
      await copyIn(sql, await table(sql), []);
      expect(await copied(sql)).toEqual([{ rows: 0, characters: null }]);
    });

    it('produces rows no faster than the server accepts them', { tags: 'slow' }, async () => {
      await using sql = connect();
      await using holder = connect();
      await holder.query('create table if not exists held (text text)');
      // The rows themselves are not stored.
      await holder.query(`create or replace function wait() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(7); return null; end $$`);
      await holder.query('create trigger waits before insert on held for each row execute function wait()');
      const lock = await holder.begin();
      await lock.query('select pg_advisory_xact_lock(7)');
      let made = 0;
      const work = copyIn(
        sql,
        'copy held from stdin',
        rows(MUCH, () => made++),
      );
      let before = -1;
      // Waits until no more pieces are generated.
      for (; made !== before; await new Promise(resolve => setTimeout(resolve, 200))) before = made;
      expect(made).toBeLessThan(MUCH);
      await lock.commit();
      await work;
      expect(made).toBe(MUCH);
      await holder.query('drop table held');
    });

    it('stops when the server rejects a row, and leaves the connection usable', async () => {
      await using sql = connect();
      let made = 0;
      const refused = copyIn(
        sql,
        await table(sql, "text = ''"),
        rows(10 * MUCH, () => made++),
      );
      expect(await failure(refused)).toMatchObject({ code: '23514' });
      expect(made).toBeLessThan(MUCH);
      expect(await copied(sql)).toEqual([{ rows: 0, characters: null }]);
    });

    it('stores no rows if a later row cannot be generated', async () => {
      await using sql = connect();
      const made = (function* () {
        yield* rows(2);
        throw new Error('of the rows');
      })();
      expect(await failure(copyIn(sql, await table(sql), made))).toMatchObject({ message: 'of the rows' });
      expect(await copied(sql)).toEqual([{ rows: 0, characters: null }]);
    });

    it('stores no rows if a deferred constraint fails at commit', async () => {
      await using sql = connect();
      await sql.query('create temp table unique_ones (n int unique deferrable initially deferred)');
      const work = copyIn(sql, 'copy unique_ones from stdin', [Buffer.from('1\n1\n')]);
      expect(await failure(work)).toMatchObject({ code: '23505' });
      expect(await sql.query('select n from unique_ones')).toEqual([]);
    });

    it('stops when its backend is killed, and the connection recovers', { tags: 'slow' }, async () => {
      await using sql = connect();
      await using other = connect();
      const [backend] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
      const target = await table(sql);
      let isKilled = false;
      let made = 0;
      const work = copyIn(
        sql,
        target,
        rows(10 * MUCH, () => {
          if (++made !== 2) return;
          isKilled = true;
          void other.query('select pg_terminate_backend($1)', [backend!.pid]);
        }),
      );
      expect(await failure(work)).toBeInstanceOf(Error);
      expect(isKilled).toBe(true);
      expect(made).toBeLessThan(10 * MUCH);
      expect(await sql.query('select 1 as n')).toEqual([{ n: 1 }]);
    });
  });
});

it("a command's connection rejects all pending statements at once when the network resets it", async () => {
  const proxy = await FaultProxy.start(database.directUrl);
  await using sql = open(proxy.url);
  await sql.query('select 1');
  const waiting = ['select pg_sleep(60)', 'select 1'].map(text => failure(sql.query(text)));
  await proxy.set('reset');
  for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(ConnectionLost);
  await proxy.set('none');
  expect(await sql.query('select 1 as n')).toEqual([{ n: 1 }]);
  await proxy.close();
});
