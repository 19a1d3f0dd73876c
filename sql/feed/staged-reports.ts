import { STAGED_COLUMNS } from '@sightline/reports';
import { UTC_DAY } from '../report/dimensions.ts';
import { reportKey } from '../report/report-key.ts';
import { HOUR_BIT } from '../report/rollup-rows.ts';
import { type LoadSession, toAnyCondition } from './session.ts';

/**
 * Staged reports and their keys in `report_locator`, which COPY leaves out; a report without a date is to be deleted.
 * `place` is its index among all staged reports.
 */
const STAGED = `(place int, account_id text collate "C", type text, id text collate "C", date timestamptz,
  directive text, count bigint, digest bigint,
  key bigint generated always as (${reportKey({ account: 'account_id', type: 'type', id: 'id' })}) stored) on commit drop`;
/** The sums of staged reports for the daily counts, the hours of the day as bits, and their number. */
const ADDED = `(account_id text collate "C", type report_type, day date, directive text collate "C",
  count numeric, hours int, reports int) on commit drop`;

export const DIRECTIVE = `coalesce(directive, '')`;

/** Reports as rows of COPY's binary format. */
export interface ReportRows {
  readonly size: number;
  pieces(): Iterable<Buffer>;
  /**
   * The first cells of each row, after its number.
   * @param start the first bytes of each row
   * @param first the number of the first row
   */
  heads(start: Buffer, first: number): Iterable<Buffer>;
  /** Drops rows. @param places indexes in `heads`, from 0 */
  drop(places: readonly number[]): void;
}

/** The number of cells of a staged row: the columns, and its place. */
const START = Buffer.from([0, STAGED_COLUMNS + 1]);

/** Stages the keys of reports and their contributions to the counts. */
export async function stageReports(
  session: LoadSession,
  reports: ReportRows,
  deleted: ReportRows,
): Promise<void> {
  await session.emptyTemporary('load_report', STAGED);
  await session.emptyTemporary('load_added', ADDED);
  await session.copyBinary('load_report', both(reports, deleted));
  await addUp(session);
}

function* both(reports: ReportRows, deleted: ReportRows): Generator<Buffer> {
  yield* reports.heads(START, 0);
  yield* deleted.heads(START, reports.size);
}

/** Aggregates by hour first, so day, bit and type are computed once per hour instead of per report. */
async function addUp(session: LoadSession): Promise<void> {
  await session.query(`
    insert into load_added
    select account_id, type::report_type, ${UTC_DAY}, directive, sum(count), bit_or(${HOUR_BIT}), sum(reports)
    from (
      select account_id, type, date_bin('1 hour', date, '1970-01-01 00:00:00+00') as date,
        ${DIRECTIVE} as directive, sum(count) as count, count(*) as reports
      from load_report where date is not null group by 1, 2, 3, 4
    ) hours group by 1, 2, 3, 4`);
}

/** Drops the reports at these places. */
export async function leaveOut(
  session: LoadSession,
  reports: ReportRows,
  places: readonly number[],
): Promise<void> {
  if (places.length === 0) return;
  reports.drop(places);
  await session.query(
    `truncate load_added; delete from load_report where ${toAnyCondition('place', places)}`,
  );
  if (reports.size > 0) await addUp(session);
}
