import type { GroupCountsFragment, OverviewQuery } from '../../documents/documents.generated.ts';
import { isNew } from '../../news.ts';
import { NOISE } from '../../report-types.ts';

export type Account = NonNullable<OverviewQuery['account']>;
export type Rows = NonNullable<Account['newHosts']>;
export type Group = Rows['groups'][number];

/** How far back the overview looks: what was there in the days before the week is not new. */
export const DAYS = 30;

/** The value of the first key, or of another one. */
export const keyOf = ({ keys }: Pick<Group, 'keys'>, at = 0) => keys[at]!.value;

export interface Sender {
  organisation: string;
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
    .map(([organisation, now]) => ({ organisation, now, before: difference(all.get(organisation), now) }))
    .sort((one, other) => other.now.all - one.now.all);
}

/** Of a sender that is not among the largest, nothing is known from before. */
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

/** Whether a sender whose mail was aligned now fails. */
export function beginsToFail({ now, before }: Sender): boolean {
  return now.all >= 5 && before.aligned > 0.9 * before.all && now.aligned < 0.5 * now.all;
}

/** Findings of this account's watches with what found them. */
export function findingsOf({ watches }: Account) {
  return watches
    .flatMap(({ site, product, findings }) => findings.map(finding => ({ site, product, ...finding })))
    .sort((one, other) => (one.firstSeen < other.firstSeen ? 1 : -1));
}

/** Hosts that are blocked since this week, but for what visitors' browsers and extensions cause. */
export function newHostsOf({ newHosts }: Account): Group[] {
  const isNoise = (group: Group) => (NOISE as readonly string[]).includes(keyOf(group, 1));
  return (newHosts?.groups ?? [])
    .filter(group => keyOf(group) !== '' && !isNoise(group) && isNew(group.firstSeen))
    .sort((one, other) => other.count - one.count);
}
