import type { SenderOutcome } from './replay.ts';

/** Whose mail a sender sends. */
export type SenderKind = 'mine' | 'forwarder' | 'other';

/** A sender with its kind, from a verdict or derived from the reports. */
export interface JudgedSender extends SenderOutcome {
  kind: SenderKind;
  needsRepair: boolean;
}

/** The thresholds of readiness. The documentation is generated from them. */
export const READINESS_RULES = { days: 14, messages: 100, lost: 0.01 } as const;

export interface Readiness {
  state: 'ready' | 'repair' | 'wait';
  /** The aligned fraction of messages from the account's own senders; null without any. */
  alignedShare: number | null;
  sendersToRepair: number;
  /** Sentences. */
  reasons: string[];
}

/**
 * Classifies a sender by the team's verdict or else by its messages. A sender that is aligned only by the signatures of
 * forwarded messages is a forwarder.
 */
export function judgeSender(outcome: SenderOutcome, verdict: string | undefined): JudgedSender {
  const kind = getKind(outcome, verdict);
  const failed = outcome.messages - outcome.aligned;
  return {
    ...outcome,
    kind,
    needsRepair: kind === 'mine' && failed > READINESS_RULES.lost * outcome.messages,
  };
}

function getKind({ aligned, spfAligned, forwarded }: SenderOutcome, verdict: string | undefined): SenderKind {
  if (verdict === 'mine' || verdict === 'accepted') return 'mine';
  if (verdict === 'forwarder') return 'forwarder';
  if (verdict === 'notMine' || aligned === 0) return 'other';
  return spfAligned === 0 && forwarded === aligned ? 'forwarder' : 'mine';
}

/**
 * Decides whether the account's own mail would be lost if the policy were enforced.
 * @param days number of days with reports
 */
export function assessReadiness(senders: readonly JudgedSender[], days: number): Readiness {
  const own = senders.filter(({ kind }) => kind === 'mine');
  const messages = sum(own, one => one.messages);
  const aligned = sum(own, one => one.aligned);
  const toRepair = own.filter(({ needsRepair }) => needsRepair);
  const isKnown = days >= READINESS_RULES.days && messages >= READINESS_RULES.messages;
  return {
    state: toRepair.length > 0 ? 'repair' : isKnown ? 'ready' : 'wait',
    alignedShare: messages === 0 ? null : aligned / messages,
    sendersToRepair: toRepair.length,
    reasons: [
      messages === 0
        ? 'No messages of your senders are reported.'
        : `${formatShare(aligned, messages)} of ${formatCount(messages, 'message')} of your senders ${messages === 1 ? 'is' : 'are'} aligned, on ${formatCount(days, 'day')}.`,
      ...(toRepair.length > 0
        ? [`${formatCount(toRepair.length, 'sender')} to repair first: ${listNames(toRepair)}.`]
        : []),
      ...(isKnown
        ? []
        : [
            `Wait for reports of ${READINESS_RULES.days} days and ${READINESS_RULES.messages} messages of your senders.`,
          ]),
      ...describeOthers(senders),
    ],
  };
}

function describeOthers(senders: readonly JudgedSender[]): string[] {
  const others = senders.filter(one => one.kind === 'other' && one.messages > one.aligned);
  if (others.length === 0) return [];
  const failed = sum(others, one => one.messages - one.aligned);
  return [
    `${formatCount(failed, 'message')} of ${formatCount(others.length, 'other sender')} ${failed === 1 ? 'fails' : 'fail'}. If one of them is yours, give it the verdict "mine".`,
  ];
}

const MOST_NAMES = 3;

function listNames(senders: readonly JudgedSender[]): string {
  const names = senders.slice(0, MOST_NAMES).map(({ sender }) => sender.slice(0, 80) || 'unknown');
  const rest = senders.length - names.length;
  return names.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((all, item) => all + of(item), 0);

/** @param noun in the singular */
export function formatCount(value: number, noun?: string): string {
  const count = value.toLocaleString('en');
  return noun === undefined ? count : `${count} ${noun}${value === 1 ? '' : 's'}`;
}

/** Rounds down, so that only a complete share reads 100 %. */
const formatShare = (part: number, all: number) => `${Math.floor((1000 * part) / all) / 10} %`;
