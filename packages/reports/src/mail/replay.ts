import { eachInTurns } from '@sightline/csp';
import {
  createDmarcJudge,
  type MessageOutcome,
  OrganizationalDomains,
  type ReportedMessages,
} from './alignment.ts';
import type { DmarcPolicy } from './policy.ts';

/** Reasons why messages fail, with a text for each. */
export const FAILURE_CAUSES = {
  noDkim: 'The reports contain no signature.',
  dkimFails: 'There are signatures, but none of them passes.',
  dkimUnaligned: 'A signature of another domain passes.',
  spfFails: 'The return path does not authorise the server.',
  returnPathUnaligned: 'SPF passes for the return path of another domain.',
  forwarded: 'The messages were forwarded: SPF of your own domain fails, or the receiver says so.',
} as const;
export type FailureCause = keyof typeof FAILURE_CAUSES;

export interface FailureReason {
  cause: FailureCause;
  messages: number;
  domain: string | null;
}

/** Messages by outcome. */
export interface MessageCounts {
  messages: number;
  delivered: number;
  quarantined: number;
  rejected: number;
  /** Messages that pass by either method, by DKIM, and by SPF. */
  aligned: number;
  dkimAligned: number;
  spfAligned: number;
  /** Messages that are aligned only by DKIM while SPF of the own domain fails. Forwarding does this. */
  forwarded: number;
  /** Messages whose reports contain too little to be sure. */
  uncertain: number;
  /** Messages that fail, but that the receiver would deliver for a reason of its own. */
  overridden: number;
}

export interface SenderOutcome extends MessageCounts {
  sender: string;
  reasons: FailureReason[];
}

export interface DmarcOutcome {
  total: MessageCounts;
  /** What receivers did under the policies that were published. */
  actual: Pick<MessageCounts, 'delivered' | 'quarantined' | 'rejected'>;
  /** Messages from subdomains with a record of their own. */
  otherRecords: number;
  /** Sorted by the number of messages, descending. */
  senders: SenderOutcome[];
}

/** Replays reported messages under a policy of a domain in lower case. */
export async function replayDmarc(
  policy: DmarcPolicy,
  domain: string,
  reported: readonly ReportedMessages[],
): Promise<DmarcOutcome> {
  const organizations = new OrganizationalDomains();
  const judge = createDmarcJudge(policy, domain, organizations);
  const total = new MessageSum(organizations);
  const senders = new Map<string, MessageSum>();
  const actual = { delivered: 0, quarantined: 0, rejected: 0 };
  let otherRecords = 0;
  await eachInTurns(reported, messages => {
    const outcome = judge(messages);
    if (!outcome) {
      otherRecords += messages.count;
      return;
    }
    const sum = senders.get(messages.sender) ?? new MessageSum(organizations);
    senders.set(messages.sender, sum);
    sum.add(messages, outcome);
    total.add(messages, outcome);
    actual[toCounter(messages.disposition)] += messages.count;
  });
  return {
    total: total.counts,
    actual,
    otherRecords,
    senders: [...senders]
      .map(([sender, sum]) => ({ sender, ...sum.counts, reasons: sum.listReasons() }))
      .sort((one, other) => other.messages - one.messages || (one.sender < other.sender ? -1 : 1)),
  };
}

/** @param action that a policy requests, or that a receiver took */
function toCounter(action: string): 'delivered' | 'quarantined' | 'rejected' {
  return action === 'reject' ? 'rejected' : action === 'quarantine' ? 'quarantined' : 'delivered';
}

/** Override reasons that indicate forwarding (RFC 9990, section 3.1.1.8). */
const FORWARDING: ReadonlySet<string> = new Set(['forwarded', 'mailing_list', 'trusted_forwarder']);
/** Override reasons that come from the record itself, which a replay evaluates again. */
const OF_THE_RECORD: ReadonlySet<string> = new Set(['sampled_out', 'policy_test_mode']);

class MessageSum {
  readonly counts: MessageCounts = {
    ...{ messages: 0, delivered: 0, quarantined: 0, rejected: 0 },
    ...{ aligned: 0, dkimAligned: 0, spfAligned: 0, forwarded: 0, uncertain: 0, overridden: 0 },
  };
  readonly #organizations: OrganizationalDomains;
  readonly #causes = new Map<FailureCause, Map<string, number>>();

  constructor(organizations: OrganizationalDomains) {
    this.#organizations = organizations;
  }

  add(messages: ReportedMessages, { action, dkim, spf, isUncertain }: MessageOutcome): void {
    const { counts } = this;
    const { count } = messages;
    const isForwarded = this.#isForwarded(messages);
    counts.messages += count;
    counts[toCounter(action)] += count;
    if (dkim) counts.dkimAligned += count;
    if (spf) counts.spfAligned += count;
    if (isUncertain) counts.uncertain += count;
    if (dkim || spf) {
      counts.aligned += count;
      if (!spf && isForwarded) counts.forwarded += count;
      return;
    }
    if (messages.overrides.some(type => !OF_THE_RECORD.has(type))) counts.overridden += count;
    for (const [cause, domain] of listCauses(messages, isForwarded)) this.#addCause(cause, domain, count);
  }

  /** A forwarder keeps the return path, so SPF of the own domain fails. The signature can stay valid or break. */
  #isForwarded({ headerFrom, overrides, dkimPassed, dkimFailed, spfFailed }: ReportedMessages): boolean {
    const isOwn = (domain: string) => this.#organizations.areAligned(domain, headerFrom, 'r');
    return (
      overrides.some(type => FORWARDING.has(type)) ||
      (spfFailed.some(isOwn) && (dkimPassed.some(isOwn) || dkimFailed.some(isOwn)))
    );
  }

  #addCause(cause: FailureCause, domain: string, count: number): void {
    const domains = this.#causes.get(cause) ?? new Map<string, number>();
    this.#causes.set(cause, domains);
    domains.set(domain, (domains.get(domain) ?? 0) + count);
  }

  listReasons(): FailureReason[] {
    return [...this.#causes]
      .map(([cause, domains]) => {
        const [domain] = [...domains].sort(([, one], [, other]) => other - one)[0]!;
        const messages = [...domains.values()].reduce((sum, count) => sum + count, 0);
        return { cause, messages, domain: domain === '' ? null : domain };
      })
      .sort((one, other) => other.messages - one.messages);
  }
}

/** Lists the causes of failures: of DKIM, of SPF, and by forwarding. */
function listCauses(
  { dkimPassed, dkimFailed, spfPassed, spfFailed }: ReportedMessages,
  isForwarded: boolean,
): [FailureCause, domain: string][] {
  const dkim: [FailureCause, string] =
    dkimPassed.length > 0
      ? ['dkimUnaligned', dkimPassed[0]!]
      : dkimFailed.length > 0
        ? ['dkimFails', dkimFailed[0]!]
        : ['noDkim', ''];
  const spf: [FailureCause, string] =
    spfPassed.length > 0 ? ['returnPathUnaligned', spfPassed[0]!] : ['spfFails', spfFailed[0] ?? ''];
  return [dkim, spf, ...(isForwarded ? [['forwarded', ''] as [FailureCause, string]] : [])];
}
