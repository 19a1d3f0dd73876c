import { MS_PER_DAY, MS_PER_WEEK } from '@sightline/reports';
import type { Scope, Script } from './inventory.ts';
import type { Groups, SentPolicy } from './question.ts';

/** The changes of a week that begins on Monday (UTC). Weeks without changes are included. */
export interface Week {
  /** The date of its Monday, `YYYY-MM-DD`. */
  from: string;
  /** The number of reports about these pages. Without reports, the absence of changes proves nothing. */
  reports: number;
  /** True if the week is in the future. */
  isAhead: boolean;
  /** Addresses of scripts first reported in this week. */
  newScripts: string[];
  /** The addresses of new scripts for which the script or its content is not authorised. */
  unauthorised: string[];
  /** The number of policies first sent in this week. */
  newPolicies: number;
}

/** Returns the weeks of a period. */
export function listWeeks(
  { from, to }: Scope,
  scripts: readonly Script[],
  policies: readonly SentPolicy[],
  days: readonly Groups[],
  now: Date,
): Week[] {
  const first = toMonday(Date.parse(from));
  const count = Math.max(0, Math.ceil((Date.parse(to) - first) / MS_PER_WEEK));
  return Array.from({ length: count }, (_, index) => {
    const begin = first + index * MS_PER_WEEK;
    const isNew = ({ firstSeen }: { firstSeen: string }) => {
      const seen = Date.parse(firstSeen);
      return seen >= begin && seen < begin + MS_PER_WEEK;
    };
    const newScripts = scripts.filter(isNew);
    return {
      from: new Date(begin).toISOString().slice(0, 10),
      reports: countBetween(days, begin, begin + MS_PER_WEEK),
      isAhead: begin > now.getTime(),
      newScripts: newScripts.map(({ address }) => address),
      unauthorised: newScripts.filter(({ status }) => status !== 'authorised').map(({ address }) => address),
      newPolicies: policies.filter(isNew).length,
    };
  });
}

function countBetween(days: readonly Groups[], begin: number, end: number): number {
  let count = 0;
  for (const { keys, count: ofDay } of days.flatMap(seen => seen?.groups ?? [])) {
    const day = Date.parse(keys[0]?.value ?? '');
    if (day >= begin && day < end) count += ofDay;
  }
  return count;
}

function toMonday(instant: number): number {
  const day = Math.floor(instant / MS_PER_DAY);
  // Day 0, 1 January 1970, was a Thursday.
  return (day - ((day + 3) % 7)) * MS_PER_DAY;
}
