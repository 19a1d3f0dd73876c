import { isDistributed } from '../../sql/operator/distribute.ts';
import type { Operator } from './operator.ts';

/**
 * The results of a statement for each separately stored part of a table: its shards in a distributed database, and
 * otherwise the table itself. The statement contains `%s` for the name of the part, and returns one text.
 */
export async function onEachShard(sql: Operator, table: string, statement: string): Promise<string[]> {
  const parts = (await isDistributed(sql))
    ? await sql<
        { result: string }[]
      >`select result from run_command_on_shards(${table}, ${statement}) order by shardid`
    : await sql.query<{ result: string }>(`select (${statement.replace('%s', table)}) as result`);
  return parts.map(({ result }) => result);
}
