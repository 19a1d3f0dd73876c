import type { Content } from '../content.ts';

/** `From sender date`: what stands before each mail (RFC 4155). A sentence of a mail has no time of day in it. */
const SEPARATOR = /^From [^\n]*\d\d:\d\d[^\n]*\d{4}[^\n]*$/;

/** Bytes of a separator that are looked at. */
const LONGEST_SEPARATOR = 300;

/** A mail of an mbox, or undefined where it is longer than the limit. */
export type MboxMail = Buffer | undefined;

/** The mails of an mbox, one after the other. */
export async function* mboxMails(content: Content, limit: number): AsyncGenerator<MboxMail> {
  const splitter = new MboxSplitter(limit);
  for await (const chunk of content)
    yield* splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  yield* splitter.end();
}

const NEWLINE = 0x0a;
const FROM = Buffer.from('From ');

class MboxSplitter {
  #limit: number;
  #line: Buffer[] = [];
  #mail: Buffer[] = [];
  #length = 0;
  /** Whether a mail was begun, and whether the line before was empty. */
  #isBegun = false;
  #isAfterEmpty = true;

  constructor(limit: number) {
    this.#limit = limit;
  }

  *push(chunk: Buffer): Generator<MboxMail> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield* this.#endLine(chunk.subarray(start, end + 1));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(this.#line, chunk.subarray(start));
  }

  *end(): Generator<MboxMail> {
    yield* this.#endLine(Buffer.alloc(0));
    if (this.#isBegun) yield this.#take();
  }

  *#endLine(rest: Buffer): Generator<MboxMail> {
    const line = this.#line.length === 0 ? rest : Buffer.concat([...this.#line.splice(0), rest]);
    if (
      this.#isAfterEmpty &&
      line.subarray(0, 5).equals(FROM) &&
      // The first line of a file is one, whatever its date looks like.
      (!this.#isBegun || SEPARATOR.test(line.toString('latin1', 0, LONGEST_SEPARATOR).trimEnd()))
    ) {
      if (this.#isBegun) yield this.#take();
      this.#isBegun = true;
      return;
    }
    this.#isBegun ||= line.length > 0;
    this.#isAfterEmpty = line.length <= 2 && line.toString('latin1').trim() === '';
    this.#keep(this.#mail, unquoted(line));
  }

  /** Of a mail that is too long nothing is kept. */
  #keep(parts: Buffer[], bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length <= this.#limit) parts.push(bytes);
    else {
      this.#mail = [];
      this.#line = [];
    }
  }

  #take(): MboxMail {
    const mail = this.#length <= this.#limit ? Buffer.concat(this.#mail) : undefined;
    [this.#mail, this.#length] = [[], 0];
    return mail;
  }
}

/** `>From` stands for a line of the mail that begins with `From`. */
function unquoted(line: Buffer): Buffer {
  return line[0] === 0x3e && /^>+From /.test(line.toString('latin1', 0, 64)) ? line.subarray(1) : line;
}
