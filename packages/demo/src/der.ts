/** A minimal ASN.1 DER encoder (ITU-T X.690) for the demo's certificates, which avoids a dependency. */

export function sequence(...parts: Uint8Array[]): Buffer {
  return value(0x30, ...parts);
}

export function set(...parts: Uint8Array[]): Buffer {
  return value(0x31, ...parts);
}

export const TRUE = value(0x01, Buffer.of(0xff));
export const NULL = value(0x05);

/** A non-negative integer, from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  return value(0x02, bytes[0]! < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return value(0x03, Buffer.of(unusedBits), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
  return value(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return value(0x0c, Buffer.from(text, 'utf8'));
}

export function printableString(text: string): Buffer {
  return value(0x13, Buffer.from(text, 'ascii'));
}

/** Whole seconds in the years 1950 to 2049. Later years use another format. */
export function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().slice(2, 19).replace(/\D/g, '');
  return value(0x17, Buffer.from(`${digits}Z`, 'ascii'));
}

/** A dotted object identifier. */
export function objectIdentifier(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  return value(0x06, Buffer.from([first! * 40 + second!, ...rest.flatMap(base128)]));
}

/** `[tag] EXPLICIT`. */
export function explicit(tag: number, ...parts: Uint8Array[]): Buffer {
  return value(0xa0 | tag, ...parts);
}

/** `[tag] IMPLICIT` of a string. */
export function implicitString(tag: number, text: string): Buffer {
  return value(0x80 | tag, Buffer.from(text, 'ascii'));
}

function value(tag: number, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.of(tag), measureLength(length), ...parts]);
}

function measureLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

function base128(component: number): number[] {
  const bytes = [component & 0x7f];
  for (let rest = Math.floor(component / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest & 0x7f) | 0x80);
  }
  return bytes;
}
