import { Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Reply } from './reply.ts';

type Coding = 'br' | 'gzip';

const SMALLEST = 1024;
/** The lowest levels: higher ones cost a multiple, and save a tenth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

const brotli = promisify(brotliCompress) as (text: string, options: object) => Promise<Buffer>;
const gzipped = promisify(gzip) as (text: string, options: object) => Promise<Buffer>;

/** The reply in a coding that the client accepts (RFC 9110, section 12.5.3), where that pays. */
export async function compress(reply: Reply, acceptEncoding: string | string[] | undefined): Promise<Reply> {
  const { body } = reply;
  if (Buffer.isBuffer(body) || (typeof body === 'string' && body.length <= SMALLEST)) return reply;
  const coding = codingFor(String(acceptEncoding ?? ''));
  if (!coding) return reply;
  const headers = { ...reply.headers, 'Content-Encoding': coding };
  if (typeof body !== 'string') return { ...reply, headers, body: compressStream(body, coding) };
  return { ...reply, headers, body: await (coding === 'br' ? brotli(body, BROTLI) : gzipped(body, GZIP)) };
}

function compressStream(body: AsyncIterable<string>, coding: Coding): AsyncIterable<string> {
  const encoder: Transform = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
  const source = Readable.from(body);
  source.on('error', error => encoder.destroy(error));
  encoder.on('close', () => source.destroy());
  return source.pipe(encoder) as AsyncIterable<string>;
}

/** Clients send few different headers, and each of them often. */
const known = new Map<string, Coding | undefined>();
const MOST_KNOWN = 200;

function codingFor(acceptEncoding: string): Coding | undefined {
  if (acceptEncoding === '') return undefined;
  if (known.has(acceptEncoding)) return known.get(acceptEncoding);
  if (known.size >= MOST_KNOWN) known.clear();
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const [best] = negotiator.encodings(['br', 'gzip', 'identity']);
  const coding = best === 'br' || best === 'gzip' ? best : undefined;
  known.set(acceptEncoding, coding);
  return coding;
}
