import { crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { Bounds } from '../bounds.ts';
import { asBuffer, type Content, limitContent, peek } from '../content.ts';
import { toUnreadable, Unreadable } from '../unreadable.ts';
import type { DecompressedCounter } from './decompressed.ts';

/** Maximum size of a gzip file that is decompressed in one call, and of its output, in bytes. */
const SMALL = 64 * 1024;
const SMALL_OUTPUT = 4 * 1024 * 1024;

/** Compressed bytes per call of the decompressor; their output is at most 4 MB. */
const SLICE = 4 * 1024;

const BROKEN = 'is a broken gzip';
const TOO_EARLY = 'it ends too early';

/**
 * Decompresses all members of a gzip file (RFC 1952). Bytes after the last member are ignored because some senders
 * append them.
 * @throws {Unreadable} after the readable part, and for a wrong checksum
 */
export async function* gunzip(content: Content, decompressed: DecompressedCounter, bounds: Bounds): Content {
  const compressed = limitContent(content, bounds.compressed, 'is compressed, and too large');
  const { head, whole } = await peek(compressed, SMALL + 1);
  const small = head.length <= SMALL ? gunzipSmall(head) : undefined;
  if (small) {
    decompressed.add(small.length);
    if (small.length > 0) yield small;
  } else yield* gunzipInSlices(new Bytes(whole), decompressed);
}

/**
 * Decompresses a gzip file in one call. Returns undefined if it is damaged or its output is large; the caller then
 * decompresses it in slices.
 */
function gunzipSmall(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let [at, room] = [0, SMALL_OUTPUT];
  while (at === 0 || isMember(bytes.subarray(at))) {
    try {
      const start = at + headerLength(bytes.subarray(at));
      // With `info`, Node also returns the engine, which counts the consumed bytes.
      const options = { info: true, maxOutputLength: room };
      const { buffer, engine } = inflateRawSync(bytes.subarray(start), options) as never as {
        buffer: Buffer;
        engine: InflateRaw;
      };
      const end = start + engine.bytesWritten;
      if (!hasChecksum(bytes.subarray(end, end + TRAILER), crc32(buffer), buffer.length)) return undefined;
      parts.push(buffer);
      room -= buffer.length;
      at = end + TRAILER;
    } catch {
      return undefined;
    }
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

async function* gunzipInSlices(bytes: Bytes, decompressed: DecompressedCounter): Content {
  for (let isFirst = true; isFirst || isMember(await bytes.peek(2)); isFirst = false) {
    await bytes.take(headerLength(await bytes.peek(SMALL)));
    let [crc, length] = [0, 0];
    for await (const chunk of inflate(bytes)) {
      decompressed.add(chunk.length);
      crc = crc32(chunk, crc);
      length += chunk.length;
      yield chunk;
    }
    const trailer = await bytes.take(TRAILER);
    if (trailer.length < TRAILER) throw new Unreadable(BROKEN, TOO_EARLY);
    if (!hasChecksum(trailer, crc, length))
      throw new Unreadable(BROKEN, 'its checksum differs, so the records can be wrong');
  }
}

/** Decompresses a DEFLATE stream (RFC 1951) and leaves the bytes after it unread. */
async function* inflate(bytes: Bytes): AsyncGenerator<Buffer> {
  const stream = createInflateRaw({ chunkSize: 64 * 1024 });
  const chunks: Buffer[] = [];
  let failure: Error | undefined;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('error', error => {
    failure ??= error;
  });
  const closed = new Promise<void>(resolve => void stream.once('close', resolve));
  try {
    for (let given = 0; ; ) {
      const slice = await bytes.take(SLICE);
      if (slice.length === 0) throw new Unreadable(BROKEN, TOO_EARLY);
      given += slice.length;
      await Promise.race([new Promise<void>(resolve => stream.write(slice, () => resolve())), closed]);
      yield* chunks.splice(0);
      if (failure) throw new Unreadable(BROKEN, toUnreadable(failure).detail);
      const left = given - stream.bytesWritten;
      if (left > 0) {
        bytes.giveBack(slice.subarray(slice.length - left));
        return;
      }
    }
  } finally {
    stream.destroy();
  }
}

/** Size of the checksum and length after each member, in bytes. */
const TRAILER = 8;

function hasChecksum(trailer: Buffer, crc: number, length: number): boolean {
  if (trailer.length < TRAILER) return false;
  return trailer.readUInt32LE(0) === crc && trailer.readUInt32LE(4) === length >>> 0;
}

function isMember(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

const [HEADER_CHECKSUM, EXTRA, NAME, COMMENT] = [2, 4, 8, 16];

/**
 * Returns the length of a member's header.
 * @throws {Unreadable} if the header is incomplete or its compression method is unknown
 */
function headerLength(bytes: Buffer): number {
  const [, , method, flags = 0] = bytes;
  if (method !== 8)
    throw new Unreadable(BROKEN, method === undefined ? TOO_EARLY : 'its compression method is unknown');
  let at = 10;
  if (flags & EXTRA) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0);
  for (const flag of [NAME, COMMENT]) if (flags & flag) at = bytes.indexOf(0, at) + 1 || bytes.length + 1;
  if (flags & HEADER_CHECKSUM) at += 2;
  if (at > bytes.length) throw new Unreadable(BROKEN, TOO_EARLY);
  return at;
}

/** A buffered reader of a byte stream. */
class Bytes {
  #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(content: Content) {
    this.#chunks = content[Symbol.asyncIterator]();
  }

  /** Returns up to `length` bytes without consuming them. */
  async peek(length: number): Promise<Buffer> {
    while (this.#held.length < length) {
      const next = await this.#chunks.next();
      if (next.done) break;
      const chunk = asBuffer(next.value);
      this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    }
    return this.#held.subarray(0, length);
  }

  /** Consumes at most `length` bytes; returns none at the end. */
  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  giveBack(bytes: Buffer): void {
    this.#held = Buffer.concat([bytes, this.#held]);
  }
}
