import type { Dirent } from 'node:fs';
import { link, lstat, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { onOneLine } from '@sightline/terminal/one-line';
import { OpenFolder } from './folder.ts';

/** A file that waits in a spool. */
export interface SpoolFile {
  /** Within the spool; of a mail in a maildir with its folder, such as `new/1700000000.M1P2.host`. */
  name: string;
  /** For people. */
  path: string;
  /** The path that opens it, while the spool is open. */
  source: string;
  size: number;
  /** The time of its last change, in milliseconds. */
  modified: number;
}

/** Milliseconds for which a file has to stay as it is before it is taken. */
const SETTLED = 2000;

/** Folders of a maildir. */
const MAILDIR = ['cur', 'new', 'tmp'];

/** Folders inside the spool. */
const DONE = 'done';
const FAILED = 'failed';

/** A folder that files come into, and from which each goes to `done/` or to `failed/`. */
export class Spool {
  readonly folder: string;
  #removes: boolean;
  #isShared: boolean;
  /** The folder and those in it, by their names; '' is the folder itself. */
  #open = new Map<string, OpenFolder>();
  /** When each file was first seen as it is, by name. */
  #seen = new Map<string, { state: string; since: number }>();

  /**
   * @param removes whether what is done is removed
   * @param isShared whether others may write into it
   */
  constructor(folder: string, removes: boolean, isShared: boolean) {
    this.folder = folder;
    this.#removes = removes;
    this.#isShared = isShared;
  }

  /**
   * Works on the folder as it is now, even where its path leads elsewhere meanwhile.
   * @throws {SharedFolder} where others may write into it, and it is not said that they may
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

  /** Makes the folders in it. */
  async prepare(): Promise<void> {
    await this.opened(async () => {
      for (const name of [DONE, FAILED]) await this.#inside(name);
    });
  }

  /** The path of a folder in it, which is made where it is not there; '' for itself. */
  async #inside(name: string): Promise<string> {
    const open = this.#open.get(name) ?? (await this.#open.get('')!.inside(name, this.#isShared));
    this.#open.set(name, open);
    return open.path;
  }

  /**
   * The files in it, the oldest first; of a maildir the mails that were delivered. Those that are hidden are still
   * being written.
   * @throws when the folder cannot be read
   */
  async files(): Promise<SpoolFile[]> {
    const entries = await readdir(await this.#inside(''), { withFileTypes: true });
    const isMaildir = MAILDIR.every(name =>
      entries.some(entry => entry.isDirectory() && entry.name === name),
    );
    const names = [
      ...namesOf(entries),
      ...(isMaildir ? [...(await this.#mailsIn('new')), ...(await this.#mailsIn('cur'))] : []),
    ];
    const files = await Promise.all(names.map(name => this.#look(name)));
    return files.filter(file => file !== undefined).sort(inOrder);
  }

  async #mailsIn(folder: string): Promise<string[]> {
    const entries = await readdir(await this.#inside(folder), { withFileTypes: true });
    return namesOf(entries).map(name => join(folder, name));
  }

  /** Those that are written in full: what was moved in whole, or has not changed for two seconds. */
  settled(files: readonly SpoolFile[], now: number): SpoolFile[] {
    const known = new Map<string, { state: string; since: number }>();
    for (const { name, size, modified } of files) {
      const state = `${size} ${modified}`;
      const before = this.#seen.get(name);
      known.set(name, before?.state === state ? before : { state, since: now });
    }
    this.#seen = known;
    return files.filter(({ name, modified }) => {
      const age = now - modified;
      // A clock that was set back must not let a file wait for ever.
      return age >= SETTLED || now - known.get(name)!.since >= SETTLED;
    });
  }

  async done({ name, source }: SpoolFile): Promise<void> {
    if (this.#removes) await rm(source, { force: true });
    else await this.#move(source, DONE, name);
  }

  /** @param reasons written beside it */
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

  /** Answers with the new path, which takes the place of no other; undefined where the file is gone. */
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
        // A file system without links.
        if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK') throw error;
        await rename(path, target);
        return target;
      }
    }
  }
}

/** Never into a file that is there, nor through a link. */
async function writeAnew(path: string, text: string): Promise<void> {
  for (let number = 0; ; number++) {
    try {
      return await writeFile(number === 0 ? path : `${path}.${number}`, text, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function namesOf(entries: readonly Dirent[]): string[] {
  return entries.filter(entry => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
}

function inOrder(a: SpoolFile, b: SpoolFile): number {
  return a.modified - b.modified || (a.name < b.name ? -1 : 1);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
