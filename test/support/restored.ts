import { isDistributed } from '../../sql/operator/distribute.ts';
import { type Migration, migrate, migrations } from '../../sql/operator/migrate.ts';
import { createBareDatabase, type TestDatabase } from './database.ts';
import { connectOperator, type Operator } from './operator.ts';
import type { TestService } from './service.ts';

/** Gives a database the form that it had after these migrations. */
export async function giveForm(sql: Operator, applied: readonly Migration[]): Promise<void> {
  await sql.query(`create table schema_migration (version integer primary key, name text not null,
    checksum text not null, applied_at timestamptz not null default now())`);
  for (const { version, name, text, checksum } of applied) {
    await sql.query(text);
    await sql`insert into schema_migration (version, name, checksum) values (${version}, ${name}, ${checksum})`;
  }
}

/**
 * A new database with the rows of the service's, as a restore puts them: table by table, into the form after the first
 * migration or into today's. It is migrated then. Undefined where tables are spread over servers.
 */
export async function restoredInto(
  { databaseUrl }: TestService,
  form: '0001' | 'today',
): Promise<TestDatabase | undefined> {
  const restored = await createBareDatabase();
  const [from, to] = [connectOperator(databaseUrl), connectOperator(restored.url)];
  try {
    if (await isDistributed(from)) {
      await restored.drop();
      return undefined;
    }
    await giveForm(to, (await migrations()).slice(0, form === 'today' ? undefined : 1));
    for (const table of await tablesOf(from)) await copyTable(from, to, table);
    await migrate(to);
    return restored;
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

/** Tables with rows of their own, partitions in the place of what they are of. */
async function tablesOf(sql: Operator): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migration'
    order by relname`;
  return rows.map(({ name }) => name);
}

/** The rows of a table in the columns that both have; nothing where the other form has no such table. */
async function copyTable(from: Operator, to: Operator, table: string): Promise<void> {
  await addPartition(from, to, table);
  const there = await columnsOf(to, table);
  const columns = (await columnsOf(from, table)).filter(name => there.includes(name)).join(', ');
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

async function columnsOf(sql: Operator, table: string): Promise<string[]> {
  const rows = await sql`select attname from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''`;
  return rows.map(({ attname }) => attname);
}
