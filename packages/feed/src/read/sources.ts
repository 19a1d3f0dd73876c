import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { type NumberedLine, readLines } from './lines.ts';
import { regularContent } from './regular-file.ts';

type Chunk = string | Uint8Array;
type Chunks = Iterable<Chunk> | AsyncIterable<Chunk>;

/** A source of lines of the feed. */
export interface FeedSource {
  /** The name of the source, for messages about its lines. */
  name: string;
  /** The size in bytes, if known. */
  size?: number;
  /**
   * The content, gzipped or not. A function is called for every read, and an array can be read repeatedly. Anything
   * else can be read only once, so it is copied to a temporary file.
   */
  content: Chunks | (() => Chunks);
}

const CHUNK = 512 * 1024;

/**
 * Creates a source for a file or anything else with a path, such as a pipe.
 * @throws if it cannot be read
 */
export async function fileSource(path: string): Promise<FeedSource> {
  const handle = await open(path);
  const status = await handle.stat();
  // Kept open, because what writes to a pipe fails while nothing reads from it.
  if (!status.isFile() && !status.isDirectory())
    return { name: path, content: handle.createReadStream({ highWaterMark: CHUNK }) };
  await handle.close();
  if (status.isDirectory()) throw new Error(`${path} is a folder`);
  return { name: path, size: status.size, content: () => createReadStream(path, { highWaterMark: CHUNK }) };
}

/**
 * Creates a source for a file in a folder to which other users can write.
 * @param name for messages
 */
export function regularSource(name: string, path: string, size: number): FeedSource {
  return { name, size, content: () => regularContent(path, CHUNK) };
}

/** A source that can be read repeatedly. It must be closed. */
export class RereadableSource {
  readonly name: string;
  readonly size: number | undefined;
  #content: FeedSource['content'];
  #folder: string | undefined;

  constructor({ name, size, content }: FeedSource) {
    this.name = name;
    this.size = size;
    this.#content = content;
  }

  /**
   * Reads the source.
   * @param signal aborts reading with an AbortError
   */
  read(signal?: AbortSignal): AsyncIterable<Buffer> {
    const content = this.#content;
    if (typeof content === 'function') return buffers(content(), signal);
    return Array.isArray(content) ? buffers(content, signal) : this.#readAndKeep(buffers(content, signal));
  }

  async *#readAndKeep(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.#folder = await mkdtemp(join(tmpdir(), 'sightline-load-'));
    const path = join(this.#folder, 'content');
    const file = await open(path, 'w', 0o600);
    try {
      for await (const chunk of chunks) {
        await file.write(chunk);
        yield chunk;
      }
    } finally {
      await file.close();
    }
    this.#content = () => createReadStream(path, { highWaterMark: CHUNK });
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }
}

/**
 * Yields the lines of a source, one batch per chunk of input.
 * @param onBytes called with the size of each chunk before decompression
 * @throws {Error} naming the source, if it cannot be read completely
 */
export async function* toLines(
  source: RereadableSource,
  onBytes: (count: number) => void,
  signal?: AbortSignal,
): AsyncGenerator<NumberedLine[]> {
  try {
    yield* readLines(countBytes(source.read(signal), onBytes));
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    // The code of an AbortError is a number.
    if (String(code).startsWith('Z_'))
      throw new Error(`${source.name} is a broken gzip: ${message}`, { cause: error });
    if (syscall) throw new Error(`${source.name} cannot be read: ${message}`, { cause: error });
    throw error;
  }
}

async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* buffers(chunks: Chunks, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  if (signal && chunks instanceof Readable) addAbortSignal(signal, chunks);
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield typeof chunk === 'string' ? Buffer.from(chunk) : asBuffer(chunk);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the total size of the sources, or undefined if a size is unknown. */
export function totalSize(sources: readonly RereadableSource[]): number | undefined {
  const sizes = sources.map(source => source.size);
  return sizes.every(size => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
}
