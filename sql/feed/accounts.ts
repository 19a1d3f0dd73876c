import { LONGEST_RETENTION } from '../account.ts';
import { reportKeyOf } from '../report/report-key.ts';
import { existingMonths, ofMonth } from './partitions.ts';
import { LISTED, type LoadSession, listed } from './session.ts';

/** All that goes with an account, apart from its reports. */
const OWNED = [
  'api_key',
  'plan',
  'setup',
  'filter_configuration',
  'csp_policy',
  'csp_wizard',
  'watch',
  'watch_finding',
  'audit_event',
  'report_usage',
  'daily_count',
  'daily_group',
  'removed_position',
];

/** An account that the load named; `owns`: something was loaded that belongs to it. */
const TOUCHED = `(account_id text collate "C" primary key, owns boolean) on commit drop`;

/** Notes accounts that the load touches, each with whether something that belongs to it was loaded. */
export async function touch(session: LoadSession, accounts: ReadonlyMap<string, boolean>): Promise<void> {
  await session.temporary('load_touched', TOUCHED);
  if (accounts.size === 0) return;
  await session.run(
    `insert into load_touched
     select account_id, owns::boolean from jsonb_each($1::text::jsonb) as touched (account_id, owns)
     on conflict (account_id) do update set owns = true
     where excluded.owns and not load_touched.owns`,
    [JSON.stringify(Object.fromEntries(accounts))],
  );
}

/** The accounts that something was loaded for, and that are not there. */
export async function unknownAccounts(session: LoadSession): Promise<string[]> {
  if (!session.has('load_touched')) return [];
  return session.texts(`
    select t.account_id as text from load_touched t
    where t.owns and not exists (select from account a where a.id = t.account_id)`);
}

/** Removes the accounts that the load deletes, with all that belongs to them. */
export async function removeDeletedAccounts(session: LoadSession): Promise<void> {
  const ids = await session.texts('select id as text from load_account where deleted');
  if (ids.length === 0) return;
  await removeBelongings(session, ids);
  await session.run(`delete from account where id in (${LISTED})`, [listed(ids)]);
}

/** Removes all that belongs to these accounts. */
export async function removeBelongings(session: LoadSession, accounts: readonly string[]): Promise<void> {
  const ids = listed(accounts);
  for (const table of OWNED) {
    await session.run(`delete from ${table} where account_id in (${LISTED})`, [ids]);
  }
  if (session.has('load_change')) {
    await session.run(`delete from load_change where account_id in (${LISTED})`, [ids]);
  }
  // One by one: a statement over all of them would lock each partition with each of its indexes.
  for (const month of await existingMonths(session)) {
    await session.run(
      `with removed as (
      delete from report r where r.account_id in (${LISTED}) and ${ofMonth('r.date', month)}
      returning r.account_id, r.type, r.id, r.date
    ), gone as materialized (
      select account_id, date, ${reportKeyOf('r')} as key from removed r
    )
    delete from report_locator l using gone r
    where l.key = r.key and l.account_id = r.account_id and l.date = r.date`,
      [ids],
    );
  }
}

/**
 * Whether an account may see a report: as constants, so that no other partition is looked into. Clocks may differ by
 * days.
 */
function visibleNow(): string {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return `r.date >= '${day(-LONGEST_RETENTION - 2)}' and r.date < '${day(4)}'`;
}

/** Accounts whose reports name a certificate of the load see something new. */
export async function touchHoldersOfCertificates(session: LoadSession): Promise<void> {
  await session.temporary('load_touched', TOUCHED);
  await session.run(`
    insert into load_touched
    select distinct r.account_id, false from load_certificate l join report r on r.sha256 = l.sha256
    where ${visibleNow()}
    on conflict do nothing`);
}

/** Moves on the version of every account that the load touched. */
export async function moveVersions(session: LoadSession): Promise<void> {
  if (!session.has('load_touched')) return;
  const ids = await session.texts('select account_id as text from load_touched');
  await session.run(`update account set version = version + 1 where id in (${LISTED})`, [listed(ids)]);
}
