import { createHash, X509Certificate } from 'node:crypto';
import { REPORT_TYPES } from '@sightline/reports';
import {
  boolean,
  date,
  identifier,
  instant,
  integer,
  list,
  mailAddress,
  object,
  oneOf,
  optional,
  refuse,
  sha256,
  shortText,
  text,
} from './checks.ts';
import { filters, policy, setup, wizard } from './configuration-records.ts';
import { byFeature, LONGEST_RETENTION, PLAN_STATUSES, TIERS } from './plans.ts';
import { define, type RecordDefinition, requireVariant } from './record-definition.ts';
import { byId, ofAccount, oneAnAccount } from './record-keys.ts';
import { verdict } from './verdict-records.ts';
import { finding, watch } from './watch-records.ts';

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
    dataRetentionDays: integer(1, LONGEST_RETENTION),
    features: object(byFeature({ switch: boolean, list: list(text) })),
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
    event: shortText,
    message: text,
    loggedById: shortText,
    loggedByEmail: mailAddress,
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

/** All kinds of records except `report`. */
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
  verdict,
  certificate,
  auditEvent,
  usage,
} satisfies Record<string, RecordDefinition>;

export type RecordKind = keyof typeof RECORDS;
export type { RecordTable } from './record-definition.ts';

export function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(RECORDS, kind);
}
