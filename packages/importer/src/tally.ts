import { LONGEST_HOST, type ReportType } from '@sightline/reports';
import type { FoundLine, ParseResult, SkippedPart } from './finding.ts';
import type { ImportCounts } from './item.ts';
import { SeenIds } from './seen-ids.ts';

/** The maximum number of distinct type names that are counted, since senders can invent any number. */
const MOST_NAMES = 100;
const LONGEST_NAME = 64;

/** The number of lines by type or kind. */
type LineCounts = Readonly<Record<string, number>>;

/** The counts of a load: lines that did not become records, and records that will expire. */
interface LoadOutcome {
  repeated: LineCounts;
  superseded: LineCounts;
  pastRetention: LineCounts;
  expiring: number;
}

/** The counts of an import. */
export class ImportTally {
  records: Partial<Record<FoundLine['type'], number>> = {};
  repeated = 0;
  /** Number of records that were not stored because reports of their age have already been removed. */
  pastRetention = 0;
  /** Number of stored records that are older than the account's retention. */
  expiring = 0;
  /** Number of records with a truncated text. */
  cut = 0;
  skipped = noCounts();
  unstored = noCounts();
  /** Number of reports whose host belongs to no account, by domain. */
  unrouted = noCounts();
  #ids: SeenIds | undefined;

  /** @param countsIds true to count repeated records here; false if the load counts them */
  constructor(countsIds: boolean) {
    this.#ids = countsIds ? new SeenIds(MOST_IDS) : undefined;
  }

  add(findings: readonly ParseResult[]): void {
    for (const finding of findings) {
      if (finding.kind === 'line') this.#addLine(finding);
      else if (finding.kind === 'known') this.repeated += finding.records;
      else if (finding.kind === 'unstored')
        increase(this.unstored, finding.type.slice(0, LONGEST_NAME), MOST_NAMES);
      else if (finding.kind === 'unrouted')
        increase(this.unrouted, finding.domain.slice(0, LONGEST_HOST) || 'no domain', MOST_NAMES);
    }
  }

  /** Adds the counts of another import. */
  merge(other: ImportTally): void {
    for (const name of ['repeated', 'pastRetention', 'expiring', 'cut'] as const) this[name] += other[name];
    const { records, skipped, unstored, unrouted } = other;
    mergeCounts(this.records, records);
    mergeCounts(this.skipped, skipped);
    mergeCounts(this.unstored, unstored);
    mergeCounts(this.unrouted, unrouted);
  }

  skip({ reason }: SkippedPart): void {
    increase(this.skipped, reason, MOST_NAMES);
  }

  /** Counts a record of this type as not stored. */
  remove(type: ReportType): void {
    this.records[type] = (this.records[type] ?? 0) - 1;
  }

  /** Adds the counts that a load reports at its end. */
  settle({ repeated, superseded, pastRetention, expiring }: LoadOutcome): void {
    this.expiring += expiring;
    this.repeated += this.#takeOut(repeated) + this.#takeOut(superseded);
    this.pastRetention += this.#takeOut(pastRetention);
  }

  #takeOut(counts: LineCounts): number {
    for (const [of, count] of Object.entries(counts)) {
      const type = of as FoundLine['type'];
      this.records[type] = (this.records[type] ?? 0) - count;
    }
    return sum(counts);
  }

  get isAnythingIn(): boolean {
    return this.found + this.repeated + this.pastRetention > 0;
  }

  #addLine({ type, id, isCut }: FoundLine): void {
    if (isCut) this.cut++;
    if (this.#ids?.add(id)) this.repeated++;
    else this.records[type] = (this.records[type] ?? 0) + 1;
  }

  get skippedInAll(): number {
    return sum(this.skipped);
  }

  get unroutedInAll(): number {
    return sum(this.unrouted);
  }

  get found(): number {
    return sum(this.records);
  }

  describe(counts: ImportCounts, seconds: number): string {
    const { received } = counts;
    const times = Object.entries({
      'a log': received.line,
      '--received': received.option,
      'the file': received.file,
    });
    const parts = [
      `Imported ${formatCounts(this.records) || 'nothing'}`,
      `${counts.items} items read`,
      `${this.repeated} repeated`,
      ...(this.pastRetention > 0 ? [`past retention: ${this.pastRetention}`] : []),
      ...(this.expiring > 0
        ? [`older than the retention, so that the next prune removes them: ${this.expiring}`]
        : []),
      ...(this.cut > 0 ? [`texts cut in ${this.cut}`] : []),
      `${this.skippedInAll} skipped${formatCounts(this.skipped) && ` (${formatCounts(this.skipped)})`}`,
      ...(this.unroutedInAll > 0 ? [`of no account: ${formatCounts(this.unrouted)}`] : []),
      ...(sum(this.unstored) > 0 ? [`not stored: ${formatCounts(this.unstored)}`] : []),
      ...(times.some(([, count]) => count > 0)
        ? [`times from ${formatCounts(Object.fromEntries(times))}`]
        : []),
    ];
    return `${parts.join('; ')}; ${seconds.toFixed(1)} s`;
  }

  toJson(counts: ImportCounts, seconds: number): string {
    const { records, repeated, pastRetention, expiring, cut, skipped, unrouted, unstored } = this;
    return JSON.stringify({
      items: counts.items,
      records,
      repeated,
      pastRetention,
      expiring,
      cut,
      skipped,
      unrouted,
      unstored,
      received: counts.received,
      seconds,
    });
  }
}

/** The maximum number of ids for counting repeated records. Later records of a longer import are not checked. */
const MOST_IDS = 1_000_000;

/** Returns an object without inherited names, since senders can invent any name. */
function noCounts(): Record<string, number> {
  return Object.create(null);
}

function increase(counts: Record<string, number>, name: string, most: number): void {
  const existing = Object.hasOwn(counts, name) || Object.keys(counts).length < most ? name : 'others';
  counts[existing] = (counts[existing] ?? 0) + 1;
}

function mergeCounts(counts: Partial<Record<string, number>>, more: Partial<Record<string, number>>): void {
  for (const [name, count = 0] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count;
}

function sum(counts: Partial<Record<string, number>>): number {
  return Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0);
}

function formatCounts(counts: Partial<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => (count ?? 0) > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
