/** Formats outcomes for a recorded file: each outcome once, followed by the inputs that lead to it. */
export function groupOutcomes(outcomes: Iterable<readonly [input: string, outcome: string]>): string {
  const inputs = new Map<string, string[]>();
  for (const [input, outcome] of outcomes) {
    const alike = inputs.get(outcome);
    if (alike) alike.push(input);
    else inputs.set(outcome, [input]);
  }
  return `${[...inputs].map(([outcome, alike]) => `${outcome}\n  < ${alike.join(' | ')}`).join('\n')}\n`;
}

/** Returns the message of what a function throws, or what it returns as text. */
export function outcomeOf(run: () => unknown): string {
  try {
    const result = run();
    return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'undefined');
  } catch (error) {
    return describeError(error);
  }
}

/** The same for a function that returns a promise. */
export async function laterOutcomeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    const result = await run();
    return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'undefined');
  } catch (error) {
    return describeError(error);
  }
}

const describeError = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;

/** A change, `place: what`, and what comes of it. */
export type Outcome = readonly [change: string, outcome: string];

/** Lists the changes below their outcome, and those of one place on one line. */
export function groupByPlace(outcomes: Iterable<Outcome>): string {
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
