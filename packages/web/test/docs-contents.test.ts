import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { followReader } from '../src/docs/browser/contents.ts';

/** An element with what the table of contents uses of it. */
class ContentsNode extends PageNode {
  hidden = false;
  isOpen = false;
  scrolls = 0;

  get hash() {
    return this.attributes.get('href') ?? '';
  }
  get id() {
    return this.attributes.get('id') ?? '';
  }
  get dataset() {
    return { guide: this.attributes.get('data-guide'), words: this.attributes.get('data-words') };
  }
  get textContent(): string {
    return this.childNodes.map(one => (one instanceof ContentsNode ? one.textContent : one.data)).join('');
  }
  set textContent(text: string) {
    this.childNodes = [];
    this.appendChild(pageDocument.createTextNode(text));
  }

  matches(selector: string): boolean {
    if (selector === ':popover-open') return this.isOpen;
    return selector.split(', ').some(one => {
      const [, parent, name, kind, id, attribute, below, state] =
        /^(?:(\w+) > )?(\w*)(?:\.([\w-]+))?(?:#([\w-]+))?(?:\[([\w-]+)\])?(?::has\((\w+)\))?(:not\(\[hidden\]\))?$/.exec(
          one,
        ) ?? [];
      return (
        (!parent || this.parentNode?.localName === parent) &&
        (!name || this.localName === name) &&
        (!kind || this.attributes.get('class') === kind) &&
        (!id || this.id === id) &&
        (!attribute || this.attributes.has(attribute)) &&
        (!below || this.findAll(node => node.localName === below).length > 0) &&
        (!state || !this.hidden)
      );
    });
  }
  override querySelectorAll(selector: string): ContentsNode[] {
    return this.findAll(one => one instanceof ContentsNode && one.matches(selector)) as ContentsNode[];
  }
  override querySelector(selector: string): ContentsNode | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }
  hidePopover() {
    this.isOpen = false;
  }
  scrollIntoView() {
    this.scrolls++;
  }
}

function make(name: string, attributes: Record<string, string>, ...children: (ContentsNode | string)[]) {
  const node = new ContentsNode(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  for (const child of children)
    node.appendChild(typeof child === 'string' ? pageDocument.createTextNode(child) : child);
  return node;
}

const link = (id: string, text: string, more: Record<string, string> = {}) =>
  make('li', {}, make('a', { href: `#${id}`, ...more }, text));

let root: ContentsNode;
let contents: ContentsNode;
let see: (changes: Readonly<Record<string, boolean>>) => void;
beforeEach(() => {
  contents = make(
    'nav',
    { id: 'contents' },
    make('input', {}),
    make('p', { class: 'nothing' }),
    make(
      'ul',
      {},
      link('overview', 'Overview'),
      make('li', {}, 'Guides', make('ul', {}, link('filters', 'Filters', { 'data-guide': 'true' }))),
      make(
        'li',
        {},
        'Counts',
        make('ul', {}, link('getQuota', 'Quota', { 'data-words': '/v1/quota getQuota' })),
      ),
    ),
  );
  root = make(
    'body',
    {},
    contents,
    make('article', { id: 'overview', 'data-part': '' }, make('div', { class: 'text' }, 'Hosts and more')),
    make(
      'article',
      { id: 'filters', 'data-part': '' },
      make('div', { class: 'text' }, 'A host can be a Pattern.'),
      make('pre', { class: 'listing' }, 'GET /v1/me'),
      make('pre', { class: 'sample' }, 'curl'),
    ),
    make(
      'section',
      { id: 'getQuota', 'data-part': '' },
      make('div', { class: 'text' }, 'A pattern of months'),
    ),
  );
  vi.stubGlobal('document', {
    getElementById: (id: string) => root.querySelector(`#${id}`),
    querySelector: (selector: string) => root.querySelector(selector),
    querySelectorAll: (selector: string) => root.querySelectorAll(selector),
  });
  const isLink = (node: unknown) => node instanceof ContentsNode && node.localName === 'a';
  vi.stubGlobal('HTMLAnchorElement', { [Symbol.hasInstance]: isLink });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #parts = new Map<string, ContentsNode>();
      constructor(notify: (changes: object[]) => void) {
        see = changes =>
          notify(
            Object.entries(changes).map(([id, isIntersecting]) => ({
              isIntersecting,
              target: this.#parts.get(id),
            })),
          );
      }
      observe(part: ContentsNode) {
        this.#parts.set(part.id, part);
      }
    },
  );
  followReader();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the table of contents', () => {
  it('marks the first part in view, and the last one while there is none', () => {
    const marked = (changes: Readonly<Record<string, boolean>>) => {
      see(changes);
      const links = contents.querySelectorAll('a');
      return links
        .filter(one => one.attributes.get('aria-current') === 'location')
        .map(({ hash, scrolls }) => `${hash} ${scrolls}`);
    };
    expect(marked({ filters: true, getQuota: true })).toEqual(['#filters 1']);
    expect(marked({ filters: false })).toEqual(['#getQuota 1']);
    expect(marked({ getQuota: false })).toEqual(['#getQuota 1']);
    expect(marked({ getQuota: true, overview: true })).toEqual(['#overview 1']);
  });

  it.each([
    ['', ['#overview', '#filters', '#getQuota'], 2],
    ['quota', ['#getQuota'], 1],
    ['  V1/QUOTA   get', ['#getQuota'], 1],
    // The text of a guide is searched, that of a route is not.
    ['pattern', ['#filters'], 1],
    ['host PATTERN /v1/me', ['#filters'], 1],
    ['hosts', [], 0],
    ['curl', [], 0],
    ['quota pattern', [], 0],
  ])('finds for %j %j', (text, expected, groups) => {
    const input = contents.querySelector('input')!;
    input.value = 'nothing at all';
    input.fire('input');
    input.value = text;
    input.fire('input');
    const shown = contents.querySelectorAll('a').filter(one => !(one.parentNode as ContentsNode).hidden);
    expect(shown.map(({ hash }) => hash)).toEqual(expected);
    const headings = contents.querySelectorAll('li:has(ul)').filter(one => !one.hidden);
    expect(headings).toHaveLength(groups);
    expect(contents.querySelector('.nothing')!.textContent).toBe(
      expected.length > 0 ? '' : 'Nothing found. Try fewer or different words.',
    );
  });

  it('is closed by a link if it is an overlay', () => {
    contents.isOpen = true;
    contents.querySelector('input')!.fire('click');
    expect(contents.isOpen).toBe(true);
    const hide = vi.spyOn(contents, 'hidePopover');
    contents.querySelector('a')!.fire('click');
    expect(contents.isOpen).toBe(false);
    // As a column, it has nothing to close, which would throw.
    contents.querySelector('a')!.fire('click');
    expect(hide).toHaveBeenCalledTimes(1);
  });
});
