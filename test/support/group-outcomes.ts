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
