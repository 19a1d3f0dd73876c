import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { preference } from './negotiate.ts';
import type { HeaderValue } from './reply.ts';

export type Coding = 'br' | 'gzip';

/** Minimum size in bytes for compression. */
export const SMALLEST = 1024;

/** The lowest levels. Higher ones take several times as long and save only a tenth. */
const QUICKLY = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }, gzip: { level: 1 } };

/** Levels for responses that are compressed once: half the gain of the highest levels in a tenth of their time. */
export const WELL = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, gzip: { level: 6 } };

type Compress = (content: string | Buffer, options: object) => Promise<Buffer>;

const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as Record<Coding, Compress>;

export function compress(content: string | Buffer, coding: Coding, how = QUICKLY): Promise<Buffer> {
  return COMPRESS[coding](content, how[coding]);
}

/** Reads the source as fast as the output is consumed. */
export async function* compressStream(source: AsyncIterable<Buffer>, coding: Coding): AsyncGenerator<Buffer> {
  const encoder: Transform = coding === 'br' ? createBrotliCompress(QUICKLY.br) : createGzip(QUICKLY.gzip);
  feed(source, encoder).catch(error => encoder.destroy(error));
  yield* encoder;
}

/** A chunk of the source is valid until the next one is requested, by which time it has been consumed. */
async function feed(source: AsyncIterable<Buffer>, encoder: Transform): Promise<void> {
  for await (const piece of source) {
    await new Promise<void>((resolve, reject) => {
      encoder.write(piece, error => (error ? reject(error) : resolve()));
    });
  }
  encoder.end();
}

const CODINGS = ['br', 'gzip', 'identity'];

/** Cached, because clients send few different headers. */
const seen = new Map<string, Coding | undefined>();
const MOST_KNOWN = 200;

/** Returns the coding that a client prefers (RFC 9110, section 12.5.3); undefined for none. */
export function codingFor(acceptEncoding: HeaderValue): Coding | undefined {
  const header = preference(acceptEncoding);
  if (header === undefined) return undefined;
  if (seen.has(header)) return seen.get(header);
  if (seen.size >= MOST_KNOWN) seen.clear();
  const [best] = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(CODINGS);
  const coding = best === 'br' || best === 'gzip' ? best : undefined;
  seen.set(header, coding);
  return coding;
}
