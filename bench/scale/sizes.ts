import type { Operator } from '../../test/support/operator.ts';
import type { Figure } from './run.ts';

const TABLES = ['report', 'report_locator', 'daily_count', 'daily_group', 'audit_event'];

/** Returns the size of each table, including TOAST, and of each kind of index. Partitions are added up. */
export async function measureSizes(sql: Operator, reports: number): Promise<Figure[]> {
  const sizes: { name: string; bytes: string }[] = [];
  for (const table of TABLES) {
    const leaves = `(
      select relid from pg_partition_tree('${table}') where isleaf union select '${table}'::regclass
    )`;
    // Indexes of partitions are grouped by the partitioned index that they belong to.
    const found = await sql.query<{ name: string; bytes: string }>(`
      select '${table}' as name, sum(pg_table_size(oid)) as bytes
      from pg_class where oid in ${leaves} and relkind = 'r'
      union all (select coalesce(p.inhparent::regclass::text,
          regexp_replace(c.relname, '^report_y[0-9]+m[0-9]+_(.*?)(_[0-9a-f]{8})?$', 'report_\\1')),
        sum(pg_relation_size(i.indexrelid))
      from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_inherits p on p.inhrelid = i.indexrelid
      where i.indrelid in ${leaves} and c.relkind = 'i' group by 1 order by 1)`);
    sizes.push(...found);
  }
  return sizes.map(({ name, bytes }) => ({
    group: 'on disk, bytes per report',
    name,
    value: Number(bytes) / reports,
  }));
}
