import { STAGED_COLUMNS } from '@sightline/reports/columns';
import { UTC_DAY } from '../report/dimensions.ts';
import { HOUR_BIT } from '../report/kept-stretch.ts';
import { reportKey } from '../report/report-key.ts';
import { amongst, type LoadSession } from './session.ts';

/** Without a date: a report that is deleted. `place` is its number among all that are staged. */
const STAGED = `(place int, account_id text collate "C", type text, id text collate "C", date timestamptz,
  directive text, count bigint, digest bigint) on commit drop`;
const LOCATED = `(place int, account_id text collate "C", key bigint, date timestamptz) on commit drop`;
/** Their sums for the daily counts, the hours of their day, as bits, and how many they are. */
const ADDED = `(account_id text collate "C", type report_type, day date, directive text collate "C",
  count numeric, hours int, reports int) on commit drop`;

export const KEY = reportKey({ account: 'account_id', type: 'type', id: 'id' });
export const DIRECTIVE = `coalesce(directive, '')`;

/** Reports as rows of COPY's binary format. */
export interface ReportRows {
  readonly size: number;
  pieces(): Iterable<Buffer>;
  /**
   * The first cells of each row, behind its number.
   * @param start the bytes that such a row begins with
   * @param first the number of the first one
   */
  heads(start: Buffer, first: number): Iterable<Buffer>;
  /** Leaves rows out. @param places their numbers in `heads`, where the first one was 0 */
  drop(places: readonly number[]): void;
}

/** The number of cells of a row that is staged: the columns, and its place. */
const START = Buffer.from([0, STAGED_COLUMNS + 1]);

/** Stages what the reports are known by, and what they count. */
export async function stageReports(
  session: LoadSession,
  reports: ReportRows,
  deleted: ReportRows,
): Promise<void> {
  await session.temporary('load_report', STAGED);
  await session.temporary('load_located', LOCATED);
  await session.temporary('load_added', ADDED);
  await session.copyBinary('load_report', both(reports, deleted));
  // In the order of the locators' index, which is half of the time.
  await session.query(
    `insert into load_located select place, account_id, ${KEY}, date from load_report order by 3`,
  );
  await addUp(session);
}

function* both(reports: ReportRows, deleted: ReportRows): Generator<Buffer> {
  yield* reports.heads(START, 0);
  yield* deleted.heads(START, reports.size);
}

/** Adds up by the hour first: day, bit and type are then found once for each hour, and not for each report. */
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

/** Goes on without the reports at these places. */
export async function leaveOut(
  session: LoadSession,
  reports: ReportRows,
  places: readonly number[],
): Promise<void> {
  if (places.length === 0) return;
  reports.drop(places);
  const isLeftOut = amongst('place', places);
  await session.query(`truncate load_added;
    delete from load_located where ${isLeftOut}; delete from load_report where ${isLeftOut}`);
  if (reports.size > 0) await addUp(session);
}

/** Makes room for the next ones. */
export async function unstageReports(session: LoadSession): Promise<void> {
  await session.query('truncate load_report, load_located, load_added');
}
