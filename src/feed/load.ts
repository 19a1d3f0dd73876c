import { setImmediate } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Announcer } from '../../sql/changes/announcer.ts';
import { moveVersions, removeBelongings, unknownAccounts } from '../../sql/feed/accounts.ts';
import { applyChanges, type OverfullDay } from '../../sql/feed/reports.ts';
import { LoadSession } from '../../sql/feed/session.ts';
import { BadLine } from './check/bad-line.ts';
import { type BadLineReport, BadLines } from './check/bad-lines.ts';
import { type FeedLine, readLine } from './check/line.ts';
import type { RecordKind } from './check/records.ts';
import { Batch, Merger } from './copy/batch.ts';
import { LONGEST_LINE, readLines, type SourceLine } from './read/lines.ts';
import { type FeedSource, RereadableSource } from './read/sources.ts';

export type Kind = RecordKind | 'report';

export interface LoadOptions {
  /** Takes the bad lines, byte by byte as they came, and makes the load go on without them. */
  rejects?: (bytes: Uint8Array) => Promise<unknown> | unknown;
  /** Called often: how far the load is. */
  onProgress?: (progress: LoadProgress) => void;
  /** Called when another load is at work, which this one waits for. */
  onWait?: () => void;
  /** Gives the load up: nothing is loaded, and the answer is an AbortError. */
  signal?: AbortSignal;
}

export interface LoadProgress {
  lines: number;
  /** Bytes read of all sources, compressed as they are. */
  bytes: number;
  /** Bytes of all sources together, where all of them are known. */
  totalBytes: number | undefined;
}

export interface LoadSummary {
  /** Lines loaded by kind, deletions too; kinds without a line are left out. */
  records: Partial<Record<Kind, number>>;
  rejected: number;
  /** The first bad lines, when they were left out. */
  badLines: readonly BadLineReport[];
  seconds: number;
}

/** The feed has bad lines, and nothing of it was loaded. */
export class LoadRefused extends Error {
  override name = 'LoadRefused';
  readonly badLines: readonly BadLineReport[];
  readonly count: number;

  constructor({ first, count }: BadLines) {
    super(count === 1 ? 'The feed has a bad line' : `The feed has ${count} bad lines`);
    this.badLines = first;
    this.count = count;
  }
}

/** A daily count would become larger than any reader of JSON can keep. */
export class TooManyCounted extends Error {
  override name = 'TooManyCounted';

  constructor({ accountId, type, day }: OverfullDay) {
    super(`The ${type} reports of ${day} would count more than 2^53-1 for the account "${accountId}"`);
  }
}

/** The database went away, and with it all that was to be loaded. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';

  constructor() {
    super('The connection to the database was lost: nothing was loaded');
  }
}

/**
 * Loads the sources, one after the other, in one transaction: all of it or nothing.
 * @param sql a connection of the operator that nobody else uses meanwhile
 * @throws {LoadRefused} when lines are bad and `rejects` does not take them
 * @throws {AnnouncementFailed} when the services cannot be told
 * @throws {NotEverywhere} when it is committed, and a server of several does not say so
 */
export async function loadFeed(
  sql: Sql,
  announcer: Announcer,
  sources: readonly FeedSource[],
  options: LoadOptions = {},
): Promise<LoadSummary> {
  const summary = await commitFeed(sql, announcer, sources, options);
  await announcer.settle();
  return summary;
}

async function commitFeed(
  sql: Sql,
  announcer: Announcer,
  sources: readonly FeedSource[],
  options: LoadOptions,
): Promise<LoadSummary> {
  const session = new LoadSession(sql);
  const rereadable = sources.map(source => new RereadableSource(source));
  const load = new FeedLoad(session, rereadable, options);
  try {
    await session.begin(options.signal, options.onWait);
    await announcer.clear();
    const summary = await load.run();
    await announcer.announce(statement => session.run(statement));
    await session.commit();
    return summary;
  } catch (error) {
    await load.settle();
    const isThere = await session.rollback();
    await announcer.giveUp();
    // What the driver's next connection says, that it knows no such table, helps nobody.
    throw isThere ? error : new ConnectionLost();
  } finally {
    await Promise.all(rereadable.map(source => source.close()));
  }
}

/** Lines that are read while a merge at work waits for its data: a quarter of a millisecond. */
const LINES_AT_ONCE = 16;

class FeedLoad {
  #session: LoadSession;
  #sources: readonly RereadableSource[];
  #options: LoadOptions;
  #merger: Merger;
  #batch = new Batch();
  /** The merge at work: the next batch is filled meanwhile. */
  #merging: Promise<void> = Promise.resolve();
  #isMerging = false;
  #bad = new BadLines();
  #records: Partial<Record<Kind, number>> = {};
  #progress: LoadProgress;
  #started = performance.now();

  constructor(session: LoadSession, sources: readonly RereadableSource[], options: LoadOptions) {
    this.#session = session;
    this.#sources = sources;
    this.#options = options;
    this.#merger = new Merger(session);
    this.#progress = { lines: 0, bytes: 0, totalBytes: totalSize(sources) };
  }

  async run(): Promise<LoadSummary> {
    await this.#forEachLine(line => this.#take(line), this.#progress);
    await this.#flush();
    await this.#merging;
    await this.#refuseOrphans();
    if (this.#bad.count > 0 && !this.#options.rejects) throw new LoadRefused(this.#bad);
    const overfull = await applyChanges(this.#session);
    if (overfull) throw new TooManyCounted(overfull);
    await moveVersions(this.#session);
    return {
      records: this.#records,
      rejected: this.#bad.count,
      badLines: this.#bad.first,
      seconds: (performance.now() - this.#started) / 1000,
    };
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
    for (const [position, source] of this.#sources.entries()) {
      for await (const lines of readLines(counted(source.read(signal), progress))) {
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
    const known = understand(line);
    if (known instanceof BadLine) return this.#refuse(line, known);
    this.#count(known.kind, 1);
    const isReady = this.#batch.isWorthwhile && !this.#isMerging;
    if (!isReady && this.#batch.accepts(known)) return this.#batch.add(known, line);
    return this.#flush().then(() => this.#batch.add(known, line));
  }

  #count(kind: Kind, by: number): void {
    this.#records[kind] = (this.#records[kind] ?? 0) + by;
  }

  async #refuse(line: SourceLine, reason: BadLine): Promise<void> {
    // A line that is too long comes in parts.
    if (!line.continued) this.#bad.add(line, reason);
    const { rejects } = this.#options;
    await rejects?.(line.bytes ?? Buffer.from(line.text ?? ''));
    if (!line.unfinished) await rejects?.(Buffer.from('\n'));
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
    // Whoever waits for it next sees the failure.
    this.#merging.catch(() => {});
  }

  async #merge(batch: Batch): Promise<void> {
    for (const line of await this.#merger.merge(batch)) {
      this.#count('apiKey', -1);
      await this.#refuse(line, new BadLine('sha256', 'is the digest of another key already'));
    }
  }

  /** Accounts may follow what belongs to them, so only now is it known which are missing. */
  async #refuseOrphans(): Promise<void> {
    const missing = new Set(await unknownAccounts(this.#session));
    if (missing.size === 0) return;
    await this.#forEachLine(line => {
      const known = understand(line);
      if (known instanceof BadLine || !isOwned(known) || !missing.has(known.accountId)) return;
      this.#count(known.kind, -1);
      return this.#refuse(line, new BadLine('accountId', `there is no account "${known.accountId}"`));
    });
    await removeBelongings(this.#session, [...missing]);
  }
}

function understand({ text, tooLong }: SourceLine): FeedLine | BadLine {
  if (tooLong) return new BadLine('', `is longer than ${LONGEST_LINE / 1024 / 1024} MiB`);
  if (text === undefined) return new BadLine('', 'is not UTF-8');
  try {
    return readLine(text);
  } catch (error) {
    if (error instanceof BadLine) return error;
    throw error;
  }
}

/** Whether the line brings in something that belongs to an account. */
function isOwned(line: FeedLine): line is FeedLine & { accountId: string } {
  return line.kind !== 'account' && line.accountId !== undefined && !line.deleted;
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  progress: LoadProgress | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (progress) progress.bytes += chunk.length;
    yield chunk;
  }
}

function totalSize(sources: readonly RereadableSource[]): number | undefined {
  const sizes = sources.map(source => source.size);
  return sizes.every(size => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
}
