import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bytes } from './bytes.ts';
import { Share } from './share.ts';

/** Size of an account's buffered lines at which they are written, and maximum size of all buffered lines, in bytes. */
const PIECE = 1024 * 1024;
const MOST_HELD = 8 * PIECE;
/**
 * Size of a disk block in bytes. Files are counted in whole blocks, because many small files can also fill the disk.
 */
const BLOCK = 4096;
/** Maximum number of buffers retained for reuse. */
const MOST_SPARE = 4;

/** Minimum milliseconds between two scans of the spool. */
const BETWEEN_LOOKS = 5000;

/** Minimum interval between two write tests of the spool, and time limit of a test, in milliseconds. */
const BETWEEN_TRIALS = 1000;
const LONGEST_TRIAL = 2000;
/** Size of a write test in bytes. It is not 0, because an empty file can be created on a full disk. */
const TRIAL = 4096;

/** Numbers of reports by type. */
export type ReportCounts = ReadonlyMap<string, number>;

type WriteListener = (account: string, tally: ReportCounts, error?: Error) => void;

/** Metadata of a line. */
export interface LineFacts {
  /** The types of its reports. */
  types: readonly string[];
  /** Number of reports that count against the quota of the account's plan. */
  counted: number;
  /** Called once the line is on disk, or writing it has failed. */
  onEnd?: (isOnDisk: boolean) => void;
}

const NO_REPORTS: LineFacts = { types: [], counted: 0 };

interface PendingFile {
  lines: Bytes;
  tally: Map<string, number>;
  counted: number;
  onEnd: ((isOnDisk: boolean) => void)[];
}

/**
 * Writes files of lines to a folder per account. The name of a file begins with a dot until it is complete and on disk.
 */
export class Spool {
  #folder: string;
  #most: number;
  #onWritten: WriteListener;
  #pending = new Map<string, PendingFile>();
  #spare: Bytes[] = [];
  #writing = new Set<Promise<void>>();
  /** Bytes that have not been written, by account. */
  #held: Share;
  #heldReports = new Share(Number.POSITIVE_INFINITY, () => false);
  #made = new Set<string>();
  /** A random part of file names and ids, which is unique to this process regardless of the clock. */
  #run = randomBytes(6).toString('hex');
  #files = 0;
  #lines = 0;
  /** Bytes of waiting files by account: those of the last scan, and those written since. */
  #waiting: Share;
  #lookedAt = 0;
  #isLooking = false;
  #trial: { begun: number; isOver: boolean; problem: Promise<Error | undefined> } | undefined;
  /** Size of the last file that could not be written; 0 after a success. */
  #failed = 0;

  /**
   * @param most maximum number of waiting bytes
   * @param isShared returns whether there are several accounts
   * @param onWritten called for each file, or with the reason why it could not be written
   */
  constructor(folder: string, most: number, isShared: () => boolean, onWritten: WriteListener) {
    this.#folder = folder;
    this.#most = most;
    this.#held = new Share(MOST_HELD, isShared);
    this.#waiting = new Share(most, isShared);
    this.#onWritten = onWritten;
  }

  /**
   * Removes incomplete files of an earlier process.
   * @throws if the folder is not writable
   */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o770 });
    for (const entry of await readdir(this.#folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && /^\..*\.part$/.test(entry.name))
        await rm(join(entry.parentPath, entry.name), { force: true });
    await this.#tryOut();
    await this.look();
  }

  /** Returns the reason why the spool is not writable; undefined if it is. Tests this at most once a second. */
  findProblem(): Promise<Error | undefined> {
    const [last, begun] = [this.#trial, performance.now()];
    if (last && (!last.isOver || begun - last.begun < BETWEEN_TRIALS)) return last.problem;
    const late = sleep(LONGEST_TRIAL, new Error('The disk does not respond'), { ref: false });
    const tried = this.#tryOut().then(
      () => undefined,
      (error: Error) => error,
    );
    const trial = { begun, isOver: false, problem: Promise.race([tried, late]) };
    this.#trial = trial;
    tried.then(() => {
      trial.isOver = true;
    });
    return trial.problem;
  }

  /**
   * Tests whether a file can be written.
   * @throws if it cannot
   */
  async #tryOut(): Promise<void> {
    if (this.#isFull && performance.now() - this.#lookedAt > BETWEEN_TRIALS) await this.look();
    if (this.#isFull) throw new Error('The spool is full. Is an importer running?');
    await mkdir(this.#folder, { recursive: true, mode: 0o770 });
    const file = join(this.#folder, `.${this.#run}-${this.#files++}.part`);
    try {
      await writeFile(file, Buffer.alloc(Math.max(TRIAL, this.#failed)), { flag: 'wx' });
    } finally {
      await rm(file, { force: true });
    }
    this.#failed = 0;
  }

  /** True if almost all of the space is used. */
  get #isFull(): boolean {
    return this.#most - this.waiting < Math.min(2 * PIECE, this.#most / 20);
  }

  get waiting(): number {
    return this.#waiting.used;
  }

  /** Returns the id of a line, which is the same when the line is read again. */
  nextId(): string {
    return `${this.#run}-${(this.#lines++).toString(36)}`;
  }

  /**
   * Adds a line.
   * @param line the line in pieces, with its line break
   * @returns false if the account has no room for it
   */
  add(account: string, line: readonly Buffer[], facts = NO_REPORTS): boolean {
    const { types, counted, onEnd } = facts;
    const bytes = line.reduce((sum, piece) => sum + piece.length, 0);
    if (!this.#held.hasRoom(account, bytes) || !this.#hasRoom(account, bytes)) return false;
    const file: PendingFile = this.#pending.get(account) ?? {
      lines: this.#spare.pop() ?? new Bytes(),
      tally: new Map(),
      counted: 0,
      onEnd: [],
    };
    this.#pending.set(account, file);
    for (const piece of line) file.lines.add(piece);
    for (const type of types) file.tally.set(type, (file.tally.get(type) ?? 0) + 1);
    file.counted += counted;
    if (onEnd) file.onEnd.push(onEnd);
    this.#held.add(account, bytes);
    this.#heldReports.add(account, counted);
    this.#waiting.add(account, bytes);
    if (file.lines.length >= PIECE) this.#begin(account);
    return true;
  }

  /** Writes all buffered lines. Resolves when they are on disk. */
  async flush(): Promise<void> {
    for (const account of [...this.#pending.keys()]) this.#begin(account);
    await Promise.all(this.#writing);
  }

  #hasRoom(account: string, bytes: number): boolean {
    if (this.#waiting.hasRoom(account, bytes)) return true;
    // An importer may have removed files in the meantime.
    if (!this.#isLooking && performance.now() - this.#lookedAt > BETWEEN_LOOKS) this.look().catch(() => {});
    return false;
  }

  #begin(account: string): void {
    const file = this.#pending.get(account)!;
    this.#pending.delete(account);
    const writing = this.#write(account, file);
    this.#writing.add(writing);
    writing.finally(() => this.#writing.delete(writing));
  }

  async #write(account: string, { lines, tally, counted, onEnd }: PendingFile): Promise<void> {
    const folder = join(this.#folder, account);
    const name = `${Date.now()}-${this.#run}-${this.#files++}-${counted}.ndjson`;
    const part = join(folder, `.${name}.part`);
    try {
      const file = await this.#create(account, part);
      try {
        await file.writeFile(lines.whole());
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, join(folder, name));
      this.#waiting.add(account, toBlocks(lines.length) - lines.length);
      this.#failed = 0;
      this.#onWritten(account, tally);
      for (const call of onEnd) call(true);
    } catch (error) {
      this.#made.delete(account);
      this.#failed = lines.length;
      this.#waiting.add(account, -lines.length);
      await rm(part, { force: true }).catch(() => {});
      this.#onWritten(account, tally, error as Error);
      for (const call of onEnd) call(false);
    } finally {
      this.#held.add(account, -lines.length);
      this.#heldReports.add(account, -counted);
      lines.length = 0;
      if (lines.size >= PIECE && this.#spare.length < MOST_SPARE) this.#spare.push(lines);
    }
  }

  async #create(account: string, path: string): Promise<FileHandle> {
    const isMade = this.#made.has(account);
    if (!isMade) await mkdir(dirname(path), { recursive: true, mode: 0o770 });
    this.#made.add(account);
    return open(path, 'wx', 0o640).catch((error: NodeJS.ErrnoException) => {
      if (!isMade || error.code !== 'ENOENT') throw error;
      // The folder no longer exists, so it is created again.
      this.#made.delete(account);
      return this.#create(account, path);
    });
  }

  /**
   * Scans the waiting files.
   * @returns reports of this month that no importer has taken yet, by account
   * @throws if the folder cannot be read
   */
  async look(): Promise<ReadonlyMap<string, number>> {
    this.#isLooking = true;
    try {
      const waiting = new Map<string, number>();
      // Files that are written during the scan may be counted twice, but never missed.
      const reports = new Map(this.#heldReports.entries());
      for (const entry of await readdir(this.#folder, { withFileTypes: true })) {
        if (!entry.isDirectory()) continue;
        const found = await measureFiles(join(this.#folder, entry.name));
        waiting.set(entry.name, found.bytes);
        reports.set(entry.name, (reports.get(entry.name) ?? 0) + found.reports);
      }
      for (const [account, held] of this.#held.entries())
        waiting.set(account, (waiting.get(account) ?? 0) + held);
      this.#waiting.replace(waiting);
      return reports;
    } finally {
      this.#lookedAt = performance.now();
      this.#isLooking = false;
    }
  }
}

function toBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK;
}

/**
 * Returns the total size and number of reports of the files in a folder. Its subfolders `done/` and `failed/` belong to
 * the importer.
 */
async function measureFiles(folder: string): Promise<{ bytes: number; reports: number }> {
  let [bytes, reports] = [0, 0];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(noneIfMissing)) {
    if (!entry.isFile()) continue;
    bytes += toBlocks((await stat(join(folder, entry.name)).catch(() => ({ size: 0 }))).size);
    reports += countInName(entry.name);
  }
  return { bytes, reports };
}

/** An account's folder can be removed during a scan. */
function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Returns the number of this month's reports in a file, from its name. */
function countInName(name: string): number {
  const [, written, reports] = /^(\d{13})-[^-]+-\d+-(\d+)\.ndjson$/.exec(name) ?? [];
  if (reports === undefined) return 0;
  return toMonth(Number(written)) === toMonth(Date.now()) ? Number(reports) : 0;
}

function toMonth(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}
