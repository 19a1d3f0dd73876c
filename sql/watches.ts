import type { AccountId } from './account-id.ts';
import { normalizeHost } from './addresses.ts';
import type { Database, OwnedRow } from './client.ts';

export const PRODUCTS = ['script', 'data', 'frame', 'policy'] as const;
export type Product = (typeof PRODUCTS)[number];

export interface WatchRow extends OwnedRow {
  product: Product;
  site: string;
  siteKey: string;
  emailAlertsEnabled: boolean;
  webhookEnabled: boolean;
  webhookTarget: string | null;
  alertThreshold: number;
}

/** Every enrolment of the accounts, by site and product in the order of their characters. */
export function watches(db: Database, accounts: readonly AccountId[]): Promise<WatchRow[]> {
  return db.owned<WatchRow>(
    accounts,
    `select account_id, product, site, site_key as "siteKey", email_alerts_enabled as "emailAlertsEnabled",
       webhook_enabled as "webhookEnabled", webhook_target as "webhookTarget", alert_threshold as "alertThreshold"
     from watch where account_id = any($1::text[]) order by site collate "C", product collate "C"`,
    [accounts],
  );
}

export interface WatchKey {
  account_id: AccountId;
  product: Product;
  /** The site as `siteKeyOf` has it. */
  siteKey: string;
}

/** One and the same for all ways to write a site. */
export function siteKeyOf(site: string): string {
  return normalizeHost(site);
}

interface FindingColumns {
  count: number;
  firstSeen: string;
  lastSeen: string;
  source: string;
  enforced: boolean;
}

export interface FindingRow extends WatchKey, OwnedRow, FindingColumns {
  /** The resource's uri or, for the product `policy`, the policy's text. */
  subject: string;
}

/** An enrolment without findings has one row, and nothing but its key in it. */
type EnrolmentRow = WatchKey & OwnedRow & ({ subject: null } | FindingRow);

/**
 * The findings of watches, the one seen last first, then in the order of the subject's characters;
 * undefined for a site that is not enrolled. In the order of the keys.
 */
export async function findings(
  db: Database,
  keys: readonly WatchKey[],
): Promise<(FindingRow[] | undefined)[]> {
  const rows = await db.owned<EnrolmentRow>(
    keys.map(key => key.account_id),
    `select w.account_id, w.product, w.site_key as "siteKey", f.subject, f.count, f.first_seen as "firstSeen",
       f.last_seen as "lastSeen", f.source, f.enforced
     from unnest($1::text[], $2::text[], $3::text[]) as wanted (account_id, product, site_key)
     join watch w on w.account_id = wanted.account_id and w.product = wanted.product and w.site_key = wanted.site_key
     left join watch_finding f on f.account_id = w.account_id and f.product = w.product and f.site_key = w.site_key
     where w.account_id = any($1::text[])
     order by f.last_seen desc, f.subject`,
    [keys.map(key => key.account_id), keys.map(key => key.product), keys.map(key => key.siteKey)],
  );
  const byWatch = new Map<string, FindingRow[]>();
  for (const row of rows) {
    const found = byWatch.get(name(row)) ?? [];
    byWatch.set(name(row), found);
    if (row.subject !== null) found.push(row as FindingRow);
  }
  return keys.map(key => byWatch.get(name(key)));
}

function name({ account_id, product, siteKey }: WatchKey): string {
  return `${account_id}\n${product}\n${siteKey}`;
}
