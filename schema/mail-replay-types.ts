import {
  type DmarcOutcome,
  FAILURE_CAUSES,
  type FailureReason,
  type JudgedSender,
  type MessageCounts,
  type Readiness,
  type SenderKind,
} from '@sightline/reports/mail';
import type { VerdictRow } from '../sql/team-verdicts.ts';
import { builder, toEnumValues } from './builder.ts';
import { Verdict } from './team-verdicts.ts';

const Cause = builder.enumType('DmarcFailureCause', {
  description: 'A reason why messages fail DMARC.',
  subGraphs: ['graph'],
  values: toEnumValues(FAILURE_CAUSES),
});

const ReasonType = builder.objectRef<FailureReason>('DmarcFailureReason').implement({
  description: 'Messages that fail for a reason. A message can fail for several.',
  subGraphs: ['graph'],
  fields: t => ({
    cause: t.expose('cause', { type: Cause, description: 'The reason.' }),
    messages: t.expose('messages', {
      type: 'Counter',
      description: 'The number of messages that fail for this reason.',
    }),
    domain: t.exposeString('domain', {
      nullable: true,
      description: 'The domain of the signature or the return path of most of them.',
    }),
  }),
});

export const CountsType = builder.interfaceRef<MessageCounts>('DmarcMessages').implement({
  description: 'Messages by the effect of a policy.',
  subGraphs: ['graph'],
  fields: t => ({
    messages: t.expose('messages', { type: 'Counter', description: 'The number of messages.' }),
    delivered: t.expose('delivered', { type: 'Counter', description: 'Messages that the policy lets pass.' }),
    quarantined: t.expose('quarantined', { type: 'Counter', description: 'Messages that are quarantined.' }),
    rejected: t.expose('rejected', { type: 'Counter', description: 'Messages that are rejected.' }),
    aligned: t.expose('aligned', { type: 'Counter', description: 'Messages that pass DMARC.' }),
    dkimAligned: t.expose('dkimAligned', {
      type: 'Counter',
      description: 'Messages that are aligned by DKIM.',
    }),
    spfAligned: t.expose('spfAligned', { type: 'Counter', description: 'Messages that are aligned by SPF.' }),
    forwarded: t.expose('forwarded', {
      type: 'Counter',
      description:
        'Messages that pass only by DKIM because SPF of your domain fails, as happens when messages are ' +
        'forwarded.',
    }),
    uncertain: t.expose('uncertain', {
      type: 'Counter',
      description: 'Messages with insufficient reports; each is counted with its most likely outcome.',
    }),
    overridden: t.expose('overridden', {
      type: 'Counter',
      description: 'Messages that fail, but for which the receiver named a reason not to apply the policy.',
    }),
  }),
});

const Kind = builder.enumType('DmarcSenderKind', {
  description: 'On whose behalf a sender sends messages.',
  subGraphs: ['graph'],
  values: {
    mine: {
      value: 'mine',
      description: 'The sender is yours, according to a verdict or because it sends aligned messages.',
    },
    forwarder: {
      value: 'forwarder',
      description:
        'The sender forwards messages, according to a verdict or because its messages pass only by DKIM.',
    },
    other: { value: 'other', description: 'The sender is not known to be yours.' },
  } satisfies Record<SenderKind, { value: SenderKind; description: string }>,
});

/** A sender, with the team's verdict on it. */
export interface ReplayedSender extends JudgedSender {
  verdict: VerdictRow | null;
}

const SenderType = builder.objectRef<ReplayedSender>('DmarcSender').implement({
  description: 'A sender, and the effect of a policy on its messages.',
  subGraphs: ['graph'],
  interfaces: [CountsType],
  fields: t => ({
    sender: t.exposeString('sender', {
      description: 'The sender, as `GroupBy.SENDER` names it; empty if unknown.',
    }),
    kind: t.expose('kind', { type: Kind, description: 'On whose behalf it sends messages.' }),
    verdict: t.expose('verdict', {
      type: Verdict,
      nullable: true,
      description: "The team's decision about the sender, if it is still in force.",
    }),
    needsRepair: t.exposeBoolean('needsRepair', {
      description: 'Whether the sender is yours and more than 1 % of its messages fail.',
    }),
    reasons: t.expose('reasons', {
      type: [ReasonType],
      complexity: { field: 0, multiplier: 5 },
      description: 'The reasons why its messages fail, the most frequent first.',
    }),
  }),
});

export const ReadinessStateEnum = builder.enumType('MailReadinessState', {
  description: 'Whether a policy can be enforced.',
  subGraphs: ['graph'],
  values: {
    ready: { value: 'ready', description: 'According to the reports, none of your own mail would be lost.' },
    repair: {
      value: 'repair',
      description: 'Some of your own mail would be lost. First repair the senders named in `reasons`.',
    },
    wait: { value: 'wait', description: 'There are too few reports.' },
  } satisfies Record<Readiness['state'], { value: Readiness['state']; description: string }>,
});

export const ReadinessType = builder.objectRef<Readiness>('DmarcReadiness').implement({
  description: 'Whether a policy can be enforced without losing your own mail.',
  subGraphs: ['graph'],
  fields: t => ({
    state: t.expose('state', { type: ReadinessStateEnum, description: 'The result.' }),
    alignedShare: t.exposeFloat('alignedShare', {
      nullable: true,
      description:
        "The fraction of your senders' messages that are aligned, 0 to 1; null if there are no messages.",
    }),
    sendersToRepair: t.expose('sendersToRepair', {
      type: 'Counter',
      description: 'The number of your senders that need a repair.',
    }),
    reasons: t.exposeStringList('reasons', {
      complexity: { field: 1, multiplier: 4 },
      description: 'The reasons, as sentences. They contain names from reports.',
    }),
  }),
});

const ActualType = builder.objectRef<DmarcOutcome['actual']>('DmarcDispositions').implement({
  description: 'How receivers handled the messages.',
  subGraphs: ['graph'],
  fields: t => ({
    delivered: t.expose('delivered', { type: 'Counter', description: 'Messages that were delivered.' }),
    quarantined: t.expose('quarantined', { type: 'Counter', description: 'Messages that were quarantined.' }),
    rejected: t.expose('rejected', { type: 'Counter', description: 'Messages that were rejected.' }),
  }),
});

export interface DmarcReplay extends MessageCounts {
  published: string | null;
  record: string;
  notes: string[];
  actual: DmarcOutcome['actual'];
  senders: ReplayedSender[];
  otherSenders: number;
  otherRecords: number;
  otherCount: number;
  days: number;
  readiness: Readiness;
  limits: readonly string[];
}

const MOST_SENTENCES = 10;

export const DmarcReplayType = builder.objectRef<DmarcReplay>('DmarcReplay').implement({
  description: 'The effect that a DMARC policy would have had on reported messages.',
  subGraphs: ['graph'],
  interfaces: [CountsType],
  fields: t => ({
    published: t.exposeString('published', {
      nullable: true,
      description:
        'The record that receivers last found, without its report addresses; null if reports do not ' +
        'contain it.',
    }),
    record: t.exposeString('record', { description: 'The record to publish at `_dmarc` below the domain.' }),
    notes: t.exposeStringList('notes', {
      complexity: { field: 1, multiplier: MOST_SENTENCES },
      description: 'Parts of the policy that receivers interpret differently or ignore.',
    }),
    actual: t.expose('actual', {
      type: ActualType,
      description: 'How receivers handled the same messages under the policies that were published.',
    }),
    senders: t.expose('senders', {
      type: [SenderType],
      complexity: { field: 0, multiplier: 100 },
      description: 'The senders: those to repair first, then those with the most messages.',
    }),
    otherSenders: t.expose('otherSenders', {
      type: 'Counter',
      description: 'The number of omitted senders.',
    }),
    otherRecords: t.expose('otherRecords', {
      type: 'Counter',
      description: 'Messages of subdomains with a record of their own, which are not counted.',
    }),
    otherCount: t.expose('otherCount', {
      type: 'Counter',
      description: 'Messages of rare combinations, which were not examined.',
    }),
    days: t.expose('days', { type: 'Counter', description: 'The number of UTC days with reports.' }),
    readiness: t.expose('readiness', {
      type: ReadinessType,
      description: 'Whether the policy can be enforced without losing your own mail.',
    }),
    limits: t.exposeStringList('limits', {
      complexity: { field: 1, multiplier: MOST_SENTENCES },
      description: 'What the reports cannot show.',
    }),
  }),
});
