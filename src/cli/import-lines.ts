import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { BadLineReport } from '@sightline/feed/bad-lines';
import { importItem } from '@sightline/import';
import type { Finding, Skipped, Unrouted } from '@sightline/import/finding';
import { createContext, type ImportContext, type ImportOptions, type Item } from '@sightline/import/item';
import { Tally } from '@sightline/import/tally';
import type { ReportType } from '@sightline/reports';
import { LoadMeter } from '@sightline/terminal/meter';
import { onOneLine } from '@sightline/terminal/one-line';
import { say } from '@sightline/terminal/output';
import { RejectedReports, subjectOf } from './rejected.ts';

/** The number of skipped lines that are told: all of them are counted. */
const TOLD = 100;

/** Milliseconds for which no signal is listened to. */
const TURN = 20;

interface Told {
  /** Takes what is skipped, and what is of no account, a JSON object a line. */
  skippedFile?: FileHandle | undefined;
  onSkip?: (item: Skipped) => void;
  onUnrouted?: (domain: string) => void;
  /** True if the lines are loaded, so that the load tells which are repeated. */
  isLoaded?: boolean;
}

/** One import at work: its lines, its messages on the way, and its counts. */
export class Importing {
  readonly tally: Tally;
  readonly context: ImportContext;
  readonly rejected: RejectedReports;
  #signal: AbortSignal;
  #skippedFile: FileHandle | undefined;
  #onSkip: (item: Skipped) => void;
  #onUnrouted: (domain: string) => void;
  #told = 0;
  #bytes = 0;
  #nextTurn = 0;
  #meter = new LoadMeter(process.stderr);

  constructor(
    options: ImportOptions,
    signal: AbortSignal,
    { skippedFile, onSkip = () => {}, onUnrouted = () => {}, isLoaded = true }: Told = {},
  ) {
    this.tally = new Tally(!isLoaded);
    this.context = createContext(options);
    this.rejected = new RejectedReports(options);
    this.#signal = signal;
    this.#skippedFile = skippedFile;
    this.#onSkip = onSkip;
    this.#onUnrouted = onUnrouted;
  }

  /** Counts what is read of the items. */
  readonly onBytes = (bytes: number): void => {
    this.#bytes += bytes;
  };

  /** Lines of the feed, many at once. */
  async *lines(items: AsyncIterable<Item>): AsyncGenerator<string> {
    for await (const item of items) {
      for await (const findings of importItem(item, this.context)) {
        const text = await this.#take(findings);
        if (text !== '') yield text;
      }
    }
  }

  /** Lines that were found, and then refused. */
  async refuse(lines: readonly Buffer[], reasons: readonly BadLineReport[]): Promise<void> {
    for (const [index, line] of lines.entries()) {
      const { type, id } = subjectOf(line);
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
    const untold = this.tally.skippedInAll - this.#told;
    if (untold > 0) say(`… and ${untold} more`);
  }

  async #take(findings: readonly Finding[]): Promise<string> {
    await this.#turn();
    this.#signal.throwIfAborted();
    this.tally.add(findings);
    await this.#skip(findings.filter(finding => finding.kind === 'skipped'));
    await this.#setAside(findings.filter(finding => finding.kind === 'unrouted'));
    const { items } = this.context.counts;
    this.#meter.show(seconds => describeProgress(items, this.#bytes, seconds));
    return findings.map(finding => (finding.kind === 'line' ? `${finding.text}\n` : '')).join('');
  }

  /** Signals come between two turns of the loop: one for each of many small mails would take longer than these. */
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
      this.#tell(item);
    }
    await this.#keep(skipped.map(({ rejected: _, ...item }) => item));
  }

  /** The domains are listed at the end, with their count. */
  async #setAside(unrouted: readonly Unrouted[]): Promise<void> {
    for (const { domain } of unrouted) this.#onUnrouted(domain);
    await this.#keep(unrouted);
  }

  async #keep(items: readonly object[]): Promise<void> {
    if (items.length > 0)
      await this.#skippedFile?.write(items.map(item => `${JSON.stringify(item)}\n`).join(''));
  }

  #tell({ place, reason, detail }: Skipped): void {
    if (this.#told === TOLD) return;
    this.#told++;
    this.#meter.clear();
    say(onOneLine(`${place} ${reason}${detail && `: ${detail}`}`));
  }
}

function describeProgress(items: number, bytes: number, seconds: number): string {
  const rate = seconds > 0 ? Math.round(items / seconds) : 0;
  return `${items} items, ${(bytes / 1e6).toFixed(1)} MB, ${rate} items a second`;
}
