import { isRestReportType, REPORT_TYPE_DEFINITIONS, REST_REPORT_TYPES } from '@sightline/reports';
import type { ExampleFields } from './example-fields.ts';

const POLICY = "default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'";
const HOST = 'https://demo-team.collect.example';
const FIRST_SEEN = '2026-09-18T01:08:08+00:00';
const LAST_SEEN = '2026-11-20T11:25:00+00:00';
const SEVEN_DAYS = ['14', '15', '16', '17', '18', '19', '20'].map(day => `2026-11-${day}`);

/** A PEM certificate whose SHA-256 is the example in the path. */
const PEM = `-----BEGIN CERTIFICATE-----
MIIBjzCCAUGgAwIBAgIQA1oZpgpfqAfm7xafN4BZtjAFBgMrZXAwSjELMAkGA1UE
BhMCR0IxIjAgBgNVBAoMGUhhcmJvdXIgQ2VydGlmaWNhdGlvbiBMdGQxFzAVBgNV
BAMMDkhhcmJvdXIgVExTIFIzMB4XDTI2MDcxNzA0MDAwMFoXDTI2MTAxNTAzNTk1
OVowFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wKjAFBgMrZXADIQAmdKkmc8BgeerS
HgAmcGO6JFrVVy2sWvCXZtXmE+qODKNxMG8wDgYDVR0PAQH/BAQDAgeAMBMGA1Ud
JQQMMAoGCCsGAQUFBwMBMAwGA1UdEwEB/wQCMAAwJQYDVR0RBB4wHIILZXhhbXBs
ZS5jb22CDSouZXhhbXBsZS5jb20wEwYKKwYBBAHWeQIEAwEB/wQCBQAwBQYDK2Vw
A0EAM3fRut+JhKHlz04XmuhtEtP0+c8XCoiFMf1zpwwAkEGKGpi+B8eZGp46fK3A
1XM23RgjUBz7TKcowfswUNuxAw==
-----END CERTIFICATE-----
`;

/** Returns reports per day, most of them of the first types. */
function totals(scale: number): Record<string, number> {
  return Object.fromEntries(
    REST_REPORT_TYPES.map((type, index) => [type, Math.floor((4126 * scale) / (index + 1) ** 2)]),
  );
}

const month = totals(20);
const used = Object.values(month).reduce((sum, count) => sum + count, 0);

/** Examples of the parts that other examples consist of. */
export const ANSWERS: Readonly<Record<string, ExampleFields>> = {
  PersonalAccount: { type: 'personal', email: 'ada@example.com' },
  TeamAccount: { type: 'team', teamId: 'demo-team', teamName: 'Example Web Team' },
  ReportUriSetup: {
    enforce: `${HOST}/r/csp/enforced`,
    reportOnly: `${HOST}/r/csp/reportOnly`,
    wizard: `${HOST}/r/csp/wizard`,
  },
  ReportingApiEndpoint: { url: `${HOST}/a/d/g` },
  ReportingApiSetup: { group: 'default', max_age: 10886400, include_subdomains: true },
  NelSetup: { report_to: 'default', max_age: 2592000, include_subdomains: true },
  Setup: { dmarc: 'dmarc@demo-team.collect.example', tlsRpt: 'tls-rpt@demo-team.collect.example' },
  PlanFeatures: {
    support: true,
    teams: true,
    blockedWatch: ['scriptWatch', 'dataWatch', 'frameWatch', 'policyWatch'],
    webhooks: true,
    clientReputationFilter: true,
    threatIntelligence: true,
    integrityFeatures: ['cspIntegrity', 'integrityPolicy'],
    pciDss: true,
    wildcardDomains: true,
  },
  Plan: {
    plan: 'business-1m',
    name: 'Business',
    status: 'active',
    reportQuota: 1000000,
    collectHosts: 50,
    dataRetentionDays: 90,
  },
  Team: {
    teamName: 'Example Web Team',
    quotaLimit: 1000000,
    require2fa: true,
    members: [
      { email: 'grace@example.com', role: 'owner' },
      { email: 'alan@example.com', role: 'member' },
    ],
  },
  Quota: { used, limit: 1000000 },
  GlobalFilters: {
    sites: ['example.com', '*.example.com'],
    removeReferrer: true,
    removeQueryString: true,
    minimumClientReputation: 0,
  },
  AdvancedFilters: {
    browserExtensions: true,
    unactionableReports: true,
    inlineEval: false,
    blockedHosts: ['*.extension.example'],
    blockedSchemes: ['chrome-extension', 'moz-extension'],
    pagePaths: ['/internal/*'],
  },
  CertificateTransparencyFilters: {
    ignoredHostnames: ['staging.example.com'],
    ignoredIssuers: ['Example Internal CA'],
    ignorePrecertificates: false,
  },
  SamplingRates: {
    ...Object.fromEntries(REST_REPORT_TYPES.map(type => [type, 100])),
    csp_integrity: 10,
    wizard: 1,
  },
  ReportTypeList: {
    types: REPORT_TYPE_DEFINITIONS.filter(({ type }) => isRestReportType(type)).map(({ type, label }) => ({
      type,
      label,
    })),
  },
  Graph: {
    type: 'csp',
    unit: 'weeks',
    amount: 1,
    periods: SEVEN_DAYS.map((date, index) => {
      const directives = { 'script-src-elem': 180 + 9 * index, 'img-src': 41, unknown: 2 };
      return { date, total: 223 + 9 * index, directives };
    }),
  },
  LastSevenDays: { days: SEVEN_DAYS.map((date, index) => ({ date, ...totals(1 + index / 10) })) },
  ReportTypeTotals: month,
  UsageMetrics: {
    metrics: Object.entries(month).map(([type, accepted], index) => {
      const dropped = 364 - 28 * index;
      return { type, accepted, filtered: dropped, sampled: type === 'csp_integrity' ? 525 : 0, rejected: 16 };
    }),
  },
  CspPolicy: { id: 'main-site', name: 'Main site', policy: POLICY },
  CspWizard: { active: true, policy: POLICY },
  WatchList: {
    watches: [
      {
        site: 'checkout.example.com',
        emailAlertsEnabled: true,
        webhookEnabled: false,
        webhookTarget: null,
        alertThreshold: 10,
      },
      {
        site: 'www.example.com',
        emailAlertsEnabled: true,
        webhookEnabled: true,
        webhookTarget: 'https://hooks.example.com/security',
        alertThreshold: 1,
      },
    ],
  },
  Verdict: {
    subjectKind: 'sender',
    site: null,
    subject: 'newsletter.example.net',
    verdict: 'mine',
    reason: 'Sends our newsletter',
    owner: null,
    hashes: [],
    count: null,
    decidedBy: 'ann@example.com',
    decidedAt: '2026-10-01T09:00:00+00:00',
    expiresAt: '2027-10-01T00:00:00+00:00',
  },
  WatchFinding: {
    uri: 'https://cdn.slider-update.example/tag.js',
    count: 213,
    firstSeen: FIRST_SEEN,
    lastSeen: LAST_SEEN,
    source: 'csp',
  },
  PolicyWatchFinding: {
    policy: POLICY,
    enforced: true,
    count: 4959,
    firstSeen: FIRST_SEEN,
    lastSeen: LAST_SEEN,
  },
  Certificate: { pem: PEM },
  AuditEvent: {
    timestamp: '2026-11-20T09:54:41+00:00',
    event: 'apiKeyCreated',
    message: 'API key “dashboard” created',
    loggedById: 'demo-team-user-1',
    loggedByEmail: 'grace@example.com',
    requestIp: '198.51.100.19',
  },
  AuditLog: {
    nextCursor:
      'WyIxIiwiOUZJaHNPSnRWcnRBIiwiMjAyNi0xMS0yMCAwOTo1NDo0MSswMCIsIjAxYTFmOWQxLTZiNDAtN2M3Ni04YjhmLTAwMDAwMDAwMDAwMSJd',
    truncated: true,
  },
};
