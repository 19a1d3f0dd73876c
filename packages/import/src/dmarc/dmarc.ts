import { type Finding, skipped } from '../finding.ts';
import type { Item, ItemContext } from '../item.ts';
import { decode } from '../text/decode.ts';
import { Unreadable } from '../unreadable.ts';
import { AggregateRows } from './aggregate.ts';
import type { Element } from './element.ts';
import { reportOf, rowOf } from './feedback.ts';
import { FeedbackParser, type Part } from './xml.ts';

/** Bytes of records that may stand before what all of them share. */
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * Reads an aggregate report (RFC 7489 appendix C, RFC 9990). A record that cannot be read is told; so is what is not
 * well-formed, whose records count as far as they can be read.
 */
export async function* readDmarc(item: Item, context: ItemContext): AsyncGenerator<Finding[]> {
  const { bounds } = context;
  const parser = new FeedbackParser(bounds.xmlDepth);
  const report = new ReportReader(item, context);
  context.counts.items++;
  let failure: unknown;
  try {
    for await (const text of decode(item.content)) yield report.read(parser.push(text));
  } catch (error) {
    failure = error;
  }
  // The rows before a failure count.
  yield report.end(failure ? parser.ended() : parser.end());
  if (failure) throw failure;
  if (!parser.isBegun) throw new Unreadable('has no feedback in it');
  if (parser.fault) throw new Unreadable('is not well-formed XML', parser.fault);
  if (report.records === 0) throw new Unreadable('is a report without records');
}

class ReportReader {
  records = 0;
  #item: Item;
  #context: ItemContext;
  #metadata: Element | undefined;
  #policy: Element | undefined;
  #waiting: Part[] = [];
  #waitingWeight = 0;
  #rows: AggregateRows | undefined;

  constructor(item: Item, context: ItemContext) {
    this.#item = item;
    this.#context = context;
  }

  read(parts: readonly Part[]): Finding[] {
    return parts.flatMap(part => this.#take(part));
  }

  end(parts: readonly Part[]): Finding[] {
    const findings = this.read(parts);
    return [...findings, ...this.#settle()];
  }

  #take(part: Part): Finding[] {
    const { element } = part;
    if (element.name === 'report_metadata') this.#metadata ??= element;
    else if (element.name === 'policy_published') this.#policy ??= element;
    else {
      const { records } = this.#context.bounds;
      if (++this.records > records) return this.records === records + 1 ? [this.#tooMany(records)] : [];
      this.#waiting.push(part);
      this.#waitingWeight += part.weight;
    }
    const isKnown = (this.#metadata && this.#policy) || this.#waitingWeight > MOST_WAITING;
    return isKnown ? this.#settle() : [];
  }

  #tooMany(records: number): Finding {
    return skipped(this.#item.place, new Unreadable('has too many records', `over ${records}`));
  }

  #settle(): Finding[] {
    if (this.#waiting.length === 0) return [];
    this.#waitingWeight = 0;
    this.#rows ??= new AggregateRows(reportOf(this.#metadata, this.#policy));
    return this.#waiting.splice(0).map(part => this.#record(part, this.#rows!));
  }

  #record({ element, number, raw }: Part, rows: AggregateRows): Finding {
    try {
      return this.#context.reports.line(rows.record(rowOf(element), raw));
    } catch (error) {
      return skipped(`${this.#item.place}, record ${number}`, error);
    }
  }
}
