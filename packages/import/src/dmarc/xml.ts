import { SaxesParser } from 'saxes';
import { Unreadable } from '../unreadable.ts';
import { Element } from './element.ts';

/** Parts of a feedback, in the order in which they end. */
export interface Part {
  element: Element;
  /** The number of the part among those of its name, from 1. */
  number: number;
  /** Its text as it came; of a long one the begin. */
  raw: string;
  /** Bytes that it takes in memory, about. */
  weight: number;
}

const PARTS = new Set(['report_metadata', 'policy_published', 'record']);

/** Characters of one part, of a text, and of `raw`; and elements of one part. */
const LONGEST_PART = 4 * 1024 * 1024;
const LONGEST_TEXT = 1024 * 1024;
const LONGEST_RAW = 128 * 1024;
const MOST_ELEMENTS = 10_000;
/** Bytes that an element takes in memory, about. */
const ELEMENT = 200;
/** Faults after which what is left is not looked at: what is no XML has one at each character. */
const MOST_FAULTS = 100;

/** The begin of a feedback, in whatever namespace. */
const ROOT = /<(?:[\w.-]{1,64}:)?feedback(?=[\s/>])/i;
const DOCTYPE = /<!DOCTYPE/i;

/** Reads the XML of aggregate reports as it comes, whatever stands before its `<feedback>` and behind its end. */
export class FeedbackParser {
  #maxDepth: number;
  #before = '';
  #parser: SaxesParser | undefined;
  #held = '';
  #chunk = '';
  #chunkStart = 0;
  #quiet = 0;
  #stack: Element[] = [];
  #part:
    | { element: Element; name: string; raw: string[]; rawFrom: number; size: number; elements: number }
    | undefined;
  #numbers = new Map<string, number>();
  #done: Part[] = [];
  #isRead = false;
  /** The first thing that is not well-formed. */
  fault: string | undefined;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** True if a `<feedback>` was begun. */
  get isBegun(): boolean {
    return this.#parser !== undefined || this.#isRead;
  }

  /**
   * The parts that the text ends.
   * @throws {Unreadable} for what is refused as a whole
   */
  push(text: string): Part[] {
    if (this.#isRead) return [];
    if (this.#parser) this.#write(text);
    else this.#begin(text);
    return this.#done.splice(0);
  }

  end(): Part[] {
    if (!this.#isRead && this.#parser) {
      this.#feed(this.#held);
      if (!this.#isRead) this.#parser.close();
    }
    return this.ended();
  }

  /** The parts that have ended, where the rest cannot be read. */
  ended(): Part[] {
    return this.#done.splice(0);
  }

  #begin(text: string): void {
    const all = this.#before + text;
    const found = ROOT.exec(withBlankComments(all));
    const prolog = found ? all.slice(0, found.index) : all;
    if (DOCTYPE.test(prolog)) throw new Unreadable('has a DOCTYPE');
    if (!found) {
      // Long enough for a begin that comes in two.
      this.#before = all.slice(-LONGEST_RAW);
      return;
    }
    this.#before = '';
    this.#parser = this.#createParser();
    this.#write(all.slice(found.index));
  }

  /** Half a character, or half a line end, waits for the other half: positions would not fit otherwise. */
  #write(text: string): void {
    const all = this.#held + text;
    const isWhole = !/[\r\ud800-\udbff]$/.test(all);
    this.#held = isWhole ? '' : all.slice(-1);
    const whole = isWhole ? all : all.slice(0, -1);
    for (let start = 0; start < whole.length && !this.#isRead; start += LONGEST_RAW) {
      this.#feed(whole.slice(start, start + LONGEST_RAW));
    }
  }

  #feed(chunk: string): void {
    this.#chunk = chunk;
    this.#quiet += chunk.length;
    this.#parser!.write(chunk);
    if (this.#quiet > LONGEST_TEXT) throw new Unreadable('has a text that is too long');
    this.#keepRaw(chunk.length);
    this.#chunkStart += chunk.length;
  }

  #createParser(): SaxesParser {
    const parser = new SaxesParser({ position: false });
    let faults = 0;
    parser.on('error', error => {
      if (this.#isRead) return;
      this.fault ??= error.message.replace(/^(?:\d+:)*\s*/, '');
      if (++faults > MOST_FAULTS) throw new Unreadable('is not well-formed XML', this.fault);
    });
    parser.on('doctype', () => {
      throw new Unreadable('has a DOCTYPE');
    });
    parser.on('opentagstart', ({ name }) => this.#open(name));
    parser.on('closetag', () => this.#close());
    const addText = (text: string) => this.#addText(text);
    parser.on('text', addText);
    parser.on('cdata', addText);
    return parser;
  }

  #open(name: string): void {
    this.#quiet = 0;
    const element = new Element(localName(name));
    this.#stack.push(element);
    if (this.#stack.length > this.#maxDepth)
      throw new Unreadable('is nested too deeply', `over ${this.#maxDepth} levels`);
    if (this.#part) {
      if (++this.#part.elements > MOST_ELEMENTS) throw new Unreadable('has too many elements in a record');
      this.#stack.at(-2)!.children.push(element);
    } else if (this.#stack.length === 2 && PARTS.has(element.name)) {
      const rawFrom = this.#parser!.position - this.#chunkStart - 1;
      this.#part = { element, name, raw: [`<${name}`], rawFrom, size: 0, elements: 0 };
    }
  }

  #close(): void {
    this.#quiet = 0;
    const element = this.#stack.pop();
    const part = this.#part;
    if (part && element === part.element) {
      this.#keepRaw(this.#parser!.position - this.#chunkStart);
      const number = (this.#numbers.get(element.name) ?? 0) + 1;
      this.#numbers.set(element.name, number);
      const raw = part.raw.join('');
      this.#done.push({ element, number, raw, weight: raw.length + part.size + part.elements * ELEMENT });
      this.#part = undefined;
    }
    if (this.#stack.length === 0) this.#isRead = true;
  }

  #addText(text: string): void {
    this.#quiet = 0;
    if (!this.#part) return;
    this.#part.size += text.length;
    if (this.#part.size > LONGEST_PART) throw new Unreadable('has a record that is too long');
    this.#stack.at(-1)?.addText(text);
  }

  /** Keeps the text of the part at work up to that place of the chunk. */
  #keepRaw(until: number): void {
    const part = this.#part;
    if (!part) return;
    const kept = part.raw.length > 8 ? LONGEST_RAW : part.raw.reduce((sum, { length }) => sum + length, 0);
    if (kept < LONGEST_RAW) part.raw.push(this.#chunk.slice(part.rawFrom, until));
    part.rawFrom = 0;
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase();
}

/** The text with blanks in place of its comments. */
function withBlankComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let begin = text.indexOf('<!--'); begin !== -1; begin = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', begin + 4);
    if (end === -1) break;
    parts.push(text.slice(at, begin), ' '.repeat(end + 3 - begin));
    at = end + 3;
  }
  return parts.join('') + text.slice(at);
}
