import { byFeature, PRODUCTS, TIERS } from '@sightline/feed';
import { SECONDS_PER_DAY } from '@sightline/reports';

/** The parts of an account. */
export interface NewAccount {
  id: string;
  type: 'team' | 'personal';
  /** The addresses of the account's people, the owner's first. */
  emails: readonly string[];
  retention: number;
  hosts: readonly string[];
  /** The address that browsers send reports to. */
  collector?: string | undefined;
  /** The address that mail servers send reports to. */
  rua?: string | undefined;
}

/** Default retention of reports, in days: a little over a year. */
export const OWN_RETENTION = 400;

type FeedLine = Record<string, unknown>;

/** The largest integer in the feed, which no real count reaches. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/**
 * Lines of the feed for a new account: the account, its plan, its reporting addresses, and a watch of each kind for
 * each host.
 */
export function accountLines(account: NewAccount, createdAt: string): FeedLine[] {
  const { id, hosts, collector, rua } = account;
  return [
    accountLine(account, createdAt),
    planLine(account),
    ...(collector === undefined && rua === undefined ? [] : [setupLine(account)]),
    ...watchLines(id, hosts),
  ];
}

/** Lines with a watch of each kind for each host. */
export function watchLines(id: string, hosts: readonly string[]): FeedLine[] {
  return hosts.flatMap(site => PRODUCTS.map(product => watchLine(id, product, site)));
}

export function asFeed(lines: readonly FeedLine[]): string {
  return lines.map(line => `${JSON.stringify(line)}\n`).join('');
}

function accountLine({ id, type, emails }: NewAccount, createdAt: string): FeedLine {
  const common = { kind: 'account', id, type, createdAt };
  if (type === 'personal') return { ...common, email: emails[0] };
  const members = emails.map((email, index) => ({ email, role: index === 0 ? 'owner' : 'member' }));
  return { ...common, teamName: id, quotaLimit: NO_LIMIT, require2fa: false, members };
}

/** The plan of an own account: everything included, without a quota. */
export function planLine({ id, retention }: Pick<NewAccount, 'id' | 'retention'>): FeedLine {
  return {
    kind: 'plan',
    accountId: id,
    plan: 'own',
    name: 'Own use',
    tier: TIERS.at(-1),
    status: 'active',
    reportQuota: NO_LIMIT,
    collectHosts: NO_LIMIT,
    dataRetentionDays: retention,
    features: {
      ...byFeature({ switch: true, list: [] }),
      blockedWatch: PRODUCTS.map(product => `${product}Watch`),
      integrityFeatures: ['cspIntegrity', 'integrityPolicy'],
    },
  };
}

/** A missing address is ''. */
export function setupLine({
  id,
  collector,
  rua = '',
}: Pick<NewAccount, 'id' | 'collector' | 'rua'>): FeedLine {
  const at = (kind: string) => (collector === undefined ? '' : `${collector}/${kind}`);
  return {
    kind: 'setup',
    accountId: id,
    reportUri: { enforce: at('enforce'), reportOnly: at('report'), wizard: at('wizard') },
    reportingApi: {
      group: 'default',
      max_age: 126 * SECONDS_PER_DAY,
      endpoints: collector === undefined ? [] : [{ url: collector }],
      include_subdomains: true,
    },
    nel: { report_to: 'default', max_age: 30 * SECONDS_PER_DAY, include_subdomains: true },
    dmarc: rua,
    tlsRpt: rua,
  };
}

function watchLine(accountId: string, product: string, site: string): FeedLine {
  return {
    kind: 'watch',
    accountId,
    product,
    site,
    emailAlertsEnabled: false,
    webhookEnabled: false,
    alertThreshold: 1,
    findingsFromReports: true,
  };
}
