import { setImmediate as nextTurn } from 'node:timers/promises';
import { h, options, render } from 'preact';
import { vi } from 'vitest';
import { answerQuery } from './page-answers.ts';
import { PageNode, pageDocument } from './page-dom.ts';
import { toText } from './page-text.ts';

/** The time in rendered pages: a Wednesday in a zone and a month with daylight saving. */
export const NOW = Date.parse('2026-03-11T14:35:20Z');

/** Answers a request of the page, and of a file. */
export interface Serve {
  (query: string, variables: Record<string, unknown>): Response | Promise<Response>;
  file?(): Response;
}

export interface RenderedPage {
  root: PageNode;
  /** The page's actions in order: its queries with their variables, and its effects in the browser. */
  actions: string[];
  location: { hash: string };
  /** Waits until the page has answers of its requests, and has shown them. */
  settle(): Promise<void>;
  /** The content without the frame around it. */
  text(): string;
  /** Changes the address, as a link does. */
  go(hash: string): Promise<void>;
  close(): void;
}

/** Receives the events of the window. */
export const windowListeners = new PageNode('window');

class Observer {
  observe() {}
  disconnect() {}
}

/** Everything is in view. */
class InView extends Observer {
  readonly #notify: (entries: object[]) => void;

  constructor(notify: (entries: object[]) => void) {
    super();
    this.#notify = notify;
  }

  override observe() {
    this.#notify([{ isIntersecting: true }]);
  }
}

class Storage {
  readonly items: Map<string, string>;
  readonly #actions: string[];

  constructor(actions: string[], stored: Readonly<Record<string, string>> = {}) {
    this.#actions = actions;
    this.items = new Map(Object.entries(stored));
  }

  getItem(name: string) {
    return this.items.get(name) ?? null;
  }

  setItem(name: string, value: string) {
    this.#actions.push(`stores ${name} as ${value}`);
    this.items.set(name, value);
  }

  removeItem(name: string) {
    this.#actions.push(`removes ${name}`);
    this.items.delete(name);
  }
}

/** The fields of a form of the page. */
class PageFields {
  readonly #form: PageNode;

  constructor(form: PageNode) {
    this.#form = form;
  }

  get(name: string): unknown {
    const field = this.#form.findAll(one => one.attributes.get('name') === name)[0];
    if (field?.attributes.get('type') === 'checkbox') return field.checked ? 'on' : null;
    return field === undefined ? null : String(field.value);
  }
}

class PageLocation {
  #hash: string;
  pathname = '/app';

  constructor(hash: string) {
    this.#hash = hash;
  }

  get href() {
    return `https://sightline.example/app${this.#hash}`;
  }

  get hash() {
    return this.#hash;
  }

  set hash(hash: string) {
    if (hash === this.#hash) return;
    this.#hash = hash;
    queueMicrotask(() => windowListeners.fire('hashchange'));
  }

  replace(hash: string) {
    this.hash = hash;
  }

  /** Without an event. */
  replaceHash(path: string) {
    this.#hash = path.slice(path.indexOf('#'));
  }
}

/** Answers by seed, query and variables: a test opens the same view many times. */
const answers = new Map<string, string>();

/** Serves made-up answers. */
export function serveMadeUp(seed: number): Serve {
  return async (query, variables) => {
    const key = JSON.stringify([seed, query, variables]);
    const answer = answers.get(key) ?? JSON.stringify(await answerQuery(query, variables, seed, NOW));
    answers.set(key, answer);
    return new Response(answer);
  };
}

const importView = (name: string) =>
  import(String(new URL(`../../packages/web/src/app/browser/${name}`, import.meta.url)));

/** Simulates what the page uses of a browser, until `restoreBrowser` is called. */
function simulateBrowser(
  hash: string,
  actions: string[],
  stored: Readonly<Record<string, string>>,
): PageLocation {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  options.requestAnimationFrame = queueMicrotask;
  pageDocument.activeElement = undefined;
  const location = new PageLocation(hash);
  const listen = (type: string, listener: () => void) => windowListeners.addEventListener(type, listener);
  const ignore = (type: string, listener: () => void) => windowListeners.removeEventListener(type, listener);
  const note = (text: string) => void actions.push(text);
  const clipboard = { writeText: async (text: string) => note(`copies ${text}`) };
  const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) => {
    note(`saves ${suggestedName}`);
    return { createWritable: async () => new WritableStream() };
  };
  const replaced = {
    ...{ document: pageDocument, location, addEventListener: listen, removeEventListener: ignore },
    ...{
      localStorage: new Storage(actions, stored),
      sessionStorage: new Storage(actions, stored),
      FormData: PageFields,
    },
    ...{ ResizeObserver: Observer, MutationObserver: Observer, IntersectionObserver: InView },
    history: { replaceState: (_state: null, _title: string, path: string) => location.replaceHash(path) },
    ...{ scrollY: 0, scrollTo: () => {}, getSelection: () => null },
    ...{ navigator: { clipboard, userAgent: 'Test' }, window: { showSaveFilePicker } },
    reportError: (error: unknown) => note(`fails: ${String(error)}`),
  };
  for (const [name, value] of Object.entries(replaced)) vi.stubGlobal(name, value);
  return location;
}

const opened = new Set<() => void>();
let visitors = 0;

/** Closes the pages that are still open, and restores the globals. */
export async function restoreBrowser(): Promise<void> {
  answers.clear();
  for (const close of opened) close();
  // Effects end later.
  await nextTurn();
  Reflect.deleteProperty(options, 'requestAnimationFrame');
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

const VIEWER = { id: 'acme', type: 'team', email: 'ann@acme.example', teamName: 'Acme' };

/**
 * The files of the frame, of the page before a visitor has signed in, with a key or at a proxy, and of a request of the
 * documentation.
 */
const FILES = {
  ...{ App: 'app.tsx', ProxiedApp: 'proxied-app.tsx', Shell: 'shell.tsx' },
  ...{ Request: '../../docs/browser/request.tsx', KnownKey: '../../docs/browser/key.tsx' },
} as const;

/**
 * Opens the page for a visitor who has signed in.
 * @param props of the frame, in place of the usual ones
 * @param stored what earlier visits have stored
 * @param component the frame, or the page before the visitor has signed in
 */
export async function openPage(
  hash: string,
  serve: Serve,
  props: object = {},
  stored: Readonly<Record<string, string>> = {},
  component: keyof typeof FILES = 'Shell',
): Promise<RenderedPage> {
  const actions: string[] = [];
  const location = simulateBrowser(hash, actions, stored);
  let pending = 0;
  vi.stubGlobal('fetch', async (path: string, { body, signal }: { body?: string; signal?: AbortSignal }) => {
    pending++;
    try {
      if (body === undefined) actions.push(`gets ${path}`);
      if (body === undefined) return serve.file?.() ?? new Response('file');
      const { query, variables } = JSON.parse(body);
      const name = /query (\w+)/.exec(query)?.[1];
      actions.push(name ? `asks ${name} ${JSON.stringify(variables)}` : `posts ${path} ${body}`);
      const response = await serve(query ?? path, variables);
      signal?.throwIfAborted();
      return response;
    } finally {
      pending--;
    }
  });
  const { [component]: shown } = await importView(FILES[component]);
  const root = pageDocument.body.appendChild(new PageNode('div'));
  const signOut = (reason?: string) => void actions.push(`signs out ${reason ?? ''}`.trim());
  // Limits of requests apply to a key.
  const all = { userKey: `key_${++visitors}`, viewer: VIEWER, signOut, ...props };
  render(h(shown, all), root as unknown as Element);
  const close = () => {
    render(null, root as unknown as Element);
    root.remove();
    opened.delete(close);
  };
  opened.add(close);
  const settle = async () => {
    for (let quiet = 0; quiet < 3; quiet = pending > 0 ? 0 : quiet + 1) await nextTurn();
  };
  await settle();
  return {
    ...{ root, actions, location, settle, close },
    text: () => toText(pageDocument.getElementById('content') ?? root),
    async go(next) {
      location.hash = next;
      await settle();
    },
  };
}

/** Clicks the first link or button with this text, and follows a link. */
export function click(page: RenderedPage, text: string): Promise<void> {
  const [found] = page.root.findAll(one => /^(a|button)$/.test(one.localName) && toText(one).includes(text));
  if (!found) throw new Error(`nothing to click has the text ${text}`);
  found.fire('click');
  const href = found.attributes.get('href');
  return href === undefined ? page.settle() : page.go(href);
}

/** Returns the first control with a name, if there is one. */
export const findNamed = (page: RenderedPage, name: string): PageNode | undefined =>
  page.root.findAll(one => one.attributes.get('name') === name)[0];

/** Returns the first element with an `aria-label`, if there is one. */
export const findLabelled = (page: RenderedPage, label: string): PageNode | undefined =>
  page.root.findAll(one => one.attributes.get('aria-label') === label)[0];

/** Gives a control a value with an event, such as `input` or `change`. */
export async function enter(
  page: RenderedPage,
  control: PageNode,
  value: string,
  event: string,
): Promise<void> {
  control.value = value;
  control.fire(event);
  await page.settle();
}
