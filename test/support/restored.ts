import { isDistributed } from '../../sql/operator/distribute.ts';
import { type Migration, migrate, migrations } from '../../sql/operator/migrate.ts';
import { createBareDatabase, type TestDatabase } from './database.ts';
import { connectOperator, type Operator } from './operator.ts';
import type { TestService } from './service.ts';

/**
 * A new migrated database with the rows of the service's, copied table by table as a restore does. Undefined for a
 * distributed database.
 */
export async function restoreToNewDatabase({ databaseUrl }: TestService): Promise<TestDatabase | undefined> {
  const restored = await createBareDatabase();
  const [from, to] = [connectOperator(databaseUrl), connectOperator(restored.url)];
  try {
    if (await isDistributed(from)) {
      await restored.drop();
      return undefined;
    }
    await applyMigrations(to, await migrations());
    for (const table of await listTables(from)) await copyTable(from, to, table);
    await migrate(to);
    return restored;
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/** Applies only these migrations, as an earlier version would have. */
export async function applyMigrations(sql: Operator, applied: readonly Migration[]): Promise<void> {
  await sql.query(`create table schema_migration (version integer primary key, name text not null,
    checksum text not null, applied_at timestamptz not null default now())`);
  for (const { version, name, text, checksum } of applied) {
    await sql.query(text);
    await sql`insert into schema_migration (version, name, checksum) values (${version}, ${name}, ${checksum})`;
  }
}

/** Tables with rows; partitions instead of partitioned tables. */
async function listTables(sql: Operator): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration'
    order by relname`;
  return rows.map(({ name }) => name);
}

/** Copies the columns that both tables have; nothing if the target lacks the table. */
async function copyTable(from: Operator, to: Operator, table: string): Promise<void> {
  await addPartition(from, to, table);
  const there = await listColumns(to, table);
  const columns = (await listColumns(from, table)).filter(name => there.includes(name)).join(', ');
  if (columns === '') return;
  const rows = await from.query<{ row: string }>(
    `select row_to_json(t)::text as row from (select ${columns} from ${table}) t`,
  );
  for (const { row } of rows) {
    await to.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1::text::json)`,
      [row],
    );
  }
}

async function addPartition(from: Operator, to: Operator, table: string): Promise<void> {
  const [partition] = await from<{ parent: string; bounds: string }[]>`
    select inhparent::regclass::text as parent, pg_get_expr(relpartbound, oid) as bounds
    from pg_class join pg_inherits on inhrelid = oid where relname = ${table}`;
  if (partition) await to.query(`create table ${table} partition of ${partition.parent} ${partition.bounds}`);
}

async function listColumns(sql: Operator, table: string): Promise<string[]> {
  const rows = await sql`select attname from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''`;
  return rows.map(({ attname }) => attname);
}
