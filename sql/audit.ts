import type { Rows } from '@sightline/postgres';
import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';

export interface AuditEventRow extends OwnedRow {
  id: string;
  /** In the database's own text, with all its digits: half of the position in the trail. */
  timestamp: string;
  event: string;
  message: string;
  loggedById: string;
  loggedByEmail: string;
  requestIp: string;
}

/** The end of a page of the trail. */
export interface AuditPosition {
  timestamp: string;
  id: string;
}

export const AUDIT_EVENT_COLUMNS = `account_id, id, timestamp, event, message, logged_by_id as "loggedById",
  logged_by_email as "loggedByEmail", request_ip as "requestIp"`;

/** A filter of events; all of them by default. */
export interface AuditFilter {
  event?: string | undefined;
  /** E-mail address. */
  actor?: string | undefined;
}

/** Up to `limit` events of the account, newest first, from behind the given position on. */
export async function auditEvents(
  db: Database,
  account: AccountId,
  after: AuditPosition | null,
  limit: number,
  { event, actor }: AuditFilter = {},
): Promise<Rows<AuditEventRow>> {
  const values: (string | number)[] = [account, limit + 1];
  const given = (value: string) => `$${values.push(value)}`;
  const conditions = [
    ...(after ? [`(timestamp, id) < (${given(after.timestamp)}::timestamptz, ${given(after.id)})`] : []),
    ...(event === undefined ? [] : equals('event', event, given)),
    ...(actor === undefined ? [] : equals('logged_by_email', actor, given)),
  ];
  const where = ['account_id = $1', ...conditions].join(' and ');
  const rows = await db.owned<AuditEventRow>(
    account,
    `select ${AUDIT_EVENT_COLUMNS} from audit_event where ${where} order by timestamp desc, id desc limit $2`,
    values,
  );
  return rows.upTo(limit);
}

/** Characters of a text that its index holds: an entry has room for no more. */
const INDEXED = 255;

/**
 * Compares the expression of the index alone where that is enough: PostgreSQL takes two conditions for a rarer one.
 */
function equals(column: string, value: string, given: (value: string) => string): string[] {
  const place = given(value);
  if (value.length < INDEXED) return [`left(${column}, ${INDEXED}) = ${place}`];
  return [`left(${column}, ${INDEXED}) = left(${place}, ${INDEXED})`, `${column} = ${place}`];
}

export async function auditEvent(
  db: Database,
  account: AccountId,
  id: string,
): Promise<AuditEventRow | undefined> {
  const [row] = await db.owned<AuditEventRow>(
    account,
    `select ${AUDIT_EVENT_COLUMNS} from audit_event where account_id = $1 and id = $2`,
    [account, id],
    { quick: true },
  );
  return row;
}
