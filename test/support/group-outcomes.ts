import { groupBy } from '../../schema/insights/group-by.ts';

/** A change or an attempt, and its outcome. `groupByPlace` reads a change as `place: what`. */
export type Outcome = readonly [change: string, outcome: string];

/** Formats outcomes for a recorded file: each outcome once, followed by the inputs that lead to it. */
export function groupOutcomes(outcomes: Iterable<Outcome>): string {
  const groups = groupBy([...outcomes], ([, outcome]) => outcome);
  return `${[...groups].map(([outcome, alike]) => `${outcome}\n  < ${alike.map(([input]) => input).join(' | ')}`).join('\n')}\n`;
}

/** Lists the changes below their outcome, and those of one place on one line. */
export function groupByPlace(outcomes: Iterable<Outcome>): string {
  const groups = groupBy([...outcomes], ([, outcome]) => outcome);
  return [...groups]
    .map(([outcome, alike]) => {
      const changes = alike.map(
        ([change]) => /^(?<place>.*?): (?<what>.*)$/s.exec(change)?.groups ?? { what: change },
      );
      const lines = [...groupBy(changes, ({ place = '' }) => place)].map(([place, whats]) =>
        `    ${place}: ${list(whats.map(({ what }) => what!))}\n`.replace(/: \n$/, '\n'),
      );
      return `  ${outcome}\n${lines.join('')}`;
    })
    .join('');
}

/** A change that is left out here is visible where it has another outcome, since the number here changes too. */
const MOST_LISTED = 14;

function list(whats: readonly string[]): string {
  const more = whats.length - MOST_LISTED;
  return whats.slice(0, MOST_LISTED).join(' ') + (more > 0 ? ` and ${more} more` : '');
}

/** Calls a function, and describes its result or its error. */
export function describeCall(call: () => unknown): string {
  try {
    return describeResult(call());
  } catch (error) {
    return describeError(error);
  }
}

/** Calls an asynchronous function, and describes its result or its error. */
export async function describeAsyncCall(call: () => Promise<unknown>): Promise<string> {
  try {
    return describeResult(await call());
  } catch (error) {
    return describeError(error);
  }
}

const describeResult = (result: unknown) =>
  typeof result === 'string' ? result : (JSON.stringify(result) ?? 'undefined');

const describeError = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
