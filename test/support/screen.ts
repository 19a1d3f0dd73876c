import { onTestFinished } from 'vitest';
import type { Outcome } from './sightline.ts';

/** The visible output of a command on a terminal. */
export interface Screen {
  code: number | null;
  /** The final lines, without what was erased. */
  lines: string[];
  /** Everything that was written, with its control sequences. */
  written: string;
}

/**
 * Runs a command as if both outputs were one terminal.
 * @param run receives the output in the order of writing
 */
export async function onTerminal(
  run: (written: { stdout: string; stderr: string }) => Promise<Outcome>,
): Promise<Screen> {
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  onTestFinished(() => {
    if (before) Object.defineProperty(process.stderr, 'isTTY', before);
    else Reflect.deleteProperty(process.stderr, 'isTTY');
  });
  let written = '';
  const { code } = await run({
    get stdout() {
      return written;
    },
    set stdout(text) {
      written = text;
    },
    get stderr() {
      return written;
    },
    set stderr(text) {
      written = text;
    },
  });
  return { code, lines: draw(written), written };
}

/** Draws text on a terminal that knows line feeds, carriage returns, and the erasure of the rest of a line. */
function draw(written: string): string[] {
  let [lines, column]: [string[], number] = [[''], 0];
  for (const token of written.match(/\r|\n|\p{Cc}\[K|\P{Cc}+|\p{Cc}/gu) ?? []) {
    const line = lines.at(-1)!;
    if (token === '\r') column = 0;
    else if (token === '\n') [lines, column] = [[...lines, ''], 0];
    else if (token === '\x1b[K') lines = lines.with(-1, line.slice(0, column));
    else {
      lines = lines.with(-1, line.slice(0, column) + token + line.slice(column + token.length));
      column += token.length;
    }
  }
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
