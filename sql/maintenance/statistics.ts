import type { Statements } from '@sightline/pg-client';
import { isDistributed } from '../operator/distribute.ts';

/** The fraction of changed rows at which a table's statistics are updated. */
const CHANGED = 0.02;

/** Changed tables of the session's server. */
const STALE = `
  select relname as name from pg_stat_user_tables
  where relid in (select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r')
    and (n_mod_since_analyze > ${CHANGED} * n_live_tup
      or (n_live_tup > 0 and coalesce(last_vacuum, last_autovacuum) is null))`;

/** Tables whose shards on other servers changed; the name of a shard ends in a number. */
const STALE_ELSEWHERE = `
  select distinct regexp_replace(shard, '_\\d+$', '') as name
  from run_command_on_workers($$select json_agg(name) from (${STALE}) stale$$) answer,
    json_array_elements_text(nullif(answer.result, '')::json) shard
  where answer.success`;

/**
 * Vacuums and analyses the changed tables. It does not block readers or writers, and skips tables that are in use.
 * Returns the names of the tables.
 */
export async function refreshStatistics(sql: Statements): Promise<string[]> {
  // Otherwise the statistics lack this session's changes.
  await sql.query('select pg_stat_force_next_flush()');
  const here = await sql.query<{ name: string }>(STALE);
  const elsewhere = (await isDistributed(sql)) ? await sql.query<{ name: string }>(STALE_ELSEWHERE) : [];
  const names = [...new Set([...here, ...elsewhere].map(({ name }) => name))].sort();
  for (const name of names) await sql.query(`vacuum (analyze, skip_locked, truncate off) "${name}"`);
  return names;
}
