import type { Dirent } from 'node:fs';
import { link, lstat, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { onOneLine } from '@sightline/tools';
import { OpenFolder } from './folder.ts';

/** A file that waits in a spool. */
export interface SpoolFile {
  /** The path within the spool; in a maildir with the folder, such as `new/1700000000.M1P2.host`. */
  name: string;
  /** The path shown in messages. */
  path: string;
  /** The path to open the file, valid while the spool is open. */
  source: string;
  size: number;
  /** Its modification time in milliseconds. */
  modified: number;
}

/** Milliseconds for which a file must not change before it is processed. */
const SETTLED = 2000;

/** Folders of a maildir. */
const MAILDIR = ['cur', 'new', 'tmp'];

/** Subfolders for imported files and for files with errors. */
const DONE = 'done';
const FAILED = 'failed';

/** A folder from which each file moves to `done/` or `failed/`. */
export class WatchedSpool {
  readonly folder: string;
  #removes: boolean;
  #isShared: boolean;
  /** The folder ('') and its subfolders, by name. */
  #open = new Map<string, OpenFolder>();
  /** When each file was first seen in its current state, by name. */
  #seen = new Map<string, { state: string; since: number }>();

  /**
   * @param removes true to remove imported files
   * @param isShared true if other users can write to the folder
   */
  constructor(folder: string, removes: boolean, isShared: boolean) {
    this.folder = folder;
    this.#removes = removes;
    this.#isShared = isShared;
  }

  /**
   * Keeps the folder open during the work, so that it stays the same even if its path changes.
   * @throws {SharedFolder} if others can write to it without `isShared`
   */
  async opened<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.#open.set('', await OpenFolder.open(this.folder, this.#isShared));
    try {
      return await work();
    } finally {
      const open = [...this.#open.values()];
      this.#open.clear();
      for (const folder of open) await folder[Symbol.asyncDispose]();
    }
  }

  /** Creates the subfolders. */
  async prepare(): Promise<void> {
    await this.opened(async () => {
      for (const name of [DONE, FAILED]) await this.#inside(name);
    });
  }

  /** Returns the path of a subfolder ('' for the folder itself), and creates it if it is missing. */
  async #inside(name: string): Promise<string> {
    const open = this.#open.get(name) ?? (await this.#open.get('')!.inside(name, this.#isShared));
    this.#open.set(name, open);
    return open.path;
  }

  /**
   * Lists the files, oldest first; in a maildir only delivered mails. Hidden files are incomplete.
   * @throws if the folder cannot be read
   */
  async files(): Promise<SpoolFile[]> {
    const entries = await readdir(await this.#inside(''), { withFileTypes: true });
    const isMaildir = MAILDIR.every(name =>
      entries.some(entry => entry.isDirectory() && entry.name === name),
    );
    const names = [
      ...listNames(entries),
      ...(isMaildir ? [...(await this.#mailsIn('new')), ...(await this.#mailsIn('cur'))] : []),
    ];
    const files = await Promise.all(names.map(name => this.#look(name)));
    return files.filter(file => file !== undefined).sort(inOrder);
  }

  async #mailsIn(folder: string): Promise<string[]> {
    const entries = await readdir(await this.#inside(folder), { withFileTypes: true });
    return listNames(entries).map(name => join(folder, name));
  }

  /** Returns the complete files: those that were moved in, or have not changed for two seconds. */
  selectSettled(files: readonly SpoolFile[], now: number): SpoolFile[] {
    const existing = new Map<string, { state: string; since: number }>();
    for (const { name, size, modified } of files) {
      const state = `${size} ${modified}`;
      const before = this.#seen.get(name);
      existing.set(name, before?.state === state ? before : { state, since: now });
    }
    this.#seen = existing;
    return files.filter(({ name, modified }) => {
      const age = now - modified;
      // A file must not wait forever if the clock is set back.
      return age >= SETTLED || now - existing.get(name)!.since >= SETTLED;
    });
  }

  /** Returns the files that have not changed, with their paths in the open folder. */
  async findAgain(files: readonly SpoolFile[]): Promise<SpoolFile[]> {
    const found = await Promise.all(files.map(({ name }) => this.#look(name)));
    return found.filter(
      (file, index): file is SpoolFile =>
        file?.size === files[index]!.size && file.modified === files[index]!.modified,
    );
  }

  async done({ name, source }: SpoolFile): Promise<void> {
    if (this.#removes) await rm(source, { force: true });
    else await this.#move(source, DONE, name);
  }

  /**
   * Moves a file to `failed/`.
   * @param reasons are written to a file next to it
   */
  async failed({ name, source }: SpoolFile, reasons: readonly string[]): Promise<void> {
    const taken = await this.#move(source, FAILED, name);
    if (taken) await writeAnew(`${taken}.reason`, reasons.map(reason => `${onOneLine(reason)}\n`).join(''));
  }

  async #look(name: string): Promise<SpoolFile | undefined> {
    const folder = dirname(name);
    const source = join(await this.#inside(folder === '.' ? '' : folder), basename(name));
    try {
      const status = await lstat(source);
      return { name, path: join(this.folder, name), source, size: status.size, modified: status.mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Moves a file without replacing another one. Returns its new path, or undefined if the file no longer exists. */
  async #move(path: string, folder: string, name: string): Promise<string | undefined> {
    const inside = await this.#inside(folder);
    for (let number = 0; ; number++) {
      const target = join(inside, number === 0 ? basename(name) : `${basename(name)}.${number}`);
      try {
        await link(path, target);
        await unlink(path);
        return target;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (isMissing(error)) return undefined;
        if (code === 'EEXIST') continue;
        // The file system does not support links.
        if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK') throw error;
        await rename(path, target);
        return target;
      }
    }
  }
}

/** Writes a new file; never overwrites a file or follows a link. */
async function writeAnew(path: string, text: string): Promise<void> {
  for (let number = 0; ; number++) {
    try {
      return await writeFile(number === 0 ? path : `${path}.${number}`, text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function listNames(entries: readonly Dirent[]): string[] {
  return entries.filter(entry => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
}

function inOrder(a: SpoolFile, b: SpoolFile): number {
  return a.modified - b.modified || (a.name < b.name ? -1 : 1);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
