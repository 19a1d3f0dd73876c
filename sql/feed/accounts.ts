import { LONGEST_RETENTION } from '@sightline/feed';
import { MS_PER_DAY } from '@sightline/reports';
import { toReportKey } from '../report/report-key.ts';
import { existingMonths, ofMonth } from './partitions.ts';
import { LISTED, type LoadSession, toTextList } from './session.ts';

/** Tables with data of an account other than its reports. */
const OWNED = [
  'api_key',
  'plan',
  'setup',
  'filter_configuration',
  'csp_policy',
  'csp_wizard',
  'watch',
  'watch_finding',
  'verdict',
  'audit_event',
  'report_usage',
  'daily_count',
  'daily_group',
  'removed_position',
  'imported_mail',
  'mailbox_position',
];

/** Returns accounts that do not exist, although the load contains data for them. */
export async function unknownAccounts(session: LoadSession): Promise<string[]> {
  const owners = [...session.owners];
  if (owners.length === 0) return [];
  const found = await session.query<{ id: string }>(`select id from account where id in (${LISTED})`, [
    toTextList(owners),
  ]);
  const seen = new Set(found.map(({ id }) => id));
  return owners.filter(id => !seen.has(id));
}

/** Records accounts that the load has changed. @param accounts a statement whose column `text` contains ids */
export async function touch(session: LoadSession, accounts: string): Promise<void> {
  for (const id of await session.texts(accounts)) session.touched.add(id);
}

/** Removes the accounts that the load deletes, with all their data. */
export async function removeDeletedAccounts(session: LoadSession): Promise<void> {
  const ids = await session.texts('select id as text from load_account where deleted');
  if (ids.length === 0) return;
  await removeBelongings(session, ids);
  await session.query(`delete from account where id in (${LISTED})`, [toTextList(ids)]);
}

/** Removes all data of these accounts. */
export async function removeBelongings(session: LoadSession, accounts: readonly string[]): Promise<void> {
  const ids = toTextList(accounts);
  for (const table of OWNED) {
    await session.query(`delete from ${table} where account_id in (${LISTED})`, [ids]);
  }
  if (session.has('load_change')) {
    await session.query(`delete from load_change where account_id in (${LISTED})`, [ids]);
  }
  // One month at a time: a statement over all of them would lock each partition with each of its indexes.
  for (const month of await existingMonths(session)) {
    await session.query(
      `with removed as (
      delete from report r where r.account_id in (${LISTED}) and ${ofMonth('r.date', month)}
      returning r.account_id, r.type, r.id, r.date
    ), gone as materialized (
      select account_id, date, ${toReportKey('r')} as key from removed r
    )
    delete from report_locator l using gone r
    where l.key = r.key and l.account_id = r.account_id and l.date = r.date`,
      [ids],
    );
  }
}

/**
 * The condition that reports are visible. It uses constants, so that PostgreSQL prunes the other partitions. The bounds
 * allow for clocks that differ by days.
 */
function visibleNow(): string {
  const day = (days: number) => new Date(Date.now() + days * MS_PER_DAY).toISOString().slice(0, 10);
  return `r.date >= '${day(-LONGEST_RETENTION - 2)}' and r.date < '${day(4)}'`;
}

/** Records accounts whose reports name a certificate of the load. */
export async function touchHoldersOfCertificates(session: LoadSession): Promise<void> {
  await touch(
    session,
    `select distinct r.account_id as text from load_certificate l join report r on r.sha256 = l.sha256 where ${visibleNow()}`,
  );
}

/** Increments the version of every changed account. Returns whether there was one. */
export async function moveVersions(session: LoadSession): Promise<boolean> {
  const ids = [...session.touched];
  if (ids.length === 0) return false;
  await session.query(`update account set version = version + 1 where id in (${LISTED})`, [toTextList(ids)]);
  return true;
}
