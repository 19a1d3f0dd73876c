/** An element of XML, with its name in small letters and without its namespace. */
export class Element {
  readonly name: string;
  readonly children: Element[] = [];
  #text = '';

  constructor(name: string) {
    this.name = name;
  }

  addText(text: string): void {
    this.#text += text;
  }

  /** Its own text, without white space around it. */
  get text(): string {
    return this.#text.trim();
  }

  /** The first child of one of the names, in their order. */
  child(...names: string[]): Element | undefined {
    for (const name of names) {
      const found = this.children.find(child => child.name === name);
      if (found) return found;
    }
    return undefined;
  }

  all(name: string): Element[] {
    return this.children.filter(child => child.name === name);
  }

  /** The text of the first child of that name, or ''. */
  of(name: string): string {
    return this.child(name)?.text ?? '';
  }
}
