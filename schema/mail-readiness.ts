import {
  assessReadiness,
  type DmarcPolicy,
  formatDmarcPolicy,
  formatSeenPolicy,
  parseDmarcPolicy,
  parseSeenPolicy,
  type Readiness,
  type ReportedMessages,
  replayDmarc,
  type SeenPolicy,
} from '@sightline/reports/mail';
import type { Account } from '../sql/account.ts';
import { type MailResults, mailResults, publishedPolicies } from '../sql/mail-replay.ts';
import type { VerdictRow } from '../sql/team-verdicts.ts';
import { builder, OWN_STATEMENT } from './builder.ts';
import type { Context } from './context.ts';
import { ReadinessType } from './mail-replay-types.ts';
import { clampToRetention, periodOfArguments } from './report-query.ts';
import { findSenderVerdicts, toMessages, withVerdict } from './reported-messages.ts';

/** The maximum number of domains in a response, those with the most messages. */
const MOST_DOMAINS = 3;

interface DomainReadiness {
  domain: string;
  messages: number;
  published: string | null;
  isEnforced: boolean;
  policy: string;
  readiness: Readiness;
}

const DomainReadinessType = builder.objectRef<DomainReadiness>('DomainReadiness').implement({
  description: 'Whether a domain can publish `p=reject` without losing its own mail.',
  subGraphs: ['graph'],
  fields: t => ({
    domain: t.exposeString('domain', { description: 'The domain of the record.' }),
    messages: t.expose('messages', {
      type: 'Counter',
      description: 'The number of its messages in the period.',
    }),
    published: t.exposeString('published', {
      nullable: true,
      description:
        'The record that receivers last found, without its report addresses; null if reports do not ' +
        'contain it.',
    }),
    isEnforced: t.exposeBoolean('isEnforced', {
      description: 'Whether the published record already rejects.',
    }),
    policy: t.exposeString('policy', {
      description: 'The policy that was tried: `p=reject` with the published alignment modes.',
    }),
    readiness: t.expose('readiness', {
      type: ReadinessType,
      description: "Whether the policy can be enforced without losing the domain's own mail.",
    }),
  }),
});

interface Period {
  from: string;
  to?: string | null | undefined;
}

async function assessDomains(
  account: Account,
  { from, to }: Period,
  context: Context,
): Promise<DomainReadiness[]> {
  const { database, now } = context;
  const period = periodOfArguments({ type: 'dmarc', from, to: to ?? null }, now);
  const visible = clampToRetention(period, account, now);
  if (!visible) return [];
  const query = { account: account.id, ...visible };
  const [{ rows }, verdicts] = await Promise.all([
    mailResults(database, query),
    findSenderVerdicts(account, context),
  ]);
  const messages = rows.map(toMessages);
  const days = new Map(rows.map(row => [row.domain, row.days]));
  const domains = listDomains(rows);
  const published = await publishedPolicies(database, { ...query, domains });
  const answers: DomainReadiness[] = [];
  for (const domain of domains) {
    const seen = published.find(one => one.domain === domain)?.policy;
    answers.push(await assess(domain, seen, messages, days.get(domain) ?? 0, verdicts));
  }
  return answers;
}

/** The domains whose records receivers applied, those with the most messages first. */
function listDomains(rows: readonly MailResults[]): string[] {
  const counts = new Map<string, number>();
  for (const { domain, count } of rows) if (domain) counts.set(domain, (counts.get(domain) ?? 0) + count);
  return [...counts]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, MOST_DOMAINS)
    .map(([domain]) => domain);
}

async function assess(
  domain: string,
  seen: SeenPolicy | undefined,
  messages: readonly ReportedMessages[],
  days: number,
  verdicts: ReadonlyMap<string, VerdictRow>,
): Promise<DomainReadiness> {
  const published = seen && parseSeenPolicy(seen);
  const policy = toRejecting(published);
  const { total, senders } = await replayDmarc(policy, domain, messages);
  return {
    domain,
    messages: total.messages,
    published: (seen && formatSeenPolicy(seen)) ?? null,
    isEnforced: published?.p === 'reject' && !published.isTest,
    policy: formatDmarcPolicy(policy),
    readiness: assessReadiness(
      senders.map(one => withVerdict(one, verdicts)),
      days,
    ),
  };
}

function toRejecting(published: DmarcPolicy | undefined): DmarcPolicy {
  const policy = parseDmarcPolicy('p=reject');
  return published ? { ...policy, adkim: published.adkim, aspf: published.aspf } : policy;
}

builder.objectField('Account', 'mailReadiness', t =>
  t.field({
    type: [DomainReadinessType],
    nullable: true,
    description:
      `Whether the ${MOST_DOMAINS} domains with the most messages in the period can publish \`p=reject\`, according ` +
      'to the reports.',
    complexity: { field: 10 * OWN_STATEMENT, multiplier: MOST_DOMAINS },
    args: {
      from: t.arg({ type: 'Instant', required: true, description: 'The start of the period, inclusive.' }),
      to: t.arg({
        type: 'Instant',
        description: 'The end of the period, exclusive; now by default.',
      }),
    },
    resolve: (account, args, context) => assessDomains(account, args, context),
  }),
);
