import { isDistributed } from '../../sql/operator/distribute.ts';
import type { Operator } from './operator.ts';

/**
 * The answers of a statement on each part of a table that is stored by itself. Those are the shards of a table that is
 * spread over servers, and otherwise the table. It has `%s` for the part's name, and answers with a single text.
 */
export async function onEachShard(sql: Operator, table: string, statement: string): Promise<string[]> {
  const parts = (await isDistributed(sql))
    ? await sql<
        { result: string }[]
      >`select result from run_command_on_shards(${table}, ${statement}) order by shardid`
    : await sql.query<{ result: string }>(`select (${statement.replace('%s', table)}) as result`);
  return parts.map(({ result }) => result);
}
