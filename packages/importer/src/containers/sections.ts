import { asBuffer, type Content } from '../content.ts';
import { isAbort } from '../unreadable.ts';

const NEWLINE = 0x0a;

/** Maximum number of examined bytes of a line. */
const LONGEST_LINE = 64 * 1024;

/** Number of bytes held back until more input arrives: enough for a line end, an empty line and the start of a line. */
const HELD = 16;

/**
 * Decides whether a line ends a section.
 * @param line the line without its line end
 * @param before up to 512 bytes before the line; none at the start of a section
 * @param after bytes after the line, if the section requested them
 */
export type IsEnd = (line: string, before: string, after: string) => boolean;

/** Maximum number of bytes before and after a line that a section can examine. */
const LONGEST_BEFORE = 512;
const LONGEST_AFTER = 1024;

/** The bytes before the line that ends the section. */
export interface ByteSection {
  /** Readable until `end` is called. */
  content: Content;
  /** Skips unread bytes and returns the line at the end, or undefined at the end of the input. */
  end(): Promise<string | undefined>;
}

/**
 * Splits a byte stream at certain lines: a mail at its MIME boundaries, or an mbox at its `From ` lines. Buffers at
 * most one chunk.
 */
export class Sections {
  #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #isDone = false;
  /** The error that ended the input; thrown after the bytes before it have been read. */
  #failure: { error: unknown } | undefined;
  #isLineStart = true;
  /** True if the next line ends the section. */
  #isAtEnd = false;

  constructor(content: Content) {
    this.#chunks = content[Symbol.asyncIterator]();
  }

  /** Returns the next line without its line end, or undefined after the last one. A long line is truncated. */
  async line(): Promise<string | undefined> {
    let line = '';
    for (;;) {
      const end = this.#held.indexOf(NEWLINE);
      const part = this.#take(end === -1 ? this.#held.length : end + 1);
      if (line.length < LONGEST_LINE) line += part.toString('latin1', 0, LONGEST_LINE);
      if (end !== -1) return line.replace(/\r?\n$/, '');
      if (await this.#fill()) continue;
      this.#throwFailure();
      return line === '' ? undefined : line;
    }
  }

  /**
   * Returns the bytes before the next line that starts with `begin` and ends the section.
   * @param looksAhead whether the decision needs the bytes after the line
   */
  section(begin: string, isEnd: IsEnd, looksAhead = false): ByteSection {
    let ended: { line: string | undefined } | undefined;
    const until = () => this.#until(begin, isEnd, looksAhead ? LONGEST_AFTER : 0);
    const read = async function* () {
      ended = { line: yield* until() };
    };
    const end = async () => {
      if (!ended) for await (const _ of read());
      return ended!.line;
    };
    return { content: read(), end };
  }

  /** Closes the content, even if parts were not read. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async *#until(begin: string, isEnd: IsEnd, ahead: number): AsyncGenerator<Uint8Array, string | undefined> {
    for (let from = 0; ; ) {
      const start = this.#lineFrom(begin, from);
      const end = start === -1 ? -1 : this.#held.indexOf(NEWLINE, start);
      const isSeen = end !== -1 && this.#held.length - end > ahead;
      const isWhole = isSeen || this.#isDone || this.#held.length - start > LONGEST_LINE + ahead;
      if (start !== -1 && isWhole) {
        const behind = end === -1 ? this.#held.length : end + 1;
        const line = this.#held.toString('latin1', start, Math.min(behind, start + LONGEST_LINE)).trimEnd();
        from = start + 1;
        const before = this.#held.toString('latin1', Math.max(0, start - LONGEST_BEFORE), start);
        const after = this.#held.toString('latin1', behind, behind + ahead);
        if (!(start === 0 && this.#isAtEnd) && !isEnd(line, before, after)) continue;
        if (start === 0) {
          this.#take(behind);
          return line;
        }
        // The line stays in the buffer, because the reader can stop before it.
        const content = this.#take(start);
        this.#isAtEnd = true;
        yield content;
        from = 0;
        continue;
      }
      const whole = this.#isDone ? this.#held.length : (start === -1 ? this.#held.length : start) - HELD;
      if (whole > 0) yield this.#take(whole);
      this.#throwFailure();
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
    if (bytes > 0) this.#isAtEnd = false;
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    if (bytes > 0) this.#isLineStart = taken[bytes - 1] === NEWLINE;
    return taken;
  }

  async #fill(): Promise<boolean> {
    const next = await this.#chunks.next().catch(error => {
      if (isAbort(error)) throw error;
      this.#failure = { error };
      return undefined;
    });
    if (!next || next.done) {
      this.#isDone = true;
      return false;
    }
    const chunk = asBuffer(next.value);
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    return true;
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
  }
}
