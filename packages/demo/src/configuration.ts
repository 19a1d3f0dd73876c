import type { DemoAccount } from './accounts.ts';
import { timestamp } from './calendar.ts';
import type { DemoLine } from './line.ts';

/** The account and its configuration: plan, setup, filters, wizard and saved policies. */
export function* configurationLines(account: DemoAccount): Generator<DemoLine> {
  yield accountLine(account);
  if (!account.plan) return;
  yield { kind: 'plan', accountId: account.id, ...account.plan };
  yield setupLine(account);
  yield filtersLine(account);
  yield wizardLine(account);
  for (const { id, name, text } of account.policies.items) {
    if (id !== undefined) yield { kind: 'policy', accountId: account.id, id, name, policy: text };
  }
  if (account.plan.features.pciDss) yield* verdictLines(account);
}

/** Verdicts on the checkout's scripts that the policy allows. */
function* verdictLines({ id, domain, people, policies, createdAt }: DemoAccount): Generator<DemoLine> {
  const [owner] = people;
  const hosts = new Set(policies.items[0]!.text.match(/https:\/\/[^\s;]+/g));
  for (const host of [`https://checkout.${domain}`, ...hosts].slice(0, 4)) {
    yield {
      kind: 'verdict',
      accountId: id,
      subjectKind: 'script',
      site: `checkout.${domain}`,
      subject: `${host.replace(/\/$/, '')}/*`,
      verdict: 'accepted',
      reason: 'Part of the checkout',
      owner: 'Web platform',
      decidedBy: owner!.email,
      decidedAt: timestamp(createdAt),
    };
  }
}

/** The certificates that the account's reports mention. */
export function* certificateLines(account: DemoAccount): Generator<DemoLine> {
  const { certificates, unordered, permanentCertificate } = account;
  const series = unordered ? [...certificates, unordered] : certificates;
  const issued = series.flatMap(({ renewals }) => renewals.flat());
  // On some days, a series contains the same certificate.
  const isIssued = issued.some(({ pem }) => pem === permanentCertificate?.pem);
  for (const { pem, record } of permanentCertificate && !isIssued
    ? [...issued, permanentCertificate]
    : issued) {
    yield { kind: 'certificate', sha256: record.sha256, pem };
  }
}

function accountLine({ id, type, domain, people, createdAt, plan }: DemoAccount): DemoLine {
  const common = { kind: 'account', id, type, createdAt: timestamp(createdAt) };
  if (type === 'personal') return { ...common, email: people[0]!.email };
  const members = people.map(({ email, role }) => ({ email, role }));
  return {
    ...common,
    teamName: `${domain.charAt(0).toUpperCase()}${domain.slice(1)} security`,
    quotaLimit: plan?.reportQuota ?? 0,
    require2fa: plan?.features.pciDss !== true && members.length > 3,
    members,
  };
}

function setupLine({ id, collector }: DemoAccount): DemoLine {
  const mailbox = collector.replace('https://', '');
  return {
    kind: 'setup',
    accountId: id,
    reportUri: {
      enforce: `${collector}/r/csp/enforced`,
      reportOnly: `${collector}/r/csp/reportOnly`,
      wizard: `${collector}/r/csp/wizard`,
    },
    reportingApi: {
      group: 'default',
      max_age: 10_886_400,
      endpoints: [{ url: `${collector}/a/d/g` }],
      include_subdomains: true,
    },
    nel: { report_to: 'default', max_age: 2_592_000, include_subdomains: true },
    dmarc: `dmarc@${mailbox}`,
    tlsRpt: `tls-rpt@${mailbox}`,
  };
}

/** Complete settings on the highest plans. On other plans, some settings keep their defaults. */
function filtersLine({ id, domain, plan }: DemoAccount): DemoLine {
  const common = {
    kind: 'filters',
    accountId: id,
    global: {
      sites: [domain, `*.${domain}`],
      removeReferrer: true,
      removeQueryString: false,
      minimumClientReputation: plan?.features.clientReputationFilter ? 30 : 0,
    },
    samplingRates: { csp: 100, csp_integrity: 25, nel: 50, wizard: 5 },
  };
  if (plan?.tier !== 'enterprise' && plan?.tier !== 'business') return common;
  return {
    ...common,
    advanced: {
      browserExtensions: true,
      unactionableReports: true,
      inlineEval: false,
      blockedHosts: ['localhost.test', '*.extension.example'],
      blockedSchemes: ['chrome-extension', 'moz-extension'],
      pagePaths: ['/internal/*'],
    },
    certificateTransparency: {
      ignoredHostnames: [`staging.${domain}`],
      ignoredIssuers: ['Example Internal CA'],
      ignorePrecertificates: plan.tier === 'business',
    },
  };
}

function wizardLine({ id, policies, plan }: DemoAccount): DemoLine {
  const active = plan?.status === 'active' && plan.tier !== 'free';
  return { kind: 'wizard', accountId: id, active, policy: active ? policies.items[0]!.text : '' };
}
