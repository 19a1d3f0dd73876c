import { parse } from 'csv-parse/sync';
import type { NumberedLine } from './lines.ts';

/** A row of comma-separated values (RFC 4180). */
export interface CsvRow {
  /** The line on which it ends, from 1. */
  number: number;
  /** Undefined for a row that cannot be told from what follows. */
  cells: readonly string[] | undefined;
}

/** Characters of a row: what does not end within them has a quotation mark that nothing closes. */
const LONGEST_ROW = 256 * 1024;

/** The rows of lines, as many at once as came at once. */
export async function* csvRows(lines: AsyncIterable<readonly NumberedLine[]>): AsyncGenerator<CsvRow[]> {
  const rows = new Rows();
  for await (const some of lines) yield cellsOf(some.flatMap(line => rows.take(line)));
  yield cellsOf(rows.end());
}

interface RowText {
  number: number;
  text: string | undefined;
}

/** Puts lines together while a quotation mark is open. */
class Rows {
  #open: string[] = [];
  #length = 0;
  #number = 0;

  take({ number, text }: NumberedLine): RowText[] {
    this.#number = number;
    const isOpen = this.#open.length > 0;
    if (text === undefined) return [...this.end(), { number, text }];
    if (hasOddQuotes(text) === isOpen) return [this.#closed(text)];
    if (!isOpen && !hasOddQuotes(text)) return [{ number, text }];
    this.#open.push(text);
    this.#length += text.length;
    return this.#length > LONGEST_ROW ? this.end() : [];
  }

  #closed(text: string): RowText {
    const whole = [...this.#open, text].join('\n');
    this.#forget();
    return { number: this.#number, text: whole };
  }

  /** The rest is no row. */
  end(): RowText[] {
    const isOpen = this.#open.length > 0;
    this.#forget();
    return isOpen ? [{ number: this.#number, text: undefined }] : [];
  }

  #forget(): void {
    [this.#open, this.#length] = [[], 0];
  }
}

function hasOddQuotes(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

/** All at once, since a parser takes longer to begin than to read; one by one where one of them is broken. */
function cellsOf(rows: readonly RowText[]): CsvRow[] {
  const whole = rows.filter(({ text }) => text !== undefined);
  const cells = parsed(whole.map(({ text }) => `${text}\n`).join(''));
  if (cells?.length === whole.length) {
    let next = 0;
    return rows.map(({ number, text }) => ({
      number,
      cells: text === undefined ? undefined : cells[next++],
    }));
  }
  return rows.map(({ number, text }) => ({
    number,
    cells: text === undefined ? undefined : parsed(`${text}\n`)?.[0],
  }));
}

function parsed(text: string): string[][] | undefined {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
  } catch {
    return undefined;
  }
}
