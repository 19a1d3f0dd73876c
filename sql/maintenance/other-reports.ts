import type { CommandConnection } from '@sightline/pg-client';

/** A stored report whose type was unknown when it arrived. */
export interface OtherReport {
  account_id: string;
  id: string;
  /** In milliseconds. */
  date: number;
  /** The same in PostgreSQL's own text. */
  instant: string;
  count: number;
  raw: string;
  browser: string | null;
  platform: string | null;
  samplingRate: number | null;
}

/** Maximum number of reports per step. Each step is a load, for which other loads wait. */
const STEP = 1000;

/** The accounts that have had such reports. */
export async function accountsWithOthers(sql: CommandConnection): Promise<string[]> {
  const rows = await sql.query<{ account_id: string }>(
    `select distinct account_id from daily_count where type = 'other' and total > 0 order by 1`,
  );
  return rows.map(({ account_id }) => account_id);
}

/** An account's reports of these types, by the browsers' names, in steps. */
export async function* otherReports(
  sql: CommandConnection,
  account: string,
  wireTypes: readonly string[],
): AsyncGenerator<OtherReport[]> {
  let last: OtherReport | undefined;
  do {
    const after = last ? 'and (date, id) > ($3::timestamptz, $4)' : '';
    const rows: OtherReport[] = await sql.query<OtherReport>(
      `select account_id, id, round(extract(epoch from date) * 1000)::float8 as date, date::text as instant,
         count::float8 as count, raw, browser, platform, (extra->>'samplingRate')::float8 as "samplingRate"
       from report where account_id = $1 and type = 'other' and extra->>'wireType' = any($2::text[]) ${after}
       order by report.date, id limit ${STEP}`,
      [account, wireTypes, ...(last ? [last.instant, last.id] : [])],
    );
    if (rows.length > 0) yield rows;
    last = rows.length === STEP ? rows.at(-1) : undefined;
  } while (last);
}
