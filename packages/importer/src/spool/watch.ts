import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { OpenFolder } from './folder.ts';
import { lockFolder } from './lock.ts';
import type { SpoolMetrics } from './metrics.ts';
import { type SpoolFile, WatchedSpool } from './spool.ts';

export type { SpoolFile } from './spool.ts';

export interface WatchSettings {
  folder: string;
  /** Minimum interval between the starts of two batches, in milliseconds. */
  every: number;
  /** True to remove processed files. */
  remove: boolean;
  /** True if other users can write to the folder. */
  shared: boolean;
}

/** The work for the files of a spool. */
export interface SpoolWork {
  /**
   * Imports the files in one transaction.
   * @param limit milliseconds after which no further file is started
   * @throws {SpoolRefused} if the files can never be imported; any other error is temporary
   */
  run(files: readonly SpoolFile[], limit: number): Promise<SpoolOutcome>;
}

export interface SpoolOutcome {
  /** The number of imported files, counted from the first. */
  taken: number;
  /** The number of records by kind or type. */
  records: Readonly<Record<string, number>>;
  /** The reasons why files move to `failed/`, by name. Their readable parts are imported. */
  failures: ReadonlyMap<string, readonly string[]>;
  /** The summary shown in messages. */
  summary: string;
}

/** The files can never be imported. */
export class SpoolRefused extends Error {
  override name = 'SpoolRefused';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons[0]);
    this.reasons = reasons;
  }
}

interface BatchLimits {
  files: number;
  bytes: number;
  /** The time after which no further file is started, in milliseconds. */
  time: number;
}

const BATCH: BatchLimits = { files: 1000, bytes: 256 * 1024 * 1024, time: Number.POSITIVE_INFINITY };

/**
 * Limits of a batch if one process watches several folders, so that the others wait for no more than about two seconds.
 */
const SHARED_BATCH: BatchLimits = { files: 1000, bytes: 2 * 1024 * 1024, time: 1000 };

/**
 * Imports the files of a folder in batches until the signal. Each batch is a transaction, and its files move after the
 * commit: after a crash in between they are imported again, which changes nothing.
 * @throws {AlreadyWatched | SharedFolder}
 */
export async function watchFolder(
  { folder, every, remove, shared }: WatchSettings,
  work: SpoolWork,
  metrics: SpoolMetrics,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const spool = new WatchedSpool(folder, remove, shared);
  await spool.prepare();
  const watcher = new Watcher(spool, { work, metrics, say, waiting: metrics.waiting });
  await scanRepeatedly(folder, every, signal, async end => {
    await watcher.look();
    do await watcher.takeBatch(BATCH);
    while (watcher.hasFiles && performance.now() < end && !signal.aborted);
  });
}

/**
 * Watches all subfolders of a folder; they can be added and removed. Each has its own batches, so a blocked folder does
 * not block the others. The folder with the least time so far is next, so a flood in one does not delay the others.
 * @param workOf returns the work for the files of a folder, by its name
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
  const toWatcher = (name: string) => {
    const report = (line: string) => say(`${name}: ${line}`);
    const waiting = (modified: number | undefined) => {
      oldest.set(name, modified);
      metrics.waiting(least(oldest.values()));
    };
    const spool = new WatchedSpool(join(root, name), remove, shared);
    const made = new Watcher(spool, { work: workOf(name), metrics, say: report, waiting });
    watchers.set(name, made);
    return made;
  };
  const looks = new Looks(metrics, say);
  const turns = new Turns();
  const lookAtAll = async () => {
    const found = await looks.of(() => foldersIn(root));
    // After a failed scan, the folders may still exist.
    if (!found) return;
    const names = new Set(found);
    for (const name of watchers.keys()) {
      if (names.has(name)) continue;
      watchers.delete(name);
      oldest.delete(name);
    }
    metrics.waiting(least(oldest.values()));
    for (const name of names) {
      if (signal.aborted) return;
      const watcher = watchers.get(name) ?? toWatcher(name);
      const wasIdle = !watcher.hasFiles;
      await watcher.look();
      if (wasIdle) turns.join(watcher);
    }
  };
  await scanRepeatedly(root, every, signal, async end => {
    await lookAtAll();
    do await turns.takeBatch(watchers.values(), watchers.size > 1 ? SHARED_BATCH : BATCH);
    while (!signal.aborted && performance.now() < end && listWaiting(watchers.values()).length > 0);
  });
}

function listWaiting(watchers: Iterable<Watcher>): Watcher[] {
  return [...watchers].filter(({ hasFiles }) => hasFiles);
}

/** Schedules the watchers, so that the one that has used the least time is next. */
class Turns {
  /** The used time of the last scheduled watcher, before its batch. */
  #level = 0;

  /** Adds a watcher. Its used time is raised to the current level, so that idle folders do not accumulate credit. */
  join(watcher: Watcher): void {
    watcher.spent = Math.max(watcher.spent, this.#level);
  }

  async takeBatch(watchers: Iterable<Watcher>, limits: BatchLimits): Promise<void> {
    const [first, ...others] = listWaiting(watchers);
    if (!first) return;
    const next = others.reduce((least, one) => (one.spent < least.spent ? one : least), first);
    this.#level = next.spent;
    const begin = performance.now();
    await next.takeBatch(limits);
    next.spent += performance.now() - begin;
  }
}

function least(values: Iterable<number | undefined>): number | undefined {
  const existing = [...values].filter(value => value !== undefined);
  return existing.length === 0 ? undefined : Math.min(...existing);
}

async function foldersIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}

/**
 * Locks a folder and scans it repeatedly until the signal is aborted.
 * @param look scans the folder, until the next scan is due at `end`
 */
async function scanRepeatedly(
  folder: string,
  every: number,
  signal: AbortSignal,
  look: (end: number) => Promise<void>,
): Promise<void> {
  const unlock = await lockFolder(folder);
  try {
    while (!signal.aborted) {
      const begin = performance.now();
      await look(begin + every);
      await pause(every - (performance.now() - begin), signal);
    }
  } finally {
    await unlock();
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(Math.max(0, milliseconds), undefined, { signal }).catch(() => {});
}

/** Runs scans and reports their failures, so that the watcher can retry. */
class Looks {
  #metrics: SpoolMetrics;
  #say: (line: string) => void;

  constructor(metrics: SpoolMetrics, say: (line: string) => void) {
    this.#metrics = metrics;
    this.#say = say;
  }

  /** Runs a scan; returns undefined if it failed. */
  async of<Answer>(look: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await look();
      this.#metrics.examined(true);
      return answer;
    } catch (error) {
      this.#metrics.examined(false);
      this.#say(`Trying again later: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }
}

/** The dependencies of a watcher. */
interface WatcherDeps {
  work: SpoolWork;
  metrics: SpoolMetrics;
  say(line: string): void;
  waiting: SpoolMetrics['waiting'];
}

class Watcher {
  /** Total time of its batches, in milliseconds. */
  spent = 0;
  #spool: WatchedSpool;
  #around: WatcherDeps;
  #looks: Looks;
  /** Waiting files, the oldest first. */
  #files: readonly SpoolFile[] = [];
  /** Number of files that are imported one by one, because their batch was refused. */
  #single = 0;

  constructor(spool: WatchedSpool, around: WatcherDeps) {
    this.#spool = spool;
    this.#around = around;
    this.#looks = new Looks(around.metrics, around.say);
  }

  get hasFiles(): boolean {
    return this.#files.length > 0;
  }

  /** Finds waiting files. */
  async look(): Promise<void> {
    const look = async () => {
      const files = await this.#spool.files();
      this.#around.waiting(files[0]?.modified);
      return this.#spool.selectSettled(files, Date.now());
    };
    this.#files = (await this.#looks.of(() => this.#spool.opened(look))) ?? [];
  }

  /** Imports some of the files of the last scan. After a failure, the next scan finds them again. */
  async takeBatch(limits: BatchLimits): Promise<void> {
    const isSingle = this.#single > 0;
    const count = isSingle ? 1 : countFiles(this.#files, limits);
    const batch = this.#files.slice(0, count);
    if (batch.length === 0) return;
    if (isSingle) this.#single--;
    const take = async () => this.#take(await this.#spool.findAgain(batch), limits.time);
    const left = await this.#looks.of(() => this.#spool.opened(take));
    this.#files = left === undefined ? [] : [...left, ...this.#files.slice(count)];
  }

  /** Returns the files that still wait. */
  async #take(files: readonly SpoolFile[], limit: number): Promise<readonly SpoolFile[]> {
    if (files.length === 0) return [];
    try {
      const outcome = await this.#around.work.run(files, limit);
      const taken = files.slice(0, outcome.taken);
      this.#around.say(`${taken.length} ${taken.length === 1 ? 'file' : 'files'}: ${outcome.summary}`);
      this.#around.metrics.recorded(outcome.records);
      for (const file of taken) await this.#putAway(file, outcome.failures.get(file.name));
      return files.slice(outcome.taken);
    } catch (error) {
      if (!(error instanceof SpoolRefused)) throw error;
      if (files.length === 1) await this.#putAway(files[0]!, error.reasons);
      else this.#single = files.length;
      return files.length === 1 ? [] : files;
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

/**
 * Returns how many of the oldest files fit into a batch. Their order matters, because later lines replace earlier ones.
 */
function countFiles(files: readonly SpoolFile[], limits: BatchLimits): number {
  let bytes = 0;
  const end = files.findIndex(({ size }, index) => {
    bytes += size;
    return index === limits.files || (index > 0 && bytes > limits.bytes);
  });
  return end === -1 ? files.length : end;
}
