import { nextTurn } from '@sightline/csp';
import type { FindingSource, Product } from '@sightline/feed';
import type { Rows } from '@sightline/pg-client';
import { normalizeHost } from '@sightline/reports';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';

export interface WatchRow extends TenantRow {
  /** Unique within the account: the product and the site, regardless of its spelling. */
  id: string;
  product: Product;
  site: string;
  siteKey: string;
  emailAlertsEnabled: boolean;
  webhookEnabled: boolean;
  webhookTarget: string | null;
  alertThreshold: number;
}

/** Returns all enrolments of the accounts, sorted by site and product. */
export function watches(db: Database, accounts: readonly AccountId[]) {
  return db.queryTenant<WatchRow>(
    accounts,
    `select account_id, product || ' ' || site_key as id, product, site, site_key as "siteKey", email_alerts_enabled as "emailAlertsEnabled",
       webhook_enabled as "webhookEnabled", webhook_target as "webhookTarget", alert_threshold as "alertThreshold"
     from watch where account_id = any($1::text[]) order by site collate "C", product collate "C"`,
    [accounts],
    { quick: accounts.length === 1, prepare: 'planned' },
  );
}

export interface WatchKey {
  account_id: AccountId;
  product: Product;
  /** The site normalized by `toSiteKey`. */
  siteKey: string;
}

/** The same for all spellings of a site. */
export function toSiteKey(site: string): string {
  return normalizeHost(site);
}

export interface FindingRow extends TenantRow {
  product: Product;
  /** The resource's uri or, for the product `policy`, the policy's text. */
  subject: string;
  count: number;
  firstSeen: string;
  lastSeen: string;
  source: FindingSource;
  enforced: boolean;
}

/** The columns of `watch w` with its findings `f`. */
const FINDING = `w.account_id, w.product, f.subject, f.count, f.first_seen as "firstSeen", f.last_seen as "lastSeen",
  f.source, f.enforced`;

/** Latest first, then by subject. */
const ORDER = 'order by f.last_seen desc, f.subject';

/** Keys are numbered from 1. An enrolment without findings has one row without a subject. */
type EnrolmentRow = { wanted: number } & (FindingRow | (TenantRow & { subject: null }));

const ITS_FINDINGS = 'f.account_id = w.account_id and f.product = w.product and f.site_key = w.site_key';

/**
 * Returns the findings of watches, in the order of the keys; undefined for a site that is not enrolled.
 * @param first maximum number of findings per watch, latest first; all by default
 */
export async function findings(
  db: Database,
  keys: readonly WatchKey[],
  first?: number,
): Promise<(FindingRow[] | undefined)[]> {
  const found = first === undefined ? `watch_finding f on ${ITS_FINDINGS}` : limitToLastSeen(first);
  const rows = await db.queryTenant<EnrolmentRow>(
    keys.map(key => key.account_id),
    `select ${FINDING}, wanted.number::int as wanted
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as wanted (account_id, product, site_key, number)
     join watch w on w.account_id = wanted.account_id and w.product = wanted.product and w.site_key = wanted.site_key
     left join ${found}
     where w.account_id = any($1::text[]) ${ORDER}`,
    [keys.map(key => key.account_id), keys.map(key => key.product), keys.map(key => key.siteKey)],
    { quick: keys.length === 1 },
  );
  const ofKeys = new Array<FindingRow[] | undefined>(keys.length).fill(undefined);
  for (const row of await rows.objectsInTurns(nextTurn)) {
    ofKeys[row.wanted - 1] ??= [];
    if (row.subject !== null) ofKeys[row.wanted - 1]!.push(row);
  }
  return ofKeys;
}

/** Uses the index of a watch's findings by last occurrence. */
function limitToLastSeen(first: number): string {
  return `lateral (select * from watch_finding f where ${ITS_FINDINGS} ${ORDER} limit ${Math.trunc(first)}) as f on true`;
}

/** For a single watch, whose statement takes half as long to plan. */
export async function listFindings(
  db: Database,
  { account_id, product, siteKey }: WatchKey,
): Promise<Rows<FindingRow> | undefined> {
  const key = [account_id, product, siteKey];
  const rows = await db.queryTenant<FindingRow>(
    account_id,
    `select ${FINDING} from watch w join watch_finding f using (account_id, product, site_key)
     where account_id = $1 and product = $2 and site_key = $3 ${ORDER}`,
    key,
    { quick: true, prepare: 'planned' },
  );
  if (rows.length > 0) return rows;
  const enrolled = await db.queryTenant(
    account_id,
    'select account_id from watch where account_id = $1 and product = $2 and site_key = $3',
    key,
    { quick: true },
  );
  return enrolled.length > 0 ? rows : undefined;
}
