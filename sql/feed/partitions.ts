import type { Statements } from '@sightline/pg-client';
import { LOCK_REPORTS } from './lock.ts';

/** A UTC month as `YYYY-MM`. */
export type Month = string;

/** The months that have a partition of `report`, the oldest first. */
export async function existingMonths(sql: Statements): Promise<Month[]> {
  const rows = await sql.query<{ name: string }>(`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'report'::regclass order by 1`);
  return rows.flatMap(({ name }) => {
    const [, year, month] = /^report_y(\d{4})m(\d\d)$/.exec(name) ?? [];
    return year && month ? [`${year}-${month}`] : [];
  });
}

/**
 * Creates the month's partition. It is created separately and then attached, because "partition of" would lock out all
 * readers until the end of the transaction. A login that can only import calls a function with the owner's rights.
 */
export async function createMonth(sql: Statements, month: Month): Promise<void> {
  const name = partitionName(month);
  const [report] = await sql.query<{ own: boolean }>(OWN_REPORTS);
  if (report?.own === false) {
    await sql.query(`select make_report_month('${month}-01')`);
    return;
  }
  await sql.query(`create table ${name} (like report including defaults)`);
  await sql.query(`alter table report attach partition ${name}
    for values from ('${month}-01 00:00:00+00') to ('${monthAfter(month)}-01 00:00:00+00')`);
  await sql.query(`select admit_importer('${name}')`);
}

const OWN_REPORTS = `select pg_has_role(relowner, 'usage') as own from pg_class where oid = 'report'::regclass`;

/**
 * Creates the missing partitions of these months.
 * @param sql a connection in a short transaction
 * @returns the months that were missing
 */
export async function makeMonths(sql: Statements, months: readonly Month[]): Promise<Month[]> {
  await sql.query(LOCK_REPORTS);
  // A load can have created a partition during the wait.
  const existing = await existingMonths(sql);
  const missing = months.filter(month => !existing.includes(month));
  for (const month of missing) await createMonth(sql, month);
  return missing;
}

/** The condition that a time is in the month, with constants, so PostgreSQL prunes the other partitions. */
export function ofMonth(time: string, month: Month): string {
  return `${time} >= '${month}-01 00:00:00+00' and ${time} < '${monthAfter(month)}-01 00:00:00+00'`;
}

export function partitionName(month: Month): string {
  return `report_y${month.slice(0, 4)}m${month.slice(5, 7)}`;
}

export function monthAfter(month: Month): Month {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  return number === 12 ? `${year + 1}-01` : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
}
