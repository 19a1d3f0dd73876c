import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** The headless shell comes first, because it needs a quarter less time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The path of Chromium: `CHROMIUM_PATH`, or one of the usual names. */
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

/** Milliseconds to wait for a page. Only a safety net, as in `until`. */
const PATIENCE = 120_000;

/** A browser, with the messages and requests of its pages. */
export interface WatchedPage extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Console messages: errors, warnings, and violations of the Content Security Policy. */
  said: string[];
  /** The URL of every request. */
  requested: URL[];
}

/**
 * Hidden features that cost as much time as everything a test does: a spare renderer process, and two pages beneath
 * each window's address bar.
 */
const UNSEEN = ['SpareRendererForSitePerProcess', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Disables features that only a window needs. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-extensions', `--disable-features=${UNSEEN}`];

/**
 * Page tests fail without Chromium, because a skipped test checks nothing.
 * @param flags additional flags, such as `--host-resolver-rules`
 * @param isWhole true to require the full browser, because the headless shell does not send reports
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

/** The size of the browser window in pixels. */
export const SCREEN = { width: 1280, height: 900 };

/** Opens a page in a new browser context, which has its own cookies, storage and cache. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: SCREEN,
    // Animations would cause constant repaints.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const said: string[] = [];
  const requested: URL[] = [];
  page.on('console', message => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', error => said.push(`error: ${error.message}`));
  page.on('request', request => requested.push(new URL(request.url())));
  return { context, page, said, requested: requested, [Symbol.asyncDispose]: () => context.close() };
}

/** Starts one browser for all tests of a block. */
export function sharedBrowser(flags: readonly string[] = []): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch(flags);
  });
  afterAll(() => browser?.close());
  return () => browser!;
}

/**
 * Opens one page for all tests of a block. Each test finds it as the previous one left it.
 * @param arrive opens the page before the first test
 */
export function sharedVisitor(
  browser: () => Browser,
  arrive: (visitor: WatchedPage) => Promise<void>,
  options: BrowserContextOptions = {},
): () => WatchedPage {
  let visitor: WatchedPage | undefined;
  beforeAll(async () => {
    visitor = await visit(browser(), options);
    await arrive(visitor);
  });
  afterAll(() => visitor?.context.close());
  return () => visitor!;
}
