import { isUtf8 } from 'node:buffer';
import { asBuffer, type Content } from '../content.ts';

/**
 * Decodes bytes as text: UTF-16 and UTF-8 are detected, whatever encoding is declared. Lines that are not UTF-8 are
 * read in the encoding of the XML declaration, or else as windows-1252, in which every byte is valid.
 */
export async function* decode(content: Content): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  for await (const chunk of content) {
    if (chunk.length === 0) continue;
    const bytes = asBuffer(chunk);
    decoder ??= decoderFor(bytes);
    yield decoder.push(bytes);
  }
  if (decoder) yield decoder.end();
}

interface Decoder {
  push(bytes: Buffer): string;
  end(): string;
}

function decoderFor(head: Buffer): Decoder {
  const wide = wideEncoding(head);
  if (wide) return new StrictDecoder(wide);
  const declared = declaredEncoding(head);
  // ISO-2022-JP uses ASCII escape sequences, so it looks like UTF-8.
  return declared === 'iso-2022-jp' ? new StrictDecoder(declared) : new LenientDecoder(declared);
}

/** Detects UTF-16 by its byte order mark, or by a first ASCII character. */
export function wideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && head.length > 1))
    return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0))
    return 'utf-16be';
  return undefined;
}

function declaredEncoding(head: Buffer): string {
  const declared = /^[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(
    head.toString('latin1', 0, 256),
  )?.[1];
  try {
    // The line is not valid UTF-8, and UTF-16 would have been detected.
    return !declared || /^utf/i.test(declared) ? 'windows-1252' : new TextDecoder(declared).encoding;
  } catch {
    return 'windows-1252';
  }
}

/** Decodes the declared encoding, for encodings whose bytes are also valid UTF-8. */
class StrictDecoder implements Decoder {
  #decoder: TextDecoder;

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding);
  }

  push(bytes: Buffer): string {
    return this.#decoder.decode(bytes, { stream: true });
  }

  end(): string {
    return this.#decoder.decode();
  }
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\u{feff}';

class LenientDecoder implements Decoder {
  #other: TextDecoder;
  #begun: Buffer = Buffer.alloc(0);
  #isFirst = true;

  constructor(otherwise: string) {
    this.#other = new TextDecoder(otherwise);
  }

  push(bytes: Buffer): string {
    const all = this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes]);
    const whole = wholeLength(all);
    this.#begun = Buffer.from(all.subarray(whole));
    return this.#decode(all.subarray(0, whole));
  }

  end(): string {
    return this.#decode(this.#begun);
  }

  #decode(bytes: Buffer): string {
    const text = isUtf8(bytes) ? bytes.toString() : this.#byLine(bytes);
    const marked = this.#isFirst && text.startsWith(BYTE_ORDER_MARK);
    this.#isFirst &&= text === '';
    return marked ? text.slice(1) : text;
  }

  #byLine(bytes: Buffer): string {
    let text = '';
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found === -1 ? bytes.length : found + 1;
      const line = bytes.subarray(start, end);
      text += isUtf8(line) ? line.toString() : this.#decodeOther(line);
      start = end;
    }
    return text;
  }

  /** Uses a stream, because several versions of Node decode windows-1252 otherwise as latin1 (nodejs/node#56542). */
  #decodeOther(line: Buffer): string {
    return this.#other.decode(line, { stream: true }) + this.#other.decode();
  }
}

/** Maximum number of bytes that wait for the end of their line. */
const LONGEST_WAITING = 64 * 1024;

/**
 * Returns the number of leading bytes that can be decoded: whole characters of UTF-8, or whole lines of another
 * encoding.
 */
function wholeLength(bytes: Buffer): number {
  const characters = bytes.length - countIncomplete(bytes);
  const lines = bytes.lastIndexOf(NEWLINE) + 1;
  if (bytes.length - lines > LONGEST_WAITING || isUtf8(bytes.subarray(lines, characters))) return characters;
  return lines;
}

/** Returns the number of bytes at the end that form an incomplete UTF-8 character. */
function countIncomplete(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
