import { setImmediate } from 'node:timers/promises';
import { type FeedLine, understand } from '@sightline/feed';
import { BadLine } from '@sightline/feed/bad-line';
import { BadLines } from '@sightline/feed/bad-lines';
import { type ReportDays, reportDays } from '@sightline/feed/days';
import { LineSet } from '@sightline/feed/line-set';
import type { SourceLine } from '@sightline/feed/read/lines';
import { linesOf, type RereadableSource, totalSize } from '@sightline/feed/read/sources';
import { isReportType } from '@sightline/reports';
import type { Announcer } from '../../sql/changes/announcer.ts';
import { moveVersions, removeBelongings, unknownAccounts } from '../../sql/feed/accounts.ts';
import { applyChanges, type OverfullDay, storedCounts } from '../../sql/feed/daily-counts.ts';
import { deriveFindings } from '../../sql/feed/derived-findings.ts';
import { existingMonths } from '../../sql/feed/partitions.ts';
import type { LoadSession } from '../../sql/feed/session.ts';
import { Batch, Merger } from './copy/batch.ts';
import { LoadMonths } from './copy/months.ts';
import { DayTotals, overfull } from './day-totals.ts';
import {
  type Counts,
  type Kind,
  type LoadOptions,
  type LoadProgress,
  LoadRefused,
  type LoadSummary,
  TooManyCounted,
} from './options.ts';

/** Lines that are read while a merge at work waits for its data: a quarter of a millisecond. */
const LINES_AT_ONCE = 16;

/** Bytes of a bad line that are handed over: a few bytes of gzip may be gigabytes of lines. */
const LONGEST_REJECT = 64 * 1024;
const NEWLINE = Buffer.from('\n');

/** A load, until its transaction ends. */
export class FeedLoad {
  #session: LoadSession;
  #announcer: Announcer;
  #sources: readonly RereadableSource[];
  #options: LoadOptions;
  #days: ReportDays;
  #months!: LoadMonths;
  #merger!: Merger;
  #batch = new Batch();
  /** The merge at work: the next batch is filled meanwhile. */
  #merging: Promise<void> = Promise.resolve();
  #isMerging = false;
  #bad = new BadLines();
  #badLines = new LineSet();
  /** Lines that an attempt before this one has shown to count too much. */
  #overfull = new LineSet();
  #records: Partial<Record<Kind, number>> = {};
  #repeated: Counts = {};
  #pastRetention: Counts = {};
  #superseded: Counts = {};
  #progress: LoadProgress;
  #started = performance.now();

  constructor(
    session: LoadSession,
    announcer: Announcer,
    sources: readonly RereadableSource[],
    options: LoadOptions,
  ) {
    this.#session = session;
    this.#announcer = announcer;
    this.#sources = sources;
    this.#options = options;
    this.#days = reportDays(options.now ?? new Date());
    this.#progress = { lines: 0, bytes: 0, totalBytes: totalSize(sources) };
  }

  async run(): Promise<LoadSummary> {
    await this.#attempt();
    if (this.#options.makesAllMonths && this.#months.refused.size > 0) {
      await this.#beginAnew(() => this.#months.makeAll(this.#session));
      await this.#attempt();
    }
    let full = await applyChanges(this.#session);
    if (full.length > 0) {
      const former = this.#badLines;
      await this.#beginAnew();
      await this.#findOverfull(full, former);
      await this.#attempt();
      full = await applyChanges(this.#session);
      if (full[0]) throw new TooManyCounted(full[0]);
    }
    await deriveFindings(this.#session);
    const cut = await this.#handOver();
    await this.#options.onEnd?.(this.#session, this.#bad.count);
    const hasChanged = await moveVersions(this.#session);
    return {
      hasChanged,
      records: this.#records,
      repeated: this.#repeated,
      pastRetention: this.#pastRetention,
      expiring: this.#merger.expiring,
      superseded: this.#superseded,
      rejected: this.#bad.count,
      cut,
      badLines: this.#bad.first,
      seconds: (performance.now() - this.#started) / 1000,
    };
  }

  async #attempt(): Promise<void> {
    const { isTrial, rejects } = this.#options;
    if (!isTrial) await this.#announcer.prepare(this.#session);
    this.#months = new LoadMonths(await existingMonths(this.#session));
    this.#merger = new Merger(this.#session, this.#months);
    await this.#forEachLine(line => this.#take(line), this.#progress);
    // Services are told of new reports while the last ones are merged, unless the lines have to be read again.
    if (!isTrial && this.#bad.count === 0 && this.#session.has('load_seen')) this.#announcer.announceSoon();
    await this.#flush();
    await this.#merging;
    await this.#refuseOrphans();
    const isTriedAgain = this.#options.makesAllMonths && this.#months.refused.size > 0;
    if (this.#bad.count > 0 && !rejects && !isTriedAgain) throw new LoadRefused(this.#bad);
  }

  async #beginAnew(between?: () => Promise<void>): Promise<void> {
    const { signal, onWait } = this.#options;
    await this.#session.restart(signal, onWait, async () => {
      await this.#announcer.giveUp();
      await between?.();
    });
    this.#batch = new Batch();
    this.#bad = new BadLines();
    this.#badLines = new LineSet();
    [this.#records, this.#superseded] = [{}, {}];
    [this.#repeated, this.#pastRetention] = [{}, {}];
    this.#progress = { ...this.#progress, lines: 0, bytes: 0 };
  }

  /** Answers when nothing is at work on the session any more. */
  async settle(): Promise<void> {
    await this.#merging.catch(() => {});
  }

  async #forEachLine(
    work: (line: SourceLine) => void | Promise<void>,
    progress?: LoadProgress,
  ): Promise<void> {
    const { signal, onProgress } = this.#options;
    const count = (bytes: number) => {
      if (progress) progress.bytes += bytes;
    };
    for (const [position, source] of this.#sources.entries()) {
      for await (const lines of linesOf(source, count, signal)) {
        signal?.throwIfAborted();
        for (const [index, line] of lines.entries()) {
          const waiting = work(Object.assign(line, { source: source.name, position }));
          if (waiting) await waiting;
          if (this.#isMerging && index % LINES_AT_ONCE === 0) await setImmediate();
        }
        if (!progress) continue;
        progress.lines += lines.length;
        onProgress?.(progress);
      }
    }
  }

  #take(line: SourceLine): void | Promise<void> {
    const known = this.#understand(line);
    if (known instanceof BadLine) return this.#refuse(line, known);
    this.#count(known.kind, 1);
    const isReady = this.#batch.isWorthwhile && !this.#isMerging;
    if (!isReady && this.#batch.accepts(known)) return this.#batch.add(known, line);
    return this.#flush().then(() => this.#batch.add(known, line));
  }

  #understand(line: SourceLine): FeedLine | BadLine {
    const known = understand(line, this.#days, this.#options.enrich);
    if (!(known instanceof BadLine) && this.#options.withheld?.has(known.kind))
      return new BadLine('kind', `${known.kind} is not taken from a folder without --with-accounts`);
    if (known instanceof BadLine || known.kind !== 'report' || known.deleted) return known;
    if (this.#overfull.has(line)) return new BadLine('count', overfull);
    return this.#months.admit(known.month!) ?? known;
  }

  #count(kind: Kind, by: number): void {
    this.#records[kind] = (this.#records[kind] ?? 0) + by;
  }

  /** A line that is too long comes in parts. */
  #refuse(line: SourceLine, reason: BadLine): void {
    if (line.continued) return;
    this.#bad.add(line, reason);
    this.#badLines.add(line);
  }

  /** Starts to merge the batch as soon as the one before is done. */
  async #flush(): Promise<void> {
    await this.#merging;
    const batch = this.#batch;
    this.#batch = new Batch();
    this.#isMerging = true;
    this.#merging = this.#merge(batch).finally(() => {
      this.#isMerging = false;
    });
    // The next wait for it sees the failure.
    this.#merging.catch(() => {});
  }

  async #merge(batch: Batch): Promise<void> {
    const { refused, repeated, pastRetention } = await this.#merger.merge(batch);
    for (const line of refused) {
      this.#count('apiKey', -1);
      this.#refuse(line, new BadLine('sha256', 'is the digest of another key already'));
    }
    this.#leaveOut(repeated, this.#repeated);
    this.#leaveOut(pastRetention, this.#pastRetention);
    for (const [of, count] of batch.superseded) this.#superseded[of] = (this.#superseded[of] ?? 0) + count;
  }

  /** Counts what changed nothing apart from what did. */
  #leaveOut(unchanged: ReadonlyMap<string, number>, counts: Counts): void {
    for (const [of, count] of unchanged) {
      if (count === 0) continue;
      counts[of] = (counts[of] ?? 0) + count;
      this.#count(isReportType(of) ? 'report' : (of as Kind), -count);
    }
  }

  /** Accounts may follow what belongs to them, so only now is it known which are missing. */
  async #refuseOrphans(): Promise<void> {
    const missing = new Set(await unknownAccounts(this.#session));
    if (missing.size === 0) return;
    await this.#forEachLine(line => {
      if (this.#badLines.has(line)) return;
      const known = understand(line, this.#days);
      if (known instanceof BadLine || !isOwned(known) || !missing.has(known.accountId)) return;
      this.#count(known.kind, -1);
      this.#refuse(line, new BadLine('accountId', `there is no account "${known.accountId}"`));
    });
    await removeBelongings(this.#session, [...missing]);
  }

  /**
   * Hands the bad lines over in their order, whatever was wrong with them: what is mended and loaded again must not
   * change places. Answers with how many it cut.
   */
  async #handOver(): Promise<number> {
    const { rejects } = this.#options;
    let cut = 0;
    if (!rejects || this.#bad.count === 0) return cut;
    await this.#forEachLine(async line => {
      if (line.continued || !this.#badLines.has(line)) return;
      const bytes = line.bytes ?? Buffer.from(line.text ?? '');
      if (bytes.length > LONGEST_REJECT) cut++;
      await rejects(Buffer.concat([bytes.subarray(0, LONGEST_REJECT), NEWLINE]));
    });
    return cut;
  }

  /**
   * Finds the lines that take a day past what it can count, in the order of the lines. The session has to be as the
   * load found it.
   * @param refused lines that are bad for another reason
   */
  async #findOverfull(days: readonly OverfullDay[], refused: LineSet): Promise<void> {
    const totals = new DayTotals(days);
    const isGood = (line: SourceLine) => !refused.has(line) && line.text !== undefined;
    await this.#forEachLine(line => {
      if (isGood(line)) totals.expect(line.text!);
    });
    for (const day of days) totals.remember(await storedCounts(this.#session, day, totals.idsOf(day)));
    const bad = new BadLines();
    await this.#forEachLine(line => {
      if (!isGood(line) || totals.take(line.text!)) return;
      this.#overfull.add(line);
      bad.add(line, new BadLine('count', overfull));
    });
    if (!this.#options.rejects) throw new LoadRefused(bad);
  }
}

/** True if the line adds something that belongs to an account. */
function isOwned(line: FeedLine): line is FeedLine & { accountId: string } {
  return line.kind !== 'account' && line.accountId !== undefined && !line.deleted;
}
