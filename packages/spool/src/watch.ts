import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { OpenFolder } from './folder.ts';
import { lockFolder } from './lock.ts';
import type { SpoolMetrics } from './metrics.ts';
import { Spool, type SpoolFile } from './spool.ts';

export type { SpoolFile } from './spool.ts';

export interface WatchSettings {
  folder: string;
  /** Milliseconds between the begins of two batches, at least. */
  every: number;
  /** True if files that are done are removed. */
  remove: boolean;
  /** True if others than the user who watches may write into the folder. */
  shared: boolean;
}

/** The events of files. */
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
 * @throws {AlreadyWatched | SharedFolder}
 */
export async function watchFolder(
  { folder, every, remove, shared }: WatchSettings,
  work: SpoolWork,
  metrics: SpoolMetrics,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const spool = new Spool(folder, remove, shared);
  await spool.prepare();
  const watcher = new Watcher(spool, { work, metrics, say, signal, waiting: metrics.waiting });
  await looking(folder, every, signal, () => watcher.look());
}

/**
 * The same of all folders in a folder, which may come and go. Each has its own batches, so that what keeps one waiting
 * keeps no other.
 * @param workOf what becomes of the files of each, by its name
 * @throws {AlreadyWatched}
 */
export async function watchFolders(
  { folder: root, every, remove, shared }: WatchSettings,
  workOf: (name: string) => SpoolWork,
  metrics: SpoolMetrics,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await (await OpenFolder.open(root, shared))[Symbol.asyncDispose]();
  const watchers = new Map<string, Watcher>();
  const oldest = new Map<string, number | undefined>();
  const watcherOf = (name: string) => {
    const tell = (line: string) => say(`${name}: ${line}`);
    const waiting = (modified: number | undefined) => {
      oldest.set(name, modified);
      metrics.waiting(least(oldest.values()));
    };
    const spool = new Spool(join(root, name), remove, shared);
    const made = new Watcher(spool, { work: workOf(name), metrics, say: tell, signal, waiting });
    watchers.set(name, made);
    return made;
  };
  const looks = new Looks(metrics, say);
  await looking(root, every, signal, async () => {
    const names = (await looks.of(() => foldersIn(root))) ?? [];
    for (const name of watchers.keys()) {
      if (names.includes(name)) continue;
      watchers.delete(name);
      oldest.delete(name);
    }
    for (const name of names) if (!signal.aborted) await (watchers.get(name) ?? watcherOf(name)).look();
  });
}

function least(values: Iterable<number | undefined>): number | undefined {
  const known = [...values].filter(value => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

async function foldersIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/** Looks again and again, as the only one that does so in this folder. */
async function looking(
  folder: string,
  every: number,
  signal: AbortSignal,
  look: () => Promise<void>,
): Promise<void> {
  const unlock = await lockFolder(folder);
  try {
    while (!signal.aborted) {
      const begin = performance.now();
      await look();
      await pause(every - (performance.now() - begin), signal);
    }
  } finally {
    await unlock();
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(Math.max(0, milliseconds), undefined, { signal }).catch(() => {});
}

/** Looks that are tried again where they fail for a reason that may pass; the failure is told. */
class Looks {
  #metrics: SpoolMetrics;
  #say: (line: string) => void;

  constructor(metrics: SpoolMetrics, say: (line: string) => void) {
    this.#metrics = metrics;
    this.#say = say;
  }

  /** Answers with undefined where it fails. */
  async of<Answer>(look: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await look();
      this.#metrics.looked(true);
      return answer;
    } catch (error) {
      this.#metrics.looked(false);
      this.#say(`Trying again later: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
}

/** The surroundings of a watcher. */
interface Surroundings {
  work: SpoolWork;
  metrics: SpoolMetrics;
  say(line: string): void;
  signal: AbortSignal;
  waiting: SpoolMetrics['waiting'];
}

class Watcher {
  #spool: Spool;
  #around: Surroundings;
  #looks: Looks;

  constructor(spool: Spool, around: Surroundings) {
    this.#spool = spool;
    this.#around = around;
    this.#looks = new Looks(around.metrics, around.say);
  }

  /** Takes one batch, where there is any. */
  async look(): Promise<void> {
    await this.#looks.of(() => this.#spool.opened(() => this.#takeOne()));
  }

  async #takeOne(): Promise<void> {
    const files = await this.#spool.files();
    this.#around.waiting(files[0]?.modified);
    const batch = batchOf(this.#spool.settled(files, Date.now()));
    if (batch.length > 0) await this.#take(batch);
  }

  async #take(files: readonly SpoolFile[]): Promise<void> {
    try {
      const outcome = await this.#around.work.run(files);
      this.#around.say(`${files.length} ${files.length === 1 ? 'file' : 'files'}: ${outcome.summary}`);
      this.#around.metrics.recorded(outcome.records);
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
      if (this.#around.signal.aborted) return;
      await this.#take([file]);
    }
  }

  async #putAway(file: SpoolFile, reasons: readonly string[] | undefined): Promise<void> {
    if (reasons === undefined) await this.#spool.done(file);
    else {
      await this.#spool.failed(file, reasons);
      this.#around.say(`${file.name} is in failed/: ${reasons[0]}`);
    }
    this.#around.metrics.finished(reasons === undefined ? 'done' : 'failed', reasons?.length ?? 0);
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
