import type { ReportType } from '@sightline/reports';
import type { Finding, FoundLine, Skipped } from './finding.ts';
import type { Counts } from './item.ts';
import { SeenIds } from './seen-ids.ts';

/** Names of types that are told apart: who sends reports may make up any number. */
const MOST_NAMES = 100;
const LONGEST_NAME = 64;
const LONGEST_HOST = 253;

/** Numbers of lines by type or kind. */
type LineCounts = Readonly<Record<string, number>>;

/** A load says how many lines did not become records, and how many records will not stay. */
interface Loaded {
  repeated: LineCounts;
  superseded: LineCounts;
  pastRetention: LineCounts;
  expiring: number;
}

/** The counts of an import. */
export class Tally {
  records: Partial<Record<FoundLine['type'], number>> = {};
  repeated = 0;
  /** Older than what was removed for its age, and not stored. */
  pastRetention = 0;
  /** In, and older than what their account keeps. */
  expiring = 0;
  /** Records with a text that was longer than the feed takes. */
  cut = 0;
  skipped: Record<string, number> = {};
  notKept: Record<string, number> = {};
  /** Reports of no account, by domain. */
  unrouted: Record<string, number> = {};
  #ids: SeenIds | undefined;

  /** @param countsIds whether to find what is repeated by itself; otherwise the load tells */
  constructor(countsIds: boolean) {
    this.#ids = countsIds ? new SeenIds(MOST_IDS) : undefined;
  }

  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (finding.kind === 'line') this.#addLine(finding);
      else if (finding.kind === 'known') this.repeated += finding.records;
      else if (finding.kind === 'notKept')
        increase(this.notKept, finding.type.slice(0, LONGEST_NAME), MOST_NAMES);
      else if (finding.kind === 'unrouted')
        increase(this.unrouted, finding.domain.slice(0, LONGEST_HOST) || 'no domain', MOST_NAMES);
    }
  }

  skip({ reason }: Skipped): void {
    increase(this.skipped, reason, MOST_NAMES);
  }

  /** A record of this type was found, and is not in. */
  remove(type: ReportType): void {
    this.records[type] = (this.records[type] ?? 0) - 1;
  }

  /** Takes what a load says at its end. */
  settle({ repeated, superseded, pastRetention, expiring }: Loaded): void {
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
      ...(this.pastRetention > 0 ? [`past retention: ${this.pastRetention}`] : []),
      ...(this.expiring > 0
        ? [`older than the retention, so that the next prune removes them: ${this.expiring}`]
        : []),
      ...(this.cut > 0 ? [`texts cut in ${this.cut}`] : []),
      `${this.skippedInAll} skipped${listed(this.skipped) && ` (${listed(this.skipped)})`}`,
      ...(this.unroutedInAll > 0 ? [`of no account: ${listed(this.unrouted)}`] : []),
      ...(sum(this.notKept) > 0 ? [`not kept: ${listed(this.notKept)}`] : []),
      ...(times.some(([, count]) => count > 0) ? [`times from ${listed(Object.fromEntries(times))}`] : []),
    ];
    return `${parts.join('; ')}; ${seconds.toFixed(1)} s`;
  }

  toJson(counts: Counts, seconds: number): string {
    const { records, repeated, pastRetention, expiring, cut, skipped, unrouted, notKept } = this;
    return JSON.stringify({
      items: counts.items,
      records,
      repeated,
      pastRetention,
      expiring,
      cut,
      skipped,
      unrouted,
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
