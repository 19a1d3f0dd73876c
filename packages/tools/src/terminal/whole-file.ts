import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { CommandFailed } from './failure.ts';

/** A file that gets its final name once it is complete. Devices and pipes are written directly. */
export class WholeFile {
  readonly handle: FileHandle;
  readonly #path: string;
  readonly #target: string;

  private constructor(path: string, target: string, handle: FileHandle) {
    this.#path = path;
    this.#target = target;
    this.handle = handle;
  }

  /**
   * Opens a temporary file.
   * @throws {CommandFailed} if it cannot be written
   */
  static async open(path: string): Promise<WholeFile> {
    const target = (await isFileOrNothing(path)) ? `${path}.partial` : path;
    return new WholeFile(path, target, await openPrivate(path, 'w', target));
  }

  async commit(): Promise<void> {
    await this.handle.close();
    if (this.#target !== this.#path) await rename(this.#target, this.#path);
  }

  async discard(): Promise<void> {
    await this.handle.close();
    if (this.#target !== this.#path) await rm(this.#target, { force: true });
  }
}

/**
 * Reads a text file. Returns undefined if it does not exist.
 * @throws {CommandFailed} if it cannot be read
 */
export async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandFailed(`${path} cannot be read: ${error.message}`);
  });
}

/**
 * Replaces a file atomically.
 * @throws {CommandFailed}
 */
export async function replaceText(path: string, text: string): Promise<void> {
  const file = await WholeFile.open(path);
  try {
    await file.handle.writeFile(text);
    await file.handle.datasync();
    await file.commit();
  } catch (error) {
    await file.discard().catch(() => {});
    throw cannotBeWritten(path, error);
  }
}

export async function isFileOrNothing(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile();
}

/**
 * Opens a file that only its owner can read, because it contains reports.
 * @param target the path that the file will replace
 * @throws {CommandFailed} if the file cannot be written
 */
export async function openPrivate(path: string, flags: 'w' | 'a+', target = path): Promise<FileHandle> {
  try {
    return await open(target, flags, 0o600);
  } catch (error) {
    throw cannotBeWritten(path, error);
  }
}

export function cannotBeWritten(path: string, error: unknown): CommandFailed {
  return new CommandFailed(`${path} cannot be written: ${(error as Error).message}`);
}
