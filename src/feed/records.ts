import { createHash, X509Certificate } from 'node:crypto';
import { PLAN_STATUSES, TIERS } from '../../sql/account.ts';
import { normalizeHost } from '../../sql/addresses.ts';
import { REPORT_TYPES } from '../../sql/report-types.ts';
import {
  boolean,
  type Check,
  date,
  type Fields,
  identifier,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  partial,
  refuse,
  sha256,
  text,
} from './checks.ts';
import { define, type RecordDefinition, requireVariant } from './record-definition.ts';

const ofAccount = { accountId: identifier };
const oneAnAccount = { key: ['accountId'], keyColumns: ['account_id'] } as const;
const byId = { key: ['accountId', 'id'], keyColumns: ['account_id', 'id'] } as const;

const account = define({
  kind: 'account',
  table: 'account',
  key: ['id'],
  keyColumns: ['id'],
  fields: {
    id: identifier,
    type: oneOf(['personal', 'team']),
    email: optional(text, null),
    teamName: optional(text, null),
    quotaLimit: optional(integer(), null),
    require2fa: optional(boolean, null),
    members: optional(list(object({ email: text, role: text })), null),
    createdAt: instant,
  },
  columns: {
    id: 'id',
    type: 'type',
    email: 'email',
    team_name: 'teamName',
    quota_limit: 'quotaLimit',
    require_2fa: 'require2fa',
    members: 'members',
    created_at: 'createdAt',
  },
  rule(values) {
    const [personal, team] = [['email'], ['teamName', 'quotaLimit', 'require2fa', 'members']] as const;
    if (values.type === 'team') requireVariant(values, 'a team', { has: team, lacks: personal });
    else requireVariant(values, 'a personal account', { has: personal, lacks: team });
  },
});

const apiKey = define({
  kind: 'apiKey',
  table: 'api_key',
  key: ['id'],
  keyColumns: ['id'],
  fields: {
    ...ofAccount,
    id: identifier,
    sha256,
    name: optional(text, null),
    createdAt: instant,
    expiresAt: optional(instant, null),
    revokedAt: optional(instant, null),
  },
  columns: {
    id: 'id',
    account_id: 'accountId',
    digest: values => Buffer.from(values.sha256, 'hex'),
    name: 'name',
    created_at: 'createdAt',
    expires_at: 'expiresAt',
    revoked_at: 'revokedAt',
  },
});

const plan = define({
  kind: 'plan',
  table: 'plan',
  ...oneAnAccount,
  fields: {
    ...ofAccount,
    plan: text,
    name: text,
    tier: oneOf(TIERS),
    status: oneOf(PLAN_STATUSES),
    reportQuota: integer(),
    collectHosts: integer(),
    dataRetentionDays: integer(),
    features: object({
      support: boolean,
      teams: boolean,
      blockedWatch: list(text),
      webhooks: boolean,
      clientReputationFilter: boolean,
      threatIntelligence: boolean,
      integrityFeatures: list(text),
      pciDss: boolean,
      wildcardDomains: boolean,
    }),
  },
  columns: {
    account_id: 'accountId',
    plan: 'plan',
    name: 'name',
    tier: 'tier',
    status: 'status',
    report_quota: 'reportQuota',
    collect_hosts: 'collectHosts',
    data_retention_days: 'dataRetentionDays',
    features: 'features',
  },
});

const setup = define({
  kind: 'setup',
  table: 'setup',
  ...oneAnAccount,
  fields: {
    ...ofAccount,
    reportUri: object({ enforce: text, reportOnly: text, wizard: text }),
    reportingApi: object({
      group: text,
      max_age: integer(),
      endpoints: list(object({ url: text })),
      include_subdomains: boolean,
    }),
    nel: object({ report_to: text, max_age: integer(), include_subdomains: boolean }),
    dmarc: text,
    tlsRpt: text,
  },
  columns: {
    account_id: 'accountId',
    report_uri: 'reportUri',
    reporting_api: 'reportingApi',
    nel: 'nel',
    dmarc: 'dmarc',
    tls_rpt: 'tlsRpt',
  },
});

const samplingRates: Fields = Object.fromEntries(
  [...REPORT_TYPES, 'wizard'].map(name => [name, integer(1, 100)]),
);

const filters = define({
  kind: 'filters',
  table: 'filter_configuration',
  ...oneAnAccount,
  fields: {
    ...ofAccount,
    global: optional(
      partial({
        sites: list(text),
        removeReferrer: boolean,
        removeQueryString: boolean,
        minimumClientReputation: integer(),
      }),
      {},
    ),
    advanced: optional(
      partial({
        browserExtensions: boolean,
        unactionableReports: boolean,
        inlineEval: boolean,
        blockedHosts: list(text),
        blockedSchemes: list(text),
        pagePaths: list(text),
      }),
      {},
    ),
    certificateTransparency: optional(
      partial({
        ignoredHostnames: list(text),
        ignoredIssuers: list(text),
        ignorePrecertificates: boolean,
      }),
      {},
    ),
    samplingRates: optional(partial(samplingRates), {}),
  },
  columns: {
    account_id: 'accountId',
    global: 'global',
    advanced: 'advanced',
    certificate_transparency: 'certificateTransparency',
    sampling_rates: 'samplingRates',
  },
});

const policy = define({
  kind: 'policy',
  table: 'csp_policy',
  ...byId,
  fields: { ...ofAccount, id: identifier, name: text, policy: text },
  columns: { account_id: 'accountId', id: 'id', name: 'name', policy: 'policy' },
});

const wizard = define({
  kind: 'wizard',
  table: 'csp_wizard',
  ...oneAnAccount,
  fields: { ...ofAccount, active: boolean, policy: text },
  columns: { account_id: 'accountId', active: 'active', policy: 'policy' },
});

const LONGEST_HOST = 253;

/** A host name as it was written; `normalizeHost` makes of it what is compared. */
const site: Check<string> = (value, path) => {
  const key = normalizeHost(identifier(value, path));
  return key !== '' && key.length <= LONGEST_HOST ? (value as string) : refuse(path, 'must be a host name');
};

const ofWatch = {
  ...ofAccount,
  product: oneOf(['script', 'data', 'frame', 'policy']),
  site,
};

const watch = define({
  kind: 'watch',
  table: 'watch',
  key: ['accountId', 'product', 'site'],
  keyColumns: ['account_id', 'product', 'site_key'],
  fields: {
    ...ofWatch,
    emailAlertsEnabled: boolean,
    webhookEnabled: boolean,
    webhookTarget: optional(text, null),
    alertThreshold: integer(),
  },
  columns: {
    account_id: 'accountId',
    product: 'product',
    site_key: values => normalizeHost(values.site),
    site: 'site',
    email_alerts_enabled: 'emailAlertsEnabled',
    webhook_enabled: 'webhookEnabled',
    webhook_target: 'webhookTarget',
    alert_threshold: 'alertThreshold',
  },
});

const finding = define({
  kind: 'finding',
  table: 'watch_finding',
  key: ['accountId', 'product', 'site', 'uri', 'policy'],
  keyColumns: ['account_id', 'product', 'site_key', 'subject_sha256'],
  fields: {
    ...ofWatch,
    uri: optional(text, null),
    policy: optional(text, null),
    count: integer(),
    firstSeen: instant,
    lastSeen: instant,
    source: optional(oneOf(['csp', 'csp_integrity', 'integrity_policy']), null),
    enforced: optional(boolean, null),
  },
  columns: {
    account_id: 'accountId',
    product: 'product',
    site_key: values => normalizeHost(values.site),
    subject_sha256: values => createHash('sha256').update(subjectOf(values)).digest(),
    subject: subjectOf,
    count: 'count',
    first_seen: 'firstSeen',
    last_seen: 'lastSeen',
    source: 'source',
    enforced: 'enforced',
  },
  keyRule(values) {
    if (values.product === 'policy')
      requireVariant(values, ofPolicyWatch, { has: ['policy'], lacks: ['uri'] });
    else requireVariant(values, `a ${values.product} finding`, { has: ['uri'], lacks: ['policy'] });
  },
  rule(values) {
    if (values.product === 'policy')
      requireVariant(values, ofPolicyWatch, { has: ['enforced'], lacks: ['source'] });
    else requireVariant(values, `a ${values.product} finding`, { has: ['source'], lacks: ['enforced'] });
  },
});
const ofPolicyWatch = 'a policy finding';

function subjectOf({ uri, policy }: { uri: string | null; policy: string | null }): string {
  return uri ?? policy ?? '';
}

const certificate = define({
  kind: 'certificate',
  table: 'certificate',
  key: ['sha256'],
  keyColumns: ['sha256'],
  fields: { sha256, pem: text },
  columns: { sha256: 'sha256', pem: 'pem' },
  rule(values) {
    if (fingerprint(values.pem) !== values.sha256)
      refuse('sha256', "is not the SHA-256 of the certificate's DER");
  },
});

function fingerprint(pem: string): string {
  try {
    return createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
  } catch {
    return refuse('pem', 'is not a certificate in PEM');
  }
}

const auditEvent = define({
  kind: 'auditEvent',
  table: 'audit_event',
  ...byId,
  fields: {
    ...ofAccount,
    id: identifier,
    timestamp: instant,
    event: text,
    message: text,
    loggedById: text,
    loggedByEmail: text,
    requestIp: optional(text, ''),
  },
  columns: {
    account_id: 'accountId',
    id: 'id',
    timestamp: 'timestamp',
    event: 'event',
    message: 'message',
    logged_by_id: 'loggedById',
    logged_by_email: 'loggedByEmail',
    request_ip: 'requestIp',
  },
});

const usage = define({
  kind: 'usage',
  table: 'report_usage',
  key: ['accountId', 'type', 'date'],
  keyColumns: ['account_id', 'type', 'date'],
  fields: {
    ...ofAccount,
    type: oneOf(REPORT_TYPES),
    date,
    filtered: integer(),
    sampled: integer(),
    rejected: integer(),
  },
  columns: {
    account_id: 'accountId',
    type: 'type',
    date: 'date',
    filtered: 'filtered',
    sampled: 'sampled',
    rejected: 'rejected',
  },
});

/** The kinds of the feed but `report`. */
export const RECORDS = {
  account,
  apiKey,
  plan,
  setup,
  filters,
  policy,
  wizard,
  watch,
  finding,
  certificate,
  auditEvent,
  usage,
} satisfies Record<string, RecordDefinition>;

export type RecordKind = keyof typeof RECORDS;

export function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(RECORDS, kind);
}
