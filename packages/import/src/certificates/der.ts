import { Unreadable } from '../unreadable.ts';

/** A value of ASN.1 in its Distinguished Encoding Rules (ITU-T X.690): as much as certificates need. */
export interface Der {
  tag: number;
  /** With its tag and length. */
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

/** Values of one constructed value: a certificate has a few dozen. */
const MOST_VALUES = 10_000;

/** @throws {Unreadable} */
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

/** The values inside a constructed one. @throws {Unreadable} */
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

/** A value with this tag. */
export function writeDer(tag: number, ...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff);
  const written = length < 0x80 ? [length] : [0x80 | bytes.length, ...bytes];
  return Buffer.concat([Buffer.of(tag, ...written), ...parts]);
}
