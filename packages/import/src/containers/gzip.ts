import { type FlateError, FlateErrorCode, Gunzip } from 'fflate';
import { Exhausted } from '../allowance.ts';
import type { Bounds } from '../bounds.ts';
import { type Content, limited } from '../content.ts';
import { Unreadable, unreadable } from '../unreadable.ts';
import type { Decompressed } from './decompressed.ts';

/** Compressed bytes that are given to the decompressor at once: they become at most 4 MB. */
const SLICE = 4 * 1024;

/**
 * The content of a gzip (RFC 1952). Bytes behind its end are left out, since some senders add them.
 * @throws {Unreadable} behind what could be read
 */
export async function* gunzip(content: Content, decompressed: Decompressed, bounds: Bounds): Content {
  const out: Uint8Array[] = [];
  let isBegun = false;
  const stream = new Gunzip(chunk => {
    decompressed.add(chunk.length);
    if (chunk.length > 0) out.push(chunk);
  });
  try {
    for await (const chunk of limited(content, bounds.compressed, 'is compressed, and too large')) {
      for (let start = 0; start < chunk.length; start += SLICE) {
        stream.push(chunk.subarray(start, start + SLICE), false);
        isBegun ||= out.length > 0;
        yield* out.splice(0);
      }
    }
    stream.push(new Uint8Array(), true);
  } catch (error) {
    isBegun ||= out.length > 0;
    yield* out.splice(0);
    if (error instanceof Unreadable || error instanceof Exhausted) throw error;
    const isBehindTheEnd = isBegun && (error as FlateError).code === FlateErrorCode.InvalidHeader;
    if (!isBehindTheEnd) throw new Unreadable('is a broken gzip', unreadable(error).detail);
  }
  yield* out.splice(0);
}
