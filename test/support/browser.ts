import { accessSync, constants } from 'node:fs';
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
function findBrowser(isWhole: boolean): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = isWhole ? NAMES.slice(1) : NAMES;
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isExecutable);
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
  /** The messages on the console: errors, warnings, violations of the Content-Security-Policy. */
  said: string[];
  /** Every address that was asked for. */
  asked: URL[];
}

/**
 * Features that cost without being seen: a process that waits for a next page, and two pages beneath each window's
 * address bar. These take as long as all that a test does in it.
 */
const UNSEEN = ['SpareRendererForSitePerProcess', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Without what a window would need. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-extensions', `--disable-features=${UNSEEN}`];

/**
 * Without a Chromium the tests of pages fail: a test that was skipped has seen nothing.
 * @param flags further ones, such as `--host-resolver-rules`
 * @param isWhole the shell will not do, which sends no reports
 */
export async function launch(flags: readonly string[] = [], isWhole = false): Promise<Browser> {
  const executablePath = findBrowser(isWhole);
  if (!executablePath)
    throw new Error('no Chromium is installed: take a package of your system, or set CHROMIUM_PATH');
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: [...FLAGS, ...(isWhole ? ['--headless=new'] : []), ...flags],
    timeout: PATIENCE,
  });
}

/** Pixels of a visitor's screen. */
export const SCREEN = { width: 1280, height: 900 };

/** A visitor of their own: no cookies, no storage, no cache of others. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    viewport: SCREEN,
    // Moving elements are painted without end.
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

/** One browser for all tests of a block. */
export function sharedBrowser(flags: readonly string[] = []): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch(flags);
  });
  afterAll(() => browser?.close());
  return () => browser!;
}

/**
 * One visitor for all tests of a block: each finds the page as the one before has left it.
 * @param arrive opens the page, before the first test
 */
export function sharedVisitor(
  browser: () => Browser,
  arrive: (visitor: Watched) => Promise<void>,
  options: BrowserContextOptions = {},
): () => Watched {
  let visitor: Watched | undefined;
  beforeAll(async () => {
    visitor = await visit(browser(), options);
    await arrive(visitor);
  });
  afterAll(() => visitor?.context.close());
  return () => visitor!;
}
