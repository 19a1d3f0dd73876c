import { setImmediate } from 'node:timers/promises';
import {
  BadLine,
  BadLines,
  type FeedLine,
  LineSet,
  type ReportDays,
  reportDays,
  understand,
} from '@sightline/feed';
import type { SourceLine } from '@sightline/feed/read';
import { type RereadableSource, toLines, totalSize } from '@sightline/feed/read';
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
  CountOverflow,
  type LineCounts,
  type LineKind,
  type LoadOptions,
  type LoadProgress,
  LoadRefused,
  type LoadSummary,
} from './options.ts';

/** Number of lines read while a merge waits for its data, which takes a quarter of a millisecond. */
const LINES_AT_ONCE = 16;

/** Maximum size of a reported bad line in bytes, because a few bytes of gzip can expand to gigabytes. */
const LONGEST_REJECT = 64 * 1024;
const NEWLINE = Buffer.from('\n');

/** A load until the end of its transaction. */
export class FeedLoad {
  #session: LoadSession;
  #announcer: Announcer;
  #sources: readonly RereadableSource[];
  #options: LoadOptions;
  #days: ReportDays;
  #months!: LoadMonths;
  #merger!: Merger;
  #batch = new Batch();
  /** The merge in progress. The next batch is filled in the meantime. */
  #merging: Promise<void> = Promise.resolve();
  #isMerging = false;
  #bad = new BadLines();
  #badLines = new LineSet();
  /** Lines that exceeded the limit of a day in an earlier attempt. */
  #overfull = new LineSet();
  /** Accounts that did not exist at the end of an earlier attempt. */
  #missing = new Set<string>();
  #records: Partial<Record<LineKind, number>> = {};
  #repeated: LineCounts = {};
  #pastRetention: LineCounts = {};
  #superseded: LineCounts = {};
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
      if (full[0]) throw new CountOverflow(full[0]);
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
    // Services are notified of new reports while the last batches are merged, unless the lines have to be read again.
    if (!isTrial && this.#bad.count === 0 && this.#session.has('load_change'))
      this.#announcer.scheduleAnnouncement();
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

  /** Resolves when the session is idle. */
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
      for await (const lines of toLines(source, count, signal)) {
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
    const existing = this.#understand(line);
    if (existing instanceof BadLine) return this.#refuse(line, existing);
    this.#count(existing.kind, 1);
    const isReady = this.#batch.isWorthwhile && !this.#isMerging;
    if (!isReady && this.#batch.accepts(existing)) return this.#batch.add(existing, line);
    return this.#flush().then(() => this.#batch.add(existing, line));
  }

  #understand(line: SourceLine): FeedLine | BadLine {
    const existing = understand(line, this.#days, this.#options.enrich);
    if (!(existing instanceof BadLine) && this.#options.withheld?.has(existing.kind))
      return new BadLine('kind', `${existing.kind} is not accepted from a folder without --with-accounts`);
    if (existing instanceof BadLine) return existing;
    if (isOwned(existing) && this.#missing.has(existing.accountId)) return toOrphan(existing.accountId);
    if (existing.kind !== 'report' || existing.deleted) return existing;
    if (this.#overfull.has(line)) return new BadLine('count', overfull);
    return this.#months.admit(existing.month!) ?? existing;
  }

  #count(kind: LineKind, by: number): void {
    this.#records[kind] = (this.#records[kind] ?? 0) + by;
  }

  /** A line that is too long arrives in parts. */
  #refuse(line: SourceLine, reason: BadLine): void {
    if (line.continued) return;
    this.#bad.add(line, reason);
    this.#badLines.add(line);
  }

  /** Starts to merge the batch once the previous one is done. */
  async #flush(): Promise<void> {
    await this.#merging;
    const batch = this.#batch;
    this.#batch = new Batch();
    this.#isMerging = true;
    this.#merging = this.#merge(batch).finally(() => {
      this.#isMerging = false;
    });
    // The failure is reported when the merge is awaited.
    this.#merging.catch(() => {});
  }

  async #merge(batch: Batch): Promise<void> {
    const { refused, repeated, pastRetention } = await this.#merger.merge(batch);
    for (const line of refused) {
      this.#count('apiKey', -1);
      this.#refuse(line, new BadLine('sha256', 'is already the digest of another key'));
    }
    this.#leaveOut(repeated, this.#repeated);
    this.#leaveOut(pastRetention, this.#pastRetention);
    for (const [of, count] of batch.superseded) this.#superseded[of] = (this.#superseded[of] ?? 0) + count;
  }

  /** Counts unchanged lines separately. */
  #leaveOut(unchanged: ReadonlyMap<string, number>, counts: LineCounts): void {
    for (const [of, count] of unchanged) {
      if (count === 0) continue;
      counts[of] = (counts[of] ?? 0) + count;
      this.#count(isReportType(of) ? 'report' : (of as LineKind), -count);
    }
  }

  /** Accounts can come after their data in a feed, so missing ones are only known at the end. */
  async #refuseOrphans(): Promise<void> {
    const missing = new Set(await unknownAccounts(this.#session));
    if (missing.size === 0) return;
    if (this.#options.rejects && this.#hasOtherCounts) {
      for (const account of missing) this.#missing.add(account);
      await this.#beginAnew();
      return this.#attempt();
    }
    await this.#forEachLine(line => {
      if (this.#badLines.has(line)) return;
      const existing = understand(line, this.#days);
      if (existing instanceof BadLine || !isOwned(existing) || !missing.has(existing.accountId)) return;
      this.#count(existing.kind, -1);
      this.#refuse(line, toOrphan(existing.accountId));
    });
    await removeBelongings(this.#session, [...missing]);
  }

  /** True if lines were counted as repeated, superseded or past retention. These counts are not kept by account. */
  get #hasOtherCounts(): boolean {
    return [this.#repeated, this.#pastRetention, this.#superseded].some(
      counts => Object.keys(counts).length > 0,
    );
  }

  /**
   * Passes on the bad lines in their original order, so that they can be corrected and loaded in that order. Returns
   * how many were truncated.
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
   * Finds the lines that exceed the limit of a day, in the order of the lines. The session must be in the state before
   * the load.
   * @param refused lines that are bad for another reason
   */
  async #findOverfull(days: readonly OverfullDay[], refused: LineSet): Promise<void> {
    const totals = new DayTotals(days);
    const isGood = (line: SourceLine) => !refused.has(line) && line.text !== undefined;
    await this.#forEachLine(line => {
      if (isGood(line)) totals.expect(line.text!);
    });
    for (const day of days) totals.remember(await storedCounts(this.#session, day, totals.toIds(day)));
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

const toOrphan = (accountId: string) => new BadLine('accountId', `there is no account "${accountId}"`);
