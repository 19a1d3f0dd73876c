import { isDistributed } from '../../sql/operator/distribute.ts';
import type { Operator } from './operator.ts';

/**
 * The results of a statement on each separately stored part of a table. For a distributed table these are its shards,
 * and otherwise the table. The statement contains `%s` for the part's name, and returns a single text.
 */
export async function onEachShard(sql: Operator, table: string, statement: string): Promise<string[]> {
  const parts = (await isDistributed(sql))
    ? await sql<
        { result: string }[]
      >`select result from run_command_on_shards(${table}, ${statement}) order by shardid`
    : await sql.query<{ result: string }>(`select (${statement.replace('%s', table)}) as result`);
  return parts.map(({ result }) => result);
}
