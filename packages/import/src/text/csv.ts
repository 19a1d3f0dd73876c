import { parse } from 'csv-parse/sync';
import { type NumberedLine, numberedLines } from './lines.ts';

/** A row of comma-separated values (RFC 4180). */
export interface CsvRow {
  /** The line on which it ends, from 1. */
  number: number;
  /** Undefined for a row that cannot be told from what follows. */
  cells: readonly string[] | undefined;
}

/** Characters of a row: what does not end within them has a quotation mark that nothing closes. */
const LONGEST_ROW = 256 * 1024;

/** Characters that are taken apart at once: a text may come in parts of megabytes, with a row in every other one. */
const AT_ONCE = 64 * 1024;

/** The rows of a text, as many at once as came at once. */
export async function* csvRows(texts: AsyncIterable<string>): AsyncGenerator<CsvRow[]> {
  const rows = new Rows();
  for await (const lines of numberedLines(inPieces(texts)))
    yield cellsOf(lines.flatMap(line => rows.take(line)));
  yield cellsOf(rows.end());
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts)
    for (let start = 0; start < text.length; start += AT_ONCE) yield text.slice(start, start + AT_ONCE);
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

function cellsOf(rows: readonly RowText[]): CsvRow[] {
  return rows.map(({ number, text }) => ({ number, cells: text === undefined ? undefined : cellsIn(text) }));
}

/** Most rows have no quotation mark: commas alone part their cells. */
function cellsIn(text: string): string[] | undefined {
  if (!text.includes('"')) return text.replace(/\r$/, '').split(',');
  try {
    return parse(`${text}\n`, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] })[0];
  } catch {
    return undefined;
  }
}
