import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';
import type { Rows } from './driver/rows.ts';

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

/** Where a page of the trail ended. */
export interface AuditPosition {
  timestamp: string;
  id: string;
}

export const AUDIT_EVENT_COLUMNS = `account_id, id, timestamp, event, message, logged_by_id as "loggedById",
  logged_by_email as "loggedByEmail", request_ip as "requestIp"`;

/** Up to `limit` events of the account, newest first, from behind the given position on. */
export async function auditEvents(
  db: Database,
  account: AccountId,
  after: AuditPosition | null,
  limit: number,
): Promise<Rows<AuditEventRow>> {
  const behind = after ? 'and (timestamp, id) < ($3::timestamptz, $4)' : '';
  const rows = await db.owned<AuditEventRow>(
    account,
    `select ${AUDIT_EVENT_COLUMNS} from audit_event where account_id = $1 ${behind} order by timestamp desc, id desc limit $2`,
    after ? [account, limit + 1, after.timestamp, after.id] : [account, limit + 1],
  );
  return rows.upTo(limit);
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
