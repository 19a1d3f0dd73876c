import type { CommandConnection, Statements } from '@sightline/postgres';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, monthAfter, partitionName } from '../feed/partitions.ts';
import { besideReports, isDistributed } from '../operator/distribute.ts';
import { isClosed } from './months.ts';
import { each, lockOut } from './transaction.ts';

/** The mark of a month that is spread over servers, where PostgreSQL's own cannot be had. */
const IN_ORDER = 'in the order of the primary key';

/**
 * Puts the rows of months that are over into the order of the primary key, each month once. An account's reports
 * then lie together, and reading them from a cold disk takes a fifth of the time. The mark is PostgreSQL's own,
 * that the table was clustered on that index. The newest come first, as they are asked for most.
 */
export async function rewriteClosedMonths(
  sql: CommandConnection,
  today: string,
  tell: (month: Month) => void,
): Promise<Month[]> {
  const rewritten: Month[] = [];
  for (const month of (await existingMonths(sql)).reverse()) {
    if (!isClosed(month, today) || (await isClustered(sql, partitionName(month)))) continue;
    await rewrite(sql, month);
    rewritten.push(month);
    tell(month);
  }
  return rewritten;
}

async function isClustered(sql: Statements, table: string): Promise<boolean> {
  const [row] = await sql.query<{ clustered: boolean }>(`
    select bool_or(indisclustered) or obj_description('${table}'::regclass) = '${IN_ORDER}' as clustered
    from pg_index where indrelid = '${table}'::regclass`);
  return row?.clustered === true;
}

/**
 * CLUSTER would lock readers out for all of its time. So a copy is made beside the month and put in its place, which
 * takes milliseconds. Loads wait until it is done, and the disk needs room for the month once more.
 */
async function rewrite(sql: CommandConnection, month: Month): Promise<void> {
  const table = partitionName(month);
  const copy = `${table}_copy`;
  const from = `'${month}-01 00:00:00+00'`;
  const to = `'${monthAfter(month)}-01 00:00:00+00'`;
  const indexes = await indexesOf(sql, table);
  const isSpread = await isDistributed(sql);
  const text = `${LOCK_REPORTS};
     set local work_mem = '256MB'; set local maintenance_work_mem = '256MB';
     create table ${copy} (like report including defaults);
     ${isSpread ? besideReports(copy) : 'select'};
     ${each([
       // So that the partition need not be read again to know that it is one of this month.
       `alter table ${copy} add constraint ${copy}_month check (date >= ${from} and date < ${to})`,
       `insert into ${copy} select * from ${table} order by account_id, type, date, id`,
       ...indexes.map(index => index.definition(copy)),
       isSpread ? `comment on table ${copy} is '${IN_ORDER}'` : `alter table ${copy} cluster on ${copy}_pkey`,
       `analyze ${copy}`,
     ])};
     ${lockOut(table)};
     ${each([
       `alter table report detach partition ${table}`,
       `alter table report attach partition ${copy} for values from (${from}) to (${to})`,
       `drop table ${table}`,
       `alter table ${copy} drop constraint ${copy}_month`,
       `alter table ${copy} rename to ${table}`,
       ...indexes.map(index => `alter index ${index.nameOn(copy)} rename to ${index.name}`),
       `perform admit_importer('${table}')`,
     ])}`;
  await sql.transaction(transaction => transaction.query(text));
}

interface Index {
  name: string;
  /** Its name on the copy until the copy has the table's name. */
  nameOn(copy: string): string;
  /** The statement that makes the same one on a copy of its table. */
  definition(copy: string): string;
}

async function indexesOf(sql: Statements, table: string): Promise<Index[]> {
  const rows = await sql.query<{ name: string; definition: string; primary: boolean }>(`
    select c.relname as name, i.indisprimary as primary,
      case when i.indisprimary then (select pg_get_constraintdef(oid) from pg_constraint where conindid = c.oid)
        else substring(pg_get_indexdef(c.oid) from ' USING .*') end as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = '${table}'::regclass and i.indisvalid order by i.indexrelid`);
  return rows.map(({ name, definition, primary }, position) => {
    const nameOn = (copy: string) => (primary ? `${copy}_pkey` : `${copy}_${position}`);
    return {
      name,
      nameOn,
      definition: copy =>
        primary
          ? `alter table ${copy} add constraint ${nameOn(copy)} ${definition}`
          : `create index ${nameOn(copy)} on ${copy} ${definition}`,
    };
  });
}
