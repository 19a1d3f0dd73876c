import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORT_TYPES } from '../sql/report/types.ts';
import { OneTimeKey } from '../src/app-page/sign-in.ts';
import { DEMO_PERSONAL } from '../src/demo/options.ts';
import { axeFindings, findBrowser, launch, visit } from './support/browser.ts';
import { open, personal, plan, report, THREAT_INTELLIGENCE } from './support/fixtures.ts';
import { go, hostileReports, settled, signIn, smallDemo, TODAY, VIEWS } from './support/page.ts';
import { type Line, startService, type TestService } from './support/service.ts';
import { until } from './support/until.ts';

/** More than a list shows. */
const MANY = 1200;

let service: TestService;
/** Of the demo's largest account, of one without anything, of one that was attacked, and of one with many reports. */
let keys: { demo: string; empty: string; hostile: string; many: string; internal: string };

beforeAll(async () => {
  service = await startService();
  await service.load(...smallDemo(), ...many());
  keys = {
    demo: await service.key('personal', DEMO_PERSONAL),
    empty: await open(service, personal('empty'), plan('empty')),
    hostile: await open(service, personal('hostile'), plan('hostile', {}, THREAT_INTELLIGENCE)),
    many: await service.key('personal', 'many'),
    internal: await service.key('internal'),
  };
  await service.load(...hostileReports('hostile', 'r'));
});
afterAll(() => service.close());

/** Reports of an account whose plan keeps them for thirty days: more than a list shows. */
function many(): Line[] {
  const reports = ['connection', 'dns'].flatMap(phase =>
    Array.from({ length: phase === 'dns' ? 1 : MANY }, (_, at) =>
      report('many', 'nel', `${phase}-${at}`, {
        date: `${TODAY}T00:00:00Z`,
        phase,
        nelType: `error ${at % 40}`,
      }),
    ),
  );
  return [personal('many'), plan('many', { dataRetentionDays: 30 }), ...reports];
}

/** Nothing was made of a text but text, and nothing is wider than the screen. */
async function expectText(page: Page, hash: string): Promise<void> {
  expect(await page.title(), hash).toMatch(/ · Sightline$/);
  expect(await page.locator('main img, main script, main iframe').count(), hash).toBe(0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, hash).toBeLessThanOrEqual(0);
}

const chromium = findBrowser();
if (!chromium) process.stderr.write('Skipped: /app in a browser. No Chromium is installed.\n');

describe.skipIf(!chromium)('in a browser, the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(chromium!);
  });
  afterAll(() => browser?.close());

  it('shows its views without a finding of axe-core, and asks nobody else', async () => {
    await using visitor = await visit(browser);
    const { page, said, asked } = visitor;
    await signIn(page, service.url, keys.demo);
    for (const hash of ['#/', '#/csp', '#/audit']) {
      await go(page, hash);
      expect(await page.locator('.problem').count(), hash).toBe(0);
      expect(await axeFindings(page), hash).toEqual([]);
    }
    expect(said).toEqual([]);
    expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set([service.url]));
  });

  it('asks at most three times for its first view', async () => {
    await using visitor = await visit(browser);
    const { page, asked } = visitor;
    await signIn(page, service.url, keys.demo);
    await settled(page);
    await page.getByText('in seven days').waitFor();
    expect(asked.filter(({ pathname }) => pathname === '/graphql').length).toBeLessThanOrEqual(3);
  });

  it('tells an account without reports how to get some', async () => {
    await using visitor = await visit(browser);
    const { page, said } = visitor;
    await signIn(page, service.url, keys.empty);
    await page.getByText('No reports came in the last seven days.').waitFor();
    for (const hash of VIEWS.slice(1)) await go(page, hash);
    expect(said).toEqual([]);
  });

  it('shows what attackers write as text, in every field of every type', async () => {
    await using visitor = await visit(browser, { viewport: { width: 390, height: 844 } });
    const { page, said, asked } = visitor;
    await signIn(page, service.url, keys.hostile);
    const ofTypes = REPORT_TYPES.flatMap(type => [`#/${type}`, `#/${type}/reports`, `#/${type}/reports/r`]);
    for (const hash of ['#/', ...ofTypes]) {
      await go(page, hash);
      expect(await page.getByText('onerror').count(), hash).toBeGreaterThan(hash === '#/' ? -1 : 0);
      await expectText(page, hash);
    }
    expect(said).toEqual([]);
    expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set([service.url]));
  });

  it('says what is cut, and gives all of it as a file', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, service.url, keys.many);
    await go(page, '#/nel/reports?period=90d&not.phase=dns');
    await page.getByText('These are the newest 1,000: there are more.').waitFor();
    await page.getByText('This account keeps reports for 30 days').waitFor();
    expect(await page.locator('.reports tbody tr').count()).toBe(1000);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'NDJSON' }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toBe('nel.ndjson');
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(MANY);
    expect(new Set(lines.map(line => JSON.parse(line).phase))).toEqual(new Set(['connection']));
  });

  it('adds a filter that is typed', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, service.url, keys.many);
    await go(page, '#/nel');
    await page.getByText('Add a filter').click();
    await page.getByLabel('Only such, or without such').selectOption('without');
    await page.getByLabel('What to filter by').selectOption('phase');
    await page.getByLabel('Value').fill('dns');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('without phase').waitFor();
    await page.getByText(`${MANY.toLocaleString('en-GB')} reports`).waitFor();
    expect(page.url()).toContain('not.phase=dns');
  });

  it('narrows the audit trail down to an event and to who caused it', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, service.url, keys.demo);
    await go(page, '#/audit');
    const column = (number: number) => page.locator(`tbody td:nth-child(${number})`).allInnerTexts();
    expect(new Set(await column(2)).size).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'loginFailed' }).first().click();
    await page.getByRole('list', { name: 'Filters' }).waitFor();
    await settled(page);
    expect(new Set(await column(2))).toEqual(new Set(['loginFailed']));
    await page.getByRole('link', { name: /^Remove filter/ }).click();
    await page.getByRole('list', { name: 'Filters' }).waitFor({ state: 'detached' });
    await settled(page);
    expect(new Set(await column(2)).size).toBeGreaterThan(1);
  });

  it('asks anew every minute where that is wanted, but not behind other tabs', async () => {
    await using visitor = await visit(browser);
    const { page, asked } = visitor;
    await page.clock.install();
    await signIn(page, service.url, keys.empty);
    await settled(page);
    const before = asked.length;
    await page.clock.runFor(130_000);
    expect(asked.length).toBe(before);
    await page.getByRole('button', { name: 'Refresh every minute' }).click();
    await page.clock.runFor(61_000);
    await until(() => asked.length === before + 1);
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
    await page.clock.runFor(130_000);
    expect(asked.length).toBe(before + 1);
  });

  it('forgets a key that is refused, and says so', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, service.url, keys.demo);
    await page.route('**/graphql', route => route.fulfill({ status: 401, json: { error: 'Unauthorized' } }));
    await go(page, '#/audit').catch(() => undefined);
    await page.getByRole('alert').getByText('not known here').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('says when it goes on after too many requests, and does', async () => {
    await using visitor = await visit(browser);
    const { page } = visitor;
    await signIn(page, service.url, keys.demo);
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
    await signIn(page, service.url, keys.demo);
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
    await signIn(page, service.url, keys.internal);
    await page.locator(`a[href*="account=${DEMO_PERSONAL}"]`).click();
    await page.getByText('in seven days').waitFor();
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('region', { name: 'Events' }).waitFor();
    expect(page.url()).toContain(`account=${DEMO_PERSONAL}`);
  });
});
