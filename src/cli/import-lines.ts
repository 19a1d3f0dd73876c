import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { BadLineReport } from '@sightline/feed';
import type { ParseResult, Skipped, Unrouted } from '@sightline/importer';
import {
  createContext,
  type ImportContext,
  type ImportOptions,
  ImportTally,
  type Item,
  importItem,
} from '@sightline/importer';
import type { ReportType } from '@sightline/reports';
import { LoadMeter, onOneLine, say } from '@sightline/tools';
import { getSubject, RejectedReports } from './rejected.ts';

/** The maximum number of skipped items printed. The summary counts all of them. */
const MOST_REPORTED = 100;

/** The maximum time without yielding to signal handlers, in milliseconds. */
const TURN = 20;

interface ImportCallbacks {
  /** Receives skipped items and items without an account, one JSON object per line. */
  skippedFile?: FileHandle | undefined;
  onSkip?: (item: Skipped) => void;
  onUnrouted?: (domain: string) => void;
  /** True to print each item with its number of records. */
  isVerbose?: boolean;
  /** True if the lines are loaded, and the load counts repeated ones. */
  isLoaded?: boolean;
  /** The prefix of the progress on a terminal. */
  progress?: () => string;
}

/** A running import: its lines, progress and counts. */
export class ImportSession {
  readonly tally: ImportTally;
  readonly context: ImportContext;
  readonly rejected: RejectedReports;
  #signal: AbortSignal;
  #skippedFile: FileHandle | undefined;
  #onSkip: (item: Skipped) => void;
  #onUnrouted: (domain: string) => void;
  #isVerbose: boolean;
  #progress: () => string;
  #reported = 0;
  #bytes = 0;
  #nextTurn = 0;
  #meter = new LoadMeter(process.stderr);

  constructor(
    options: ImportOptions,
    signal: AbortSignal,
    {
      skippedFile,
      onSkip = () => {},
      onUnrouted = () => {},
      isVerbose = false,
      isLoaded = true,
      progress = () => '',
    }: ImportCallbacks = {},
  ) {
    this.tally = new ImportTally(!isLoaded);
    this.context = createContext(options);
    this.rejected = new RejectedReports(options);
    this.#signal = signal;
    this.#skippedFile = skippedFile;
    this.#onSkip = onSkip;
    this.#onUnrouted = onUnrouted;
    this.#isVerbose = isVerbose;
    this.#progress = progress;
  }

  /** Counts the bytes of each item. */
  readonly onBytes = (bytes: number): void => {
    this.#bytes += bytes;
  };

  /** Lines of the feed, in batches. */
  async *lines(items: AsyncIterable<Item>): AsyncGenerator<string> {
    for await (const item of items) {
      const counts = new ItemCounts();
      for await (const findings of importItem(item, this.context)) {
        counts.add(findings);
        const text = await this.#take(findings);
        if (text !== '') yield text;
      }
      if (this.#isVerbose) this.#sayLine(`${item.place}: ${counts.describe()}`);
    }
  }

  /** Counts lines that the load refused. */
  async refuse(lines: readonly Buffer[], reasons: readonly BadLineReport[]): Promise<void> {
    for (const [index, line] of lines.entries()) {
      const { type, id } = getSubject(line);
      const { field = '', reason = '' } = reasons[index] ?? {};
      this.tally.remove(type as ReportType);
      const detail = `${field} ${reason}`.trim();
      await this.#skip([
        { kind: 'skipped', place: `${type} ${id}`, reason: 'is refused by the feed', detail },
      ]);
    }
  }

  close(): void {
    this.#meter.clear();
    const unreported = this.tally.skippedInAll - this.#reported;
    if (unreported > 0) say(`… and ${unreported} more`);
  }

  async #take(findings: readonly ParseResult[]): Promise<string> {
    await this.#turn();
    this.#signal.throwIfAborted();
    this.tally.add(findings);
    await this.#skip(findings.filter(finding => finding.kind === 'skipped'));
    await this.#setAside(findings.filter(finding => finding.kind === 'unrouted'));
    const { items } = this.context.counts;
    this.#meter.show(seconds =>
      [this.#progress(), describeProgress(items, this.#bytes, seconds)].filter(Boolean).join('; '),
    );
    return findings.map(finding => (finding.kind === 'line' ? `${finding.text}\n` : '')).join('');
  }

  /**
   * Yields to the event loop, so that signals arrive. Not after every item, because a turn takes longer than a small
   * mail.
   */
  async #turn(): Promise<void> {
    if (performance.now() < this.#nextTurn) return;
    await setImmediate();
    this.#nextTurn = performance.now() + TURN;
  }

  async #skip(skipped: readonly Skipped[]): Promise<void> {
    for (const item of skipped) {
      this.tally.skip(item);
      this.rejected.add(item);
      this.#onSkip(item);
      this.#report(item);
    }
    await this.#keep(skipped.map(({ rejected: _, ...item }) => item));
  }

  /** Counts domains without an account, which are listed at the end. */
  async #setAside(unrouted: readonly Unrouted[]): Promise<void> {
    for (const { domain } of unrouted) this.#onUnrouted(domain);
    await this.#keep(unrouted);
  }

  async #keep(items: readonly object[]): Promise<void> {
    if (items.length > 0)
      await this.#skippedFile?.write(items.map(item => `${JSON.stringify(item)}\n`).join(''));
  }

  #report({ place, reason, detail }: Skipped): void {
    if (this.#reported === MOST_REPORTED) return;
    this.#reported++;
    this.#sayLine(`${place} ${reason}${detail && `: ${detail}`}`);
  }

  #sayLine(text: string): void {
    this.#meter.clear();
    say(onOneLine(text));
  }
}

/** The records that were found in one file or standard input. */
class ItemCounts {
  #records = new Map<string, number>();

  add(findings: readonly ParseResult[]): void {
    for (const finding of findings) {
      if (finding.kind === 'line') this.#count(finding.type, 1);
      else if (finding.kind === 'known') this.#count('imported before', finding.records);
      else this.#count(NAMES[finding.kind], 1);
    }
  }

  #count(name: string, records: number): void {
    this.#records.set(name, (this.#records.get(name) ?? 0) + records);
  }

  describe(): string {
    return [...this.#records].map(([name, records]) => `${name} ${records}`).join(', ') || 'nothing';
  }
}

const NAMES = { skipped: 'skipped', unrouted: 'of no account', unstored: 'not stored' } as const;

function describeProgress(items: number, bytes: number, seconds: number): string {
  const rate = seconds > 0 ? Math.round(items / seconds) : 0;
  return `${items} items, ${(bytes / 1e6).toFixed(1)} MB, ${rate} items a second`;
}
