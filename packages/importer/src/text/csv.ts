import { parse } from 'csv-parse/sync';
import { readNumberedLines, type TextLine } from './lines.ts';

/** A row of a CSV file (RFC 4180). */
export interface CsvRow {
  /** The number of its last line, from 1. */
  number: number;
  /** The cells; undefined if the end of the row cannot be found. */
  cells: readonly string[] | undefined;
}

/** Maximum length of a row in characters; a longer row has an unclosed quotation mark. */
const LONGEST_ROW = 256 * 1024;

/** Number of characters to split at once, because a chunk can have megabytes of short rows. */
const AT_ONCE = 64 * 1024;

/** Splits a text into rows, in batches of those that arrived together. */
export async function* csvRows(texts: AsyncIterable<string>): AsyncGenerator<CsvRow[]> {
  const rows = new Rows();
  for await (const lines of readNumberedLines(inPieces(texts)))
    yield toCells(lines.flatMap(line => rows.take(line)));
  yield toCells(rows.end());
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts)
    for (let start = 0; start < text.length; start += AT_ONCE) yield text.slice(start, start + AT_ONCE);
}

interface RowText {
  number: number;
  text: string | undefined;
}

/** Joins lines until quotation marks are closed. */
class Rows {
  #open: string[] = [];
  #length = 0;
  #number = 0;

  take({ number, text }: TextLine): RowText[] {
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

  /** Reports an incomplete last row, if there is one. */
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

function toCells(rows: readonly RowText[]): CsvRow[] {
  return rows.map(({ number, text }) => ({ number, cells: text === undefined ? undefined : cellsIn(text) }));
}

/** Splits a row into cells; returns undefined if it is malformed. */
function cellsIn(text: string): string[] | undefined {
  if (!text.includes('"')) return text.replace(/\r$/, '').split(',');
  try {
    return parse(`${text}\n`, { relax_column_count: true, record_delimiter: ['\r\n', '\n'] })[0];
  } catch {
    return undefined;
  }
}
