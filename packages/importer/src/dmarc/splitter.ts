import { Unreadable } from '../unreadable.ts';

/** The parts of an aggregate report, which are read one at a time. */
export type PartName = 'report_metadata' | 'policy_published' | 'record';

/** The pieces of a text with aggregate reports. */
export type Piece = { kind: 'begin' } | { kind: 'end'; fault: string | undefined } | Part;

export interface Part {
  kind: 'part';
  name: PartName;
  /** The original text, including its tags. */
  text: string;
  /** True if the end tag is missing. */
  isCut: boolean;
}

/** Maximum length of a part, in characters. */
const LONGEST_PART = 4 * 1024 * 1024;

/** Matches the tags of a report in any namespace, comments, CDATA sections and DOCTYPE. */
const MARK =
  /<(?:(\/?)(?:[\w.-]{1,64}:)?(feedback|report_metadata|policy_published|record)(?=[\s/>])|(!--)|(!\[CDATA\[)|(!DOCTYPE))/gi;

/** Maximum length of an incomplete match of `MARK`: a namespace, a name and a few more characters. */
const LONGEST_MARK = 96;

/** Maximum length of a tag, in characters. The search for its end restarts with each piece of text. */
const LONGEST_TAG = 64 * 1024;

/**
 * Splits a stream of text into the parts of aggregate reports. Every `<feedback>` is a separate report, even in joined
 * files or when an element wraps several reports. Parts are found only by their tags, so damage in one part does not
 * affect another.
 */
export class FeedbackSplitter {
  /** The examined text of the open part. It is only read once the part has ended, because V8 then copies it. */
  #examined = '';
  /** The text after the examined part. */
  #text = '';
  /** The position from which to search for marks. */
  #at = 0;
  /**
   * The end of an open comment or CDATA section, and the position after its start, which is negative if the start has
   * already moved to `#examined`.
   */
  #skipping: string | undefined;
  #skippedFrom = 0;
  #isInside = false;
  #begun: { name: PartName; start: number } | undefined;
  #pieces: Piece[] = [];

  /**
   * Splits the next text of the stream.
   * @throws {Unreadable} if the whole input is refused
   */
  push(text: string): Piece[] {
    this.#text += text;
    this.#scan(false);
    this.#trim();
    return this.#pieces.splice(0);
  }

  /**
   * Returns the last pieces.
   * @param isWhole false if the text could not be read to its end
   */
  end(isWhole: boolean): Piece[] {
    let fault = 'unclosed tag: feedback';
    if (isWhole) this.#scan(true);
    // An unterminated comment or CDATA section is treated as text, so the rest is read.
    while (isWhole && this.#skipping !== undefined) {
      fault = `no ${this.#skipping}`;
      this.#returnTo(this.#skippedFrom);
      this.#skipping = undefined;
      this.#scan(true);
    }
    this.#endReport(fault);
    return this.#pieces.splice(0);
  }

  #scan(isLast: boolean): void {
    for (;;) {
      if (this.#skipping !== undefined && !this.#skip()) return;
      MARK.lastIndex = this.#at;
      const mark = MARK.exec(this.#text);
      if (!mark) {
        this.#at = Math.max(this.#at, this.#text.length - LONGEST_MARK);
        return;
      }
      if (!this.#take(mark, isLast)) {
        this.#at = mark.index;
        return;
      }
    }
  }

  /** Moves back to an earlier position, which can be in the examined text. */
  #returnTo(position: number): void {
    this.#at = Math.max(0, position);
    if (position >= 0) return;
    this.#text = this.#examined.slice(position) + this.#text;
    this.#examined = this.#examined.slice(0, position);
  }

  /** Skips a comment or CDATA section; returns true once it has ended. */
  #skip(): boolean {
    const end = this.#text.indexOf(this.#skipping!, this.#at);
    if (end === -1) {
      this.#at = Math.max(this.#at, this.#text.length - this.#skipping!.length);
      return false;
    }
    this.#at = end + this.#skipping!.length;
    this.#skipping = undefined;
    return true;
  }

  /** Processes a match of `MARK`; returns false if the rest of the tag has not arrived. */
  #take(mark: RegExpExecArray, isLast: boolean): boolean {
    const [whole, slash, name, comment, cdata] = mark;
    this.#at = mark.index + whole.length;
    if (comment || cdata) {
      this.#skipping = comment ? '-->' : ']]>';
      this.#skippedFrom = this.#at;
    } else if (name === undefined) throw new Unreadable('has a DOCTYPE');
    else {
      const end = this.#endOfTag(slash === '/', isLast);
      if (end === undefined) return false;
      this.#takeTag(name.toLowerCase() as PartName | 'feedback', slash === '/', mark.index, end);
      this.#at = end;
    }
    return true;
  }

  /**
   * Returns the position after a tag, or undefined if its end has not arrived. A broken tag ends where the next one
   * begins.
   */
  #endOfTag(isClosing: boolean, isLast: boolean): number | undefined {
    const wanted = isClosing ? /[^\s]/g : /[<>]/g;
    wanted.lastIndex = this.#at;
    const found = wanted.exec(this.#text);
    if (!found && this.#text.length - this.#at > LONGEST_TAG)
      throw new Unreadable('has a tag that is too long');
    if (!found) return isLast ? this.#text.length : undefined;
    return found[0] === '>' ? found.index + 1 : found.index;
  }

  #takeTag(name: PartName | 'feedback', isClosing: boolean, start: number, end: number): void {
    const isEmpty = !isClosing && this.#text.endsWith('/>', end);
    if (name === 'feedback') {
      this.#cutPart(start);
      this.#endReport(isClosing ? undefined : 'unclosed tag: feedback');
      if (isClosing) return;
      this.#isInside = true;
      this.#pieces.push({ kind: 'begin' });
      if (isEmpty) this.#endReport();
    } else if (!isClosing) {
      if (!this.#isInside) return;
      this.#cutPart(start);
      this.#begun = { name, start };
      if (isEmpty) this.#endPart(end, false);
    } else if (this.#begun?.name === name) this.#endPart(end, false);
  }

  #cutPart(end: number): void {
    if (this.#begun) this.#endPart(end, true);
  }

  #endPart(end: number, isCut: boolean): void {
    const { name, start } = this.#begun!;
    this.#pieces.push({ kind: 'part', name, text: this.#examined + this.#text.slice(start, end), isCut });
    this.#examined = '';
    this.#begun = undefined;
  }

  /**
   * Ends the current report.
   * @param fault why the report is malformed; undefined if it is not
   */
  #endReport(fault?: string): void {
    if (!this.#isInside) return;
    this.#cutPart(this.#text.length);
    this.#pieces.push({ kind: 'end', fault });
    this.#isInside = false;
  }

  /** Drops the examined text, except for a part that has started. */
  #trim(): void {
    if (this.#begun) {
      this.#examined += this.#text.slice(this.#begun.start, this.#at);
      this.#begun.start = 0;
    }
    if (this.#examined.length + this.#text.length - this.#at > LONGEST_PART)
      throw new Unreadable('has a record that is too long');
    this.#text = this.#text.slice(this.#at);
    this.#skippedFrom -= this.#at;
    this.#at = 0;
  }
}
