import { reportKeyOf } from './report-key.ts';
import type { LoadSession } from './session.ts';

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
  const rows = await session.run<{ account_id: string }>(`
    select t.account_id from load_touched t
    where t.owns and not exists (select from account a where a.id = t.account_id)`);
  return rows.map(row => row.account_id);
}

/** Removes the accounts that the load deletes, with all that belongs to them. */
export async function removeDeletedAccounts(session: LoadSession): Promise<void> {
  await removeAccounts(session, 'select id from load_account where deleted');
  await session.run('delete from account where id in (select id from load_account where deleted)');
}

/** Removes what was loaded for accounts that are not there. */
export async function removeOrphans(session: LoadSession): Promise<void> {
  await removeAccounts(
    session,
    `select t.account_id from load_touched t
     where t.owns and not exists (select from account a where a.id = t.account_id)`,
  );
}

async function removeAccounts(session: LoadSession, ids: string): Promise<void> {
  for (const table of OWNED) await session.run(`delete from ${table} where account_id in (${ids})`);
  if (session.has('load_change')) {
    await session.run(`delete from load_change where account_id in (${ids})`);
  }
  await session.run(`
    with removed as (
      delete from report r where r.account_id in (${ids})
      returning r.account_id, r.date, ${reportKeyOf('r')} as key
    )
    delete from report_locator l using removed r
    where l.key = r.key and l.account_id = r.account_id and l.date = r.date`);
}

/** Accounts whose reports name a certificate of the load see something new. */
export async function touchHoldersOfCertificates(session: LoadSession): Promise<void> {
  await session.temporary('load_touched', TOUCHED);
  await session.run(`
    insert into load_touched
    select distinct r.account_id, false from load_certificate l join report r on r.sha256 = l.sha256
    on conflict do nothing`);
}

/** Moves on the version of every account that the load touched. */
export async function moveVersions(session: LoadSession): Promise<void> {
  if (!session.has('load_touched')) return;
  await session.run(`
    update account a set version = a.version + 1 from load_touched t where a.id = t.account_id`);
}
