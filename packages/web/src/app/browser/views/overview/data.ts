import type { GroupCountsFragment, OverviewQuery } from '../../documents/documents.generated.ts';
import type { NOISE } from '../../tables.generated.ts';

export type OverviewAccount = NonNullable<OverviewQuery['account']>;
export type OverviewInsight = NonNullable<OverviewAccount['insights']>[number];
export type GroupRows = NonNullable<OverviewAccount['newHosts']>;
export type OverviewGroup = GroupRows['groups'][number];

/** The variables of the overview's query. */
export interface OverviewVariables {
  account: string;
  /** The start of the weeks before the period, and the start and end of the period. */
  from: string;
  begin: string;
  end: string | null;
  threats: { anyThreatIntel: true };
  noise: { sourceClass: (typeof NOISE)[number][] };
}

/** Returns the value of a group's first key, or of the key at another position. */
export const toKey = ({ keys }: Pick<OverviewGroup, 'keys'>, at = 0) => keys[at]!.value;

export interface Sender {
  name: string;
  /** The numbers of messages and of aligned messages, in the period and before it. */
  now: Messages;
  before: Messages;
}

interface Messages {
  all: number;
  aligned: number;
}

/** Returns the senders with messages in the period, the largest first. */
export function listSenders({ sendersNow, senders }: OverviewAccount): Sender[] {
  const all = countBySender(senders);
  return [...countBySender(sendersNow)]
    .map(([name, now]) => ({ name, now, before: difference(all.get(name), now) }))
    .sort((one, other) => other.now.all - one.now.all);
}

/** Returns the number of messages before the period. Senders that are not among the largest have none. */
function difference(all: Messages | undefined, period: Messages): Messages {
  if (!all) return { all: 0, aligned: 0 };
  return { all: all.all - period.all, aligned: all.aligned - period.aligned };
}

function countBySender(rows: GroupCountsFragment | null | undefined): Map<string, Messages> {
  const senders = new Map<string, Messages>();
  for (const group of rows?.groups ?? []) {
    const { all, aligned } = senders.get(toKey(group)) ?? { all: 0, aligned: 0 };
    const more = toKey(group, 1) === 'true' ? group.count : 0;
    senders.set(toKey(group), { all: all + group.count, aligned: aligned + more });
  }
  return senders;
}

/** Checks whether there are reports from before the period. Without them, no host can be considered new. */
export const hasEarlier = ({ sources }: OverviewAccount, begin: string): boolean =>
  !!sources?.groups.some(({ firstSeen }) => Date.parse(firstSeen) < Date.parse(begin));

/** Returns the hosts that were first blocked in the period, those with the most reports first. */
export const listNewHosts = ({ newHosts }: OverviewAccount): OverviewGroup[] =>
  (newHosts?.groups ?? []).filter(group => toKey(group) !== '');
