import { UTC_DAY } from '../report/dimensions.ts';
import { reportKey } from '../report/report-key.ts';
import { type Month, ofMonth } from './partitions.ts';
import type { LoadSession } from './session.ts';

/** The columns of a report in the order in which the loader gives them. */
export const REPORT_COLUMNS = [
  'account_id',
  'type',
  'id',
  'date',
  'directive',
  'count',
  'raw',
  'uri',
  'host_reversed',
  'path',
  'browser',
  'platform',
  'action',
  'blocked_uri',
  'blocked_host_reversed',
  'blocked_path',
  'source_class',
  'subresource_uri',
  'subresource_host_reversed',
  'subresource_path',
  'hash',
  'destination',
  'policy_id',
  'policy',
  'generated_domain',
  'indicator_of_compromise',
  'recently_registered_domain',
  'low_reputation_domain',
  'suspicious',
  'policy_ioc_hosts',
  'policy_concern_hosts',
  'domain_reputation_score',
  'property',
  'disposition',
  'nel_type',
  'phase',
  'organisation',
  'message',
  'hostnames',
  'hosts_reversed',
  'cert_type',
  'issuer',
  'sha256',
  'sha256_spki',
  'extra',
] as const;
export type ReportColumn = (typeof REPORT_COLUMNS)[number];

/** How many of them are told before the rows come: the key, and what the daily counts need. */
export const STAGED_COLUMNS = 6;

/** Without a date: a report that is deleted. */
const STAGED = `(account_id text collate "C", type text, id text collate "C", date timestamptz,
  directive text, count bigint) on commit drop`;
const LOCATED = `(account_id text collate "C", key bigint, date timestamptz) on commit drop`;
const FOUND = `(account_id text collate "C", key bigint, type report_type, type_name text, id text collate "C",
  date timestamptz) on commit drop`;
/** What is added to the daily counts, and taken away from them, until the end of the load. */
const CHANGES = `(account_id text collate "C", type report_type, day date, directive text collate "C",
  delta numeric) on commit drop`;

const KEY = reportKey({ account: 'account_id', type: 'type', id: 'id' });
const DIRECTIVE = `coalesce(directive, '')`;

/** Reports as rows of COPY's binary format; `heads` are their first cells, as rows that begin with what is given. */
interface Rows {
  pieces(): Iterable<Buffer>;
  heads(start: Buffer): Iterable<Buffer>;
}

/** The number of cells of a row that is staged. */
const STAGED_START = Buffer.from([0, STAGED_COLUMNS]);

/**
 * Puts reports in the place of those with the same key, wherever in time these are, and notes by how much the
 * daily counts change. No key may be there twice, in both together.
 */
export async function mergeReports(session: LoadSession, reports: Rows, deleted: Rows): Promise<void> {
  await session.temporary('load_report', STAGED);
  await session.temporary('load_located', LOCATED);
  await session.temporary('load_found', FOUND);
  await session.temporary('load_shared', LOCATED);
  await session.temporary('load_change', CHANGES);
  await session.copyBinary('load_report', both(reports.heads(STAGED_START), deleted.heads(STAGED_START)));
  // In the order of the locators' index, which is half of the time.
  await session.run(`
    insert into load_located select account_id, ${KEY}, date from load_report order by 2;
    insert into load_change
    select account_id, type::report_type, ${UTC_DAY}, ${DIRECTIVE}, sum(count)
    from load_report where date is not null group by 1, 2, 3, 4`);
  const known = await session.run(
    'select from load_located s join report_locator l on l.key = s.key and l.account_id = s.account_id limit 1',
  );
  if (known.length > 0) await removeKnown(session);
  await session.run(`
    insert into report_locator select account_id, key, date from load_located where date is not null;
    truncate load_report, load_located`);
  await session.copyBinary(`report (${REPORT_COLUMNS.join(', ')})`, reports.pieces());
}

function* both(first: Iterable<Buffer>, second: Iterable<Buffer>): Generator<Buffer> {
  yield* first;
  yield* second;
}

/** Removes the reports that have a key of the batch. */
async function removeKnown(session: LoadSession): Promise<void> {
  await session.run(`
    with wanted as materialized (select account_id, type, id, ${KEY} as key from load_report order by key)
    insert into load_found
    select distinct l.account_id, l.key, w.type::report_type, w.type, w.id, l.date
    from wanted w join report_locator l on l.key = w.key and l.account_id = w.account_id`);
  const months = await session.texts(
    `select distinct to_char(date at time zone 'UTC', 'YYYY-MM') as text from load_found order by 1`,
  );
  // One by one: a statement over all of them would lock each partition with each of its indexes.
  for (const month of months) {
    await session.run(`
    with removed as (
      delete from report r using load_found f
      where r.account_id = f.account_id and r.type = f.type and r.date = f.date and r.id = f.id
        and ${ofMonth('r.date', month)}
      returning r.account_id, r.type, r.date, r.directive, r.count
    )
    insert into load_change
    select account_id, type, ${UTC_DAY}, ${DIRECTIVE}, -sum(count) from removed group by 1, 2, 3, 4`);
    await keepShared(session, month);
  }
  await session.run(`
    delete from report_locator l using load_found f
    where l.account_id = f.account_id and l.key = f.key and l.date = f.date`);
  await session.run('truncate load_found');
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
    select f.account_id, f.key, f.date from load_found f join report r
      on r.account_id = f.account_id and r.type = f.type and r.date = f.date and ${key} = f.key
        and ${ofMonth('r.date', month)}`);
  if (shared === 0) return;
  await session.run(`
    delete from load_found f using load_shared s
    where f.account_id = s.account_id and f.key = s.key and f.date = s.date;
    truncate load_shared`);
}

/** The largest total a day may have: the largest integer that every JSON reader keeps. */
const LARGEST_TOTAL = Number.MAX_SAFE_INTEGER;

export interface OverfullDay {
  accountId: string;
  type: string;
  day: string;
  directive: string;
  /** What it counted before the load, in digits. */
  before: string;
}

/** Moves the daily counts by what the load changed, unless that would be too much for some, which it answers with. */
export async function applyChanges(session: LoadSession): Promise<OverfullDay[]> {
  if (!session.has('load_change')) return [];
  // Also where the sums stay: a report may have been replaced by one of another group.
  await session.run(`
    delete from daily_group g using (select distinct account_id, type, day from load_change) c
    where g.account_id = c.account_id and g.type = c.type and g.day = c.day`);
  await session.temporary(
    'load_delta',
    `on commit drop as
     select account_id, type, day, directive, sum(delta) as delta from load_change
     group by 1, 2, 3, 4 having sum(delta) <> 0`,
  );
  // What was there is joined by itself: where the data is spread, an outer join would fetch all counts there are.
  await session.temporary(
    'load_total',
    `on commit drop as
     select account_id, type, day, directive, sum(total) as total
     from (select account_id, type, day, directive, delta as total from load_delta
           union all
           select c.account_id, c.type, c.day, c.directive, c.total
           from load_delta join daily_count c using (account_id, type, day, directive)) both_of_them
     group by 1, 2, 3, 4`,
  );
  const overfull = await session.run<OverfullDay>(`
    select account_id as "accountId", type::text, day::text, directive, (total - delta)::text as before
    from load_total join load_delta using (account_id, type, day, directive) where total > ${LARGEST_TOTAL}`);
  if (overfull.length > 0) return [...overfull];
  await session.run(`
    delete from daily_count c using load_total t
    where c.account_id = t.account_id and c.type = t.type and c.day = t.day and c.directive = t.directive
      and t.total = 0`);
  await session.run(`
    insert into daily_count (account_id, type, day, directive, total)
    select account_id, type, day, directive, total from load_total where total <> 0
    on conflict (account_id, type, day, directive) do update set total = excluded.total`);
  return [];
}
