import { Unreadable } from './unreadable.ts';

/** Bytes that come one after the other. */
export type Content = AsyncIterable<Uint8Array>;

/** The first bytes of a content, and the whole of it, which can be read once. */
export interface Peeked {
  /** As many as were asked for, or all that there are. */
  head: Buffer;
  whole: Content;
}

/** Reads so many bytes ahead. */
export async function peek(content: Content, bytes: number): Promise<Peeked> {
  const chunks = content[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < bytes) {
    const next = await chunks.next();
    if (next.done) break;
    read.push(next.value);
    length += next.value.length;
  }
  const begin = Buffer.concat(read);
  return { head: begin.subarray(0, bytes), whole: prepend(begin, chunks) };
}

async function* prepend(begin: Uint8Array, rest: AsyncIterator<Uint8Array>): Content {
  try {
    if (begin.length > 0) yield begin;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * All of a content at once.
 * @throws {Unreadable} with the reason, where it is longer
 */
export async function collect(content: Content, limit: number, reason: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(content, limit, reason)) chunks.push(chunk);
  return chunks.length === 1 ? asBuffer(chunks[0]!) : Buffer.concat(chunks);
}

/** @throws {Unreadable} with the reason, once more bytes than that have come */
export async function* limited(content: Content, limit: number, reason: string): Content {
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
