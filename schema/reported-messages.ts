import { judgeSender, type ReportedMessages, type SenderOutcome } from '@sightline/reports/mail';
import type { Account } from '../sql/account.ts';
import type { MailResults } from '../sql/mail-replay.ts';
import type { VerdictRow } from '../sql/team-verdicts.ts';
import type { Context } from './context.ts';
import type { ReplayedSender } from './mail-replay-types.ts';
import { isCurrent } from './team-verdicts.ts';

/** Converts a group of messages to the replay's input. */
export function toMessages({ sender, evaluation, results, count }: MailResults): ReportedMessages {
  const [headerFrom, policyDomain, dkim, spf, aligned, adkim, aspf, disposition] = readList<string | null>(
    evaluation,
  );
  const [dkimPassed, dkimFailed, spfPassed, spfFailed, heloPassed, overrides] = readList<unknown[]>(results);
  const hasPath = (spfPassed?.length ?? 0) + (spfFailed?.length ?? 0) > 0;
  return {
    ...{ sender, count },
    headerFrom: headerFrom ?? '',
    policyDomain: policyDomain ?? '',
    dkim: dkim ?? '',
    spf: spf ?? '',
    isAligned: aligned === 'true',
    adkim: adkim === 's' ? 's' : 'r',
    aspf: aspf === 's' ? 's' : 'r',
    disposition: disposition ?? '',
    overrides: toNames(overrides),
    dkimPassed: toNames(dkimPassed),
    dkimFailed: toNames(dkimFailed),
    spfPassed: toNames(hasPath ? spfPassed : heloPassed),
    spfFailed: toNames(spfFailed),
  };
}

/** Results that exceeded the limit were truncated and cannot be parsed. The receiver's evaluation then decides. */
function readList<Item>(text: string): (Item | undefined)[] {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

const toNames = (values: readonly unknown[] = []): string[] =>
  values.flatMap(value =>
    typeof value === 'string' && value !== '' ? [value.toLowerCase().replace(/\.$/, '')] : [],
  );

/** Returns the current verdicts on senders, by name in lower case. */
export async function findSenderVerdicts(
  account: Account,
  { load, now }: Context,
): Promise<ReadonlyMap<string, VerdictRow>> {
  const verdicts = await load.verdicts(account.id);
  return new Map(
    verdicts
      .filter(one => one.subjectKind === 'sender' && isCurrent(one, now))
      .map(one => [one.subject.toLowerCase(), one]),
  );
}

export function withVerdict(
  outcome: SenderOutcome,
  verdicts: ReadonlyMap<string, VerdictRow>,
): ReplayedSender {
  const verdict = verdicts.get(outcome.sender.toLowerCase()) ?? null;
  return { ...judgeSender(outcome, verdict?.verdict), verdict };
}
