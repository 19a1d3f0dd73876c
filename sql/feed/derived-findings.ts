import type { Month } from './partitions.ts';
import { LISTED, type LoadSession, toTextList } from './session.ts';

/**
 * Findings that watches derive from the account's reports. They are derived once at the end of a load, from its new
 * reports. Functions with the owner's rights do this (`sql/migrations/0001_initial.sql`), because a login that can only
 * import cannot read reports.
 */

/** Report types that watches examine. */
const SEEN_IN = `('csp', 'csp_integrity')`;

/** Watches that start to derive their findings from reports. */
const BEGINNING = '(account_id text collate "C", product text, site_key text collate "C") on commit drop';

/** Records the months of this merge's reports by account, and the position of the first merge. */
export async function noteSeen(session: LoadSession): Promise<void> {
  const rows = await session.query<{ account: string; month: Month; position: string }>(`
    select distinct account_id as account, to_char(day, 'YYYY-MM') as month, current_setting('sightline.position') as position
    from load_added where type in ${SEEN_IN}`);
  for (const { account, month, position } of rows) {
    const accounts = session.seen.get(month) ?? new Map<string, bigint>();
    session.seen.set(month, accounts);
    if (!accounts.has(account)) accounts.set(account, BigInt(position));
  }
}

/** Returns the lowest position of these accounts by month, or undefined if there are none. */
function findFirstPosition(months: Iterable<ReadonlyMap<string, bigint>>): bigint | undefined {
  let first: bigint | undefined;
  for (const accounts of months)
    for (const position of accounts.values()) if (first === undefined || position < first) first = position;
  return first;
}

/** Subtracts findings of stored reports that are about to be replaced. */
export async function withdrawFindings(session: LoadSession, month: Month): Promise<void> {
  const leaving = `not same and type in ${SEEN_IN} and to_char(date at time zone 'UTC', 'YYYY-MM') = '${month}'`;
  const accounts = await session.texts(
    `select distinct account_id as text from load_stored where ${leaving}`,
  );
  const watching = await listWatching(session, accounts);
  if (watching.length === 0) return;
  const [row] = await session.query<{ reports: string }>(
    `select jsonb_agg(jsonb_build_object('account_id', account_id, 'type', type, 'id', id, 'date', date))::text as reports
     from load_stored where ${leaving} and account_id in (${LISTED})`,
    [toTextList(watching)],
  );
  // This load's own reports have no derived findings yet.
  const before = findFirstPosition(session.seen.values()) ?? "current_setting('sightline.position')::bigint";
  await session.query(`select withdraw_findings('${month}-01', $1::text::jsonb, ${before})`, [row!.reports]);
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
  if (session.seen.size > 0) await deriveNew(session, beginning);
  if (beginning !== '[]') await session.query('select derive_stored_findings($1::text::jsonb)', [beginning]);
}

async function beginningWatches(session: LoadSession): Promise<string> {
  const rows = await session.query('select distinct account_id, product, site_key from load_beginning');
  return JSON.stringify(rows);
}

async function deriveNew(session: LoadSession, beginning: string): Promise<void> {
  const all = [...session.seen.values()].flatMap(accounts => [...accounts.keys()]);
  const watching = new Set(await listWatching(session, [...new Set(all)]));
  for (const [month, accounts] of session.seen) {
    const watched = new Map([...accounts].filter(([account]) => watching.has(account)));
    if (watched.size === 0) continue;
    await session.query(
      `select derive_findings('${month}-01', array(${LISTED}), ${findFirstPosition([watched])}, $2::text::jsonb)`,
      [toTextList([...watched.keys()]), beginning],
    );
  }
}
