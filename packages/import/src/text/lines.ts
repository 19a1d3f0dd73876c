import { LONGEST_VALUE } from '../bounds.ts';

export interface NumberedLine {
  /** From 1. */
  number: number;
  /** Without its end; undefined for a line that is too long. */
  text: string | undefined;
}

/** The lines that hold anything, as many at once as came at once. */
export async function* numberedLines(texts: AsyncIterable<string>): AsyncGenerator<NumberedLine[]> {
  let number = 0;
  let begun: string[] = [];
  let length = 0;
  const endOf = (rest: string): string | undefined => {
    const isTooLong = length + rest.length > LONGEST_VALUE;
    const line = isTooLong ? undefined : begun.length === 0 ? rest : begun.join('') + rest;
    [begun, length] = [[], 0];
    return line;
  };
  for await (const text of texts) {
    const parts = text.split('\n');
    const last = parts.pop()!;
    const lines: NumberedLine[] = [];
    for (const part of parts) {
      const line = endOf(part);
      number++;
      if (line === undefined || line.trim() !== '') lines.push({ number, text: line });
    }
    length += last.length;
    if (length <= LONGEST_VALUE) begun.push(last);
    else begun = [];
    yield lines;
  }
  const line = endOf('');
  if (line === undefined || line.trim() !== '') yield [{ number: number + 1, text: line }];
}
