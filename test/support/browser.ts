import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** The headless shell first: it has nothing of a window, and takes a quarter less for the same pages. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Where Chromium is installed: `CHROMIUM_PATH`, or one of its usual names. */
export function findBrowser(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds to wait for what a page is to show: only a net, as in `until`. */
const PATIENCE = 120_000;

/** A browser with what its pages have said and asked for. */
export interface Watched extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** What is on the console: errors, warnings, violations of the Content-Security-Policy. */
  said: string[];
  /** Every address that was asked for. */
  asked: URL[];
}

/**
 * What costs without being seen: a process that waits for a next page, and two pages beneath each window's address bar,
 * which take as long as all that a test does in it.
 */
const UNSEEN = ['SpareRendererForSitePerProcess', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Without what a window would need. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-extensions', `--disable-features=${UNSEEN}`];

export async function launch(executablePath: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE });
}

/** Pixels of a visitor's screen. */
export const SCREEN = { width: 1280, height: 900 };

/** A visitor of their own: no cookies, no storage, no cache of others. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: SCREEN,
    // What moves is painted without end.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const said: string[] = [];
  const asked: URL[] = [];
  page.on('console', message => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', error => said.push(`error: ${error.message}`));
  page.on('request', request => asked.push(new URL(request.url())));
  return { context, page, said, asked, [Symbol.asyncDispose]: () => context.close() };
}

/**
 * One visitor for all tests of a block: each finds the page as the one before has left it.
 * @param arrive opens the page, before the first test
 */
export function sharedVisitor(
  browser: () => Browser,
  arrive: (visitor: Watched) => Promise<void>,
): () => Watched {
  let visitor: Watched | undefined;
  beforeAll(async () => {
    visitor = await visit(browser());
    await arrive(visitor);
  });
  afterAll(() => visitor?.context.close());
  return () => visitor!;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that ask for colours alone, with what they look at. All others together take less than these on all texts. */
const OF_COLOURS = { 'color-contrast': '[data-tried]', 'link-in-text-block': 'a[href][data-tried]' };

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of WCAG 2.2 AA: all, and those that ask for colours alone. */
const RULES = { all: { runOnly: WCAG }, looks: { runOnly: Object.keys(OF_COLOURS) } };

/**
 * What axe-core finds wrong by such rules, as `rule: where`. By those that ask for colours one text of each look is
 * tried, all others of it where axe-core cannot tell by the first, and none of a look that was told about on this page.
 */
export async function axeFindings(page: Page, rules: keyof typeof RULES = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(axe);
    const narrowed = Object.entries(OF_COLOURS).map(([id, selector]) => ({ id, selector }));
    await page.evaluate(rules => (globalThis as unknown as WithAxe).axe.configure({ rules }), narrowed);
  }
  const looks = await page.evaluateHandle(newLooks);
  if (rules === 'looks' && (await looks.evaluate(({ size }) => size)) === 0) return [];
  return page.evaluate(tried, [looks, RULES[rules], RULES.looks] as const);
}

/** What axe-core says by a rule. */
interface AxeResult {
  id: string;
  nodes: { html: string; failureSummary: string; element: Element }[];
}

/** What a page knows once the script of axe-core has run in it. */
interface WithAxe {
  axe: {
    configure(changes: object): void;
    run(context: object, options: object): Promise<Record<'violations' | 'incomplete', AxeResult[]>>;
  };
  /** The number of each look, and those that axe-core has told about on this page. */
  looks?: { numbers: Map<string, number>; told: Set<number> };
}

type Looks = Map<number, Element[]>;

/** In a page: what is wrong by such rules, those of colours with such looks. */
async function tried([looks, rules, ofColours]: readonly [Looks, object, object]): Promise<string[]> {
  const { axe, looks: kept } = globalThis as unknown as WithAxe;
  const found: string[] = [];
  /** Those texts that axe-core cannot tell about. */
  const run = async (texts: Element[], rules: object) => {
    for (const text of texts) text.setAttribute('data-tried', '');
    const options = { ...rules, resultTypes: ['violations', 'incomplete'], elementRef: true };
    const { violations, incomplete } = await axe.run(document, options);
    for (const text of texts) text.removeAttribute('data-tried');
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        found.push(`${id}: ${html.slice(0, 160)} ${failureSummary}`);
    return new Set(incomplete.flatMap(({ nodes }) => nodes.map(({ element }) => element)));
  };
  const untold = await run(
    [...looks.values()].map(([first]) => first!),
    rules,
  );
  for (const [number, [first]] of looks) if (!untold.has(first!)) kept!.told.add(number);
  const others = [...looks.values()].flatMap(([first, ...others]) => (untold.has(first!) ? others : []));
  if (others.length > 0) await run(others, ofColours);
  return found;
}

/** How an element looks, and what of that its children have from it. */
interface Look {
  /** Its own colours and kind, without those of the elements around it. */
  own: string;
  number: number;
  isInText: boolean;
  isClipped: boolean;
}

/** In a page: all visible texts, by how they look; but none whose look axe-core has told about on this page. */
function newLooks(): Looks {
  const page = globalThis as unknown as WithAxe;
  page.looks ??= { numbers: new Map(), told: new Set() };
  const { numbers, told } = page.looks;
  const lookOf = new Map<Element | null, Look>();
  const found: Looks = new Map();
  for (const element of document.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine } =
      style;
    const around = lookOf.get(element.parentElement);
    const hasText = [...element.childNodes].some(
      node => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.textContent!),
    );
    const isInText = hasText || (style.display === 'inline' && !!around?.isInText);
    const colours = [
      color,
      backgroundColor,
      backgroundImage,
      opacity,
      fontSize,
      fontWeight,
      textDecorationLine,
    ];
    // A link is compared with the text around it. What cannot be used may look as it likes.
    const kinds = [
      element.matches('a') && (around?.isInText ? 'link in text' : 'link'),
      element.closest(':disabled, [aria-disabled="true"], label:has(:disabled)') && 'disabled',
    ];
    // What leaves its place may lie on anything: it looks like nothing else.
    const isAway = /absolute|fixed/.test(style.position);
    const own = `${[...colours, ...kinds, isAway && `away ${numbers.size}`]}`;
    // What is behind a text is told by the elements around it.
    const whole = `${around?.number} ${own}`;
    const number = around?.own === own ? around.number : (numbers.get(whole) ?? numbers.size);
    numbers.set(whole, number);
    const isClipped = style.clipPath === 'inset(50%)' || !!around?.isClipped;
    lookOf.set(element, { own, number, isInText, isClipped });
    if (told.has(number)) continue;
    // axe-core tells nothing about a single sign.
    const isText = hasText && element.textContent!.trim().length > 1;
    const isField = element.matches('input:not([type="checkbox"], [type="radio"]), select, textarea');
    if (!(isText || isField)) continue;
    // What is there for screen readers alone is clipped, or a pixel wide; what waits for the keyboard is beside the screen.
    const { width, right } = element.getBoundingClientRect();
    const isShown =
      element.checkVisibility({ visibilityProperty: true }) && !isClipped && width > 1 && right > 0;
    if (!isShown) continue;
    if (!found.get(number)?.push(element)) found.set(number, [element]);
  }
  return found;
}
