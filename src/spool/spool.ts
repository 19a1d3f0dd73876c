import { link, lstat, mkdir, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that waits in a spool. */
export interface SpoolFile {
  name: string;
  path: string;
  size: number;
  /** Of its last change, in milliseconds. */
  modified: number;
}

/** Milliseconds for which a file has to stay as it is before it is taken. */
const SETTLED = 2000;

/** Folders inside the spool. */
const DONE = 'done';
const FAILED = 'failed';

/** A folder that files come into, and from which each goes to `done/` or to `failed/`. */
export class Spool {
  readonly folder: string;
  #removes: boolean;
  /** When each file was first seen as it is, by name. */
  #seen = new Map<string, { state: string; since: number }>();

  /** @param removes whether what is done is removed */
  constructor(folder: string, removes: boolean) {
    this.folder = folder;
    this.#removes = removes;
  }

  async prepare(): Promise<void> {
    for (const name of [DONE, FAILED]) await mkdir(join(this.folder, name), { recursive: true });
  }

  /**
   * The files in it, the oldest first; those that are hidden are still being written.
   * @throws when the folder cannot be read
   */
  async files(): Promise<SpoolFile[]> {
    const entries = await readdir(this.folder, { withFileTypes: true });
    const names = entries
      .filter(entry => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
    const files = await Promise.all(names.map(name => this.#look(name)));
    return files.filter(file => file !== undefined).sort(inOrder);
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

  async done({ name, path }: SpoolFile): Promise<void> {
    if (this.#removes) await rm(path, { force: true });
    else await this.#move(path, DONE, name);
  }

  /** @param reasons written beside it */
  async failed({ name, path }: SpoolFile, reasons: readonly string[]): Promise<void> {
    const taken = await this.#move(path, FAILED, name);
    if (taken)
      await writeFile(`${taken}.reason`, reasons.map(reason => `${reason}\n`).join(''), { mode: 0o600 });
  }

  async #look(name: string): Promise<SpoolFile | undefined> {
    const path = join(this.folder, name);
    try {
      const status = await lstat(path);
      return { name, path, size: status.size, modified: status.mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Answers with the new path, which takes the place of no other; undefined where the file is gone. */
  async #move(path: string, folder: string, name: string): Promise<string | undefined> {
    for (let number = 0; ; number++) {
      const target = join(this.folder, folder, number === 0 ? name : `${name}.${number}`);
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

function inOrder(a: SpoolFile, b: SpoolFile): number {
  return a.modified - b.modified || (a.name < b.name ? -1 : 1);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
