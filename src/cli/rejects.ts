import { type FileHandle, open, realpath } from 'node:fs/promises';
import { CommandFailed } from '@sightline/tools';

/** The maximum size of the file of bad lines in bytes, since gzipped input can expand several hundred times. */
const LONGEST = 1024 * 1024 * 1024;

/** The file for bad lines. Only the operator can read it, since reports can contain personal addresses. */
export class RejectsFile {
  #path: string;
  #file: FileHandle;
  #left: number;

  private constructor(path: string, file: FileHandle, longest: number) {
    this.#path = path;
    this.#file = file;
    this.#left = longest;
  }

  /**
   * Opened before the load, so a long load cannot fail at the end because the file is not writable.
   * @param sources the input files, which must not be overwritten
   */
  static async open(path: string, sources: readonly string[], longest = LONGEST): Promise<RejectsFile> {
    try {
      const target = await realpath(path).catch(() => undefined);
      const inputs = await Promise.all(sources.map(file => realpath(file).catch(() => undefined)));
      if (target !== undefined && inputs.includes(target)) throw new Error('it is one of the files to load');
      const file = await open(path, 'w', 0o600);
      // An existing file keeps its mode. The owner of a pipe or device has chosen its mode.
      if ((await file.stat()).isFile()) await file.chmod(0o600);
      return new RejectsFile(path, file, longest);
    } catch (error) {
      throw new CommandFailed(`${path} cannot be written: ${(error as Error).message}`);
    }
  }

  /** @throws {CommandFailed} when the disk is full, which ends the load */
  async write(bytes: Uint8Array): Promise<void> {
    this.#left -= bytes.length;
    if (this.#left < 0)
      throw new CommandFailed(`The bad lines do not fit into ${this.#path}, 1 GiB: nothing was loaded.`);
    try {
      await this.#file.writeFile(bytes);
    } catch (error) {
      throw new CommandFailed(
        `${this.#path} cannot be written: ${(error as Error).message}: nothing was loaded.`,
      );
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
