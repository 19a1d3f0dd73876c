/**
 * A small document in which a test renders the page's views with Preact, and reads and uses them. It has no layout:
 * `npm run test:pages` uses a browser for that.
 */

type Listener = (event: object) => unknown;

/** A text has no name. */
export class PageNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly attributes = new Map<string, string>();
  readonly style: Record<string, string> = {};
  readonly namespaceURI: string;
  childNodes: PageNode[] = [];
  parentNode: PageNode | null = null;
  data = '';
  readonly #listeners = new Map<string, Set<Listener>>();
  // Preact assigns these in place of attributes.
  value: unknown = '';
  checked = false;
  open = false;

  constructor(name: string, namespace = 'http://www.w3.org/1999/xhtml') {
    this.nodeType = name === '' ? 3 : 1;
    this.localName = name;
    this.namespaceURI = namespace;
  }

  get ownerDocument(): object {
    return pageDocument;
  }

  get firstChild(): PageNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): PageNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  get parentElement(): PageNode | null {
    return this.parentNode;
  }

  get isConnected(): boolean {
    return this === pageDocument.body || (this.parentNode?.isConnected ?? false);
  }

  insertBefore(child: PageNode, before: PageNode | null): PageNode {
    child.remove();
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, child);
    child.parentNode = this;
    return child;
  }

  appendChild(child: PageNode): PageNode {
    return this.insertBefore(child, null);
  }

  removeChild(child: PageNode): PageNode {
    child.remove();
    return child;
  }

  remove(): void {
    if (this.parentNode) this.parentNode.childNodes = this.parentNode.childNodes.filter(one => one !== this);
    this.parentNode = null;
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  focus(): void {
    pageDocument.activeElement = this;
  }

  /** Forms of the page are valid, and have no values of their own. */
  checkValidity(): boolean {
    return true;
  }

  reset(): void {}

  /** Checks names only, such as `section, form`. */
  closest(selector: string): PageNode | null {
    if (selector.split(', ').includes(this.localName)) return this;
    return this.parentNode?.closest(selector) ?? null;
  }

  querySelector(name: string): PageNode | null {
    return this.findAll(one => one.localName === name)[0] ?? null;
  }

  querySelectorAll(selector: string): PageNode[] {
    const [, name = '', kind = ''] = /^(\w*)\.?([\w-]*)/.exec(selector) ?? [];
    return this.findAll(
      one =>
        (name === '' || one.localName === name) &&
        (kind === '' || (one.attributes.get('class') ?? '').split(' ').includes(kind)),
    );
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: 640, height: 220 };
  }

  /** Finds elements below this one, in the order of the document. */
  findAll(matches: (one: PageNode) => boolean, found: PageNode[] = []): PageNode[] {
    for (const child of this.childNodes) {
      if (matches(child)) found.push(child);
      child.findAll(matches, found);
    }
    return found;
  }

  /** Dispatches an event, which bubbles. */
  fire(type: string, more: object = {}): void {
    const event = { type, target: this, preventDefault() {}, ...more };
    for (let node: PageNode | null = this; node; node = node.parentNode)
      for (const listener of node.#listeners.get(type) ?? [])
        listener.call(node, { ...event, currentTarget: node });
  }
}

/** The `document` of the test. */
export const pageDocument = {
  body: new PageNode('body'),
  activeElement: undefined as PageNode | undefined,
  title: '',
  hidden: false,
  documentElement: { dataset: {} },
  listeners: new PageNode('document'),
  createElement: (name: string) => new PageNode(name),
  createElementNS: (namespace: string, name: string) => new PageNode(name, namespace),
  createTextNode(data: string) {
    const text = new PageNode('');
    text.data = data;
    return text;
  },
  addEventListener: (type: string, listener: Listener) =>
    pageDocument.listeners.addEventListener(type, listener),
  removeEventListener: (type: string, listener: Listener) =>
    pageDocument.listeners.removeEventListener(type, listener),
  querySelectorAll: (selector: string) => pageDocument.body.querySelectorAll(selector),
  getElementById: (id: string) =>
    pageDocument.body.findAll(one => one.attributes.get('id') === id)[0] ?? null,
};
