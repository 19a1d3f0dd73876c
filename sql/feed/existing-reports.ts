import { UTC_DAY } from '../report/dimensions.ts';
import { reportKey } from '../report/report-key.ts';
import { HOUR_BIT } from '../report/rollup-rows.ts';
import { touch } from './accounts.ts';
import { withdrawFindings } from './derived-findings.ts';
import { forgetMails } from './imported-mails.ts';
import { existingMonths, type Month, partitionName } from './partitions.ts';
import { type LoadSession, toAnyCondition } from './session.ts';
import { DIRECTIVE } from './staged-reports.ts';

/** A staged key, and the time of the stored report with this key or one that differs only in case. */
const FOUND = `(place int, digest bigint, account_id text collate "C", key bigint, type report_type, type_name text,
  id text collate "C", date timestamptz) on commit drop`;
/** Staged reports that already exist, and whether they are unchanged. */
const STORED = `(place int, account_id text collate "C", key bigint, type report_type, type_name text,
  id text collate "C", date timestamptz, same boolean) on commit drop`;
const SHARED = `(account_id text collate "C", key bigint, date timestamptz) on commit drop`;
const REMOVED = `(account_id text collate "C", type report_type, id text collate "C", date timestamptz,
  directive text, count bigint) on commit drop`;
const LATE = `(place int, type_name text, same boolean) on commit drop`;
/** Old reports that this load removed; they count as stored until its end. */
const DELETED = `(account_id text collate "C", type text, id text collate "C",
  primary key (account_id, type, id)) on commit drop`;

/** Number of lines without a change, by report type. */
export interface UnchangedCounts {
  /** Lines equal to the stored reports. */
  repeated: Map<string, number>;
  /** Reports from before the day up to which reports have been removed. */
  pastRetention: Map<string, number>;
}

/** The staged reports that are stored already. */
interface StoredReports extends UnchangedCounts {
  /** The places of lines without a change. */
  places: number[];
  /** True if any stored report must be replaced. */
  hasChanged: boolean;
}

/** Finds a staged key that may already exist. */
const ANY_KNOWN = `select from (select account_id, key from load_report order by key) s
  join report_locator l on l.key = s.key and l.account_id = s.account_id limit 1`;
/** Finds a day of staged reports, some of which may be too old. */
const ANY_LATE = `select from load_added a join removed_position p on p.account_id = a.account_id and p.type = a.type
  where a.day < (p.removed_before at time zone 'UTC')::date limit 1`;

/** Finds the staged reports that are already stored, and those that are too old. */
export async function findKnown(session: LoadSession): Promise<StoredReports> {
  const cached: StoredReports = {
    places: [],
    hasChanged: false,
    repeated: new Map(),
    pastRetention: new Map(),
  };
  const mayBeKnown = (await session.query(ANY_KNOWN)).length > 0;
  const mayBeLate = (await session.query(ANY_LATE)).length > 0;
  if (!mayBeKnown && !mayBeLate) return cached;
  await session.emptyTemporary('load_stored', STORED);
  if (mayBeKnown) await findStored(session);
  const stored = await findPlaces(session, 'load_stored');
  for (const { type, same, places } of stored) {
    if (same) leave(cached, 'repeated', type, places);
    else cached.hasChanged = true;
  }
  if (mayBeLate) {
    const late = await findLate(
      session,
      stored.flatMap(({ places }) => places),
    );
    for (const { type, places } of late) leave(cached, 'pastRetention', type, places);
  }
  return cached;
}

function leave(
  cached: StoredReports,
  reason: keyof UnchangedCounts,
  type: string,
  places: readonly number[],
): void {
  cached[reason].set(type, (cached[reason].get(type) ?? 0) + places.length);
  for (const place of places) cached.places.push(place);
}

/** Staged reports of a type, with their places. */
interface ReportPlaces {
  type: string;
  same: boolean;
  places: number[];
}

async function findPlaces(session: LoadSession, table: string): Promise<ReportPlaces[]> {
  // As one text, because returning many rows is expensive.
  const rows = await session.query<{ type: string; same: boolean; places: string }>(`
    select type_name as type, same, string_agg(place::text, ',') as places from ${table} group by 1, 2`);
  return rows.map(({ places, ...row }) => ({ ...row, places: places.split(',').map(Number) }));
}

async function findStored(session: LoadSession): Promise<void> {
  await session.emptyTemporary('load_found', FOUND);
  await session.query(`
    with wanted as materialized (
      select place, digest, account_id, type, id, key from load_report order by key
    )
    insert into load_found
    select distinct w.place, w.digest, l.account_id, l.key, w.type::report_type, w.type, w.id, l.date
    from wanted w join report_locator l on l.key = w.key and l.account_id = w.account_id`);
  const existing = await existingMonths(session);
  for (const month of await listMonths(session, 'load_found')) {
    // A locator can refer to a dropped month.
    if (!existing.includes(month)) continue;
    await session.query(`
      insert into load_stored
      select f.place, f.account_id, f.key, f.type, f.type_name, f.id, f.date, coalesce(r.digest = f.digest, false)
      from load_found f join ${partitionName(month)} r
        on r.account_id = f.account_id and r.type = f.type and r.date = f.date and r.id = f.id`);
  }
}

/**
 * One month at a time: a statement over all of them would lock each partition with each of its indexes. Partitions are
 * read by name: with old statistics, a range of dates seems to have few reports, and the planner picks a nested loop.
 */
function listMonths(session: LoadSession, table: string, where = 'true'): Promise<Month[]> {
  return session.texts(
    `select distinct to_char(date at time zone 'UTC', 'YYYY-MM') as text from ${table} where ${where} order by 1`,
  );
}

/** Finds reports older than those already removed by age, which were not stored when the load started. */
async function findLate(session: LoadSession, stored: readonly number[]): Promise<ReportPlaces[]> {
  await session.emptyTemporary('load_late', LATE);
  await session.temporary('load_deleted', DELETED);
  await session.query(`
    with wanted as materialized (
      select place, account_id, type, date from load_report w
      where not (${toAnyCondition('place', stored)}) and not exists (select from load_deleted d
        where d.account_id = w.account_id and d.type = w.type and d.id = w.id)
    )
    insert into load_late
    select w.place, w.type, false
    from wanted w join removed_position p on p.account_id = w.account_id and p.type = w.type::report_type
    where w.date < p.removed_before`);
  return findPlaces(session, 'load_late');
}

/** Removes stored reports that differ from their line. */
export async function removeChanged(session: LoadSession): Promise<void> {
  await session.emptyTemporary('load_removed', REMOVED);
  await session.temporary('load_deleted', DELETED);
  await session.temporary('load_shared', SHARED);
  for (const month of await listMonths(session, 'load_stored', 'not same')) {
    await withdrawFindings(session, month);
    await session.query(`
    with removed as (
      delete from ${partitionName(month)} r using load_stored f
      where not f.same and r.account_id = f.account_id and r.type = f.type and r.date = f.date and r.id = f.id
      returning r.account_id, r.type, r.id, r.date, r.directive, r.count
    )
    insert into load_removed select account_id, type, id, date, directive, count from removed`);
    await keepShared(session, month);
  }
  await session.query(`
    insert into load_change
    select account_id, type, ${UTC_DAY}, ${DIRECTIVE}, -sum(count), bit_or(${HOUR_BIT})
    from load_removed group by 1, 2, 3, 4`);
  await touch(session, 'select distinct account_id as text from load_removed');
  await session.query(`
    insert into load_deleted
    select r.account_id, r.type::text, r.id
    from load_removed r join removed_position p on p.account_id = r.account_id and p.type = r.type
    where r.date < p.removed_before
    on conflict do nothing`);
  await session.query(`
    delete from report_locator l using load_stored f
    where not f.same and l.account_id = f.account_id and l.key = f.key and l.date = f.date`);
  await forgetMails(session);
}

/**
 * Ids that differ only in case share a locator, which remains as long as one of them exists. They are looked up
 * separately: without statistics, PostgreSQL reads an account's entire index for each of them in a deletion with `not
 * exists`. Each date is read once, since many reports can have the same one, such as the rows of a DMARC report.
 */
async function keepShared(session: LoadSession, month: Month): Promise<void> {
  const key = reportKey({ account: 'r.account_id', type: 'd.type_name', id: 'r.id' });
  const shared = await session.count(`
    insert into load_shared
    select account_id, key, date
    from (select account_id, key, date, true as is_removed from load_stored where not same
          union all
          select r.account_id, ${key}, r.date, false
          from (select distinct account_id, type, type_name, date from load_stored where not same) d
            join ${partitionName(month)} r on r.account_id = d.account_id and r.type = d.type and r.date = d.date
         ) both_of_them
    group by 1, 2, 3 having count(distinct is_removed) = 2`);
  if (shared === 0) return;
  await session.query(`
    delete from load_stored f using load_shared s
    where f.account_id = s.account_id and f.key = s.key and f.date = s.date;
    truncate load_shared`);
}
