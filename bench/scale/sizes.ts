import { isDistributed } from '../../sql/operator/distribute.ts';
import type { Operator } from '../../test/support/operator.ts';

/** The size of a table in bytes, including TOAST, and of each kind of index. Partitions are added up. */
export interface DiskSize {
  table: string;
  rows: number;
  data: number;
  indexes: Record<string, number>;
}

export async function tableSizes(sql: Operator): Promise<DiskSize[]> {
  const tables = ['report', 'report_locator', 'daily_count', 'audit_event'];
  const sizeOf = (await isDistributed(sql)) ? spreadSize : tableSize;
  return Promise.all(tables.map(table => sizeOf(sql, table)));
}

/** The total size on all servers. Citus does not report the size of single indexes. */
async function spreadSize(sql: Operator, table: string): Promise<DiskSize> {
  const [size] = await sql.query<{ rows: string; data: string; total: string }>(`
    select (select count(*) from ${table}) as rows, sum(citus_table_size(relid)) as data,
      sum(citus_total_relation_size(relid)) as total
    from (select relid from pg_partition_tree('${table}') where isleaf union select '${table}'::regclass) leaves
    where (select relkind from pg_class where oid = relid) = 'r'`);
  const indexes = { [`${table}, all indexes`]: Number(size!.total) - Number(size!.data) };
  return { table, rows: Number(size!.rows), data: Number(size!.data), indexes };
}

async function tableSize(sql: Operator, table: string): Promise<DiskSize> {
  const leaves = `(
    select relid from pg_partition_tree('${table}') where isleaf union select '${table}'::regclass
  )`;
  const [total] = await sql.query<{ rows: string; data: string }>(`
    select sum(greatest(c.reltuples, 0))::bigint as rows, sum(pg_table_size(c.oid)) as data
    from pg_class c where c.oid in ${leaves} and c.relkind = 'r'`);
  // Indexes of partitions, grouped by the partitioned index that they belong to.
  const indexes = await sql.query<{ name: string; bytes: string }>(`
    select coalesce(p.inhparent::regclass::text, regexp_replace(c.relname, '^report_y[0-9]+m[0-9]+_(.*?)(_[0-9a-f]{8})?$', 'report_\\1')) as name,
      sum(pg_relation_size(i.indexrelid)) as bytes
    from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_inherits p on p.inhrelid = i.indexrelid
    where i.indrelid in ${leaves} and c.relkind = 'i' group by 1 order by 1`);
  return {
    table,
    rows: Number(total!.rows),
    data: Number(total!.data),
    indexes: Object.fromEntries(indexes.map(({ name, bytes }) => [name, Number(bytes)])),
  };
}
