import type { Statements } from '@sightline/postgres';

/** Every node has these whole, though they name an account: they are read before the account is clear. */
const LOOKED_UP = ['account', 'api_key', 'plan'];

/** Only the server that everybody asks has these. */
const KEPT = ['schema_migration', 'announced_change', 'revoked_key', 'last_run', 'origin'];

/** The table that all other data of an account lies beside. */
const FIRST = 'report';

/** Tells whether the database has the extension `citus`, and so may lie on several servers. */
export async function isDistributed(sql: Statements): Promise<boolean> {
  const [row] = await sql.query<{ there: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as there`,
  );
  return row?.there === true;
}

/**
 * Where there is Citus: spreads the tables that are not spread yet by their account, and gives every server the
 * others whole. Answers with their names. Without Citus it does nothing.
 */
export async function distribute(sql: Statements): Promise<string[]> {
  if (!(await isDistributed(sql))) return [];
  const tables = await tablesToSpread(sql);
  for (const { name, owned, hasKey } of tables) {
    // A shard moves to another server while it is written to, and without a key the rows are known by all of them.
    if (!hasKey) await sql.query(`alter table ${name} replica identity full`);
    await sql.query(owned ? besideReports(name) : `select create_reference_table('${name}')`);
    // The shards hold the table's rows now; the local ones would stay here, too, where no statement sees them.
    await sql.query(`select truncate_local_data_after_distributing_table('${name}')`);
  }
  await sql.query(LET_READER_IN);
  return tables.map(({ name }) => name);
}

/**
 * Servers speak to one another in the role of the statement, and that is also the role that the service steps down
 * to. Where the role is somebody else's, that is for the database's administrator.
 */
const LET_READER_IN = `do $$ begin
  if exists (select from pg_roles where rolname = 'sightline_reader' and not rolcanlogin) then
    alter role sightline_reader login;
  end if;
exception when insufficient_privilege then null;
end $$`;

/** The statement that spreads a table by its account, so that each account's rows lie where its reports do. */
export function besideReports(table: string): string {
  const beside = table === FIRST ? 'none' : FIRST;
  return `select create_distributed_table('${table}', 'account_id', colocate_with => '${beside}')`;
}

/**
 * Tells whether what was committed here is so on all servers: one commits after the other, and may be away at that
 * moment.
 */
export async function isEverywhere(sql: Statements): Promise<boolean> {
  const [row] = await sql.query<{ everywhere: boolean }>(`
    select bool_and(success and result = '0') as everywhere
    from run_command_on_all_nodes($$select count(*) from pg_prepared_xacts where database = current_database()$$)`);
  return row?.everywhere === true;
}

export interface SpreadTable {
  name: string;
  /** True if its rows belong to accounts and lie with them; every server has the others whole. */
  owned: boolean;
  hasKey: boolean;
}

/** All tables but those that stay whole and alone, the one first that the others lie beside. */
export async function spreadTables(sql: Statements): Promise<SpreadTable[]> {
  return sql.query<SpreadTable>(`
    select c.relname as name, a.attname is not null and c.relname not in (${list(LOOKED_UP)}) as owned,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as "hasKey"
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = (select relnamespace from pg_class where oid = 'schema_migration'::regclass)
      and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in (${list(KEPT)})
    order by c.relname <> '${FIRST}', c.relname`);
}

async function tablesToSpread(sql: Statements): Promise<SpreadTable[]> {
  const rows = await sql.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  );
  const spread = new Set(rows.map(({ name }) => name));
  return (await spreadTables(sql)).filter(({ name }) => !spread.has(name));
}

function list(names: readonly string[]): string {
  return names.map(name => `'${name}'`).join(', ');
}
