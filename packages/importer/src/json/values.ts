import { LONGEST_VALUE } from '../bounds.ts';
import { Unreadable } from '../unreadable.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Splits a JSON stream into its top-level values, or the items of a top-level list. Only finds the ends of values and
 * leaves the rest to the parser.
 */
export class JsonValues {
  /** The chunks of an incomplete value, and their length. */
  #begun: string[] = [];
  #length = 0;
  /** Start of the value in the current chunk, or -1 between values. */
  #start = -1;
  #depth = 0;
  #isInList = false;
  #isInText = false;
  #isEscaped = false;

  /**
   * Returns the values that end in this chunk.
   * @throws {Unreadable} for a value that is too long
   */
  push(part: string): string[] {
    const values: string[] = [];
    for (let at = 0; at < part.length; at++) {
      if (this.#isInText) at = this.#skipText(part, at);
      else this.#look(part, at, values);
    }
    if (this.#start !== -1) this.#keep(part.slice(this.#start));
    return values;
  }

  /**
   * Returns the last value, if it is a scalar.
   * @throws {Unreadable} for an incomplete value
   */
  end(): string[] {
    const isScalar = this.#start !== -1 && this.#depth === 0 && !this.#isInText;
    if (isScalar && !this.#isInList) return [this.#begun.join('')];
    if (this.#start !== -1 || this.#isInList) throw new Unreadable('ends too early');
    return [];
  }

  #keep(text: string): void {
    this.#begun.push(text);
    this.#length += text.length;
    this.#start = 0;
    if (this.#length > LONGEST_VALUE) throw new Unreadable('has a value that is too long');
  }

  /** Returns the position of the closing quotation mark, or the end of the text. */
  #skipText(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      if (this.#isEscaped) {
        this.#isEscaped = false;
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) {
        this.#isInText = false;
        return at;
      }
    }
    return text.length;
  }

  #look(text: string, at: number, values: string[]): void {
    const code = text.charCodeAt(at);
    if (this.#start === -1) this.#between(code, at);
    else if (code === QUOTE) this.#isInText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#depth++;
    else if (this.#depth > 0) {
      if (code !== CLOSE_LIST && code !== CLOSE_OBJECT) return;
      if (--this.#depth === 0) this.#take(text, at + 1, values);
    } else if (code === COMMA || code === CLOSE_LIST || isBlank(code)) {
      this.#take(text, at, values);
      this.#between(code, at);
    }
  }

  #between(code: number, at: number): void {
    if (code === OPEN_LIST && !this.#isInList) this.#isInList = true;
    else if (code === CLOSE_LIST) this.#isInList = false;
    else if (code !== COMMA && !isBlank(code)) {
      this.#start = at;
      this.#isInText = code === QUOTE;
      this.#depth = code === OPEN_OBJECT || code === OPEN_LIST ? 1 : 0;
    }
  }

  #take(text: string, end: number, values: string[]): void {
    values.push(this.#begun.join('') + text.slice(this.#start, end));
    [this.#begun, this.#length, this.#start, this.#depth] = [[], 0, -1, 0];
  }
}

/** White space, and the separators of a JSON sequence (RFC 7464). */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0x1e;
}
