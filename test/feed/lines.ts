import { Announcer } from '../../sql/changes/announcer.ts';
import { type LoadOptions, type LoadSummary, loadFeed } from '../../src/feed/load.ts';
import { createDatabase } from '../support/database.ts';
import { connectOperator, type Operator } from '../support/operator.ts';

export type Line = Record<string, unknown>;

/** The test's database, and operations on it. */
export interface FeedDatabase extends AsyncDisposable {
  url: string;
  directUrl: string;
  sql: Operator;
  load(...lines: Line[]): Promise<LoadSummary>;
  loadText(text: string, options?: LoadOptions): Promise<LoadSummary>;
  rows(statement: string): Promise<Record<string, unknown>[]>;
}

/** The default clock of all loads in this file, which limits the dates of reports. */
const NOW = new Date('2026-12-31T12:00:00Z');

export async function createFeedDatabase(): Promise<FeedDatabase> {
  const database = await createDatabase();
  const sql = connectOperator(database.url);
  const loadText = (text: string, options?: LoadOptions) =>
    loadFeed(sql, new Announcer(sql, 0), [{ name: 'feed', content: [text] }], { now: NOW, ...options });
  return {
    url: database.url,
    directUrl: database.directUrl,
    sql,
    loadText,
    load: (...lines) => loadText(toText(lines)),
    rows: async statement => [...(await sql.query(statement))],
    async [Symbol.asyncDispose]() {
      await sql.end();
      await database.drop();
    },
  };
}

export function toText(lines: readonly Line[]): string {
  return lines.map(line => `${JSON.stringify(line)}\n`).join('');
}

export const account = (id: string, rest: Line = {}): Line => ({
  kind: 'account',
  id,
  type: 'personal',
  email: `${id}@example.org`,
  createdAt: '2026-01-01T00:00:00Z',
  ...rest,
});

export const report = (id: string, rest: Line = {}): Line => ({
  kind: 'report',
  accountId: 'a',
  type: 'csp',
  id,
  date: '2026-05-10T12:00:00Z',
  ...rest,
});

export const plan = (accountId: string, rest: Line = {}): Line => ({
  kind: 'plan',
  accountId,
  plan: 'business-2026',
  name: 'Business',
  tier: 'business',
  status: 'active',
  reportQuota: 1_000_000,
  collectHosts: 10,
  dataRetentionDays: 90,
  features: {
    support: true,
    teams: false,
    blockedWatch: ['scriptWatch'],
    webhooks: true,
    clientReputationFilter: false,
    threatIntelligence: true,
    integrityFeatures: ['cspIntegrity'],
    pciDss: false,
    wildcardDomains: true,
  },
  ...rest,
});

export const watch = (accountId: string, rest: Line = {}): Line => ({
  kind: 'watch',
  accountId,
  product: 'script',
  site: 'www.example.org',
  emailAlertsEnabled: true,
  webhookEnabled: false,
  alertThreshold: 5,
  ...rest,
});

export const finding = (accountId: string, rest: Line = {}): Line => ({
  kind: 'finding',
  accountId,
  product: 'script',
  site: 'www.example.org',
  uri: 'https://cdn.example/x.js',
  count: 3,
  firstSeen: '2026-05-01T00:00:00Z',
  lastSeen: '2026-05-02T00:00:00Z',
  source: 'csp',
  ...rest,
});

export const apiKey = (id: string, accountId: string, rest: Line = {}): Line => ({
  kind: 'apiKey',
  id,
  accountId,
  sha256: id.padEnd(64, '0').replace(/[^0-9a-f]/g, 'e'),
  createdAt: '2026-01-01T00:00:00Z',
  ...rest,
});

export const auditEvent = (id: string, accountId: string, rest: Line = {}): Line => ({
  kind: 'auditEvent',
  accountId,
  id,
  timestamp: '2026-05-10T12:00:00.123456+02:00',
  event: 'loginSucceeded',
  message: 'Logged in',
  loggedById: 'u1',
  loggedByEmail: 'u1@example.org',
  ...rest,
});

// A valid certificate without key usage, created with openssl.
export const CERTIFICATE = {
  sha256: 'b78c5a9b3aaefcd3b3fc73e10b8e6130781c226c99f8f069e216e8e0680441e4',
  pem: `-----BEGIN CERTIFICATE-----
MIIBgjCCASegAwIBAgIUP9NgHfsSKM7MmQVIqaQH0Jpo6RkwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZXhhbXBsZS5vcmcwHhcNMjYxMTIwMTIyNTE2WhcNMzYxMTE3
MTIyNTE2WjAWMRQwEgYDVQQDDAtleGFtcGxlLm9yZzBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABHsOZuY9guaEzsc993AYEY/HhuOdY977oXj8iQ62CaOeWLpmFgG7
qMQlGspPc3iegwxL+gO5RqJIN1z402H2UeajUzBRMB0GA1UdDgQWBBTNLn2ZDecE
w2il35C1hdHiCHQglzAfBgNVHSMEGDAWgBTNLn2ZDecEw2il35C1hdHiCHQglzAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDO6a+HsLvEr8dicfy0
4wvxtsxDz4zPLmtUqnGp42kfSgIhAOV25UAG0NZWJJItLDg+51wbBrVrzDuMXZ4r
tzIq12+h
-----END CERTIFICATE-----
`,
};
