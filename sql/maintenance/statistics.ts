import type { Statements } from '@sightline/postgres';
import { isDistributed } from '../operator/distribute.ts';

/** The part of a table's rows that may have changed before its statistics are taken again. */
const CHANGED = 0.02;

/** The tables of the session's server that changed. */
const STALE = `
  select relname as name from pg_stat_user_tables
  where relid in (select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r')
    and (n_mod_since_analyze > ${CHANGED} * n_live_tup
      or (n_live_tup > 0 and coalesce(last_vacuum, last_autovacuum) is null))`;

/** Those whose shards on other servers changed: a shard has the table's name, with a number behind it. */
const STALE_ELSEWHERE = `
  select distinct regexp_replace(shard, '_\\d+$', '') as name
  from run_command_on_workers($$select json_agg(name) from (${STALE}) stale$$) answer,
    json_array_elements_text(nullif(answer.result, '')::json) shard
  where answer.success`;

/**
 * Vacuums the tables that changed and takes their statistics anew. It locks no reader or writer out, and leaves a
 * table out that somebody else is at. Answers with the tables' names.
 */
export async function refreshStatistics(sql: Statements): Promise<string[]> {
  // Without this, the statistics lack this very session's changes.
  await sql.query('select pg_stat_force_next_flush()');
  const here = await sql.query<{ name: string }>(STALE);
  const elsewhere = (await isDistributed(sql)) ? await sql.query<{ name: string }>(STALE_ELSEWHERE) : [];
  const names = [...new Set([...here, ...elsewhere].map(({ name }) => name))].sort();
  for (const name of names) await sql.query(`vacuum (analyze, skip_locked, truncate off) "${name}"`);
  return names;
}
