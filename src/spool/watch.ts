import { setTimeout } from 'node:timers/promises';
import { lockFolder } from './lock.ts';
import type { SpoolMetrics } from './metrics.ts';
import { Spool, type SpoolFile } from './spool.ts';

export interface WatchSettings {
  folder: string;
  /** Milliseconds between the begins of two batches, at least. */
  every: number;
  /** Whether files that are done are removed. */
  remove: boolean;
}

/** What becomes of files. */
export interface SpoolWork {
  /**
   * Brings the files in, in one transaction.
   * @throws {SpoolRefused} where they cannot come in; anything else means that they can later
   */
  run(files: readonly SpoolFile[]): Promise<SpoolOutcome>;
}

export interface SpoolOutcome {
  /** Records by kind or type. */
  records: Readonly<Record<string, number>>;
  /** Why files go to `failed/`, by their names; what else they hold is in. */
  failures: ReadonlyMap<string, readonly string[]>;
  /** For people. */
  summary: string;
}

/** The files cannot come in, now or later. */
export class SpoolRefused extends Error {
  override name = 'SpoolRefused';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons[0]);
    this.reasons = reasons;
  }
}

/** Files, and bytes of them, of one batch. */
const MOST_FILES = 1000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Takes what comes into a folder, a batch at a time, until the signal. A batch is a transaction, and its files move
 * when that is committed: after a crash between the two they are taken once more, which changes nothing.
 * @throws {AlreadyWatched}
 */
export async function watchFolder(
  settings: WatchSettings,
  work: SpoolWork,
  metrics: SpoolMetrics,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const spool = new Spool(settings.folder, settings.remove);
  await spool.prepare();
  const unlock = await lockFolder(settings.folder);
  try {
    const watcher = new Watcher(spool, work, metrics, say, signal);
    while (!signal.aborted) {
      const begin = performance.now();
      await watcher.look();
      await pause(settings.every - (performance.now() - begin), signal);
    }
  } finally {
    await unlock();
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(Math.max(0, milliseconds), undefined, { signal }).catch(() => {});
}

class Watcher {
  #spool: Spool;
  #work: SpoolWork;
  #metrics: SpoolMetrics;
  #say: (line: string) => void;
  #signal: AbortSignal;

  constructor(
    spool: Spool,
    work: SpoolWork,
    metrics: SpoolMetrics,
    say: (line: string) => void,
    signal: AbortSignal,
  ) {
    this.#spool = spool;
    this.#work = work;
    this.#metrics = metrics;
    this.#say = say;
    this.#signal = signal;
  }

  /** Takes one batch, where there is any. What fails for a reason that may pass is left for the next look. */
  async look(): Promise<void> {
    try {
      const files = await this.#spool.files();
      this.#metrics.waiting(files[0]?.modified);
      const batch = batchOf(this.#spool.settled(files, Date.now()));
      if (batch.length > 0) await this.#take(batch);
      this.#metrics.looked(true);
    } catch (error) {
      this.#metrics.looked(false);
      this.#say(`Trying again later: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #take(files: readonly SpoolFile[]): Promise<void> {
    try {
      const outcome = await this.#work.run(files);
      this.#say(`${files.length} ${files.length === 1 ? 'file' : 'files'}: ${outcome.summary}`);
      this.#metrics.recorded(outcome.records);
      for (const file of files) await this.#putAway(file, outcome.failures.get(file.name));
    } catch (error) {
      if (!(error instanceof SpoolRefused)) throw error;
      if (files.length === 1) await this.#putAway(files[0]!, error.reasons);
      else await this.#takeEach(files);
    }
  }

  /** One of them keeps the others out: each is a batch of its own. */
  async #takeEach(files: readonly SpoolFile[]): Promise<void> {
    for (const file of files) {
      if (this.#signal.aborted) return;
      await this.#take([file]);
    }
  }

  async #putAway(file: SpoolFile, reasons: readonly string[] | undefined): Promise<void> {
    if (reasons === undefined) await this.#spool.done(file);
    else {
      await this.#spool.failed(file, reasons);
      this.#say(`${file.name} is in failed/: ${reasons[0]}`);
    }
    this.#metrics.finished(reasons === undefined ? 'done' : 'failed', reasons?.length ?? 0);
  }
}

/** The oldest ones: a later line wins, so that none may go before an older one. */
function batchOf(files: readonly SpoolFile[]): SpoolFile[] {
  let bytes = 0;
  const end = files.findIndex(({ size }, index) => {
    bytes += size;
    return index === MOST_FILES || (index > 0 && bytes > MOST_BYTES);
  });
  return end === -1 ? [...files] : files.slice(0, end);
}
