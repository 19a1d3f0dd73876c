import { createHash } from 'node:crypto';
import { LONGEST_HOST, normalizeHost } from '@sightline/reports';
import {
  boolean,
  type Check,
  identifier,
  instant,
  integer,
  oneOf,
  optional,
  refuse,
  text,
} from './checks.ts';
import { FINDING_SOURCES, PRODUCTS } from './plans.ts';
import { define, requireVariant } from './record-definition.ts';
import { ofAccount } from './record-keys.ts';

/** Checks a host name and returns it in its original spelling. `normalizeHost` returns the form for comparisons. */
export const site: Check<string> = (value, path) => {
  const key = normalizeHost(identifier(value, path));
  return key !== '' && key.length <= LONGEST_HOST ? (value as string) : refuse(path, 'must be a host name');
};

const ofWatch = {
  ...ofAccount,
  product: oneOf(PRODUCTS),
  site,
};

export const watch = define({
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
    findingsFromReports: optional(boolean, false),
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
    findings_from_reports: 'findingsFromReports',
  },
});

export const finding = define({
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
    source: optional(oneOf(FINDING_SOURCES), null),
    enforced: optional(boolean, null),
  },
  columns: {
    account_id: 'accountId',
    product: 'product',
    site_key: values => normalizeHost(values.site),
    subject_sha256: values => createHash('sha256').update(getSubject(values)).digest(),
    subject: getSubject,
    count: 'count',
    first_seen: 'firstSeen',
    last_seen: 'lastSeen',
    source: 'source',
    enforced: 'enforced',
    // False, because the feed contains this finding; others are derived from reports.
    derived: () => false,
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

function getSubject({ uri, policy }: { uri: string | null; policy: string | null }): string {
  return uri ?? policy ?? '';
}
