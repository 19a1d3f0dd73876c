import type { BadLine } from './bad-line.ts';
import type { SourceLine } from './read/lines.ts';

/** The location of a bad line, and the reason why it is refused. */
export interface BadLineReport {
  source: string;
  line: number;
  /** Path of the field, such as `members[2].role`; '' for the line itself. */
  field: string;
  reason: string;
}

/** Maximum number of bad lines that a load lists. */
const SHOWN = 20;

/** Collects bad lines, and keeps the first ones in the order of the sources. */
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

/** Maximum number of characters of a field name in a message, because the name of an unknown field can be any text. */
const SHOWN_NAME = 200;

/** Formats a bad line as `file:line: field: reason`. */
export function describeBadLine({ source, line, field, reason }: BadLineReport): string {
  const name = field.length > SHOWN_NAME ? `${field.slice(0, SHOWN_NAME)}…` : field;
  return [`${source}:${line}`, ...(name === '' ? [] : [name]), reason].join(': ');
}
