import type { GroupCountsFragment, OverviewQuery } from '../../documents/documents.generated.ts';
import { isNew } from '../../news.ts';

export type Account = NonNullable<OverviewQuery['account']>;
export type Rows = NonNullable<Account['newHosts']>;
export type Group = Rows['groups'][number];

/** The days that the overview looks back: nothing that came in those before the week is new. */
export const DAYS = 30;

/** The value of the first key, or of another one. */
export const keyOf = ({ keys }: Pick<Group, 'keys'>, at = 0) => keys[at]!.value;

export interface Sender {
  name: string;
  /** Mails, and how many of them are aligned: this week, and in the days before. */
  now: Mails;
  before: Mails;
}

interface Mails {
  all: number;
  aligned: number;
}

/** Those that sent in this week, the largest first. */
export function sendersOf({ sendersNow, senders }: Account): Sender[] {
  const all = mailsBySender(senders);
  return [...mailsBySender(sendersNow)]
    .map(([name, now]) => ({ name, now, before: difference(all.get(name), now) }))
    .sort((one, other) => other.now.all - one.now.all);
}

/** The mails before the week. A sender that is not among the month's largest has none here. */
function difference(month: Mails | undefined, week: Mails): Mails {
  if (!month) return { all: 0, aligned: 0 };
  return { all: month.all - week.all, aligned: month.aligned - week.aligned };
}

function mailsBySender(rows: GroupCountsFragment | null | undefined): Map<string, Mails> {
  const senders = new Map<string, Mails>();
  for (const group of rows?.groups ?? []) {
    const { all, aligned } = senders.get(keyOf(group)) ?? { all: 0, aligned: 0 };
    const more = keyOf(group, 1) === 'true' ? group.count : 0;
    senders.set(keyOf(group), { all: all + group.count, aligned: aligned + more });
  }
  return senders;
}

/** Findings of this account's watches with what found them. */
export function findingsOf({ watches }: Account) {
  return watches
    .flatMap(({ site, product, findings }) => findings.map(finding => ({ site, product, ...finding })))
    .sort((one, other) => (one.firstSeen < other.firstSeen ? 1 : -1));
}

/**
 * The hosts that are blocked since this week, those with most reports first: anyone can send reports of new hosts, but
 * not make them weigh less. Without reports from before there is nothing that a host could be new beside.
 */
export function newHostsOf({ newHosts, sources }: Account): Group[] {
  if (!sources?.groups.some(({ firstSeen }) => !isNew(firstSeen))) return [];
  return (newHosts?.groups ?? []).filter(group => keyOf(group) !== '');
}
