import { randomBytes } from 'node:crypto';
import { PLANNER_SETTINGS } from '@sightline/pg-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../sql/client.ts';
import { createMonth } from '../sql/feed/partitions.ts';
import {
  connectionLimit,
  databaseSize,
  findHiddenSchema,
  findWriteFailure,
  installedExtensions,
  listUnreadableTables,
  loginRights,
  partitionSizes,
  serverFacts,
  sessionDefaults,
  spillToDisk,
} from '../sql/operator/examination.ts';
import { privileges } from '../sql/operator/preflight.ts';
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
  const before = Date.now();
  const facts = await serverFacts(own);
  expect([facts.clock >= before - 1, facts.clock <= Date.now() + 1]).toEqual([true, true]);
  expect(facts.isEncrypted).toBe(false);
  const [major, minor] = facts.version.split('.').map(Number);
  expect(facts.versionNumber).toBe(major! * 10_000 + minor!);
});

it('the defaults of a session are its time limit, and whether it only reads', async () => {
  const defaults = () => sessionDefaults(own);
  expect(await defaults()).toMatchObject({ statementTimeout: '0', isReadOnly: false });
  await own.query(`set statement_timeout = '1500ms'; set default_transaction_read_only = on`);
  expect(await defaults()).toMatchObject({ statementTimeout: '1500ms', isReadOnly: true });
  await own.query('reset statement_timeout; reset default_transaction_read_only');
  const names = Object.keys(PLANNER_SETTINGS);
  const settings = await own.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [names],
  );
  const planner = Object.fromEntries(settings.map(({ name: one, setting }) => [one, setting]));
  expect(Object.keys(planner).sort()).toEqual(names.toSorted());
  expect((await defaults()).planner).toEqual(planner);
  await own.query('set jit = off');
  expect((await defaults()).planner).toEqual({ ...planner, jit: 'off' });
  await own.query('set jit = on');
  expect((await defaults()).planner).toEqual({ ...planner, jit: 'on' });
  await own.query('reset jit');
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

it('a role can write to the tables of the read model on which it has any right to change rows', async () => {
  const db = { rows: (text: string) => own.query(text) } as unknown as Database;
  await sql.query(`create schema other_${login}; create table other_${login}.elsewhere ();
    grant usage on schema other_${login} to ${login}; grant insert on other_${login}.elsewhere to ${login};
    revoke all on all tables in schema public from ${login}; grant select on setup to ${login}`);
  const month = await createMonth(sql, '2025-12').then(() => 'report_y2025m12');
  await sql.query(`grant insert on ${month} to ${login}`);
  expect(await privileges(db)).toEqual({ login, role: login, writable: [] });
  await sql.query(`grant truncate on watch to ${login}; grant insert on report to ${login};
    grant delete on account to ${login}; grant update on plan to ${login}`);
  expect((await privileges(db)).writable).toEqual(['account', 'plan', 'report', 'watch']);
  await sql.query(`grant sightline_reader to ${login}`);
  await own.query('set role sightline_reader');
  expect(await privileges(db)).toEqual({ login, role: 'sightline_reader', writable: [] });
  await own.query('reset role');
  await sql.query(`drop table ${month}; drop schema other_${login} cascade`);
});

it('the schema is hidden from a login whose search_path lacks it', async () => {
  expect(await findHiddenSchema(own)).toBeUndefined();
  await own.query('set search_path = pg_catalog');
  expect(await findHiddenSchema(own)).toBe('public');
  await own.query('reset search_path');
});

it('the extensions are listed that the database has', async () => {
  expect(await installedExtensions(own)).toEqual(['plpgsql']);
});

it('the partitions are listed by their size, and belong to that of the database', async () => {
  for (const month of ['2026-03', '2026-01', '2026-02']) await createMonth(sql, month);
  await sql.query(`insert into account (id, type, email, created_at) values ('a', 'personal', 'a@x.example', now());
    insert into report (account_id, type, date, id, count, raw)
    select 'a', 'csp', '2026-02-10', n::text, 1, '' from generate_series(1, 200) n`);
  const sizes = await partitionSizes(sql);
  expect(sizes.map(one => one.name)).toEqual(['report_y2026m02', 'report_y2026m01', 'report_y2026m03']);
  expect(sizes[1]!.bytes).toBe(sizes[2]!.bytes);
  // Also counts its indexes.
  const [table] = await sql.query<{ bytes: number }>(
    "select pg_table_size('report_y2026m02')::float8 as bytes",
  );
  expect(sizes[0]!.bytes).toBeGreaterThan(table!.bytes);
  expect(await databaseSize(sql)).toBeGreaterThan(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
});

it('a disk without room for temporary files is found, and the session remains usable', async () => {
  await spillToDisk(sql);
  await sql.query('set temp_file_limit = 4096');
  await expect(spillToDisk(sql)).rejects.toThrow('temporary file size exceeds');
  await sql.query('reset temp_file_limit');
  expect(await sql.query('show work_mem')).not.toEqual([{ work_mem: '64kB' }]);
  await sql.query('create temp table writable (); drop table writable');
});
