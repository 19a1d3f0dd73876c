import type { Rows } from '@sightline/pg-client';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

export interface AuditEventRow extends TenantRow {
  id: string;
  /** In PostgreSQL's text form, with all its digits: half of the position in the trail. */
  timestamp: string;
  event: string;
  message: string;
  loggedById: string;
  loggedByEmail: string;
  requestIp: string;
}

/** The position after the last event of a page. */
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

/** Returns up to `limit` events of the account, newest first, after the given position. */
export async function auditEvents(
  db: Database,
  account: AccountId,
  after: AuditPosition | null,
  limit: number,
  { event, actor }: AuditFilter = {},
): Promise<Rows<AuditEventRow>> {
  const values: (string | number)[] = [account, limit + 1];
  const bindValue = (value: string) => `$${values.push(value)}`;
  const conditions = [
    ...(after
      ? [`(timestamp, id) < (${bindValue(after.timestamp)}::timestamptz, ${bindValue(after.id)})`]
      : []),
    ...(event === undefined ? [] : equals('event', event, bindValue)),
    ...(actor === undefined ? [] : equals('logged_by_email', actor, bindValue)),
  ];
  const where = ['account_id = $1', ...conditions].join(' and ');
  const rows = await db.queryTenant<AuditEventRow>(
    account,
    `select ${AUDIT_EVENT_COLUMNS} from audit_event where ${where} order by timestamp desc, id desc limit $2`,
    values,
  );
  return rows.upTo(limit);
}

/** Maximum length of an indexed text in characters. */
const INDEXED = 255;

/**
 * Compares only the indexed expression if that is sufficient, because PostgreSQL overestimates the selectivity of two
 * conditions.
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
  const [row] = await db.queryTenant<AuditEventRow>(
    account,
    `select ${AUDIT_EVENT_COLUMNS} from audit_event where account_id = $1 and id = $2`,
    [account, id],
    { quick: true },
  );
  return row;
}
