import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes a line may have. */
export const LONGEST_LINE = 16 * 1024 * 1024;

export interface Line {
  /** From 1. */
  number: number;
  /** Undefined for what cannot be read as one: not UTF-8, or too long. */
  text?: string;
  /** The bytes of a line that is not text; of one that is too long, a part, in order. */
  bytes?: Buffer;
  tooLong?: boolean;
  /** True if the bytes are not the first of their line. */
  continued?: boolean;
  /** True if the bytes are not the last of their line. */
  unfinished?: boolean;
}

export interface SourceLine extends Line {
  source: string;
  /** The place of the source among the sources. */
  position: number;
}

/** The lines of the content, as many at once as came at once. gzip is known by its first bytes. */
export async function* readLines(content: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  const splitter = new LineSplitter();
  for await (const chunk of plain(content)) yield splitter.push(chunk);
  yield splitter.end();
}

const GZIP = [0x1f, 0x8b];

async function* plain(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = content[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < GZIP.length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = prepend(head, chunks);
  if (head[0] !== GZIP[0] || head[1] !== GZIP[1]) yield* whole;
  // An error reaches the reader through the stream itself.
  else yield* pipeline(Readable.from(whole), createGunzip({ chunkSize: 128 * 1024 }), () => {});
}

async function* prepend(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

const NEWLINE = 0x0a;
/**
 * Bytes that become text at once, if they end with a line. For each text of more than 128 kB, V8 asks the system for
 * memory and gives it back: six times the price.
 */
const PIECE = 64 * 1024;
const BYTE_ORDER_MARK = '\u{feff}';

class LineSplitter {
  #number = 0;
  /** The begin of the line whose end has not come. */
  #begun: Buffer[] = [];
  #length = 0;
  #tooLong = false;

  /** The lines that the chunk ends. */
  push(chunk: Buffer): Line[] {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last === -1) return this.#keep(chunk);
    const first = chunk.indexOf(NEWLINE);
    const lines = this.#endWith(chunk.subarray(0, first));
    if (last > first) this.#split(chunk.subarray(first + 1, last), lines);
    lines.push(...this.#keep(chunk.subarray(last + 1)));
    return lines;
  }

  /** The last line, if it has no end. */
  end(): Line[] {
    return this.#length > 0 || this.#tooLong ? this.#endWith(Buffer.alloc(0)) : [];
  }

  #split(block: Buffer, lines: Line[]): void {
    for (let start = 0; start <= block.length; ) {
      const found = block.indexOf(NEWLINE, start + PIECE);
      const end = found === -1 ? block.length : found;
      this.#decode(block.subarray(start, end), lines);
      start = end + 1;
    }
  }

  /** Decoding many lines at once is several times as fast as line by line. */
  #decode(block: Buffer, lines: Line[]): void {
    if (isUtf8(block)) {
      for (const text of block.toString().split('\n')) this.#add(text, lines);
      return;
    }
    for (let start = 0; start <= block.length; ) {
      const found = block.indexOf(NEWLINE, start);
      const end = found === -1 ? block.length : found;
      this.#addBytes(block.subarray(start, end), lines);
      start = end + 1;
    }
  }

  #endWith(bytes: Buffer): Line[] {
    const lines: Line[] = [];
    const begun = this.#begun;
    const isTooLong = this.#tooLong || this.#length + bytes.length > LONGEST_LINE;
    const whole = begun.length === 0 ? bytes : Buffer.concat([...begun, bytes]);
    const continued = this.#tooLong;
    [this.#begun, this.#length, this.#tooLong] = [[], 0, false];
    if (!isTooLong) this.#addBytes(whole, lines);
    else lines.push(this.#part(whole, continued, false));
    return lines;
  }

  /** Keeps the bytes of a line; one that is too long goes on in parts. */
  #keep(bytes: Buffer): Line[] {
    if (bytes.length === 0) return [];
    this.#begun.push(bytes);
    this.#length += bytes.length;
    if (this.#length <= LONGEST_LINE && !this.#tooLong) return [];
    const part = this.#part(Buffer.concat(this.#begun), this.#tooLong, true);
    [this.#begun, this.#length, this.#tooLong] = [[], 0, true];
    return [part];
  }

  #part(bytes: Buffer, continued: boolean, unfinished: boolean): Line {
    if (!continued) this.#number++;
    return { number: this.#number, bytes, tooLong: true, continued, unfinished };
  }

  #addBytes(bytes: Buffer, lines: Line[]): void {
    if (isUtf8(bytes)) this.#add(bytes.toString(), lines);
    else lines.push({ number: ++this.#number, bytes });
  }

  /** Empty lines count, and hold nothing. */
  #add(text: string, lines: Line[]): void {
    const number = ++this.#number;
    const content = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    if (content !== '' && content !== '\r' && content.trim() !== '') lines.push({ number, text: content });
  }
}
