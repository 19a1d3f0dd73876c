import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Neither follows a link nor waits for another end: whoever may write into a folder chooses what stands there. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The name does not lead to a regular file. Others may write into its folder. */
export class NoRegularFile extends Error {
  override name = 'NoRegularFile';
}

/**
 * Opens a file where it lies, and nothing that stands in its place.
 * @throws {NoRegularFile} for a link, a pipe, a device or a folder
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, FLAGS).catch(error => {
    throw failureOf(path, error);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NoRegularFile(`${path} is no regular file`);
}

function failureOf(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // The codes for a link and for a socket.
  return code === 'ELOOP' || code === 'ENXIO' ? new NoRegularFile(`${path} is no regular file`) : error;
}

export interface SmallFile {
  /** When it changed last, in milliseconds. */
  modified: number;
  /** All of it; undefined where it is longer. */
  bytes: Buffer | undefined;
}

/**
 * Reads a small file before it returns: promises take five times as long, and ten times the processor's time.
 * @param most bytes
 * @throws {NoRegularFile} for a link, a pipe, a device or a folder
 */
export function readSmallFile(path: string, most: number): SmallFile {
  const descriptor = openHere(path);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new NoRegularFile(`${path} is no regular file`);
    const { mtimeMs: modified, size } = status;
    return { modified, bytes: size > most ? undefined : wholeOf(descriptor, size) };
  } finally {
    closeSync(descriptor);
  }
}

function openHere(path: string): number {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    throw failureOf(path, error);
  }
}

/** As much as it held when it was opened, or less where it was cut since. */
function wholeOf(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Its bytes, in parts; it is opened when they are read. @throws {NoRegularFile} */
export async function* regularContent(path: string, highWaterMark: number): AsyncGenerator<Buffer> {
  const handle = await openRegular(path);
  yield* handle.createReadStream({ highWaterMark });
}
