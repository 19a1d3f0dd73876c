import type { Statements } from '@sightline/pg-client';

/** A folder of a mailbox, read for an account with certain options. */
export interface MailboxFolder {
  /** '' if only routes determine the account of a report. */
  accountId: string;
  /** User, server and port. */
  mailbox: string;
  folder: string;
  /** The accepted report format. */
  format: string;
  /** A digest of everything that determines the records of a mail. */
  reading: string;
}

/** Where the next import continues. */
export interface MailboxPosition {
  uidValidity: string;
  lastUid: number;
}

const KEY = 'account_id = $1 and mailbox = $2 and folder = $3 and format = $4';

/** Undefined if the folder was never read with these options. */
export async function mailboxPosition(
  sql: Statements,
  { accountId, mailbox, folder, format, reading }: MailboxFolder,
): Promise<MailboxPosition | undefined> {
  const [row] = await sql.query<{ uidValidity: string; lastUid: string }>(
    `select uid_validity as "uidValidity", last_uid::text as "lastUid" from mailbox_position
     where ${KEY} and reading = $5`,
    [accountId, mailbox, folder, format, reading],
  );
  return row && { uidValidity: row.uidValidity, lastUid: Number(row.lastUid) };
}

/** Advances the position, in the transaction that stores the mails. Another import can already be further. */
export async function moveMailboxPosition(
  sql: Statements,
  { accountId, mailbox, folder, format, reading }: MailboxFolder,
  { uidValidity, lastUid }: MailboxPosition,
): Promise<void> {
  await sql.query(
    `insert into mailbox_position as known (account_id, mailbox, folder, format, reading, uid_validity, last_uid)
     values ($1, $2, $3, $4, $5, $6, $7::bigint)
     on conflict (account_id, mailbox, folder, format) do update set
       reading = excluded.reading, uid_validity = excluded.uid_validity,
       last_uid = case when (known.reading, known.uid_validity) = (excluded.reading, excluded.uid_validity)
         then greatest(known.last_uid, excluded.last_uid) else excluded.last_uid end`,
    [accountId, mailbox, folder, format, reading, uidValidity, String(lastUid)],
  );
}

/** Resets a folder, so that all its mails are read again. */
export async function restartMailbox(
  sql: Statements,
  { accountId, mailbox, folder, format }: MailboxFolder,
): Promise<void> {
  await sql.query(`update mailbox_position set last_uid = 0 where ${KEY}`, [
    accountId,
    mailbox,
    folder,
    format,
  ]);
}
