import { LONGEST_VALUE } from '../bounds.ts';

export interface TextLine {
  /** The line number, from 1. */
  number: number;
  /** The line without its terminator; undefined if it is too long. */
  text: string | undefined;
}

/** Splits a text into its non-blank lines, in batches of those that arrived together. */
export async function* readNumberedLines(texts: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let number = 0;
  let begun: string[] = [];
  let length = 0;
  const getEnd = (rest: string): string | undefined => {
    const isTooLong = length + rest.length > LONGEST_VALUE;
    const line = isTooLong ? undefined : begun.length === 0 ? rest : begun.join('') + rest;
    [begun, length] = [[], 0];
    return line;
  };
  for await (const text of texts) {
    const parts = text.split('\n');
    const last = parts.pop()!;
    const lines: TextLine[] = [];
    for (const part of parts) {
      const line = getEnd(part);
      number++;
      if (line === undefined || line.trim() !== '') lines.push({ number, text: line });
    }
    length += last.length;
    if (length <= LONGEST_VALUE) begun.push(last);
    else begun = [];
    yield lines;
  }
  const line = getEnd('');
  if (line === undefined || line.trim() !== '') yield [{ number: number + 1, text: line }];
}
