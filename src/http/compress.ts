import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { preference } from './preference.ts';
import type { Header } from './reply.ts';

export type Coding = 'br' | 'gzip';

/** Bytes below which compressing does not pay. */
export const SMALLEST = 1024;

/** The lowest levels: higher ones cost a multiple, and save a tenth. */
const QUICKLY = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }, gzip: { level: 1 } };

/** For what is compressed once: half the gain that the highest levels have, for a tenth of their time. */
export const WELL = { br: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, gzip: { level: 6 } };

type Compress = (content: string | Buffer, options: object) => Promise<Buffer>;

const COMPRESS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as Record<Coding, Compress>;

export function compress(content: string | Buffer, coding: Coding, how = QUICKLY): Promise<Buffer> {
  return COMPRESS[coding](content, how[coding]);
}

/** Reads the source as fast as what comes out is taken. */
export async function* compressStream(source: AsyncIterable<Buffer>, coding: Coding): AsyncGenerator<Buffer> {
  const encoder: Transform = coding === 'br' ? createBrotliCompress(QUICKLY.br) : createGzip(QUICKLY.gzip);
  feed(source, encoder).catch(error => encoder.destroy(error));
  yield* encoder;
}

/** A piece of the source is good until the next one is asked for, and has been read by then. */
async function feed(source: AsyncIterable<Buffer>, encoder: Transform): Promise<void> {
  for await (const piece of source) {
    await new Promise<void>((resolve, reject) => {
      encoder.write(piece, error => (error ? reject(error) : resolve()));
    });
  }
  encoder.end();
}

const CODINGS = ['br', 'gzip', 'identity'];

/** Clients send few different headers, and each of them often. */
const known = new Map<string, Coding | undefined>();
const MOST_KNOWN = 200;

/** The coding that a client prefers (RFC 9110, section 12.5.3), of those there are; undefined for none. */
export function codingFor(acceptEncoding: Header): Coding | undefined {
  const header = preference(acceptEncoding);
  if (header === undefined) return undefined;
  if (known.has(header)) return known.get(header);
  if (known.size >= MOST_KNOWN) known.clear();
  const [best] = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(CODINGS);
  const coding = best === 'br' || best === 'gzip' ? best : undefined;
  known.set(header, coding);
  return coding;
}
