import { normalizeHost } from '@sightline/reports';
import { atMost, instant, integer, list, oneOf, optional, refuse, shortText, text } from './checks.ts';
import { define } from './record-definition.ts';
import { ofAccount } from './record-keys.ts';
import { VERDICT_SUBJECTS, VERDICTS } from './verdicts.ts';
import { site } from './watch-records.ts';

/** Maximum size of a subject in bytes, because it is part of the table's primary key. */
const LONGEST_SUBJECT = 1024;

const subjectText = atMost(LONGEST_SUBJECT);

export const verdict = define({
  kind: 'verdict',
  table: 'verdict',
  key: ['accountId', 'subjectKind', 'site', 'subject'],
  keyColumns: ['account_id', 'subject_kind', 'site_key', 'subject'],
  fields: {
    ...ofAccount,
    subjectKind: oneOf(VERDICT_SUBJECTS),
    site: optional(site, null),
    subject: (value: unknown, path: string) =>
      subjectText(value, path) === '' ? refuse(path, 'must not be empty') : (value as string),
    verdict: oneOf(VERDICTS),
    reason: text,
    owner: optional(text, null),
    hashes: optional(list(shortText), null),
    count: optional(integer(), null),
    decidedBy: text,
    decidedAt: instant,
    expiresAt: optional(instant, null),
  },
  columns: {
    account_id: 'accountId',
    subject_kind: 'subjectKind',
    site_key: values => (values.site === null ? '' : normalizeHost(values.site)),
    subject: 'subject',
    site: 'site',
    verdict: 'verdict',
    reason: 'reason',
    owner: 'owner',
    hashes: values => values.hashes ?? [],
    count: 'count',
    decided_by: 'decidedBy',
    decided_at: 'decidedAt',
    expires_at: 'expiresAt',
  },
  keyRule({ subjectKind, site }) {
    const hasSite = subjectKind === 'script' || subjectKind === 'blockedSource';
    if (site !== null && !hasSite) refuse('site', `is not a field of a verdict on ${NAMES[subjectKind]}`);
    if (site === null && subjectKind === 'script') refuse('site', 'is missing');
  },
  rule({ subjectKind, verdict, owner, hashes, count }) {
    const name = NAMES[subjectKind];
    if (verdict === 'forwarder' && subjectKind !== 'sender')
      refuse('verdict', `must be one of mine, accepted, notMine in a verdict on ${name}`);
    if (owner !== null && subjectKind !== 'script') refuse('owner', `is not a field of a verdict on ${name}`);
    if (hashes !== null && subjectKind !== 'script')
      refuse('hashes', `is not a field of a verdict on ${name}`);
    if (count !== null && subjectKind !== 'insight')
      refuse('count', `is not a field of a verdict on ${name}`);
  },
});

const NAMES: Readonly<Record<(typeof VERDICT_SUBJECTS)[number], string>> = {
  sender: 'a sender',
  blockedSource: 'a blocked source',
  issuer: 'an issuer',
  script: 'a script',
  insight: 'an insight',
};
