import type { FileHandle } from 'node:fs/promises';
import { cannotBeWritten, isFileOrNothing, openPrivate, WholeFile } from './whole-file.ts';

/** The destination of an export. */
export interface Target {
  /**
   * Writes all bytes or nothing.
   * @throws {CommandFailed | ReaderGone}
   */
  write(...chunks: readonly Uint8Array[]): Promise<void>;
  /** Completes the output after the last page. */
  end(): Promise<void>;
  /** Closes an incomplete output. */
  giveUp(): Promise<void>;
}

/** The reader of standard output has closed it. */
export class ReaderGone extends Error {}

/**
 * Opens the destination.
 * @param grows true to append to existing content
 */
export async function openTarget(path: string, grows: boolean): Promise<Target> {
  if (path === '-') return standardOutput;
  return grows && (await isFileOrNothing(path)) ? GrowingFile.open(path) : wholeFile(path);
}

const standardOutput: Target = {
  async write(...chunks) {
    for (const chunk of chunks) await writeToOutput(chunk);
  },
  async end() {},
  async giveUp() {},
};

function writeToOutput(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, error => {
      if (!error) return resolve();
      const isGone = (error as NodeJS.ErrnoException).code === 'EPIPE';
      reject(isGone ? new ReaderGone() : cannotBeWritten('Standard output', error));
    });
  });
}

async function wholeFile(path: string): Promise<Target> {
  const file = await WholeFile.open(path);
  return {
    async write(...chunks) {
      await append(file.handle, chunks).catch(error => {
        throw cannotBeWritten(path, error);
      });
    },
    end: () => file.commit(),
    giveUp: () => file.discard(),
  };
}

async function append(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) await file.writeFile(chunk);
}

/**
 * A file of lines to which pages are appended. An incomplete last line comes from an interrupted run. It is removed,
 * because its page is exported again.
 */
class GrowingFile implements Target {
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<GrowingFile> {
    const file = await openPrivate(path, 'a+');
    await file.truncate(await endOfLines(file));
    return new GrowingFile(path, file);
  }

  async write(...chunks: readonly Uint8Array[]): Promise<void> {
    // The size is read again, because another process may have truncated the file.
    const { size } = await this.#file.stat();
    try {
      await append(this.#file, chunks);
      // The data is synced before the cursor is stored, because the cursor must not be ahead of it.
      await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(size).catch(() => {});
      throw cannotBeWritten(this.#path, error);
    }
  }

  async end(): Promise<void> {
    await this.#file.close();
  }

  giveUp(): Promise<void> {
    return this.end();
  }
}

const BLOCK = 64 * 1024;
const LINE_FEED = 10;

/** Returns the end of the last complete line. */
async function endOfLines(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const block = Buffer.alloc(BLOCK);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const last = block.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}
