import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { Refusal } from './respond.ts';

type Decompress = (body: Buffer, options: ZlibOptions) => Promise<Buffer>;

const [unzip, inflateZlib, inflateBare] = [promisify(gunzip), promisify(inflate), promisify(inflateRaw)];

const DECOMPRESS: Readonly<Record<string, Decompress>> = {
  gzip: unzip,
  'x-gzip': unzip,
  // RFC 9110, section 8.4.1.2: some clients omit the zlib header.
  deflate: (body, options) => (hasZlibHeader(body) ? inflateZlib : inflateBare)(body, options),
  br: promisify(brotliDecompress),
};

const CODINGS = 'gzip, deflate, br';

/**
 * Decodes a body by its `Content-Encoding`.
 * @param largest maximum decoded size in bytes
 * @throws {Refusal} `unsupportedCoding`, `malformedCoding`, `bodyTooLarge`
 */
export async function decompress(body: Buffer, contentEncoding = '', largest: number): Promise<Buffer> {
  const codings = contentEncoding.split(',').map(coding => coding.trim().toLowerCase());
  const [coding, another] = codings.filter(coding => coding !== '' && coding !== 'identity');
  // Clients that compress every body also send the header with a GET.
  if (coding === undefined || body.length === 0) return body;
  if (another !== undefined || !Object.hasOwn(DECOMPRESS, coding)) {
    throw new Refusal('unsupportedCoding', { 'Accept-Encoding': CODINGS });
  }
  try {
    return await DECOMPRESS[coding]!(body, { maxOutputLength: largest });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Refusal(isTooLarge ? 'bodyTooLarge' : 'malformedCoding');
  }
}

/** RFC 1950, section 2.2. */
function hasZlibHeader(body: Buffer): boolean {
  return body.length >= 2 && (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}
