import { Unreadable } from '../unreadable.ts';

/** An ASN.1 value in DER (ITU-T X.690), limited to what certificates use. */
export interface Der {
  tag: number;
  /** The complete encoding, with tag and length. */
  whole: Buffer;
  content: Buffer;
}

export const TAG = {
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  extensions: 0xa3,
  version: 0xa0,
};

/** Maximum number of values in a constructed value; a certificate has a few dozen. */
const MOST_VALUES = 10_000;

/**
 * Parses the first DER value.
 * @throws {Unreadable}
 */
export function readDer(bytes: Buffer): Der {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined)
    throw new Unreadable('is no certificate', 'it ends too early');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4 || first === 0x80) throw new Unreadable('is no certificate', 'a length cannot be read');
  const length =
    lengthBytes === 0 ? first : bytes.subarray(2, 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0);
  const start = 2 + lengthBytes;
  if (start + length > bytes.length) throw new Unreadable('is no certificate', 'it ends too early');
  return { tag, whole: bytes.subarray(0, start + length), content: bytes.subarray(start, start + length) };
}

/**
 * Parses the values inside a constructed value.
 * @throws {Unreadable}
 */
export function valuesIn(content: Buffer): Der[] {
  const values: Der[] = [];
  for (let at = 0; at < content.length; ) {
    const value = readDer(content.subarray(at));
    values.push(value);
    if (values.length > MOST_VALUES) throw new Unreadable('is no certificate', 'it has too many values');
    at += value.whole.length;
  }
  return values;
}

/** Encodes a value with this tag. */
export function writeDer(tag: number, ...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff);
  const written = length < 0x80 ? [length] : [0x80 | bytes.length, ...bytes];
  return Buffer.concat([Buffer.of(tag, ...written), ...parts]);
}
