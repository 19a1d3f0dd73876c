import type { Statements } from '@sightline/pg-client';
import { toLiterals } from '../literals.ts';
import { READER } from '../roles.ts';

/** Replicated to every node although they name an account, because they are read before the account is known. */
const LOOKED_UP = ['account', 'api_key', 'plan'];

/** Tables that exist only on the coordinator. */
const KEPT = ['schema_migration', 'announced_change', 'revoked_key', 'last_run', 'origin', 'rollup_month'];

/** The table with which all other data of an account is colocated. */
const FIRST = 'report';

/** Checks whether the database has the extension `citus`, and can therefore be distributed. */
export async function isDistributed(sql: Statements): Promise<boolean> {
  const [row] = await sql.query<{ there: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as there`,
  );
  return row?.there === true;
}

/**
 * With Citus, distributes tables by account if they are not distributed yet, and replicates the others to every server.
 * Returns their names. Does nothing without Citus.
 */
export async function distribute(sql: Statements): Promise<string[]> {
  if (!(await isDistributed(sql))) return [];
  const tables = await listUndistributedTables(sql);
  for (const { name, tenantScoped, hasKey } of tables) {
    // A shard can move while it is written, which requires a replica identity.
    if (!hasKey) await sql.query(`alter table ${name} replica identity full`);
    await sql.query(tenantScoped ? colocateWithReports(name) : `select create_reference_table('${name}')`);
    // The shards now contain the table's rows, so the local ones are removed.
    await sql.query(`select truncate_local_data_after_distributing_table('${name}')`);
  }
  await sql.query(LET_READER_IN);
  return tables.map(({ name }) => name);
}

/**
 * Servers connect to one another with the statement's role, which can be the role that the service switches to. If
 * somebody else owns that role, the database's administrator has to grant it.
 */
const LET_READER_IN = `do $$ begin
  if exists (select from pg_roles where rolname = '${READER}' and not rolcanlogin) then
    alter role ${READER} login;
  end if;
exception when insufficient_privilege then null;
end $$`;

/** The statement that distributes a table by account and colocates it with the reports. */
export function colocateWithReports(table: string): string {
  const colocatedWith = table === FIRST ? 'none' : FIRST;
  return `select create_distributed_table('${table}', 'account_id', colocate_with => '${colocatedWith}')`;
}

/**
 * Checks whether a commit has reached all servers: they commit one after the other, and one can be unreachable at that
 * time.
 */
export async function isEverywhere(sql: Statements): Promise<boolean> {
  const [row] = await sql.query<{ everywhere: boolean }>(`
    select bool_and(success and result = '0') as everywhere
    from run_command_on_all_nodes($$select count(*) from pg_prepared_xacts where database = current_database()$$)`);
  return row?.everywhere === true;
}

export interface DistributableTable {
  name: string;
  /** True if its rows are stored by account; every server has complete copies of the other tables. */
  tenantScoped: boolean;
  hasKey: boolean;
}

/** Lists all tables except those with a single copy, starting with the one that determines the colocation. */
export async function listDistributedTables(sql: Statements): Promise<DistributableTable[]> {
  return sql.query<DistributableTable>(`
    select c.relname as name, a.attname is not null and c.relname not in (${toLiterals(LOOKED_UP)}) as "tenantScoped",
      exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as "hasKey"
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = (select relnamespace from pg_class where oid = 'schema_migration'::regclass)
      and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in (${toLiterals(KEPT)})
    order by c.relname <> '${FIRST}', c.relname`);
}

async function listUndistributedTables(sql: Statements): Promise<DistributableTable[]> {
  const rows = await sql.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  );
  const distributed = new Set(rows.map(({ name }) => name));
  return (await listDistributedTables(sql)).filter(({ name }) => !distributed.has(name));
}
