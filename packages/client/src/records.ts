import { lost, SightlineError } from './error.ts';

/**
 * Parses newline-delimited JSON records as they arrive.
 * @throws {SightlineError} for a lost connection, or a line that is incomplete or not JSON
 */
export async function* records(answer: Response, { signal, url }: Request): AsyncGenerator<unknown, void> {
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield parseRecord(line);
      if (done) break;
    }
  } catch (error) {
    throw lost(error, signal, url);
  } finally {
    // Also cancelled if the caller stops early, so that the service ends its stream. Not awaited, because the
    // cancellation of a teed stream never settles.
    reader.cancel().catch(() => {});
  }
  if (rest !== '') throw new SightlineError('The export ends with an incomplete record', 0);
}

function parseRecord(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new SightlineError('The export has a line that is not JSON', 0, { cause });
  }
}
