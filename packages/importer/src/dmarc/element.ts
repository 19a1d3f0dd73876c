/** An XML element; its name is in lower case, without a namespace. */
export class Element {
  readonly name: string;
  readonly children: Element[] = [];
  /** True if its end tag is missing. */
  isCut = false;
  #text = '';

  constructor(name: string) {
    this.name = name;
  }

  addText(text: string): void {
    this.#text += text;
  }

  /** The text of the element itself, trimmed. */
  get text(): string {
    return this.#text.trim();
  }

  /** Returns the first child that has one of these names; earlier names take precedence. */
  child(...names: string[]): Element | undefined {
    for (const name of names) {
      const found = this.children.find(child => child.name === name);
      if (found) return found;
    }
    return undefined;
  }

  /** Returns the children with these names, except for a truncated one. */
  whole(...names: string[]): Element[] {
    return this.children.filter(({ name, isCut }) => names.includes(name) && !isCut);
  }

  all(...names: string[]): Element[] {
    return this.children.filter(({ name }) => names.includes(name));
  }

  /** Returns the text of the first child of that name, or ''. A truncated text can be incomplete. */
  of(name: string): string {
    const child = this.child(name);
    return child && !child.isCut ? child.text : '';
  }
}
