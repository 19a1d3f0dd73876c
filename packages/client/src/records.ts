import { lost, SightlineError } from './error.ts';

/**
 * The records of newline-delimited JSON as they come.
 * @throws {SightlineError} where the connection breaks, or a line does
 */
export async function* records(answer: Response, signal: AbortSignal): AsyncGenerator<unknown, void> {
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line);
      if (done) break;
    }
  } catch (error) {
    throw lost(error, signal);
  } finally {
    // For a caller who stops, too: the service ends its stream. Nothing waits for that: a copied stream never says it.
    reader.cancel().catch(() => {});
  }
  if (rest !== '') throw new SightlineError('The export ends with half a record', 0);
}
