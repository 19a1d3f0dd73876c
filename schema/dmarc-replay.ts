import {
  assessReadiness,
  type DmarcPolicy,
  formatDmarcPolicy,
  formatSeenPolicy,
  InvalidPolicy,
  parseDmarcPolicy,
  replayDmarc,
  type SeenPolicy,
} from '@sightline/reports/mail';
import type { Account } from '../sql/account.ts';
import { type MailResultsOfDomain, mailResults, publishedPolicies } from '../sql/mail-replay.ts';
import { toSiteKey } from '../sql/watches.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { invalid } from './errors.ts';
import { type DmarcReplay, DmarcReplayType, type ReplayedSender } from './mail-replay-types.ts';
import { clampToRetention, periodOfArguments } from './report-query.ts';
import { findSenderVerdicts, toMessages, withVerdict } from './reported-messages.ts';

/** The maximum number of senders in a response. */
const MOST_SENDERS = 100;

const LIMITS = [
  'Only receivers that send aggregate reports are counted; many do not.',
  'Reports count messages and name domains and servers. They do not name recipients or authors, so forged and own messages of a shared server look alike.',
  'Reports do not say whether a sub-domain exists: np is counted like sp, and messages for which these differ are uncertain.',
  'Organizational domains come from the Public Suffix List; receivers find them by walking the DNS tree (RFC 9989, section 4.10).',
  'Receivers may deliver messages that a policy rejects, as of mailing lists, and reject others for reasons of their own.',
];

interface DmarcArguments {
  domain: string;
  policy: string;
  from: string;
  to?: string | null | undefined;
}

async function runReplay(account: Account, args: DmarcArguments, context: Context): Promise<DmarcReplay> {
  const policy = readPolicy(args.policy);
  const domain = toSiteKey(args.domain);
  const [{ rows, total, days, published }, verdicts] = await Promise.all([
    loadResults(account, domain, args, context),
    findSenderVerdicts(account, context),
  ]);
  const outcome = await replayDmarc(policy, domain, rows.map(toMessages));
  const senders = outcome.senders.map(one => withVerdict(one, verdicts));
  return {
    ...outcome.total,
    published: published ? (formatSeenPolicy(published) ?? null) : null,
    record: formatDmarcPolicy(await withReports(policy, account, context)),
    notes: describeDifferences(policy),
    actual: outcome.actual,
    senders: sortSenders(senders).slice(0, MOST_SENDERS),
    otherSenders: Math.max(0, senders.length - MOST_SENDERS),
    otherRecords: outcome.otherRecords,
    otherCount: rows.reduce((rest, { count }) => rest - count, total),
    days,
    readiness: assessReadiness(senders, days),
    limits: LIMITS,
  };
}

/** @throws {PublicError} that names the invalid tag */
function readPolicy(text: string): DmarcPolicy {
  try {
    return parseDmarcPolicy(text);
  } catch (error) {
    if (error instanceof InvalidPolicy)
      throw invalid(`Invalid value for parameter: policy. ${error.message}`);
    throw error;
  }
}

async function loadResults(
  account: Account,
  domain: string,
  { from, to }: DmarcArguments,
  { database, now }: Context,
): Promise<MailResultsOfDomain & { published?: SeenPolicy | undefined }> {
  const period = periodOfArguments({ type: 'dmarc', from, to: to ?? null }, now);
  const visible = clampToRetention(period, account, now);
  if (!visible) return { rows: [], total: 0, days: 0 };
  const [results, [published]] = await Promise.all([
    mailResults(database, { account: account.id, domain, ...visible }),
    publishedPolicies(database, { account: account.id, domains: [domain], ...visible }),
  ]);
  return { ...results, published: published?.policy };
}

const sortSenders = (senders: readonly ReplayedSender[]) =>
  senders.toSorted((one, other) => Number(other.needsRepair) - Number(one.needsRepair));

/** Adds the reporting address from the setup, since receivers would otherwise stop sending reports. */
async function withReports(policy: DmarcPolicy, account: Account, { load }: Context): Promise<DmarcPolicy> {
  if (policy.further.rua) return policy;
  const address = (await load.setup(account.id))?.dmarc;
  const isAddress = address !== undefined && /^[\w.+-]+@[\w.-]+$/.test(address);
  return isAddress ? { ...policy, further: { ...policy.further, rua: `mailto:${address}` } } : policy;
}

/**
 * Describes where receivers that follow RFC 7489 read the record differently from RFC 9989, which the replay follows.
 */
function describeDifferences({ percentage, isTest, ignored, np, sp }: DmarcPolicy): string[] {
  return [
    percentage !== undefined &&
      `RFC 9989 has removed pct, so that the policy counts for all messages here, and the record leaves it out. Receivers by RFC 7489 would apply it to ${percentage} %.`,
    isTest &&
      'With t=y receivers apply the policy one level lower. Receivers by RFC 7489 do not know the tag, and apply it as it is.',
    np !== sp && 'Receivers by RFC 7489 do not know np, and apply sp to all sub-domains.',
    ignored.length > 0 && `Receivers ignore ${ignored.slice(0, 5).join(', ')}; the record leaves it out.`,
  ].filter(note => note !== false);
}

builder.objectField('Account', 'dmarcReplay', t =>
  t.field({
    type: DmarcReplayType,
    nullable: true,
    description:
      'Replays a DMARC policy over the reported messages of a domain, and of its subdomains without a ' +
      'record of their own, from `from` up to, but not including, `to`. Follows RFC 9989.',
    complexity: 10 * OWN_STATEMENT,
    args: {
      domain: t.arg({ type: 'HostName', required: true, description: 'The domain of the record.' }),
      policy: t.arg({
        type: 'DmarcText',
        required: true,
        description: 'The record to try, such as `p=reject; adkim=s`; `v=DMARC1` may be left out.',
      }),
      from: t.arg({ type: 'Instant', required: true, description: 'The start of the period, inclusive.' }),
      to: t.arg({
        type: 'Instant',
        description: 'The end of the period, exclusive; now by default.',
      }),
    },
    resolve: (account, args, context) => runReplay(account, args, context),
  }),
);
