import type { BadLine } from './bad-line.ts';
import type { SourceLine } from './read/lines.ts';

/** Where a bad line is, and what is wrong with it. */
export interface BadLineReport {
  source: string;
  line: number;
  /** '' where it is the line as a whole. */
  field: string;
  reason: string;
}

/** The number of bad lines that a load lists. */
const SHOWN = 20;

/** The first bad lines of a load, in the order of the lines, and how many there are. */
export class BadLines {
  count = 0;
  #first: (BadLineReport & { position: number })[] = [];

  add({ source, position, number }: SourceLine, { field, message }: BadLine): void {
    this.count++;
    const first = this.#first;
    first.push({ source, position, line: number, field, reason: message });
    if (first.length <= SHOWN) return;
    first.sort(inOrder);
    first.pop();
  }

  get first(): readonly BadLineReport[] {
    return this.#first.sort(inOrder).map(({ position: _, ...report }) => report);
  }
}

function inOrder(a: { position: number; line: number }, b: { position: number; line: number }): number {
  return a.position - b.position || a.line - b.line;
}

/** Characters of a field's name that are shown: the name of an unknown one is any text. */
const SHOWN_NAME = 200;

/** `file:line: field: reason` */
export function describeBadLine({ source, line, field, reason }: BadLineReport): string {
  const name = field.length > SHOWN_NAME ? `${field.slice(0, SHOWN_NAME)}…` : field;
  return [`${source}:${line}`, ...(name === '' ? [] : [name]), reason].join(': ');
}
