import type { Sql } from 'postgres';

/** The part of a table's rows that may have changed before its statistics are taken again. */
const CHANGED = 0.02;

/**
 * Vacuums the tables that changed and takes their statistics anew. It locks nobody out, and leaves a table out that
 * somebody else is at. Answers with the tables' names.
 */
export async function refreshStatistics(sql: Sql): Promise<string[]> {
  // What this very session changed is not told of before.
  await sql.unsafe('select pg_stat_force_next_flush()');
  const rows = await sql.unsafe<{ name: string }[]>(`
    select relname as name from pg_stat_user_tables
    where relid in (select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r')
      and (n_mod_since_analyze > ${CHANGED} * n_live_tup
        or (n_live_tup > 0 and coalesce(last_vacuum, last_autovacuum) is null))
    order by 1`);
  for (const { name } of rows) {
    await sql.unsafe(`vacuum (analyze, skip_locked, truncate off) "${name}"`);
  }
  return rows.map(({ name }) => name);
}
