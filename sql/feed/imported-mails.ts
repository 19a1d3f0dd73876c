import { MAIL_REPORT_TYPES } from '@sightline/reports';
import { toLiterals } from '../literals.ts';
import { LISTED, type LoadSession, toTextList } from './session.ts';

/** Maximum number of mails that are looked up (the newest), and that are recorded per statement. */
const MOST = 500_000;
const AT_ONCE = 10_000;

/**
 * Returns the mails that the account's imports have read, by digest in base64: the number of records of each, or a
 * negative number if it exceeded its budget.
 */
export async function importedMails(session: LoadSession, accountId: string): Promise<Map<string, number>> {
  const rows = await session.query<{ digest: string; records: number }>(
    `select encode(digest, 'base64') as digest, records from imported_mail where account_id = $1 and records <> 0
     order by imported_on desc limit ${MOST}`,
    [accountId],
  );
  return new Map(rows.map(({ digest, records }) => [digest, records]));
}

/** Records mails that this import has read. */
export async function noteImportedMails(
  session: LoadSession,
  accountId: string,
  mails: ReadonlyMap<string, number>,
): Promise<void> {
  const entries = [...mails];
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const some = Object.fromEntries(entries.slice(start, start + AT_ONCE));
    await session.query(
      `insert into imported_mail (account_id, digest, records)
       select $1, decode(mail.key, 'base64'), mail.value::int from jsonb_each_text($2::text::jsonb) as mail
       on conflict (account_id, digest) do update set records = excluded.records, imported_on = excluded.imported_on`,
      [accountId, JSON.stringify(some)],
    );
  }
}

/** Forgets the mails of accounts whose reports the load removes, so they can be imported again. */
export async function forgetMails(session: LoadSession): Promise<void> {
  const accounts = await session.texts(
    `select distinct account_id as text from load_removed where type in (${toLiterals(MAIL_REPORT_TYPES)})`,
  );
  if (accounts.length > 0)
    await session.query(`delete from imported_mail where records <> 0 and account_id in (${LISTED})`, [
      toTextList(accounts),
    ]);
}
