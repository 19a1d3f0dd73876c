import type { Scope, Script } from './inventory.ts';
import type { SentPolicy } from './question.ts';

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;

/** The changes of a week, which begins on a Monday (UTC). A week without a change is there, too. */
export interface Week {
  /** The Monday, `YYYY-MM-DD`. */
  from: string;
  /** Addresses of the scripts that were reported for the first time in the period. */
  newScripts: string[];
  /** Those of them that are not authorised, or whose content is not. */
  unauthorised: string[];
  /** Policies that were sent for the first time. */
  newPolicies: number;
}

/** A line for each week of a period. */
export function weeksOf(
  { from, to }: Scope,
  scripts: readonly Script[],
  policies: readonly SentPolicy[],
): Week[] {
  const first = mondayOf(Date.parse(from));
  const count = Math.max(0, Math.ceil((Date.parse(to) - first) / WEEK));
  return Array.from({ length: count }, (_, index) => {
    const begin = first + index * WEEK;
    const isNew = ({ firstSeen }: { firstSeen: string }) => {
      const seen = Date.parse(firstSeen);
      return seen >= begin && seen < begin + WEEK;
    };
    const newScripts = scripts.filter(isNew);
    return {
      from: new Date(begin).toISOString().slice(0, 10),
      newScripts: newScripts.map(({ address }) => address),
      unauthorised: newScripts.filter(({ status }) => status !== 'authorised').map(({ address }) => address),
      newPolicies: policies.filter(isNew).length,
    };
  });
}

function mondayOf(instant: number): number {
  const day = Math.floor(instant / DAY);
  // The first day of the epoch was a Thursday.
  return (day - ((day + 3) % 7)) * DAY;
}
