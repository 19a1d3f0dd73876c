import { UTC_DAY } from '../report/dimensions.ts';
import { HOUR_BIT } from '../report/kept-stretch.ts';
import { reportKey } from '../report/report-key.ts';
import { touch } from './accounts.ts';
import { withdrawFindings } from './derived-findings.ts';
import { forgetMails } from './imported-mails.ts';
import { existingMonths, type Month, partitionName } from './partitions.ts';
import { amongst, type LoadSession } from './session.ts';
import { DIRECTIVE, KEY } from './staged-reports.ts';

/** A staged key, and where in time there is a report with it, or with one that differs in case alone. */
const FOUND = `(place int, digest bigint, account_id text collate "C", key bigint, type report_type, type_name text,
  id text collate "C", date timestamptz) on commit drop`;
/** Those of them that are there, and whether they are as the line has them. */
const STORED = `(place int, account_id text collate "C", key bigint, type report_type, type_name text,
  id text collate "C", date timestamptz, same boolean) on commit drop`;
const SHARED = `(account_id text collate "C", key bigint, date timestamptz) on commit drop`;
const REMOVED = `(account_id text collate "C", type report_type, id text collate "C", date timestamptz,
  directive text, count bigint) on commit drop`;
const LATE = `(place int, type_name text, same boolean) on commit drop`;
/** Old reports that this load removed: until its end they count as stored. */
const DELETED = `(account_id text collate "C", type text, id text collate "C",
  primary key (account_id, type, id)) on commit drop`;

/** Numbers of lines that changed nothing, by the type of the report. */
export interface Unchanged {
  /** They say what is stored. */
  repeated: Map<string, number>;
  /** They are from before the day up to which reports were removed. */
  pastRetention: Map<string, number>;
}

/** The staged reports that are stored already. */
interface Known extends Unchanged {
  /** The places of those that change nothing. */
  places: number[];
  /** True if any has to make room. */
  hasChanged: boolean;
}

/** A staged key that may be there. */
const ANY_KNOWN =
  'select from load_located s join report_locator l on l.key = s.key and l.account_id = s.account_id limit 1';
/** A day of staged reports of which some may come too late. */
const ANY_LATE = `select from load_added a join removed_position p on p.account_id = a.account_id and p.type = a.type
  where a.day < (p.removed_before at time zone 'UTC')::date limit 1`;

/** Finds the staged reports that are stored, and those that come too late. */
export async function findKnown(session: LoadSession): Promise<Known> {
  const known: Known = { places: [], hasChanged: false, repeated: new Map(), pastRetention: new Map() };
  const mayBeKnown = (await session.query(ANY_KNOWN)).length > 0;
  const mayBeLate = (await session.query(ANY_LATE)).length > 0;
  if (!mayBeKnown && !mayBeLate) return known;
  await session.temporary('load_stored', STORED);
  await session.query('truncate load_stored');
  if (mayBeKnown) await findStored(session);
  const stored = await placed(session, 'load_stored');
  for (const { type, same, places } of stored) {
    if (same) leave(known, 'repeated', type, places);
    else known.hasChanged = true;
  }
  if (mayBeLate) {
    const late = await findLate(
      session,
      stored.flatMap(({ places }) => places),
    );
    for (const { type, places } of late) leave(known, 'pastRetention', type, places);
  }
  return known;
}

function leave(known: Known, reason: keyof Unchanged, type: string, places: readonly number[]): void {
  known[reason].set(type, (known[reason].get(type) ?? 0) + places.length);
  for (const place of places) known.places.push(place);
}

/** Staged reports of a type, by their places. */
interface Placed {
  type: string;
  same: boolean;
  places: number[];
}

async function placed(session: LoadSession, table: string): Promise<Placed[]> {
  // As one text: an answer of many rows costs more than all else.
  const rows = await session.query<{ type: string; same: boolean; places: string }>(`
    select type_name as type, same, string_agg(place::text, ',') as places from ${table} group by 1, 2`);
  return rows.map(({ places, ...row }) => ({ ...row, places: places.split(',').map(Number) }));
}

async function findStored(session: LoadSession): Promise<void> {
  await session.temporary('load_found', FOUND);
  await session.query(`
    with wanted as materialized (
      select place, digest, account_id, type, id, ${KEY} as key from load_report order by key
    )
    insert into load_found
    select distinct w.place, w.digest, l.account_id, l.key, w.type::report_type, w.type, w.id, l.date
    from wanted w join report_locator l on l.key = w.key and l.account_id = w.account_id`);
  const existing = await existingMonths(session);
  for (const month of await monthsOf(session, 'load_found')) {
    // A locator may lead to a month that was dropped.
    if (!existing.includes(month)) continue;
    await session.query(`
      insert into load_stored
      select f.place, f.account_id, f.key, f.type, f.type_name, f.id, f.date, coalesce(r.digest = f.digest, false)
      from load_found f join ${partitionName(month)} r
        on r.account_id = f.account_id and r.type = f.type and r.date = f.date and r.id = f.id`);
  }
  await session.query('truncate load_found');
}

/**
 * One by one: a statement over all of them would lock each partition with each of its indexes. They are read by their
 * own names: where their statistics are old, a range of dates seems to have few reports, each to compare with all.
 */
function monthsOf(session: LoadSession, table: string, where = 'true'): Promise<Month[]> {
  return session.texts(
    `select distinct to_char(date at time zone 'UTC', 'YYYY-MM') as text from ${table} where ${where} order by 1`,
  );
}

/** Those that are older than what was removed, and were not there when the load began. */
async function findLate(session: LoadSession, stored: readonly number[]): Promise<Placed[]> {
  await session.temporary('load_late', LATE);
  await session.temporary('load_deleted', DELETED);
  await session.query(`
    truncate load_late;
    with wanted as materialized (
      select place, account_id, type, date from load_report w
      where not (${amongst('place', stored)}) and not exists (select from load_deleted d
        where d.account_id = w.account_id and d.type = w.type and d.id = w.id)
    )
    insert into load_late
    select w.place, w.type, false
    from wanted w join removed_position p on p.account_id = w.account_id and p.type = w.type::report_type
    where w.date < p.removed_before`);
  return placed(session, 'load_late');
}

/** Removes what is stored otherwise than its line has it. */
export async function removeChanged(session: LoadSession): Promise<void> {
  await session.temporary('load_removed', REMOVED);
  await session.temporary('load_deleted', DELETED);
  await session.temporary('load_shared', SHARED);
  for (const month of await monthsOf(session, 'load_stored', 'not same')) {
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
  await session.query('truncate load_removed');
}

/**
 * Ids that differ only in case share their locators, so these stay while there is one of them. They are looked up by
 * themselves: without statistics, PostgreSQL reads an account's whole index for each of them in a deletion with
 * `not exists`.
 */
async function keepShared(session: LoadSession, month: Month): Promise<void> {
  const key = reportKey({ account: 'r.account_id', type: 'f.type_name', id: 'r.id' });
  const shared = await session.count(`
    insert into load_shared
    select f.account_id, f.key, f.date from load_stored f join ${partitionName(month)} r
      on r.account_id = f.account_id and r.type = f.type and r.date = f.date and ${key} = f.key
    where not f.same`);
  if (shared === 0) return;
  await session.query(`
    delete from load_stored f using load_shared s
    where f.account_id = s.account_id and f.key = s.key and f.date = s.date;
    truncate load_shared`);
}
