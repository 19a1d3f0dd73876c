/** Formats recorded outcomes of many changes. */

/** A change, `place: what`, and what comes of it. */
export type Outcome = readonly [change: string, outcome: string];

/** Lists the changes below their outcome, and those of one place on one line. */
export function groupOutcomes(outcomes: Iterable<Outcome>): string {
  const groups = new Map<string, Map<string, string[]>>();
  for (const [change, outcome] of outcomes) {
    const [, place = '', what = change] = /^(.*?): (.*)$/s.exec(change) ?? [];
    const places = groups.get(outcome) ?? new Map<string, string[]>();
    groups.set(outcome, places);
    places.set(place, [...(places.get(place) ?? []), what]);
  }
  return [...groups]
    .map(([outcome, places]) => {
      const lines = [...places].map(([place, whats]) => `    ${place}: ${list(whats)}`.replace(/: $/, ''));
      return `  ${outcome}\n${lines.map(line => `${line}\n`).join('')}`;
    })
    .join('');
}

/** A change that is left out here is visible where it has another outcome, since the number here changes too. */
const MOST_LISTED = 14;

function list(whats: readonly string[]): string {
  const more = whats.length - MOST_LISTED;
  return whats.slice(0, MOST_LISTED).join(' ') + (more > 0 ? ` and ${more} more` : '');
}
