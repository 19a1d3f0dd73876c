import { type FileHandle, open, realpath } from 'node:fs/promises';
import { CommandFailed } from '@sightline/terminal/failure';

/** Bytes that bad lines may fill: what came gzipped may be hundreds of times as much. */
const LONGEST = 1024 * 1024 * 1024;

/** The file for bad lines. It is the operator's alone, since reports may hold addresses of people. */
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
   * Opened before anything is loaded: a load of an hour must not end with a file that cannot be written.
   * @param sources what is loaded, which must not be overwritten
   */
  static async open(path: string, sources: readonly string[], longest = LONGEST): Promise<RejectsFile> {
    try {
      const target = await realpath(path).catch(() => undefined);
      const inputs = await Promise.all(sources.map(file => realpath(file).catch(() => undefined)));
      if (target !== undefined && inputs.includes(target)) throw new Error('it is one of the files to load');
      const file = await open(path, 'w', 0o600);
      // A file that was there keeps its mode; what is no file, such as a pipe, has an owner who chose it.
      if ((await file.stat()).isFile()) await file.chmod(0o600);
      return new RejectsFile(path, file, longest);
    } catch (error) {
      throw new CommandFailed(`${path} cannot be written: ${(error as Error).message}`);
    }
  }

  /** @throws {CommandFailed} when there is no room, which ends the load */
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
