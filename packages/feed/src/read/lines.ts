import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Maximum size of a line, in bytes. */
export const LONGEST_LINE = 16 * 1024 * 1024;

export interface NumberedLine {
  /** The line number, from 1. */
  number: number;
  /** The text of the line; undefined if it is not valid UTF-8 or is too long. */
  text?: string;
  /** The bytes of a line without `text`. A line that is too long is passed on in several parts. */
  bytes?: Buffer;
  tooLong?: boolean;
  /** True for a part that does not begin its line. */
  continued?: boolean;
  /** True for a part that does not end its line. */
  unfinished?: boolean;
}

export interface SourceLine extends NumberedLine {
  source: string;
  /** The index of the source. */
  position: number;
}

/** Reads the lines of a source, one batch per chunk of input. Gzip is detected by its first bytes. */
export async function* readLines(content: AsyncIterable<Buffer>): AsyncGenerator<NumberedLine[]> {
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
  // The iteration throws the errors of the stream.
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
 * Maximum number of bytes that are decoded together. V8 allocates texts of more than 128 kB individually from the
 * system, which is slower.
 */
const PIECE = 64 * 1024;
const BYTE_ORDER_MARK = '\u{feff}';

class LineSplitter {
  #number = 0;
  /** The chunks of an incomplete line. */
  #begun: Buffer[] = [];
  #length = 0;
  #tooLong = false;

  /** Returns the lines that end in this chunk. */
  push(chunk: Buffer): NumberedLine[] {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last === -1) return this.#keep(chunk);
    const first = chunk.indexOf(NEWLINE);
    const lines = this.#endWith(chunk.subarray(0, first));
    if (last > first) this.#split(chunk.subarray(first + 1, last), lines);
    lines.push(...this.#keep(chunk.subarray(last + 1)));
    return lines;
  }

  /** Returns the last line if it has no line terminator. */
  end(): NumberedLine[] {
    return this.#length > 0 || this.#tooLong ? this.#endWith(Buffer.alloc(0)) : [];
  }

  #split(block: Buffer, lines: NumberedLine[]): void {
    for (let start = 0; start <= block.length; ) {
      const found = block.indexOf(NEWLINE, start + PIECE);
      const end = found === -1 ? block.length : found;
      this.#decode(block.subarray(start, end), lines);
      start = end + 1;
    }
  }

  /** Decodes the lines of a block together, which is faster than decoding each line. */
  #decode(block: Buffer, lines: NumberedLine[]): void {
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

  #endWith(bytes: Buffer): NumberedLine[] {
    const lines: NumberedLine[] = [];
    const begun = this.#begun;
    const isTooLong = this.#tooLong || this.#length + bytes.length > LONGEST_LINE;
    const whole = begun.length === 0 ? bytes : Buffer.concat([...begun, bytes]);
    const continued = this.#tooLong;
    [this.#begun, this.#length, this.#tooLong] = [[], 0, false];
    if (!isTooLong) this.#addBytes(whole, lines);
    else lines.push(this.#part(whole, continued, false));
    return lines;
  }

  /** Buffers the bytes of an incomplete line. A line that is too long is passed on in parts. */
  #keep(bytes: Buffer): NumberedLine[] {
    if (bytes.length === 0) return [];
    this.#begun.push(bytes);
    this.#length += bytes.length;
    if (this.#length <= LONGEST_LINE && !this.#tooLong) return [];
    const part = this.#part(Buffer.concat(this.#begun), this.#tooLong, true);
    [this.#begun, this.#length, this.#tooLong] = [[], 0, true];
    return [part];
  }

  #part(bytes: Buffer, continued: boolean, unfinished: boolean): NumberedLine {
    if (!continued) this.#number++;
    return { number: this.#number, bytes, tooLong: true, continued, unfinished };
  }

  #addBytes(bytes: Buffer, lines: NumberedLine[]): void {
    if (isUtf8(bytes)) this.#add(bytes.toString(), lines);
    else lines.push({ number: ++this.#number, bytes });
  }

  /** Adds a line. Empty lines are counted but not returned. */
  #add(text: string, lines: NumberedLine[]): void {
    const number = ++this.#number;
    const content = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    if (content !== '' && content !== '\r' && content.trim() !== '') lines.push({ number, text: content });
  }
}
