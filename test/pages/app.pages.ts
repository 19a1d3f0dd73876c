import { readFile } from 'node:fs/promises';
import { DEMO_PERSONAL } from '@sightline/demo';
import { REPORT_TYPES } from '@sightline/reports';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OneTimeKey } from '../../src/pages/sign-in.ts';
import { axeFindings } from '../support/axe.ts';
import { SCREEN, sharedBrowser, sharedVisitor, visit } from '../support/browser.ts';
import { open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import {
  drawnAfter,
  eventfulWeek,
  go,
  hostileReports,
  NAVIGATED,
  settled,
  signIn,
  smallDemo,
  TODAY,
  VIEWS,
} from '../support/page.ts';
import { type Line, startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const YESTERDAY = new Date(Date.parse(TODAY) - 86_400_000).toISOString().slice(0, 10);

/** The number of reports, which is more than a list shows. */
const MANY = 1200;

let service: TestService;
/** Keys of the demo's largest account, of an empty account, of one full of hostile text, and so on. */
let keys: { demo: string; empty: string; hostile: string; many: string; eventful: string; internal: string };

beforeAll(async () => {
  service = await startService();
  await service.load(...smallDemo(), ...many());
  keys = {
    demo: await service.key('personal', DEMO_PERSONAL),
    empty: await open(service, personal('empty'), plan('empty')),
    hostile: await open(service, personal('hostile'), plan('hostile', {}, THREAT_INTELLIGENCE)),
    many: await service.key('personal', 'many'),
    eventful: await open(service, personal('eventful'), plan('eventful', {}, THREAT_INTELLIGENCE)),
    internal: await service.key('internal'),
  };
  await service.load(...eventfulWeek('eventful'));
  await service.load(...hostileReports('hostile', 'r'));
});
afterAll(() => service.close());

/** A path with the characters that `/export` expects to be escaped in a list. URLs of web pages have no backslash. */
const ESCAPED = '/a\\,b';

/** Makes more reports than a list can show, for an account whose retention is thirty days. */
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
  const at = (path: string) => ({ uri: `app://shop.example${path}`, date: `${TODAY}T00:00:00Z` });
  return [
    personal('many'),
    plan('many', { dataRetentionDays: 30 }),
    ...reports,
    report('many', 'crash', 'with both', at(ESCAPED)),
    report('many', 'crash', 'another', at('/a')),
  ];
}

/** Simulates browsers that can only save complete files. */
const withoutPicker = (page: Page) => page.evaluate('window.showSaveFilePicker = undefined');

/** Opens a view without cached data, which would otherwise be shown first. */
async function arriveAnew(page: Page, hash: string): Promise<void> {
  await go(page, hash);
  await page.reload();
  await settled(page);
}

/** Downloads a file and returns its name and lines. */
async function downloadFile(page: Page, button: string): Promise<{ name: string; lines: string[] }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const file = await coming;
  const text = await readFile(await file.path(), 'utf8');
  return { name: file.suggestedFilename(), lines: text.trimEnd().split('\n') };
}

/** Hostile text must be shown as text, and nothing may be wider than the screen. */
async function expectText(page: Page, hash: string): Promise<void> {
  const seen = await page.evaluate(() => ({
    title: document.title,
    isShown: document.body.textContent!.includes('onerror'),
    made: document.querySelectorAll('main :is(img, script, iframe)').length,
    overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
  }));
  const title = expect.stringMatching(/ · Sightline$/);
  const isShown = hash === '#/' ? expect.any(Boolean) : true;
  expect(seen, hash).toEqual({ title, isShown, made: 0, overflow: 0 });
}

/** Matches one report, whose path contains a backslash before a comma, but not the other one. */
const ONE_REPORT = `#/crash/reports?${new URLSearchParams({ paths: ESCAPED, account: 'many' })}`;

/** Checks that the downloaded file contains the only report in that list. */
async function expectOneInFile(page: Page): Promise<void> {
  await withoutPicker(page);
  await page.getByText('This is the only report of the period.').waitFor();
  const { lines } = await downloadFile(page, 'NDJSON');
  expect(lines.map(line => JSON.parse(line).id)).toEqual(['with both']);
}

/** Runs in the page: records when such an element gets the focus, and keeps the focus there while Tab is held. */
function stopAt(name: RegExp): void {
  const page = globalThis as unknown as { lookout?: AbortController; hasStopped: boolean };
  page.lookout?.abort();
  page.lookout = new AbortController();
  page.hasStopped = false;
  const options = { capture: true, signal: page.lookout.signal };
  const noteFocus = () => {
    const { ariaLabel, textContent } = document.activeElement ?? {};
    page.hasStopped ||= name.test(ariaLabel ?? textContent ?? '');
  };
  addEventListener('focusin', noteFocus, options);
  addEventListener(
    'keydown',
    event => page.hasStopped && event.key === 'Tab' && event.preventDefault(),
    options,
  );
}

/** Holds Tab until such an element has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  await page.evaluate(stopAt, name);
  for (let time = 0; time < 15; time++) {
    await Promise.all(Array.from({ length: 20 }, () => page.keyboard.down('Tab')));
    await page.keyboard.up('Tab');
    if (await page.evaluate('hasStopped')) return;
  }
  throw new Error(`The keyboard does not reach ${name}`);
}

describe('the web app in a browser', () => {
  const browser = sharedBrowser();

  it('links to every view, and tells an empty account how to send reports', async () => {
    await using visitor = await visit(browser());
    const { page, said } = visitor;
    await signIn(page, service.url, keys.empty);
    await page.getByText('No reports in this period').waitFor();
    const links = await page.locator('nav a').evaluateAll(all => all.map(link => link.getAttribute('href')));
    expect(links.toSorted()).toEqual(NAVIGATED.toSorted());
    for (const hash of VIEWS.slice(1)) await go(page, hash);
    expect(said).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it('shows hostile text in every field of every type as text', async () => {
    await using visitor = await visit(browser(), { viewport: { width: 390, height: 844 } });
    const { page, said, requested } = visitor;
    await signIn(page, service.url, keys.hostile);
    const ofTypes = REPORT_TYPES.flatMap(type => [`#/${type}`, `#/${type}/reports`, `#/${type}/reports/r`]);
    for (const hash of ['#/', ...ofTypes]) {
      await go(page, hash);
      await expectText(page, hash);
    }
    expect(said).toEqual([]);
    expect(new Set(requested.map(({ origin }) => origin))).toEqual(new Set([service.url]));
  });

  it('accepts a one-time sign-in link once, and removes the code from the URL', async () => {
    const oneTimeKey = new OneTimeKey(keys.demo);
    await using linked = await startService({ oneTimeKey, databaseUrl: service.databaseUrl });
    const link = `${linked.url}/app#code=${oneTimeKey.code}`;
    await using first = await visit(browser());
    await first.page.goto(link);
    await first.page.getByText('in 7 days, by day').waitFor();
    expect(first.page.url()).toBe(`${linked.url}/app#/`);
    await first.page.reload();
    await first.page.getByText('in 7 days, by day').waitFor();
    await using second = await visit(browser());
    await second.page.goto(link);
    await second.page.getByText('This link was already used').waitFor();
  });

  /** The tests share a browser session. Each opens the view that it needs first. */
  describe('with an internal token', () => {
    const visitor = sharedVisitor(browser, ({ page }) =>
      signIn(page, service.url, keys.internal, ONE_REPORT),
    );

    it('downloads the shown report when a filter contains a backslash before a comma', () =>
      expectOneInFile(visitor().page));

    it('lets the user choose an account', async () => {
      const { page } = visitor();
      await go(page, '#/');
      await page.locator(`a[href*="account=${DEMO_PERSONAL}"]`).click();
      await page.getByText('in 7 days, by day').waitFor();
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('region', { name: 'Events' }).waitFor();
      expect(page.url()).toContain(`account=${DEMO_PERSONAL}`);
      await page.getByRole('link', { name: 'Other account' }).click();
      await page.getByLabel('Account id').fill('eventful');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('region', { name: 'New blocked hosts' }).getByText('evil.example').waitFor();
    });
  });

  /** The tests share a browser session. Each opens the view that it needs first. */
  describe('with an eventful week', () => {
    const visitor = sharedVisitor(browser, ({ page }) => signIn(page, service.url, keys.eventful));

    it('marks new values, and states once when all of them are new', async () => {
      const { page, said } = visitor();
      await go(page, '#/csp');
      const fresh = page.getByRole('row').filter({ has: page.getByText('new', { exact: true }) });
      expect(await fresh.filter({ hasText: 'evil.example' }).count()).toBe(1);
      expect(await fresh.filter({ hasText: 'cdn.example' }).count()).toBe(0);
      await go(page, '#/csp?blockedHostnames=evil.example');
      await page.getByText(/^all new since/).waitFor();
      expect(await fresh.count()).toBe(0);
      await go(page, `#/csp?unit=days&date=${YESTERDAY}`);
      await fresh.filter({ hasText: 'evil.example' }).waitFor();
      expect(said).toEqual([]);
    });

    it('opens the day of a bar, and the days before and after it', async () => {
      const { page } = visitor();
      await go(page, '#/csp');
      const bars = page.locator('.bar.leads');
      await bars.nth((await bars.count()) - 2).click();
      await page.getByText('9 reports by hour (UTC)').waitFor();
      expect(page.url()).toContain('unit=days&date=');
      await page.getByRole('link', { name: 'The previous day' }).click();
      await page.getByText('8 reports by hour (UTC)').waitFor();
      const nextDay = page.getByRole('link', { name: 'The next day' });
      // The second press is on the link to the day that the first one opened.
      await drawnAfter(page, () => nextDay.click());
      await nextDay.click();
      await page.getByText('No CSP reports in this period').waitFor();
      expect(await page.getByRole('link', { name: 'The next day' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Show 90 days' }).click();
      await page.getByText('31 reports by day (UTC)').waitFor();
    });

    it('compares with the previous period, and can exclude a host', async () => {
      const { page } = visitor();
      await go(page, '#/csp?period=7d');
      await page.getByRole('button', { name: 'Compare with the previous period' }).click();
      await page.getByText('0 in the previous period').waitFor();
      await page.getByRole('columnheader', { name: 'Change' }).first().waitFor();
      const pages = page.getByRole('region', { name: 'Pages', exact: true });
      await pages.getByRole('link', { name: 'Exclude host shop.example' }).click();
      await page.getByText('No CSP reports in this period with these filters').waitFor();
      await page.getByRole('link', { name: 'Remove filter: not host shop.example' }).press('Enter');
      await page.getByText('21 reports by day').waitFor();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    });

    it('selects a period by its start and end, or by dragging over bars', async () => {
      const { page } = visitor();
      await go(page, '#/csp?period=7d');
      await page.getByText('From, to').click();
      await page.getByLabel('From (UTC)').fill(`${YESTERDAY}T00:00`);
      await page.getByLabel('To (UTC)').fill(`${YESTERDAY}T01:00`);
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText('9 reports by minute (UTC)').waitFor();
      expect(await page.locator('.bar').count()).toBe(60);
      await go(page, '#/csp?period=7d');
      const [first, last] = await Promise.all([4, 5].map(at => page.locator('.bar').nth(at).boundingBox()));
      const middle = (box: typeof first) => [box!.x + box!.width / 2, box!.y + 100] as const;
      await page.mouse.move(...middle(first!));
      await page.mouse.down();
      await page.mouse.move(...middle(last!), { steps: 4 });
      await page.mouse.up();
      await page.getByText('17 reports by hour (UTC)').waitFor();
      expect(page.url()).toContain(`&to=${TODAY}`);
    });

    it('shows invisible characters as escapes', async () => {
      const { page } = visitor();
      await go(page, '#/csp?blockedPaths=%2F%E2%80%AEgnp.exe');
      await page.getByRole('list', { name: 'Filters' }).getByText('/⟨U+202E⟩gnp.exe').waitFor();
      expect(await page.evaluate(() => document.body.textContent!.includes('\u202e'))).toBe(false);
    });

    it('returns from a report to its position in the list, and leads to the next report', async () => {
      const { page } = visitor();
      onTestFinished(() => page.setViewportSize(SCREEN));
      await page.setViewportSize({ width: 1280, height: 300 });
      await go(page, '#/csp/reports');
      await page.locator('.reports tbody a').nth(2).click();
      await page.getByText('3 of 4').waitFor();
      await page.getByRole('link', { name: 'Next report' }).click();
      await page.getByText('4 of 4').waitFor();
      await drawnAfter(page, () => page.getByRole('link', { name: 'Back to the reports' }).click());
      await settled(page);
      await until(() => page.evaluate(() => scrollY > 100));
    });

    it('sorts reports by a column, which is part of the URL', async () => {
      const { page } = visitor();
      await go(page, '#/csp/reports');
      const counts = () => page.locator('.reports td.number').allInnerTexts();
      await page.getByRole('button', { name: 'Count' }).click();
      await page.locator('th[aria-sort="descending"]', { hasText: 'Count' }).waitFor();
      expect(await counts()).toEqual(['10', '9', '8', '4']);
      expect(page.url()).toContain('sort=-count');
      await page.goBack();
      await page.locator('th[aria-sort="descending"]', { hasText: 'When' }).waitFor();
      expect(await counts()).toEqual(['9', '8', '4', '10']);
    });
  });

  /** The tests share a browser session. Each opens the view that it needs first. */
  describe('with a simulated clock', () => {
    const visitor = sharedVisitor(browser, async ({ page }) => {
      await page.clock.install();
      await signIn(page, service.url, keys.demo, '#/setup');
      await settled(page);
    });

    it('refreshes every minute on request, but not in hidden tabs', async () => {
      const { page, requested } = visitor();
      await go(page, '#/audit');
      const before = requested.length;
      await page.clock.runFor(130_000);
      expect(requested.length).toBe(before);
      const button = page.getByRole('button', { name: 'Refresh every minute' });
      await button.click();
      await page.clock.runFor(61_000);
      await until(() => requested.length === before + 1);
      await page.evaluate(() =>
        Object.defineProperty(document, 'hidden', { value: true, configurable: true }),
      );
      await page.clock.runFor(130_000);
      expect(requested.length).toBe(before + 1);
      await page.evaluate(() => Reflect.deleteProperty(document, 'hidden'));
      await button.click();
    });

    it('sends no request before the rate limit window ends', async () => {
      const { page, requested } = visitor();
      await go(page, '#/watches');
      await page.route(
        '**/graphql',
        async route => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            headers: { ...response.headers(), ratelimit: '"default";r=0;t=60' },
          });
        },
        { times: 1 },
      );
      await go(page, '#/setup');
      const before = requested.length;
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('alert').getByText('Retrying automatically').waitFor();
      await page.clock.runFor(30_000);
      expect(requested.length).toBe(before);
      await page.clock.runFor(31_000);
      await page.getByRole('region', { name: 'Events' }).waitFor();
    });

    it('states when it will retry after too many requests, and retries', async () => {
      const { page } = visitor();
      await go(page, '#/setup');
      let refused = 0;
      await page.route('**/graphql', route =>
        refused++ === 0
          ? route.fulfill({
              status: 429,
              headers: { 'retry-after': '60' },
              json: { error: 'Too many requests' },
            })
          : route.continue(),
      );
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('alert').getByText('Retrying automatically').waitFor();
      await page.clock.runFor(61_000);
      await page.getByRole('region', { name: 'Events' }).waitFor();
    });
  });

  /** The tests share a browser session. Each opens the view that it needs first. */
  describe('with the demo data', () => {
    const visitor = sharedVisitor(browser, async ({ page }) => {
      await page.goto(`${service.url}/app`);
      await page.getByLabel('Keep the key').check();
      await page.getByLabel('API key').fill(keys.demo);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    });

    it('has no axe-core findings, contacts no other host, and starts with at most three requests', async () => {
      const { page, said, requested } = visitor();
      await settled(page);
      await page.getByText('in 7 days, by day').waitFor();
      expect(requested.filter(({ pathname }) => pathname === '/graphql').length).toBeLessThanOrEqual(3);
      for (const hash of ['#/', '#/csp', '#/audit']) {
        await go(page, hash);
        expect(await page.locator('.problem').count(), hash).toBe(0);
        expect(await axeFindings(page), hash).toEqual([]);
      }
      expect(said).toEqual([]);
      expect(new Set(requested.map(({ origin }) => origin))).toEqual(new Set([service.url]));
    });

    it('fits screens of 360 and 2560 pixels', async () => {
      const { page } = visitor();
      onTestFinished(() => page.setViewportSize(SCREEN));
      const types = ['#/csp', '#/csp/reports', '#/deprecation', '#/intervention'];
      const widths = [360, 2560];
      for (const hash of ['#/', ...types, '#/watches', '#/policies', '#/audit', '#/setup']) {
        await go(page, hash);
        // Each view starts at the last width of the previous one, which saves a layout.
        for (const width of widths.reverse()) {
          const at = `${hash}, ${width} pixels`;
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), at).toBe(0);
          const cut = await page
            .locator('.scroll:has(> .stack)')
            .evaluateAll(all =>
              all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.ariaLabel),
            );
          expect(cut, at).toEqual([]);
        }
      }
    });

    it('shows every table column at 1280 and 1366 pixels', async () => {
      const { page } = visitor();
      onTestFinished(() => page.setViewportSize(SCREEN));
      for (const hash of ['#/csp', '#/nel', '#/dmarc', '#/certificate_transparency', '#/watches']) {
        await go(page, hash);
        for (const width of [1280, 1366]) {
          await page.setViewportSize({ width, height: 900 });
          const tables = await page.locator('main .stack').evaluateAll(all =>
            all.map(table => ({
              name: table.parentElement!.ariaLabel,
              lost: [...table.querySelectorAll('tr:not(.later) > *')].filter(cell => cell.clientWidth === 0)
                .length,
              cut: table.scrollWidth > table.parentElement!.clientWidth,
            })),
          );
          expect(tables.length, hash).toBeGreaterThan(0);
          expect(
            tables.filter(({ lost, cut }) => lost > 0 || cut),
            `${hash}, ${width} pixels`,
          ).toEqual([]);
        }
      }
    });

    it('prints entire views without interactive elements', async () => {
      const { page } = visitor();
      onTestFinished(async () => {
        await page.emulateMedia({ media: null });
        await page.setViewportSize(SCREEN);
      });
      await go(page, '#/watches');
      await page.setViewportSize({ width: 718, height: 1000 });
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('nav').isVisible()).toBe(false);
      expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
      for (const hash of ['#/watches', '#/dmarc/reports?period=90d', '#/csp/reports']) {
        await go(page, hash);
        const cut = await page
          .locator('.scroll')
          .evaluateAll(all =>
            all.filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth),
          );
        expect(cut.length, hash).toBe(0);
      }
    });

    it('shows the first domains of a watch, and all of them on request', async () => {
      const { page } = visitor();
      await go(page, '#/watches');
      const watch = page.getByRole('region', { name: 'script watch of www.example.com', exact: true });
      const rows = watch.locator('tbody tr').filter({ visible: true });
      expect(await rows.count()).toBe(5);
      await watch.getByRole('button', { name: /^Show all \d+$/ }).click();
      await watch.getByRole('button').waitFor({ state: 'detached' });
      expect(await rows.count()).toBeGreaterThan(5);
    });

    it('spells out abbreviated values of a report', async () => {
      const { page } = visitor();
      await go(page, '#/dmarc/reports?period=90d');
      await page.locator('.reports tbody a').first().click();
      await page.getByText('DKIM alignment (adkim)').waitFor();
      const fields = await page.getByRole('region', { name: 'Fields' }).textContent();
      expect(fields).toMatch(/adkim\)(relaxed|strict)/);
      expect(fields).toMatch(/Country[A-Z][A-Za-z ]+ \([A-Z]{2}\)/);
    });

    it('shows the address ranges of senders, the addresses within one, and a link to look them up', async () => {
      const { page, said } = visitor();
      await go(page, '#/dmarc?period=90d');
      const ranges = page.getByRole('region', { name: 'Address ranges', exact: true });
      const only = ranges.getByRole('link', { name: /^Filter by / }).first();
      const range = /^Filter by (\S+), /.exec((await only.getAttribute('aria-label'))!)![1]!;
      expect(range).toMatch(/(\.0\/24|::\/48)$/);
      const lookUp = ranges.getByRole('link', { name: `Look up ${range} elsewhere` }).first();
      expect(
        await lookUp.evaluate(({ href, rel, target }: HTMLAnchorElement) => [href, rel, target]),
      ).toEqual([`https://stat.ripe.net/resource/${range}`, 'noopener noreferrer', '_blank']);
      await drawnAfter(page, () => only.click());
      await settled(page);
      const addresses = page.getByRole('region', { name: 'Addresses', exact: true });
      const within = range.replace(/(0\/24|:\/48)$/, '');
      for (const text of await addresses.locator('tbody th bdi:first-child').allTextContents())
        expect(text.startsWith(within), `${text} in ${range}`).toBe(true);
      expect(said).toEqual([]);
    });

    it('moves between tables by keyboard, and from the last to the first', async () => {
      const { page } = visitor();
      await go(page, '#/csp');
      const tables = page.getByRole('button', { name: 'Next table' });
      const count = await tables.count();
      expect(count).toBeGreaterThan(2);
      await tables.first().focus();
      for (let at = 1; at <= count; at++) {
        await page.keyboard.press('Enter');
        expect(await tables.nth(at % count).evaluate(one => one === document.activeElement)).toBe(true);
      }
    });

    it('collapses the navigation on a phone, and closes it after a choice', async () => {
      const { page } = visitor();
      onTestFinished(() => page.setViewportSize(SCREEN));
      await go(page, '#/csp');
      await page.setViewportSize({ width: 390, height: 844 });
      const audit = page.getByRole('link', { name: 'Audit', exact: true });
      expect(await audit.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      expect(await axeFindings(page)).toEqual([]);
      await drawnAfter(page, () => audit.click());
      await page.getByRole('button', { name: 'Views', exact: true, expanded: false }).waitFor();
      expect(await page.getByRole('link', { name: 'Watches', exact: true }).isVisible()).toBe(false);
    });

    it('filters the audit log by event', async () => {
      const { page } = visitor();
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
      await page.getByLabel('Event', { exact: true }).fill('Plan changed');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('link', { name: 'Remove filter: event planChanged' }).waitFor();
      await settled(page);
      expect(new Set(await column(2))).toEqual(new Set(['planChanged']));
    });

    it('shows a placeholder while data loads', async () => {
      const { page } = visitor();
      await arriveAnew(page, '#/setup');
      let release = () => {};
      const held = new Promise<void>(done => {
        release = done;
      });
      await page.route('**/graphql', async route => {
        await held;
        await route.continue();
      });
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('status').getByText('Loading').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      release();
      await page.getByRole('region', { name: 'Events' }).waitFor();
      await page.unroute('**/graphql');
    });

    it('focuses a view as soon as it is rendered, even if its first frame is delayed', async () => {
      const { page } = visitor();
      await arriveAnew(page, '#/setup');
      await page.evaluate(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
      await drawnAfter(page, () => page.getByRole('link', { name: 'Audit', exact: true }).press('Enter'));
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    });

    it.each([
      [
        'failed',
        (page: Page) => page.route('**/graphql', route => route.fulfill({ status: 500, body: '{}' })),
      ],
      ['cannot be reached', (page: Page) => page.context().setOffline(true)],
    ])('states that the service %s, and retries on request', async (words, breakIt) => {
      const { page } = visitor();
      await arriveAnew(page, '#/setup');
      await breakIt(page);
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('alert').getByText(words).waitFor();
      await page.unroute('**/graphql');
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('region', { name: 'Events' }).waitFor();
    });

    it('keeps the key of a tab while the service is unreachable, and continues afterwards', async () => {
      const { page } = visitor();
      await go(page, '#/');
      await page.route('**/graphql', route => route.abort());
      await page.reload();
      await page.getByRole('alert').getByText('cannot be reached').waitFor();
      await page.unroute('**/graphql');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('in 7 days, by day').waitFor();
    });

    /** This test signs out. */
    it('discards a rejected key, and shows that it was rejected', async () => {
      const { page } = visitor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(1);
      await go(page, '#/setup');
      await page.route('**/graphql', route =>
        route.fulfill({ status: 401, json: { error: 'Unauthorized' } }),
      );
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('alert').getByText('unknown or no longer valid').waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      await page.unroute('**/graphql');
    });

    /** This test signs in again. */
    it('allows finding the most blocked host, opening a report and copying its link by keyboard only', async () => {
      const { page, context } = visitor();
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const press = async (name: RegExp, address: RegExp, key = 'Enter') => {
        await tabTo(page, name);
        await drawnAfter(page, () => page.keyboard.press(key));
        await page.waitForURL(address);
        await settled(page);
      };
      await page.goto(`${service.url}/app`);
      await page.getByLabel('API key').waitFor();
      await page.keyboard.type(keys.demo);
      await page.keyboard.press('Enter');
      await settled(page);
      await press(/^CSP$/, /#\/csp/);
      await press(/^Hide browser noise/, /noise=hidden/, 'Space');
      await press(/^Filter by .*third party/, /blockedHostnames=/);
      await press(/^Show the reports/, /#\/csp\/reports/);
      await press(/^\d+ \w+, \d\d:\d\d:\d\d$/, /#\/csp\/reports\/[\w-]+\?/);
      await tabTo(page, /^Copy a link to this report/);
      await page.keyboard.press('Enter');
      await page.getByText('Copied.').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    });
  });

  /** The tests share a browser session. Each opens the view that it needs first. */
  describe('with more reports than a list shows', () => {
    const LIST = '#/nel/reports?period=90d&not.phase=dns';
    const visitor = sharedVisitor(browser, ({ page }) => signIn(page, service.url, keys.many, LIST));

    it('states that the list is truncated, and downloads all reports', async () => {
      const { page } = visitor();
      await go(page, LIST);
      await withoutPicker(page);
      await page.getByText('Only the newest 1,000 reports are shown.').waitFor();
      await page.getByText('This account keeps reports for 30 days').waitFor();
      expect(await page.locator('.reports tbody tr').count()).toBe(1000);
      const { name, lines } = await downloadFile(page, 'NDJSON');
      expect(name).toMatch(/^many-nel-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.ndjson$/);
      expect(lines).toHaveLength(MANY);
      expect(new Set(lines.map(line => JSON.parse(line).phase))).toEqual(new Set(['connection']));
    });

    it('downloads the shown report when a filter contains a backslash before a comma', async () => {
      const { page } = visitor();
      await go(page, ONE_REPORT);
      await expectOneInFile(page);
    });

    it('streams a file to disk in browsers that support it', async () => {
      const { page } = visitor();
      await go(page, LIST);
      await page.evaluate(() => {
        // The origin private file system works without a file dialog.
        Object.assign(window, {
          showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
            (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
        });
      });
      await page.getByRole('button', { name: 'NDJSON', exact: true }).click();
      const status = await page.getByText(/ is complete\.$/).textContent();
      const text = await page.evaluate(async name => {
        const handle = await (await navigator.storage.getDirectory()).getFileHandle(name);
        return (await handle.getFile()).text();
      }, status!.split(' ')[0]!);
      expect(text.trimEnd().split('\n')).toHaveLength(MANY);
      await page.route('**/export/**', route => route.abort());
      await page.getByRole('button', { name: 'CSV', exact: true }).click();
      await page.getByText('The service cannot be reached.').waitFor();
      await page.evaluate(() =>
        Object.assign(window, {
          showSaveFilePicker: async () => {
            throw new DOMException('', 'AbortError');
          },
        }),
      );
      await page.getByRole('button', { name: 'CSV', exact: true }).click();
      await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
      expect(visitor().said.filter(line => !line.includes('ERR_FAILED'))).toEqual([]);
    });

    it('adds a filter entered in the form', async () => {
      const { page } = visitor();
      await go(page, '#/nel');
      await page.getByText('Add a filter').click();
      await page.getByLabel('Filter or exclude').selectOption('without');
      await page.getByLabel('What to filter by').selectOption('phase');
      await page.getByLabel('Value').selectOption('dns');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('not phase').waitFor();
      await page.getByText(`${MANY.toLocaleString('en-GB')} reports`).waitFor();
      expect(page.url()).toContain('not.phase=dns');
    });
  });
});
