import type { ReportType } from '../../sql/report/types.ts';
import type { Finding, Skipped } from '../import/finding.ts';
import type { Counts } from '../import/item.ts';
import { SeenIds } from './seen-ids.ts';

/** Names of types that are told apart: who sends reports may make up any number. */
const MOST_NAMES = 100;
const LONGEST_NAME = 64;

/** What an import found, as numbers. */
export class Tally {
  records: Partial<Record<ReportType | 'certificate', number>> = {};
  repeated = 0;
  skipped: Record<string, number> = {};
  notKept: Record<string, number> = {};
  #ids = new SeenIds(MOST_IDS);

  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (finding.kind === 'line') this.#addLine(finding.type, finding.id);
      else if (finding.kind === 'notKept')
        increase(this.notKept, finding.type.slice(0, LONGEST_NAME), MOST_NAMES);
    }
  }

  skip({ reason }: Skipped): void {
    increase(this.skipped, reason, MOST_NAMES);
  }

  /** A record of this type was found, and is not in. */
  remove(type: ReportType): void {
    this.records[type] = (this.records[type] ?? 0) - 1;
  }

  #addLine(type: ReportType | 'certificate', id: string): void {
    if (this.#ids.add(id)) this.repeated++;
    else this.records[type] = (this.records[type] ?? 0) + 1;
  }

  get skippedInAll(): number {
    return sum(this.skipped);
  }

  get found(): number {
    return sum(this.records);
  }

  describe(counts: Counts, seconds: number): string {
    const { received } = counts;
    const times = Object.entries({
      'a log': received.line,
      '--received': received.option,
      'the file': received.file,
    });
    const parts = [
      `Imported ${listed(this.records) || 'nothing'}`,
      `${counts.items} items read`,
      `${this.repeated} repeated`,
      `${this.skippedInAll} skipped${listed(this.skipped) && ` (${listed(this.skipped)})`}`,
      ...(sum(this.notKept) > 0 ? [`not kept: ${listed(this.notKept)}`] : []),
      ...(times.some(([, count]) => count > 0) ? [`times from ${listed(Object.fromEntries(times))}`] : []),
    ];
    return `${parts.join('; ')}; ${seconds.toFixed(1)} s`;
  }

  toJson(counts: Counts, seconds: number): string {
    const { records, repeated, skipped, notKept } = this;
    return JSON.stringify({
      items: counts.items,
      records,
      repeated,
      skipped,
      notKept,
      received: counts.received,
      seconds,
    });
  }
}

/** Ids by which repeated records are counted: of a longer import, those behind them are not. */
const MOST_IDS = 1_000_000;

function increase(counts: Record<string, number>, name: string, most: number): void {
  const known = Object.hasOwn(counts, name) || Object.keys(counts).length < most ? name : 'others';
  counts[known] = (counts[known] ?? 0) + 1;
}

function sum(counts: Partial<Record<string, number>>): number {
  return Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0);
}

function listed(counts: Partial<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => (count ?? 0) > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
