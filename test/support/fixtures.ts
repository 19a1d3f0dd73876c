import { createHash, X509Certificate } from 'node:crypto';
import type { Answer, Line, TestService } from './service.ts';

/** A Wednesday afternoon, for tests in which the time does not matter. */
export const NOW = '2026-05-20T14:30:00Z';

/** Before any trial that is still open at `NOW`. */
const LONG_AGO = '2020-01-01T00:00:00Z';

type Fields = Record<string, unknown>;

export const personal = (id: string, fields: Fields = {}): Line => ({
  kind: 'account',
  id,
  type: 'personal',
  email: `${id}@example.com`,
  createdAt: LONG_AGO,
  ...fields,
});

export const team = (id: string, fields: Fields = {}): Line => ({
  kind: 'account',
  id,
  type: 'team',
  teamName: `Team ${id}`,
  quotaLimit: 500_000,
  require2fa: true,
  members: [{ email: `${id}@example.com`, role: 'owner' }],
  createdAt: LONG_AGO,
  ...fields,
});

export const NO_FEATURES = {
  support: false,
  teams: false,
  blockedWatch: [],
  webhooks: false,
  clientReputationFilter: false,
  threatIntelligence: false,
  integrityFeatures: [],
  pciDss: false,
  wildcardDomains: false,
};

/** A business plan, by default without features. */
export const plan = (accountId: string, fields: Fields = {}, features: Fields = {}): Line => ({
  kind: 'plan',
  accountId,
  plan: 'business_2026',
  name: 'Business',
  tier: 'business',
  status: 'active',
  reportQuota: 500_000,
  collectHosts: 25,
  dataRetentionDays: 90,
  features: { ...NO_FEATURES, ...features },
  ...fields,
});

export const THREAT_INTELLIGENCE = { threatIntelligence: true };

/** Fields that the feed requires for reports of these types, besides the id and the date. */
const REQUIRED: Readonly<Record<string, Fields>> = {
  permissions_policy: { potential: false },
  nel: { statusCode: 0 },
  dmarc: { aligned: false },
};

/** A report. CSP records have no id, so the name also appears in `raw`. */
export const report = (accountId: string, type: string, name: string, fields: Fields = {}): Line => ({
  kind: 'report',
  accountId,
  type,
  id: name,
  date: NOW,
  raw: name,
  ...REQUIRED[type],
  ...fields,
});

/** The names of the reports in a response, in order. */
export function names({ body }: Answer): string[] {
  return body.reports.map(({ raw }: { raw: string }) => raw);
}

export const auditEvent = (accountId: string, id: string, fields: Fields = {}): Line => ({
  kind: 'auditEvent',
  accountId,
  id,
  timestamp: NOW,
  event: 'loginSucceeded',
  message: `Event ${id}`,
  loggedById: 'user-1',
  loggedByEmail: 'ada@example.com',
  requestIp: '192.0.2.1',
  ...fields,
});

export const watch = (accountId: string, product: string, site: string, fields: Fields = {}): Line => ({
  kind: 'watch',
  accountId,
  product,
  site,
  emailAlertsEnabled: true,
  webhookEnabled: false,
  alertThreshold: 10,
  ...fields,
});

/** A finding of a watch of scripts, data or frames. */
export const finding = (
  accountId: string,
  product: string,
  site: string,
  uri: string,
  fields: Fields = {},
): Line => ({
  kind: 'finding',
  accountId,
  product,
  site,
  uri,
  count: 1,
  firstSeen: '2026-05-01T00:00:00Z',
  lastSeen: '2026-05-02T00:00:00Z',
  source: 'csp',
  ...fields,
});

/** A finding of a policy watch. */
export const policyFinding = (
  accountId: string,
  site: string,
  policy: string,
  fields: Fields = {},
): Line => ({
  kind: 'finding',
  accountId,
  product: 'policy',
  site,
  policy,
  enforced: true,
  count: 1,
  firstSeen: '2026-05-01T00:00:00Z',
  lastSeen: '2026-05-02T00:00:00Z',
  ...fields,
});

/** A verdict of the team. */
export const verdict = (
  accountId: string,
  subjectKind: string,
  subject: string,
  fields: Fields = {},
): Line => ({
  kind: 'verdict',
  accountId,
  subjectKind,
  subject,
  verdict: 'accepted',
  reason: 'We know it',
  decidedBy: 'ann@example.com',
  decidedAt: '2026-01-02T00:00:00Z',
  ...fields,
});

/** A script that is authorised on a site. */
export const scriptVerdict = (
  accountId: string,
  site: string,
  pattern: string,
  fields: Fields = {},
): Line => ({
  ...verdict(accountId, 'script', pattern, { site, owner: 'Web', reason: 'It takes payments' }),
  ...fields,
});

export const savedPolicy = (
  accountId: string,
  id: string,
  name: string,
  policy = "default-src 'self'",
): Line => ({
  kind: 'policy',
  accountId,
  id,
  name,
  policy,
});

export const setup = (accountId: string, fields: Fields = {}): Line => ({
  kind: 'setup',
  accountId,
  reportUri: {
    enforce: 'https://collect.example/r/d/csp/enforce',
    reportOnly: 'https://collect.example/r/d/csp/reportOnly',
    wizard: 'https://collect.example/r/d/csp/wizard',
  },
  reportingApi: {
    group: 'default',
    max_age: 31_536_000,
    endpoints: [{ url: 'https://collect.example/a/d/g' }],
    include_subdomains: true,
  },
  nel: { report_to: 'default', max_age: 31_536_000, include_subdomains: true },
  dmarc: 'acme@dmarc.collect.example',
  tlsRpt: 'acme@tlsrpt.collect.example',
  ...fields,
});

/** For www.example.com. */
const PEM = `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUNwPU/rRUJnnrfq3fEyHaOKuVxJgwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPd3d3LmV4YW1wbGUuY29tMB4XDTI2MTEyMDEyMDc1NVoXDTM2
MTExNzEyMDc1NVowGjEYMBYGA1UEAwwPd3d3LmV4YW1wbGUuY29tMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEtriZ7hfX+EZfytgQ0bNU7cKaTtHXmvlI4ex+pCV1
ZiwDlNMV9jNBV2rQcN4hX54rj0CwJEe3juABDvxINcDScaNTMFEwHQYDVR0OBBYE
FPxUBemzmEDskt3tSCqfCdqLzQ6GMB8GA1UdIwQYMBaAFPxUBemzmEDskt3tSCqf
CdqLzQ6GMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgKT3QBD9s
1IVuqlcNYT7B3X9SuzgdoQNJBiWB6hM2XloCIQDdYSvv1N0kjIS1Z7gNBQT9yQXd
gDdFxfpuZOQwuhR1/Q==
-----END CERTIFICATE-----
`;

export const CERTIFICATE = {
  pem: PEM,
  sha256: createHash('sha256').update(new X509Certificate(PEM).raw).digest('hex'),
};

export const certificate = (): Line => ({ kind: 'certificate', ...CERTIFICATE });

/** A Certificate Transparency report that names the certificate. */
export const observation = (accountId: string, name = 'observation'): Line =>
  report(accountId, 'certificate_transparency', name, { sha256: CERTIFICATE.sha256 });

/** Loads an account with a plan and further lines, and creates a key. */
export async function open(
  service: TestService,
  account: Line,
  plan?: Line,
  ...others: readonly Line[]
): Promise<string> {
  await service.load(account, ...(plan ? [plan] : []), ...others);
  return service.key(account.type as 'personal' | 'team', account.id as string);
}
