import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Bytes } from './bytes.ts';

/** Bytes of an account's lines from which on they are written at once, and of all that are not written yet. */
const PIECE = 1024 * 1024;
const MOST_HELD = 8 * PIECE;
/** Rooms of a piece that are filled again and again. */
const MOST_SPARE = 4;

/** Milliseconds between two looks at how much waits in the spool, at least. */
const BETWEEN_LOOKS = 5000;

/** Reports by type. */
export type Tally = ReadonlyMap<string, number>;

type OnWritten = (account: string, tally: Tally, error?: Error) => void;

interface Held {
  lines: Bytes;
  tally: Map<string, number>;
}

/**
 * A folder for each account, and in it files of lines. A file has its name once it is whole and on the disk: one that is
 * being written begins with a dot.
 */
export class Spool {
  #folder: string;
  #most: number;
  #onWritten: OnWritten;
  #held = new Map<string, Held>();
  #spare: Bytes[] = [];
  #writing = new Set<Promise<void>>();
  /** Bytes that are in memory alone. */
  #bytesHeld = 0;
  #made = new Set<string>();
  /** No two processes, and no two files of one, have the same name, whatever the clock says. */
  #run = randomBytes(6).toString('hex');
  #files = 0;
  #lines = 0;
  /** Bytes that waited when it was looked last, and what was written since. */
  #waiting = 0;
  #looked = 0;
  #isLooking = false;

  /**
   * @param most bytes that may wait in it
   * @param onWritten told of each file, or of why there is none
   */
  constructor(folder: string, most: number, onWritten: OnWritten) {
    this.#folder = folder;
    this.#most = most;
    this.#onWritten = onWritten;
  }

  /** Removes what a process before has left half written. @throws when the folder cannot be written to */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o770 });
    for (const entry of await readdir(this.#folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && /^\..*\.part$/.test(entry.name)) await rm(join(entry.parentPath, entry.name));
    const probe = join(this.#folder, `.${this.#run}.part`);
    await writeFile(probe, '').then(() => rm(probe));
    await this.look();
  }

  get waiting(): number {
    return this.#waiting + this.#bytesHeld;
  }

  /** A line keeps its id wherever it is read again. */
  nextId(): string {
    return `${this.#run}-${(this.#lines++).toString(36)}`;
  }

  /**
   * @param line in pieces, with its end
   * @param types of its reports
   * @returns false where there is no room for it
   */
  add(account: string, line: readonly Buffer[], types: readonly string[]): boolean {
    const bytes = line.reduce((sum, piece) => sum + piece.length, 0);
    if (this.#bytesHeld + bytes > MOST_HELD || !this.#hasRoom(bytes)) return false;
    const held = this.#held.get(account) ?? { lines: this.#spare.pop() ?? new Bytes(), tally: new Map() };
    if (held.lines.length === 0) this.#held.set(account, held);
    for (const piece of line) held.lines.add(piece);
    for (const type of types) held.tally.set(type, (held.tally.get(type) ?? 0) + 1);
    this.#bytesHeld += bytes;
    if (held.lines.length >= PIECE) this.#begin(account);
    return true;
  }

  /** Writes all that is held. Answers when it is on the disk. */
  async flush(): Promise<void> {
    for (const account of [...this.#held.keys()]) this.#begin(account);
    await Promise.all(this.#writing);
  }

  #hasRoom(bytes: number): boolean {
    if (this.waiting + bytes <= this.#most) return true;
    // An importer may have taken files since.
    if (!this.#isLooking && performance.now() - this.#looked > BETWEEN_LOOKS) this.look().catch(() => {});
    return false;
  }

  #begin(account: string): void {
    const held = this.#held.get(account)!;
    this.#held.delete(account);
    const writing = this.#write(account, held);
    this.#writing.add(writing);
    writing.finally(() => this.#writing.delete(writing));
  }

  async #write(account: string, { lines, tally }: Held): Promise<void> {
    const folder = join(this.#folder, account);
    const name = `${Date.now()}-${this.#run}-${this.#files++}.ndjson`;
    const part = join(folder, `.${name}.part`);
    try {
      if (!this.#made.has(account)) await mkdir(folder, { recursive: true, mode: 0o770 });
      this.#made.add(account);
      const file = await open(part, 'wx', 0o640);
      try {
        await file.writeFile(lines.whole());
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, join(folder, name));
      this.#waiting += lines.length;
      this.#onWritten(account, tally);
    } catch (error) {
      // The folder may have been removed.
      this.#made.delete(account);
      await rm(part, { force: true }).catch(() => {});
      this.#onWritten(account, tally, error as Error);
    } finally {
      this.#bytesHeld -= lines.length;
      lines.length = 0;
      if (lines.size >= PIECE && this.#spare.length < MOST_SPARE) this.#spare.push(lines);
    }
  }

  /** Counts anew what waits. @throws when the folder cannot be read */
  async look(): Promise<void> {
    this.#isLooking = true;
    try {
      let waiting = 0;
      for (const account of await readdir(this.#folder, { withFileTypes: true }))
        if (account.isDirectory()) waiting += await bytesIn(join(this.#folder, account.name));
      this.#waiting = waiting;
    } finally {
      this.#looked = performance.now();
      this.#isLooking = false;
    }
  }
}

/** The bytes of the files in a folder itself: `done/` and `failed/` are the importer's. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(folder, entry.name)).catch(() => ({ size: 0 }))).size;
  return bytes;
}
