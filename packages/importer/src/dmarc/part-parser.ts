import { Tokenizer } from 'htmlparser2';
import { Unreadable } from '../unreadable.ts';
import { Element } from './element.ts';

/** Maximum number of elements in a part. */
const MOST_ELEMENTS = 10_000;

export interface ParsedPart {
  element: Element;
  elements: number;
  /** The position of the first XML syntax error. */
  fault: string | undefined;
}

/** The first character of a name (XML 1.0, section 2.3). */
const NAME_START = /^[\p{L}_:]/u;

/**
 * Parses the XML of one part as far as possible. An `&` that starts no reference is a literal character, and a tag
 * without a valid name is text. An end tag also closes the elements inside its own; one that matches no open element
 * closes the innermost, as in libxml2.
 */
export class PartParser {
  #maxDepth: number;
  #tokenizer: Tokenizer;
  #text = '';
  #stack: Element[] = [];
  #root: Element | undefined;
  #elements = 0;
  #fault: string | undefined;
  /** True within a tag that is text. */
  #isText = false;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
    const ignore = () => {};
    this.#tokenizer = new Tokenizer(
      { xmlMode: true, decodeEntities: true },
      {
        onopentagname: (start, end) => this.#open(this.#text.slice(start, end)),
        onopentagend: ignore,
        onselfclosingtag: () => {
          if (!this.#isText) this.#stack.pop();
        },
        onclosetag: (start, end) => this.#close(this.#text.slice(start, end)),
        ontext: (start, end) => this.#addText(this.#text.slice(start, end)),
        ontextentity: codePoint => this.#addText(String.fromCodePoint(codePoint)),
        oncdata: (start, end, endOffset) => this.#addText(this.#text.slice(start, end - endOffset)),
        onattribdata: ignore,
        onattribentity: ignore,
        onattribend: ignore,
        onattribname: ignore,
        oncomment: ignore,
        ondeclaration: ignore,
        onprocessinginstruction: ignore,
        onend: ignore,
      },
    );
  }

  /**
   * Parses a part.
   * @throws {Unreadable} if the part exceeds the bounds
   */
  parse(text: string): ParsedPart {
    this.#text = text;
    this.#stack = [];
    this.#root = undefined;
    this.#elements = 0;
    this.#fault = undefined;
    this.#tokenizer.reset();
    this.#tokenizer.write(text);
    this.#tokenizer.end();
    for (const element of this.#stack) element.isCut = true;
    const unclosed = this.#stack.at(-1);
    if (unclosed) this.#fault ??= `unclosed tag: ${unclosed.name.slice(0, 80)}`;
    return { element: this.#root ?? new Element(''), elements: this.#elements, fault: this.#fault };
  }

  #open(name: string): void {
    this.#isText = !NAME_START.test(name);
    if (this.#isText) {
      this.#fault ??= `invalid tag: ${name.slice(0, 80)}`;
      this.#addText(`<${name}`);
      return;
    }
    const element = new Element(localName(name));
    if (++this.#elements > MOST_ELEMENTS) throw new Unreadable('has too many elements in a record');
    if (this.#stack.push(element) > this.#maxDepth)
      throw new Unreadable('is nested too deeply', `over ${this.#maxDepth} levels`);
    const parent = this.#stack.at(-2);
    if (parent) parent.children.push(element);
    this.#root ??= element;
  }

  #close(name: string): void {
    const local = localName(name);
    if (this.#stack.at(-1)?.name === local) {
      this.#stack.pop();
      return;
    }
    const open = this.#stack.findLastIndex(element => element.name === local);
    this.#fault ??= `unmatched closing tag: ${local.slice(0, 80)}`;
    if (open !== -1) this.#stack.length = open;
    else if (this.#stack.length > 1) this.#stack.pop();
  }

  #addText(text: string): void {
    this.#stack.at(-1)?.addText(text);
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase();
}
