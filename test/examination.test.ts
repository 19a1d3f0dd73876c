import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectionLimit,
  findWriteFailure,
  listUnreadableTables,
  loginRights,
  serverFacts,
  sessionDefaults,
} from '../sql/operator/examination.ts';
import { createDatabase, type TestDatabase } from './support/database.ts';
import { connectOperator, type Operator } from './support/operator.ts';

/** Tests what doctor reads about a server, a database and a login. */

const login = `examined_${randomBytes(4).toString('hex')}`;
let database: TestDatabase;
let sql: Operator;
let name: string;
/** A session of the login, which is no superuser. */
let own: Operator;

beforeAll(async () => {
  database = await createDatabase();
  sql = connectOperator(database.directUrl);
  const url = new URL(database.directUrl);
  name = url.pathname.slice(1);
  await sql.query(`create role ${login} login password 'own'`);
  own = connectOperator(Object.assign(url, { username: login, password: 'own' }).href);
});
afterAll(async () => {
  await own?.end();
  await sql?.query(`drop owned by ${login}; drop role ${login}`);
  await sql?.end();
  await database?.drop();
});

it('the facts name the login, and the settings that are off', async () => {
  const rows = await sql.query<{ name: string }>(`select name from pg_settings
    where name in ('autovacuum', 'fsync', 'full_page_writes') and setting = 'off' order by name`);
  const off = rows.map(row => row.name);
  expect(await serverFacts(own)).toMatchObject({
    ...{ database: name, encoding: 'UTF8', login, isSuperuser: false, off },
  });
  expect((await serverFacts(sql)).isSuperuser).toBe(true);
});

it('the defaults of a session are its time limit, and whether it only reads', async () => {
  const defaults = () => sessionDefaults(own);
  expect(await defaults()).toMatchObject({ statementTimeout: '0', isReadOnly: false });
  await own.query(`set statement_timeout = '1500ms'; set default_transaction_read_only = on`);
  expect(await defaults()).toMatchObject({ statementTimeout: '1500ms', isReadOnly: true });
  await own.query('reset statement_timeout; reset default_transaction_read_only');
});

describe('the connection limit', () => {
  const ofServer = async () => {
    const [row] = await sql.query<{ most: number }>(`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as most`);
    return { connections: row!.most, by: 'max_connections' };
  };

  it.each<[number, number, object | undefined]>([
    [-1, -1, undefined],
    [1000, 1000, undefined],
    [7, -1, { connections: 7, by: 'login' }],
    [-1, 6, { connections: 6, by: 'database' }],
    [7, 6, { connections: 6, by: 'database' }],
    [5, 6, { connections: 5, by: 'login' }],
    [0, 6, { connections: 0, by: 'login' }],
  ])('of a login with %i in a database with %i is the lowest', async (ofLogin, ofDatabase, expected) => {
    await sql.query(`alter role ${login} connection limit ${ofLogin}`);
    await sql.query(`alter database ${name} connection limit ${ofDatabase}`);
    expect(await connectionLimit(own)).toEqual(expected ?? (await ofServer()));
    // Only the limit of the server applies to superusers.
    expect(await connectionLimit(sql)).toEqual(await ofServer());
    await sql.query(`alter role ${login} connection limit -1; alter database ${name} connection limit -1`);
  });
});

it.each<[statement: string, failure: string | undefined]>([
  ...['on', 'true', 'YES', '1'].map((value): [string, string] => [
    `alter database NAME set default_transaction_read_only = '${value}'`,
    'database',
  ]),
  ['alter database NAME set default_transaction_read_only = off', undefined],
  // The service's login is meant to be read-only.
  [`alter role ${login} set default_transaction_read_only = on`, undefined],
  [`alter role ${login} in database NAME set default_transaction_read_only = on`, undefined],
  ['alter database NAME set default_transaction_deferrable = on', undefined],
])('after "%s", writing fails because of: %s', async (statement, failure) => {
  await sql.query(statement.replace('NAME', name));
  try {
    expect(await findWriteFailure(sql)).toBe(failure);
  } finally {
    await sql.query('set default_transaction_read_only = off');
    await sql.query(`alter database ${name} reset all; alter role ${login} reset all`);
    await sql.query(`alter role ${login} in database ${name} reset all`);
  }
});

it('a login can write to tables that its role cannot, and read tables of which it may read a column', async () => {
  expect(await loginRights(own, 'sightline_reader')).toEqual({ isOwner: false, writable: [] });
  expect((await loginRights(sql, 'sightline_reader')).isOwner).toBe(true);
  await sql.query(`grant delete on watch to ${login}; grant truncate on report to ${login}, sightline_reader;
    grant update on audit_event to ${login}; grant select (id) on account to ${login}`);
  expect((await loginRights(own, 'sightline_reader')).writable).toEqual(['audit_event', 'watch']);
  expect((await loginRights(own, 'nobody')).writable).toEqual(['audit_event', 'report', 'watch']);
  await sql.query('revoke truncate on report from sightline_reader');
  const tables = await listUnreadableTables(own, '');
  expect(tables).toEqual(tables.toSorted());
  expect(tables).toContain('plan');
  expect(tables).toContain('report');
  for (const readable of ['account', 'imported_mail', 'mailbox_position'])
    expect(tables).not.toContain(readable);
  expect(await listUnreadableTables(own, 'sightline_reader')).toEqual([]);
});
