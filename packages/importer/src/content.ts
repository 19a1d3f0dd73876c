import { isAbort, Unreadable } from './unreadable.ts';

/** A byte stream. */
export type Content = AsyncIterable<Uint8Array>;

/** The first bytes of a stream, and the complete stream, which can be read once. */
export interface PeekResult {
  /** The requested number of bytes, or fewer at the end. */
  head: Buffer;
  whole: Content;
}

/**
 * Reads the first bytes of a stream. A later error is thrown when the stream is read, so the bytes before it are not
 * lost.
 */
export async function peek(content: Content, bytes: number): Promise<PeekResult> {
  const chunks = content[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  let failure: { error: unknown } | undefined;
  while (length < bytes && !failure) {
    try {
      const next = await chunks.next();
      if (next.done) break;
      read.push(next.value);
      length += next.value.length;
    } catch (error) {
      if (length === 0 || isAbort(error)) throw error;
      failure = { error };
    }
  }
  const begin = Buffer.concat(read);
  return { head: begin.subarray(0, bytes), whole: prepend(begin, chunks, failure) };
}

async function* prepend(
  begin: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  failure: { error: unknown } | undefined,
): Content {
  try {
    if (begin.length > 0) yield begin;
    if (failure) throw failure.error;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * Reads a stream into memory.
 * @throws {Unreadable} with this reason if it is too long
 */
export async function collect(content: Content, limit: number, reason: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitContent(content, limit, reason)) chunks.push(chunk);
  return chunks.length === 1 ? asBuffer(chunks[0]!) : Buffer.concat(chunks);
}

/**
 * Passes a stream on.
 * @throws {Unreadable} with this reason once the stream exceeds the limit
 */
export async function* limitContent(content: Content, limit: number, reason: string): Content {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > limit) throw new Unreadable(reason);
    yield chunk;
  }
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
