import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { startEmbedded } from '@sightline/embedded';
import { afterEach, expect, test } from 'vitest';
import { isDistributed } from '../sql/operator/distribute.ts';
import { MigrationMismatch, migrate, migrations, missing } from '../sql/operator/migrate.ts';
import { pendingMigrations } from '../sql/operator/preflight.ts';
import { freshCluster } from './support/cluster.ts';
import { createBareDatabase, createDatabase, databaseUrl, type TestDatabase } from './support/database.ts';
import { makeFolder } from './support/folder.ts';
import { connectOperator } from './support/operator.ts';

let database: TestDatabase | undefined;
afterEach(async () => {
  await database?.drop();
  database = undefined;
});

async function migrateAsReplica(url: string): Promise<number> {
  const sql = connectOperator(url);
  try {
    return (await migrate(sql)).length;
  } finally {
    await sql.end();
  }
}

test('migrate runs only once when several replicas start simultaneously on an empty database', async () => {
  database = await createBareDatabase();
  const { url } = database;
  const wanted = await migrations();
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateAsReplica(url)));
  expect(applied.sort()).toEqual([0, 0, 0, wanted.length]);
});

test('all migrations are pending in an empty database, and none in a migrated one', async () => {
  database = await createBareDatabase();
  const sql = connectOperator(database.url);
  const listPending = () => pendingMigrations(text => sql.query(text));
  expect(await listPending()).toEqual(await migrations());
  await migrate(sql);
  expect(await listPending()).toEqual([]);
  await sql.end();
});

test('migrate sends each statement separately, because Citus forwards complete texts', async context => {
  database = await createBareDatabase();
  const sql = connectOperator(database.url);
  if (await isDistributed(sql)) {
    await sql.end();
    context.skip('it makes statements of its own');
  }
  await sql.query(`
    create schema noted;
    create table noted.statement (sent text);
    create function noted.note() returns event_trigger language plpgsql
      as $$ begin insert into noted.statement values (current_query()); end $$;
    create event trigger note on ddl_command_end execute function noted.note()`);
  await migrate(sql);
  const several = await sql`select sent from noted.statement group by sent having count(*) > 1`;
  expect([...several]).toEqual([]);
  await sql.end();
});

test('migrate works for an owner without superuser and role privileges if the role exists', async () => {
  database = await createBareDatabase();
  // Bypasses the pooler, which would give other clients a session that has switched to the owner's role.
  const url = database.directUrl;
  const administrator = connectOperator(url);
  const owner = `owner_${randomBytes(6).toString('hex')}`;
  await administrator.query(`
    do $$ begin create role sightline_reader nologin;
      exception when duplicate_object or unique_violation then null; end $$;
    create role ${owner} login password 'own' in role sightline_reader;
    alter database "${new URL(url).pathname.slice(1)}" owner to ${owner};
    grant create on schema public to ${owner}`);
  const sql = connectOperator(url);
  await sql.query(`set session authorization ${owner}`);
  expect(await migrate(sql)).toHaveLength((await migrations()).length);
  expect(await migrate(sql)).toEqual([]);
  await sql.end();
  const [row] = await administrator.query(
    `select has_table_privilege('sightline_reader', 'report', 'select') as reads`,
  );
  expect(row).toMatchObject({ reads: true });
  await administrator.query(
    `reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${owner}`,
  );
  await administrator.end();
});

test('migrate does nothing in a migrated database', async () => {
  database = await createDatabase();
  expect(await migrateAsReplica(database.url)).toBe(0);
});

test('migrate creates the shared role once when several new databases are migrated simultaneously', {
  tags: 'slow',
}, async () => {
  const directory = makeFolder();
  await freshCluster(directory);
  const server = await startEmbedded({ directory, settings: { fsync: 'off' } });
  const names = ['one', 'two', 'three'];
  const sql = connectOperator(server.url);
  for (const name of names) await sql.query(`create database ${name}`);
  await sql.query(`create role plain login password 'plain'`);
  const url = new URL(databaseUrl(server.url, 'one'));
  Object.assign(url, { username: 'plain', password: 'plain' });
  await expect(migrateAsReplica(url.href)).rejects.toThrow(
    'the role sightline_reader is missing, and this login cannot create it: have an administrator of the database run ' +
      '"create role sightline_reader nologin; grant sightline_reader to" this login',
  );
  const applied = await Promise.all(names.map(name => migrateAsReplica(databaseUrl(server.url, name))));
  const { length } = await migrations();
  expect(applied).toEqual([length, length, length]);
  await sql.end();
  await server.stop();
  rmSync(directory, { recursive: true });
});

test('migrate rejects a database if the text of an applied migration differs', async () => {
  database = await createDatabase();
  const sql = connectOperator(database.url);
  await sql`update schema_migration set checksum = 'other' where version = 1`;
  await expect(migrate(sql)).rejects.toThrow(
    new MigrationMismatch('migration 0001_initial.sql was changed after it was applied'),
  );
  await sql.end();
});

test('migrate rejects a database of a newer version', async () => {
  database = await createDatabase();
  const sql = connectOperator(database.url);
  await sql`insert into schema_migration (version, name, checksum) values (9999, '9999_later.sql', 'x')`;
  await expect(migrate(sql)).rejects.toThrow(
    new MigrationMismatch('the database has migration 9999, which this version does not know'),
  );
  await sql.end();
});

test('migrate leaves the database unchanged if a migration fails', async () => {
  database = await createBareDatabase();
  const sql = connectOperator(database.url);
  // Conflicts with the first migration.
  await sql`create table audit_event (id integer)`;
  await expect(migrate(sql)).rejects.toThrow('already exists');
  const tables = await sql`select tablename from pg_tables where schemaname = 'public'`;
  expect(tables.map(row => row.tablename)).toEqual(['audit_event']);
  await sql.end();
});

test('migrate applies missing migrations in order', () => {
  const migration = (version: number) => ({
    version,
    name: `000${version}_x.sql`,
    text: '',
    checksum: `c${version}`,
  });
  const wanted = [1, 2, 3].map(migration);
  expect(missing(wanted, [{ version: 1, checksum: 'c1' }]).map(({ version }) => version)).toEqual([2, 3]);
});

test('migrate grants only read access to the role of the service', async () => {
  database = await createDatabase();
  const sql = connectOperator(database.url);
  const granted = await sql<{ privilege_type: string }[]>`
    select distinct privilege_type from information_schema.column_privileges where grantee = 'sightline_reader'`;
  expect(granted.map(row => row.privilege_type)).toEqual(['SELECT']);
  const [owner] = await sql`
    select count(*) from pg_class where relowner = (select oid from pg_roles where rolname = 'sightline_reader')`;
  expect(owner?.count).toBe('0');

  await sql`set role sightline_reader`;
  for (const table of ['account', 'report', 'daily_count']) await sql.query(`select * from ${table} limit 1`);
  await sql`select id, account_id, digest, expires_at, revoked_at from api_key`;
  const refused = [
    `insert into plan select * from plan`,
    `update account set version = 2`,
    `delete from report`,
    `truncate audit_event`,
    `drop table report`,
    `create table own (id integer)`,
    `select name from api_key`,
  ];
  for (const statement of refused) {
    await expect(sql.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
  }
  await sql.end();
});

test('migrate lets the role of the service create neither temporary tables nor large objects', async () => {
  // Privileges on a database are not copied with it.
  database = await createBareDatabase();
  const sql = connectOperator(database.url);
  await migrate(sql);
  await sql`create temporary table of_a_load (id integer)`;
  await sql`set role sightline_reader`;
  for (const statement of [
    `create temporary table own (id integer)`,
    `select lo_create(0)`,
    `select lo_from_bytea(0, 'x')`,
    `select lo_creat(-1)`,
  ]) {
    await expect(sql.query(statement), statement).rejects.toThrow(/permission denied/);
  }
  await sql.end();
});
