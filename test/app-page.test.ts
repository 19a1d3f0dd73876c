import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { REPORT_TYPES } from '../sql/report/types.ts';
import { bundlePage } from '../src/app-page/bundle.ts';
import { OneTimeKey } from '../src/app-page/sign-in.ts';
import { demoFeed } from '../src/demo/feed.ts';
import { DEMO_DEFAULTS, DEMO_PERSONAL } from '../src/demo/options.ts';
import { axeFindings, findBrowser, launch, visit } from './support/browser.ts';
import { open, personal, plan, report, THREAT_INTELLIGENCE } from './support/fixtures.ts';
import { type Line, startService, type TestService } from './support/service.ts';

let service: TestService;
/** Of the demo's largest account, of one without anything, and of one that was attacked. */
let keys: { demo: string; empty: string; hostile: string; internal: string };

const TODAY = new Date().toISOString().slice(0, 10);
const HOSTILE = [
  '<img src=x onerror="document.title=`owned`">',
  '"><script>document.title="owned"</script>',
  '\u202Egnp.exe',
  '{{constructor.constructor("document.title=1")()}}',
  'x'.repeat(60 * 1024),
];

beforeAll(async () => {
  service = await startService();
  const options = {
    ...DEMO_DEFAULTS,
    accounts: 2,
    reports: 2000,
    auditEvents: 150,
    largest: 0.95,
    today: TODAY,
  };
  const lines = [...demoFeed(options)]
    .join('')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line);
  await service.load(...lines);
  keys = {
    demo: await service.key('personal', DEMO_PERSONAL),
    empty: await open(service, personal('empty'), plan('empty')),
    hostile: await open(service, personal('hostile'), plan('hostile', {}, THREAT_INTELLIGENCE)),
    internal: await service.key('internal'),
  };
  const now = `${TODAY}T00:00:00Z`;
  await service.load(
    ...HOSTILE.map((text, at) =>
      report('hostile', 'csp', `r-${at}`, {
        date: now,
        uri: `https://shop.example/${text}`,
        blockedUri: text,
        directive: text.slice(0, 1000),
        browser: text.slice(0, 200),
        raw: JSON.stringify({ text }),
      }),
    ),
  );
});
afterAll(() => service.close());

describe('/app', () => {
  it('is one page that may load its own files and nothing else', async () => {
    const { status, headers, text } = await service.get('/app');
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const loaded = [...text.matchAll(/(?:src|href)="(app\/[^"]+)"/g)].map(([, path]) => path);
    expect(loaded).toHaveLength(2);
    for (const path of loaded) {
      const file = await service.get(`/${path}`);
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('is where a visitor lands who knows only the address', async () => {
    const { status, headers } = await service.request('/', { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/app']);
  });

  it('weighs at most 60 kB with its style, gzipped', async () => {
    const sizes = (await bundlePage()).map(({ content }) => gzipSync(content).length);
    expect(sizes).toHaveLength(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  });

  it('is built into the compiled service', async () => {
    const built = readdirSync(join(inject('compiled'), 'dist/src/app-page/built'));
    expect(built.sort()).toEqual((await bundlePage()).map(({ name }) => name).sort());
  });

  it('is not there where it is switched off', async () => {
    await using without = await startService({ appPage: false, databaseUrl: service.databaseUrl });
    for (const path of ['/app', '/app/sign-in', '/app/page.js'])
      expect((await without.get(path)).status, path).toBe(404);
    expect((await without.request('/', { redirect: 'manual' })).headers.get('location')).toBe('/docs');
  });
});

describe('a one-time code', () => {
  it('becomes its key once, and nothing but the code does', async () => {
    const oneTimeKey = new OneTimeKey(keys.empty);
    await using linked = await startService({ oneTimeKey, databaseUrl: service.databaseUrl });
    const redeem = (body: string) => linked.request('/app/sign-in', { method: 'POST', body });
    expect((await redeem('{"code":"nonsense"}')).status).toBe(404);
    expect((await redeem('{"code":7}')).status).toBe(404);
    expect((await redeem('null')).status).toBe(404);
    expect((await redeem('{')).status).toBe(400);
    expect((await linked.get('/app/sign-in')).status).toBe(405);
    const { status, headers, body } = await redeem(JSON.stringify({ code: oneTimeKey.code }));
    expect([status, body]).toEqual([200, { key: keys.empty }]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await redeem(JSON.stringify({ code: oneTimeKey.code }))).status).toBe(404);
  });
});

const chromium = findBrowser();
if (!chromium) process.stderr.write('Skipped: /app in a browser. No Chromium is installed.\n');

async function signIn(page: Page, key: string, place = ''): Promise<void> {
  await page.goto(`${service.url}/app${place}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Waits until the view has its answer. */
async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
  await page.locator('main h1').waitFor();
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(to => {
    location.hash = to;
  }, hash);
  // The view changes in the next frame, and only then is anything busy.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50))));
  await settled(page);
}

const OTHERS = ['#/', '#/watches', '#/policies', '#/audit', '#/setup'];
const VIEWS = [...OTHERS, ...REPORT_TYPES.map(type => `#/${type}`), '#/csp/reports', '#/dmarc/reports'];

describe.skipIf(!chromium)('in a browser, the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(chromium!);
  });
  afterAll(() => browser?.close());

  it.each(['light', 'dark'] as const)(
    'shows every view in %s colours without a finding of axe-core',
    async colorScheme => {
      await using visitor = await visit(browser, { colorScheme });
      const { page, said, asked } = visitor;
      await signIn(page, keys.demo);
      for (const hash of VIEWS) {
        await go(page, hash);
        expect(await page.locator('.problem').count(), hash).toBe(0);
        expect(await axeFindings(page), hash).toEqual([]);
      }
      expect(said).toEqual([]);
      expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set([service.url]));
    },
  );

  it('asks at most three times for its first view', async () => {
    await using visitor = await visit(browser);
    const { page, asked } = visitor;
    await signIn(page, keys.demo);
    await settled(page);
    await page.getByText('in seven days').waitFor();
    expect(asked.filter(({ pathname }) => pathname === '/graphql').length).toBeLessThanOrEqual(3);
  });

  it('tells an account without reports how to get some', async () => {
    await using visitor = await visit(browser);
    const { page, said } = visitor;
    await signIn(page, keys.empty);
    await page.getByText('No reports came in the last seven days.').waitFor();
    for (const hash of VIEWS.slice(1)) await go(page, hash);
    expect(said).toEqual([]);
  });

  it('shows what attackers write as text, wherever it stands', async () => {
    await using visitor = await visit(browser, { viewport: { width: 390, height: 844 } });
    const { page, said, asked } = visitor;
    await signIn(page, keys.hostile);
    for (const hash of ['#/', '#/csp', '#/csp/reports', ...HOSTILE.map((_, at) => `#/csp/reports/r-${at}`)]) {
      await go(page, hash);
      expect(await page.title(), hash).toMatch(/ · Sightline$/);
      expect(await page.locator('main img, main script, main iframe').count(), hash).toBe(0);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, hash).toBeLessThanOrEqual(0);
    }
    expect(said).toEqual([]);
    expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set([service.url]));
  });

  it('forgets a key that is refused, and says so', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, keys.demo);
    await page.route('**/graphql', route => route.fulfill({ status: 401, json: { error: 'Unauthorized' } }));
    await go(page, '#/audit').catch(() => undefined);
    await page.getByRole('alert').getByText('not known here').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('says when it goes on after too many requests, and does', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, keys.demo);
    await settled(page);
    let refused = 0;
    await page.route('**/graphql', route =>
      refused++ === 0
        ? route.fulfill({
            status: 429,
            headers: { 'retry-after': '2' },
            json: { error: 'Too many requests' },
          })
        : route.continue(),
    );
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('alert').getByText('It goes on by itself').waitFor();
    await page.getByRole('region', { name: 'Events' }).waitFor();
  });

  it.each([
    ['failed', (page: Page) => page.route('**/graphql', route => route.fulfill({ status: 500, body: '{}' }))],
    ['cannot be reached', (page: Page) => page.context().setOffline(true)],
  ])('says that the service %s, and asks again when told to', async (words, breakIt) => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, keys.demo);
    await settled(page);
    await breakIt(page);
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('alert').getByText(words).waitFor();
    await page.unroute('**/graphql');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Events' }).waitFor();
  });

  it('lets the keyboard alone find the worst blocked host without noise, open a report and copy its link', async () => {
    await using visitor = await visit(browser);
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const tabTo = async (name: RegExp) => {
      for (let step = 0; step < 300; step++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => {
          const { ariaLabel, textContent } = document.activeElement ?? {};
          return ariaLabel ?? textContent ?? '';
        });
        if (name.test(focused)) return;
      }
      throw new Error(`The keyboard does not reach ${name}`);
    };
    const press = async (name: RegExp, key = 'Enter') => {
      await tabTo(name);
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise(done => setTimeout(done, 50)));
      await settled(page);
    };
    await page.goto(`${service.url}/app`);
    await page.getByLabel('API key').waitFor();
    await page.keyboard.type(keys.demo);
    await page.keyboard.press('Enter');
    await settled(page);
    await press(/^CSP$/);
    await press(/^Hide browser noise/, 'Space');
    expect(page.url()).toContain('noise=hidden');
    await press(/^Only .*other host/);
    expect(page.url()).toContain('blockedHostnames=');
    await press(/^Show the reports/);
    await press(/^\d+ \w+ \d{4}, \d\d:\d\d$/);
    await press(/^Copy a link to this report/);
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    expect(page.url()).toMatch(/#\/csp\/reports\/[\w-]+\?/);
  });

  it('signs in by the link of a start, once, and keeps the code out of the address', async () => {
    const oneTimeKey = new OneTimeKey(keys.demo);
    await using linked = await startService({ oneTimeKey, databaseUrl: service.databaseUrl });
    const link = `${linked.url}/app#code=${oneTimeKey.code}`;
    await using first = await visit(browser);
    await first.page.goto(link);
    await first.page.getByText('in seven days').waitFor();
    expect(first.page.url()).toBe(`${linked.url}/app#/`);
    await first.page.reload();
    await first.page.getByText('in seven days').waitFor();
    await using second = await visit(browser);
    await second.page.goto(link);
    await second.page.getByText('This link was used already').waitFor();
  });

  it('lets an internal token choose an account', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, keys.internal);
    await page.locator(`a[href*="account=${DEMO_PERSONAL}"]`).click();
    await page.getByText('in seven days').waitFor();
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('region', { name: 'Events' }).waitFor();
    expect(page.url()).toContain(`account=${DEMO_PERSONAL}`);
  });
});
