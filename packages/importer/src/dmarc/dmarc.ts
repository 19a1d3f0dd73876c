import { type ParseResult, toSkipped } from '../finding.ts';
import type { Item, ItemContext } from '../item.ts';
import { identify, LONGEST_STORED_RAW } from '../reports.ts';
import { BudgetExceeded } from '../resource-budget.ts';
import { decode } from '../text/decode.ts';
import { toRejection, toUnreadable, Unreadable } from '../unreadable.ts';
import { AggregateRows } from './aggregate.ts';
import type { Element } from './element.ts';
import { findReport, hasRow, toRows } from './feedback.ts';
import { PartParser } from './part-parser.ts';
import { FeedbackSplitter, type Part, type Piece } from './splitter.ts';

/** Maximum size of records that wait for the metadata of their report, in bytes. */
const MOST_WAITING = 16 * 1024 * 1024;
/** Approximate memory of an element, in bytes. */
const ELEMENT = 200;
/** Maximum length of the text that waits with a record, in characters. What is stored of it is shorter. */
const LONGEST_WAITING_RAW = 2 * LONGEST_STORED_RAW;

/**
 * Reads aggregate reports (RFC 7489 appendix C, RFC 9990); an item can contain several. Unreadable records and
 * malformed reports are reported individually. The readable records of a damaged report are imported.
 */
export async function* readDmarc(item: Item, context: ItemContext): AsyncGenerator<ParseResult[]> {
  const splitter = new FeedbackSplitter();
  const reports = new Reports(item, context);
  let failure: unknown;
  try {
    for await (const text of decode(item.content)) yield reports.read(splitter.push(text));
  } catch (error) {
    failure = error;
  }
  if (failure && !(failure instanceof Unreadable)) throw failure;
  // Records before a failure are imported.
  yield reports.read(splitter.end(!failure), failure as Unreadable | undefined);
  if (failure && !reports.hasReportedFailure) throw failure;
  if (reports.number === 0) throw new Unreadable('contains no feedback element');
}

/** Reads the reports of an item in order. */
class Reports {
  /** The number of reports started so far. */
  number = 0;
  /** True once a failure of the current report has been reported. */
  hasReportedFailure = false;
  #item: Item;
  #context: ItemContext;
  #parser: PartParser;
  #report: ReportReader | undefined;

  constructor(item: Item, context: ItemContext) {
    this.#item = item;
    this.#context = context;
    this.#parser = new PartParser(context.bounds.xmlDepth);
  }

  /**
   * Converts pieces to results.
   * @param failure an error of the content, which is attributed to the last report
   */
  read(pieces: readonly Piece[], failure?: Unreadable): ParseResult[] {
    return pieces.flatMap(piece => {
      if (piece.kind === 'begin') this.#begin();
      else if (piece.kind === 'end') return this.#end(failure, piece.fault);
      else return this.#report!.take(piece);
      return [];
    });
  }

  #begin(): void {
    this.number++;
    this.#context.counts.items++;
    const place = this.number === 1 ? this.#item.place : `${this.#item.place}, report ${this.number}`;
    this.#report = new ReportReader(place, this.#context, this.#parser);
  }

  #end(failure: Unreadable | undefined, fault: string | undefined): ParseResult[] {
    const findings = this.#report!.end(failure, fault);
    this.#report = undefined;
    this.hasReportedFailure ||= failure !== undefined;
    return findings;
  }
}

/** A record that waits for the metadata of its report. */
interface PendingRecord {
  element: Element;
  number: number;
  raw: string;
}

/** Reads one report. */
class ReportReader {
  #place: string;
  #context: ItemContext;
  #parser: PartParser;
  #metadata: Element | undefined;
  #policy: Element | undefined;
  #records = 0;
  /** The number of records that were imported. */
  #read = 0;
  #waiting: PendingRecord[] = [];
  #waitingBytes = 0;
  #rows: AggregateRows | undefined;
  /** The reason why none of the records can be read. */
  #refusal: Unreadable | undefined;
  /** The position of the first syntax error. */
  #fault: string | undefined;
  /** The text of the first part, which identifies the report in every copy. */
  #begin = '';

  constructor(place: string, context: ItemContext, parser: PartParser) {
    this.#place = place;
    this.#context = context;
    this.#parser = parser;
  }

  take(part: Part): ParseResult[] {
    if (this.#begin === '') this.#begin = part.text;
    if (part.name === 'record') return this.#takeRecord(part);
    const { element, fault } = this.#parser.parse(part.text);
    this.#fault ??= fault;
    if (part.name === 'report_metadata') this.#metadata ??= element;
    else this.#policy ??= element;
    return this.#metadata && this.#policy ? this.#settle() : [];
  }

  end(failure: Unreadable | undefined, fault: string | undefined): ParseResult[] {
    const findings = this.#settle();
    this.#fault ??= fault;
    const problem = this.#problem(failure);
    if (!problem) return findings;
    const rejected = { type: 'dmarc', id: identify('rejected', this.#begin) } as const;
    return [...findings, toSkipped(this.#place, toRejection(problem, rejected))];
  }

  #takeRecord(part: Part): ParseResult[] {
    const { records } = this.#context.bounds;
    if (++this.#records > records) {
      const problem = new Unreadable('has too many records', `over ${records}`);
      return this.#records === records + 1 ? [toSkipped(this.#place, problem)] : [];
    }
    const number = this.#records;
    try {
      const { element, elements, fault } = this.#parser.parse(part.text);
      this.#fault ??= fault;
      // A number at the end of a truncated text can be incomplete.
      if (part.isCut && !hasRow(element)) return [];
      this.#waiting.push({ element, number, raw: part.text.slice(0, LONGEST_WAITING_RAW) });
      this.#waitingBytes += part.text.length + elements * ELEMENT;
    } catch (error) {
      return [toSkipped(`${this.#place}, record ${number}`, error)];
    }
    const isKnown = (this.#metadata && this.#policy) || this.#waitingBytes > MOST_WAITING;
    return isKnown ? this.#settle() : [];
  }

  #settle(): ParseResult[] {
    const waiting = this.#waiting.splice(0);
    this.#waitingBytes = 0;
    if (waiting.length === 0 || this.#refusal) return [];
    try {
      this.#rows ??= new AggregateRows(findReport(this.#metadata, this.#policy));
    } catch (error) {
      if (error instanceof BudgetExceeded) throw error;
      this.#refusal = toUnreadable(error);
      return [];
    }
    return waiting.flatMap(record => this.#findings(record, this.#rows!));
  }

  #findings({ element, number, raw }: PendingRecord, rows: AggregateRows): ParseResult[] {
    const place = `${this.#place}, record ${number}`;
    return toRows(element).flatMap(row => {
      try {
        const report = rows.record(row, raw);
        const { copyId } = report;
        const removesCopy = copyId !== undefined && this.#context.copies.addReport(copyId);
        const finding = this.#context.reports.line(report, removesCopy);
        this.#read++;
        if (report.fields.sourceIp !== '') return [finding];
        // The row is imported, but its source address is not a valid IP address.
        return [
          finding,
          toSkipped(place, new Unreadable('has an invalid source address', row.sourceIp.slice(0, 80))),
        ];
      } catch (error) {
        return [toSkipped(place, error)];
      }
    });
  }

  #problem(failure: Unreadable | undefined): Unreadable | undefined {
    if (this.#refusal) return this.#refusal;
    const cause = failure ?? (this.#fault && new Unreadable('is not well-formed XML', this.#fault));
    if (!cause) return this.#records === 0 ? new Unreadable('is a report without records') : undefined;
    const read = `${this.#read} ${this.#read === 1 ? 'record was' : 'records were'} read, others can be missing`;
    return new Unreadable(
      cause.reason,
      cause.detail === '' ? read : `${cause.detail}; ${read}`,
      cause.rejected,
    );
  }
}
