import { asBuffer, type Content } from '../content.ts';

const NEWLINE = 0x0a;

/** Bytes of a line that are looked at. */
const LONGEST_LINE = 64 * 1024;

/** Bytes that stay behind while the next ones are waited for: a line end, an empty line, and the begin of a line. */
const HELD = 16;

/**
 * Tells whether a line ends a section.
 * @param line without its end
 * @param before up to four bytes that stand before it; none at the begin of a section
 */
export type IsEnd = (line: string, before: string) => boolean;

/** Bytes up to a line that ends them. */
export interface Section {
  /** Can be read until the end is asked for. */
  content: Content;
  /** The line at its end, or undefined where there is nothing behind it; what was not read is passed over. */
  end(): Promise<string | undefined>;
}

/** Cuts bytes at lines, as they come: mails at boundaries, mailboxes at `From `. It keeps no more than a chunk. */
export class Sections {
  #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #isDone = false;
  #isLineStart = true;

  constructor(content: Content) {
    this.#chunks = content[Symbol.asyncIterator]();
  }

  /** The next line without its end, or undefined behind the last one. A long line is cut. */
  async line(): Promise<string | undefined> {
    let line = '';
    for (;;) {
      const end = this.#held.indexOf(NEWLINE);
      const part = this.#take(end === -1 ? this.#held.length : end + 1);
      if (line.length < LONGEST_LINE) line += part.toString('latin1', 0, LONGEST_LINE);
      if (end !== -1) return line.replace(/\r?\n$/, '');
      if (!(await this.#fill())) return line === '' ? undefined : line;
    }
  }

  /** The bytes before the next line that begins so and is an end. */
  section(begin: string, isEnd: IsEnd): Section {
    let ended: { line: string | undefined } | undefined;
    const until = () => this.#until(begin, isEnd);
    const read = async function* () {
      ended = { line: yield* until() };
    };
    const end = async () => {
      if (!ended) for await (const _ of read());
      return ended!.line;
    };
    return { content: read(), end };
  }

  /** Ends the content, whether all of it was read or not. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async *#until(begin: string, isEnd: IsEnd): AsyncGenerator<Uint8Array, string | undefined> {
    for (let from = 0; ; ) {
      const start = this.#lineFrom(begin, from);
      const end = start === -1 ? -1 : this.#held.indexOf(NEWLINE, start);
      const isWhole = end !== -1 || this.#isDone || this.#held.length - start > LONGEST_LINE;
      if (start !== -1 && isWhole) {
        const behind = end === -1 ? this.#held.length : end + 1;
        const line = this.#held.toString('latin1', start, Math.min(behind, start + LONGEST_LINE)).trimEnd();
        from = start + 1;
        if (!isEnd(line, this.#held.toString('latin1', Math.max(0, start - 4), start))) continue;
        if (start === 0) {
          this.#take(behind);
          return line;
        }
        // The line stays: who reads may stop here.
        yield this.#take(start);
        from = 0;
        continue;
      }
      const whole = this.#isDone ? this.#held.length : (start === -1 ? this.#held.length : start) - HELD;
      if (whole > 0) yield this.#take(whole);
      if (this.#isDone) return undefined;
      from = 0;
      await this.#fill();
    }
  }

  #lineFrom(begin: string, from: number): number {
    if (from === 0 && this.#isLineStart && this.#held.toString('latin1', 0, begin.length) === begin) return 0;
    const found = this.#held.indexOf(`\n${begin}`, Math.max(0, from - 1), 'latin1');
    return found === -1 ? -1 : found + 1;
  }

  #take(bytes: number): Buffer {
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    if (bytes > 0) this.#isLineStart = taken[bytes - 1] === NEWLINE;
    return taken;
  }

  async #fill(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done) {
      this.#isDone = true;
      return false;
    }
    const chunk = asBuffer(next.value);
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    return true;
  }
}
