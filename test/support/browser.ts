import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

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

/** A visitor of their own: no cookies, no storage, no cache of others. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** These ask for colours alone, and take as long as all others together. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of WCAG 2.2 AA: all, those that ask for no colours, and those that do. */
const RULES = {
  all: { runOnly: WCAG },
  shapes: {
    runOnly: WCAG,
    rules: Object.fromEntries(OF_COLOURS.map(rule => [rule, { enabled: false }])),
  },
  looks: { runOnly: OF_COLOURS },
};

/**
 * What axe-core finds wrong by such rules, as `rule: where`. By those of `looks` one text of each look is tried, and
 * none of a look that was tried on this page.
 */
export async function axeFindings(page: Page, rules: keyof typeof RULES = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const looks = rules === 'shapes' ? undefined : await page.evaluateHandle(newLooks);
  return page.evaluate(
    async ([looks, rules, options]) => {
      const include = rules === 'looks' ? looks! : [document.documentElement];
      if (include.length === 0) return [];
      // biome-ignore lint/suspicious/noExplicitAny: the script has just put it there
      const { violations } = await (globalThis as any).axe.run({ include }, options);
      return violations.flatMap((found: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        found.nodes.map(({ html, failureSummary }) => `${found.id}: ${html.slice(0, 160)} ${failureSummary}`),
      );
    },
    [looks, rules, { ...RULES[rules], resultTypes: ['violations'] }] as const,
  );
}

/** In a page: of all visible texts that look alike, the first; but none where this function has seen one before. */
function newLooks(): Element[] {
  const kept = globalThis as { looks?: Map<string, number>; seen?: Set<number> };
  kept.looks ??= new Map();
  kept.seen ??= new Set();
  const lookOf = new Map<Element | null, { own: string; number: number }>();
  const first: Element[] = [];
  for (const element of document.querySelectorAll('*')) {
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine } =
      getComputedStyle(element);
    const own = `${[color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textDecorationLine]}`;
    // What is behind a text is told by the elements around it.
    const around = lookOf.get(element.parentElement);
    const whole = `${around?.number} ${own}`;
    const number = around?.own === own ? around.number : (kept.looks.get(whole) ?? kept.looks.size);
    kept.looks.set(whole, number);
    lookOf.set(element, { own, number });
    const isText =
      element.matches('input, select') ||
      [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && /\S/.test(node.textContent!));
    // What is there for screen readers alone is a pixel wide, and what waits for the keyboard is beside the screen.
    const { width, right } = element.getBoundingClientRect();
    const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 1 && right > 0;
    if (!isText || kept.seen.has(number) || !isShown) continue;
    kept.seen.add(number);
    first.push(element);
  }
  return first;
}
