import type { Month } from './partitions.ts';
import { LISTED, type LoadSession, toTextList } from './session.ts';

/**
 * Findings that watches derive from the account's reports. They are derived once at the end of a load, from its new
 * reports. Functions with the owner's rights do this (`sql/migrations/0001_initial.sql`), because a login that can only
 * import cannot read reports.
 */

/** Report types that watches examine. */
const SEEN_IN = `('csp', 'csp_integrity')`;

/** The locations of the load's new reports; `position` is that of a merge. */
const SEEN = '(account_id text collate "C", month text, position bigint) on commit drop';
/** Watches that start to derive their findings from reports. */
const BEGINNING = '(account_id text collate "C", product text, site_key text collate "C") on commit drop';

/** Records the locations of this merge's reports. */
export async function noteSeen(session: LoadSession): Promise<void> {
  await session.temporary('load_seen', SEEN);
  await session.query(`
    insert into load_seen
    select distinct account_id, to_char(day, 'YYYY-MM'), current_setting('sightline.position')::bigint
    from load_added where type in ${SEEN_IN}`);
}

/** Subtracts findings of stored reports that are about to be replaced. */
export async function withdrawFindings(session: LoadSession, month: Month): Promise<void> {
  const leaving = `not same and type in ${SEEN_IN} and to_char(date at time zone 'UTC', 'YYYY-MM') = '${month}'`;
  const accounts = await session.texts(
    `select distinct account_id as text from load_stored where ${leaving}`,
  );
  const watching = await listWatching(session, accounts);
  if (watching.length === 0) return;
  await session.temporary('load_seen', SEEN);
  // This load's own reports have no derived findings yet.
  const [row] = await session.query<{ reports: string; before: string }>(
    `select jsonb_agg(jsonb_build_object('account_id', account_id, 'type', type, 'id', id, 'date', date))::text as reports,
       coalesce((select min(position) from load_seen), current_setting('sightline.position')::bigint)::text as before
     from load_stored where ${leaving} and account_id in (${LISTED})`,
    [toTextList(watching)],
  );
  await session.query(`select withdraw_findings('${month}-01', $1::text::jsonb, ${row!.before})`, [
    row!.reports,
  ]);
}

/** Returns the accounts with a watch that derives its findings from reports. */
async function listWatching(session: LoadSession, accounts: readonly string[]): Promise<string[]> {
  if (accounts.length === 0) return [];
  const rows = await session.query<{ account: string }>(
    `select distinct account_id as account from watch where findings_from_reports and account_id in (${LISTED})`,
    [toTextList(accounts)],
  );
  return rows.map(({ account }) => account);
}

/** Records staged watches that start to derive findings, and removes the derived findings of those that stop. */
export async function noteBeginning(session: LoadSession): Promise<void> {
  await session.query(`
    delete from watch_finding f using load_watch l
    where f.derived and not l.findings_from_reports
      and f.account_id = l.account_id and f.product = l.product and f.site_key = l.site_key`);
  await session.temporary('load_beginning', BEGINNING);
  await session.query(`
    insert into load_beginning
    select account_id, product, site_key from load_watch where not deleted and findings_from_reports
    except
    select t.account_id, t.product, t.site_key from load_watch l join watch t
      on t.account_id = l.account_id and t.product = l.product and t.site_key = l.site_key
    where t.findings_from_reports`);
}

/** Adds findings in the reports of this load, and for new watches in all stored reports. */
export async function deriveFindings(session: LoadSession): Promise<void> {
  const beginning = session.has('load_beginning') ? await beginningWatches(session) : '[]';
  if (session.has('load_seen')) await deriveNew(session, beginning);
  if (beginning !== '[]') await session.query('select derive_stored_findings($1::text::jsonb)', [beginning]);
}

async function beginningWatches(session: LoadSession): Promise<string> {
  const rows = await session.query('select distinct account_id, product, site_key from load_beginning');
  return JSON.stringify(rows);
}

async function deriveNew(session: LoadSession, beginning: string): Promise<void> {
  const seen = await session.query<{ month: Month; account: string; since: string }>(`
    select month, account_id as account, min(position)::text as since from load_seen group by 1, 2`);
  const watching = new Set(await listWatching(session, [...new Set(seen.map(({ account }) => account))]));
  for (const month of new Set(seen.map(row => row.month))) {
    const rows = seen.filter(row => row.month === month && watching.has(row.account));
    if (rows.length === 0) continue;
    const [since] = rows.map(row => BigInt(row.since)).sort((one, other) => (one < other ? -1 : 1));
    await session.query(
      `select derive_findings('${month}-01', array(${LISTED}), ${since}, $2::text::jsonb)`,
      [toTextList(rows.map(({ account }) => account)), beginning],
    );
  }
}
