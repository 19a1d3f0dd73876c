import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Flags for opening a file in a folder that other users can write to: links are refused, and pipes do not block. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The path is not a regular file, as is required in folders that other users can write to. */
export class NoRegularFile extends Error {
  override name = 'NoRegularFile';
}

/**
 * Opens a regular file without following links.
 * @throws {NoRegularFile} for a link, a pipe, a device or a folder
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, FLAGS).catch(error => {
    throw toFailure(path, error);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NoRegularFile(`${path} is not a regular file`);
}

function toFailure(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // ELOOP means a link, and ENXIO a socket.
  return code === 'ELOOP' || code === 'ENXIO' ? new NoRegularFile(`${path} is not a regular file`) : error;
}

export interface SmallFile {
  /** The modification time, in milliseconds since 1970. */
  modified: number;
  /** The content; undefined if the file is too large. */
  bytes: Buffer | undefined;
}

/**
 * Reads a small file synchronously, which takes much less processor time than promises.
 * @param most maximum size in bytes
 * @throws {NoRegularFile} for a link, a pipe, a device or a folder
 */
export function readSmallFile(path: string, most: number): SmallFile {
  const descriptor = openHere(path);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new NoRegularFile(`${path} is not a regular file`);
    const { mtimeMs: modified, size } = status;
    return { modified, bytes: size > most ? undefined : readWhole(descriptor, size) };
  } finally {
    closeSync(descriptor);
  }
}

function openHere(path: string): number {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    throw toFailure(path, error);
  }
}

/** Reads up to the given size. Returns less if the file has been truncated. */
function readWhole(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/**
 * Reads a file in chunks. It is opened at the first read.
 * @throws {NoRegularFile}
 */
export async function* regularContent(path: string, highWaterMark: number): AsyncGenerator<Buffer> {
  const handle = await openRegular(path);
  yield* handle.createReadStream({ highWaterMark });
}
