import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { REPORT_TYPES } from '@sightline/reports';
import type { Browser, Page } from 'playwright-core';
import { launch, visit } from '../test/support/browser.ts';
import { go, settled, signIn, turnTo } from '../test/support/page.ts';
import { UNHURRIED } from '../test/support/sightline.ts';
import { tourOptions } from './tour-options.ts';

/** Brings a signed-in page into the state to capture. */
type Scene = (page: Page) => Promise<void>;

const at =
  (hash: string): Scene =>
  page =>
    go(page, hash);

/** Opens the newest report of a list. */
const newest =
  (hash: string): Scene =>
  async page => {
    await go(page, hash);
    await page.locator('.reports tbody a').first().click();
    await page.waitForURL(/\/reports\/[\w-]+/);
    await settled(page);
  };

/** Shows the overview with a given outcome of its request. */
const outcome =
  (answer: Parameters<Page['route']>[1]): Scene =>
  async page => {
    await go(page, '#/setup');
    await page.route('**/graphql', answer);
    await turnTo(page, '#/');
    await page.locator('.problem, .skeleton, .sign-in').first().waitFor();
  };

const SCENES: Readonly<Record<string, Scene>> = {
  overview: at('#/'),
  ...Object.fromEntries(
    REPORT_TYPES.flatMap(type => [
      [type, at(`#/${type}`)],
      [`${type}-reports`, at(`#/${type}/reports?period=90d`)],
      [`${type}-report`, newest(`#/${type}/reports?period=90d`)],
    ]),
  ),
  'csp-filtered': at('#/csp?noise=hidden&not.browser=Chrome&period=90d'),
  'csp-day': at(`#/csp?unit=days&date=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`),
  'csp-hour': at(`#/csp?unit=hours&date=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T14`),
  'try-policy': at(
    `#/try-policy?${new URLSearchParams({ site: 'www.example.com', policy: "default-src 'self'; img-src *" })}`,
  ),
  search: at('#/search?q=checkout'),
  watches: at('#/watches'),
  policies: at('#/policies'),
  audit: at('#/audit'),
  setup: at('#/setup'),
  'state-empty': at('#/crash?unit=days&date=2026-01-01'),
  'state-no-view': page => turnTo(page, '#/nothing'),
  'state-loading': outcome(() => {}),
  'state-429': outcome(route => route.fulfill({ status: 429, headers: { 'retry-after': '30' }, body: '{}' })),
  'state-500': outcome(route =>
    route.fulfill({ status: 500, headers: { 'x-request-id': '7f3a' }, body: '{}' }),
  ),
  'state-offline': outcome(route => route.abort()),
  'state-401': outcome(route => route.fulfill({ status: 401, body: '{}' })),
};

/** The scenes that the documentation contains. */
const SHOWN: Readonly<Record<string, Scene>> = {
  overview: at('#/'),
  csp: at('#/csp'),
  report: newest('#/csp/reports?period=7d&noise=hidden'),
};

/** Runs `npm start` with a separate data folder. */
async function start(directory: string) {
  // With a single key, all scenes together would reach the default rate limit. The longer timeouts keep views from
  // failing on a busy machine.
  const own = { DATA_DIRECTORY: directory, PORT: '0', RATE_LIMIT_MAX: '100000' };
  const env = { ...process.env, ...UNHURRIED, ...own };
  const child = spawn(process.execPath, ['bin/sightline.js', 'dev'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  while (!text.includes('Ctrl-C ends it.')) await once(child.stdout, 'data');
  const url = /http:\/\/[^/\s]+/.exec(text)?.[0];
  const keys = [...text.matchAll(/svc_[dti]_\w+/g)].map(([key]) => key);
  const internal = keys.find(key => key.startsWith('svc_i_'));
  if (!url || !keys[0] || !internal) throw new Error(`"npm start" prints no address or no keys:\n${text}`);
  return { child, url, personal: keys[0], internal };
}

interface Looks {
  width: number;
  colorScheme: 'light' | 'dark';
}

const SCHEMES = ['light', 'dark'] as const;

interface Service {
  url: string;
  personal: string;
  /** An internal token, which can read several accounts; undefined if there is none. */
  internal?: string;
}
type Take = (page: Page, name: string) => Promise<void>;

/** Adds the name of the picture and the page's text to an error. */
async function named(picture: string, page: Page, taking: () => Promise<void>): Promise<void> {
  try {
    await taking();
  } catch (cause) {
    const shown = await page
      .locator('body')
      .textContent({ timeout: 1000 })
      .catch(() => 'nothing');
    throw new Error(`no picture ${picture}, since the page at ${page.url()} shows:\n${shown}`, { cause });
  }
}

/** Captures each scene in one look, including the sign-in form and the choice of an account. */
async function takeAll(browser: Browser, service: Service, looks: Looks, wanted: string, take: Take) {
  const { width, colorScheme } = looks;
  const options = { colorScheme, viewport: { width, height: 860 } };
  const shown = async (name: string, scene: Scene, key?: string) => {
    if (!name.includes(wanted)) return;
    await using visitor = await visit(browser, options);
    const picture = `${name}-${width}-${colorScheme}`;
    await named(picture, visitor.page, async () => {
      if (key) await signIn(visitor.page, service.url, key);
      await scene(visitor.page);
      await take(visitor.page, picture);
    });
  };
  await shown('sign-in', async page => {
    await page.goto(`${service.url}/app`);
    await page.getByLabel('API key').waitFor();
  });
  if (service.internal) await shown('accounts', settled, service.internal);
  for (const [name, scene] of Object.entries(SCENES)) await shown(name, scene, service.personal);
}

async function takeShown(browser: Browser, { url, personal }: Service, take: Take) {
  await using visitor = await visit(browser, { viewport: { width: 1280, height: 860 } });
  await signIn(visitor.page, url, personal);
  for (const [name, scene] of Object.entries(SHOWN)) {
    await named(name, visitor.page, async () => {
      await scene(visitor.page);
      await take(visitor.page, name);
    });
  }
}

const options = tourOptions(process.argv.slice(2));
if (typeof options === 'number') process.exit(options);
const { all, only, widths, url, key } = options;
const out = resolve(all ?? 'docs/page');
await mkdir(out, { recursive: true });
const take: Take = async (page, name) => {
  const path = join(out, `${name}.png`);
  // Few programs can open a picture of a thousand reports.
  const fullPage = all !== undefined && !name.includes('-reports');
  await page.screenshot({ path, fullPage });
  process.stdout.write(`${path}\n`);
};

async function takeFrom(service: Service): Promise<void> {
  const browser = await launch();
  try {
    if (all === undefined) return await takeShown(browser, service, take);
    for (const width of widths.split(',').map(Number)) {
      for (const colorScheme of SCHEMES) await takeAll(browser, service, { width, colorScheme }, only, take);
    }
  } finally {
    await browser.close();
  }
}

if (url && key) await takeFrom({ url, personal: key });
else {
  const directory = await mkdtemp(join(tmpdir(), 'sightline-tour-'));
  const service = await start(directory);
  try {
    await takeFrom(service);
  } finally {
    service.child.kill('SIGINT');
    await once(service.child, 'exit');
    await rm(directory, { recursive: true, force: true });
  }
}
