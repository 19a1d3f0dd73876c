import { type ParseResult, readOrSkip, toSkipped, toUnstored } from './finding.ts';
import { requireFormat } from './format.ts';
import type { Item, ItemContext } from './item.ts';
import { Ordinals } from './ordinals.ts';
import { reportFindings } from './parsedmarc.ts';
import { aggregateOfRows, isOfLongPeriod, type TableRow, tlsOfRows } from './parsedmarc-rows.ts';
import { findTable, listColumns, missingIn, type Table } from './parsedmarc-tables.ts';
import { type CsvRow, csvRows } from './text/csv.ts';
import { decode } from './text/decode.ts';
import { Unreadable } from './unreadable.ts';

/** The maximum number of rows of a report that are read together, and of rows that each form a record. */
const [MOST_TOGETHER, MOST_ALONE] = [5000, 500];

/** The maximum number of characters of rows that are read together. */
const MOST_TEXT = 4 * 1024 * 1024;

/** Reads parsedmarc's CSV tables, and rows of the same form from other tools. */
export async function* readCsv(item: Item, context: ItemContext): AsyncGenerator<ParseResult[]> {
  requireFormat(context, 'parsedmarc');
  const table = new TableReader(item, context);
  let failure: unknown;
  try {
    for await (const rows of csvRows(decode(item.content))) yield rows.flatMap(row => table.take(row));
  } catch (error) {
    failure = error;
  }
  // Rows before a failure are imported.
  yield table.end();
  if (failure) throw failure;
}

/**
 * Reads a table row by row. The rows of a report are adjacent, so equal rows can be numbered, and a report that was
 * appended twice gets the same ids.
 */
class TableReader {
  #item: Item;
  #context: ItemContext;
  #table: Table | undefined;
  #held:
    | { key: string; rows: TableRow[]; ordinals: Ordinals; length: number; lines: [number, number] }
    | undefined;

  constructor(item: Item, context: ItemContext) {
    this.#item = item;
    this.#context = context;
  }

  take({ number, cells }: CsvRow): ParseResult[] {
    const place = `${this.#item.place}, line ${number}`;
    if (!cells) return [toSkipped(place, new Unreadable('is not a CSV row'))];
    if (!this.#table) return this.#begin(cells);
    if (this.#isNames(cells)) return this.end();
    this.#context.counts.items++;
    this.#context.budget.part();
    if (this.#table.kind === 'failure') return [toUnstored('dmarc-failure')];
    const table = this.#table;
    return readOrSkip(place, () => {
      const columns = listColumns(table, cells);
      return this.#hold(Object.fromEntries(columns.map((name, index) => [name, cells[index]!])), number);
    });
  }

  #begin(cells: readonly string[]): ParseResult[] {
    this.#table = findTable(cells);
    if (!this.#table) throw new Unreadable('is in an unknown format');
    const missing = missingIn(this.#table).join(', ');
    if (missing !== '') throw new Unreadable('is a table without columns that it needs', missing);
    return [];
  }

  /** Checks whether a row is a header, which concatenated files repeat, and uses it for the rows that follow. */
  #isNames(cells: readonly string[]): boolean {
    const table = findTable(cells);
    if (table?.kind !== this.#table!.kind || missingIn(table).length > 0) return false;
    this.#table = table;
    return true;
  }

  #hold(row: TableRow, line: number): ParseResult[] {
    const key = this.#toKey(row);
    const findings = this.#held && this.#held.key !== key ? this.end() : [];
    this.#held ??= { key, rows: [], ordinals: new Ordinals(), length: 0, lines: [line, line] };
    const held = this.#held;
    held.rows.push(row);
    held.lines[1] = line;
    held.length += Object.values(row).reduce((sum, { length }) => sum + length, 0);
    const isAlone = this.#table!.kind === 'aggregate' && !isOfLongPeriod(row);
    const most = isAlone ? MOST_ALONE : MOST_TOGETHER;
    if (held.rows.length < most && held.length < MOST_TEXT) return findings;
    return [...findings, ...this.#read(), ...this.#emptied(line + 1)];
  }

  #toKey(row: TableRow): string {
    const { org_name, organization_name, report_id, domain, begin_date } = row;
    const isSplit = this.#table!.kind === 'aggregate' && isOfLongPeriod(row);
    return JSON.stringify([org_name ?? organization_name, report_id, domain, isSplit ? '' : begin_date]);
  }

  /** Clears the buffer; further rows of the same report can follow. */
  #emptied(line: number): ParseResult[] {
    Object.assign(this.#held!, { rows: [], length: 0, lines: [line, line] });
    return [];
  }

  end(): ParseResult[] {
    const findings = this.#held && this.#held.rows.length > 0 ? this.#read() : [];
    this.#held = undefined;
    return findings;
  }

  #read(): ParseResult[] {
    const { rows, ordinals, lines } = this.#held!;
    const place = `${this.#item.place}, ${lines[0] === lines[1] ? 'line' : 'lines'} ${[...new Set(lines)].join('–')}`;
    return readOrSkip(place, () => {
      const report = this.#table!.kind === 'tls' ? tlsOfRows(rows) : aggregateOfRows(rows);
      return reportFindings(report, { item: this.#item, context: this.#context, place, text: '', ordinals });
    });
  }
}
