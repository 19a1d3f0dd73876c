import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { sharedBrowser, sharedVisitor, visit } from '../support/browser.ts';
import { open, personal, plan, report, verdict } from '../support/fixtures.ts';
import { go, settled, signIn } from '../support/page.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

const HOUR = 3_600_000;
const ago = (days: number) => new Date(Date.now() - days * 24 * HOUR - HOUR).toISOString();
const blocked = (host: string, days: number, count: number, site = 'shop.example'): Line =>
  report('ada', 'csp', `${host} ${days} ${site}`, {
    ...{ date: ago(days), count, directive: 'script-src-elem' },
    ...{ uri: `https://${site}/cart`, blockedUri: `https://${host}/x.js` },
  });
const sent = (organisation: string, count: number, dkim: string, spf: string): Line =>
  report('ada', 'dmarc', `${organisation} ${dkim} ${spf}`, {
    ...{ date: ago(1), organisation, count, dkim, spf, aligned: dkim === 'pass' || spf === 'pass' },
    ...{ domain: 'shop.example', headerFrom: 'shop.example' },
  });

/** A flood of one domain, two hosts of another, a host that grows, and mail of two senders. */
const REPORTS = [
  ...[1, 2, 3, 4, 5, 6].map(n => blocked(`a${n}.adware.example`, 1, 5)),
  ...[1, 2].map(n => blocked(`b${n}.ads.example`, 1, 4)),
  blocked('steady.example', 1, 60),
  blocked('steady.example', 10, 60),
  blocked('grows.example', 1, 40),
  blocked('grows.example', 10, 1, 'www.shop.example'),
  sent('Post Office', 70, 'pass', 'fail'),
  sent('Post Office', 20, 'pass', 'pass'),
  sent('Post Office', 10, 'fail', 'fail'),
  sent('Spammer', 5, 'fail', 'fail'),
];

/** Reports of an account with long names and large numbers. */
const WIDE: Line[] = [
  report('eve', 'csp', 'wide', {
    ...{
      date: ago(3),
      count: 12_345,
      directive: 'script-src-elem',
      browser: 'Samsung Internet',
      platform: 'Android',
    },
    uri: 'https://tenant-15.pages.a-shop-with-a-long-name.example/products/4250?q=blue+shoes',
    blockedUri: 'https://assets.a-host-with-a-long-name.cdn-provider.example/embed/player/loader.js',
  }),
  report('eve', 'nel', 'wide', {
    ...{ date: ago(3), nelType: 'http.response.redirect_loop', phase: 'application', statusCode: 302 },
    ...{ browser: 'Samsung Internet', platform: 'Android', organisation: 'A Provider With A Long Name Ltd' },
    ...{
      serverIp: '2001:db8:20::1234:5678:9abc',
      uri: 'https://tenant-15.pages.a-shop-with-a-long-name.example/pay',
    },
  }),
  report('eve', 'dmarc', 'wide', {
    ...{
      date: ago(3),
      count: 12_345,
      organisation: 'A Provider With A Long Name Ltd',
      sourceIp: '2001:db8:20::1',
    },
    ...{ dkim: 'fail', spf: 'fail', aligned: false, headerFrom: 'news.a-shop-with-a-long-name.example' },
  }),
];

let service: TestService;
let key: string;
let wideKey: string;
beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('ada'), plan('ada'));
  wideKey = await open(service, personal('eve'), plan('eve'));
  await service.load(
    ...REPORTS,
    ...WIDE,
    verdict('ada', 'sender', 'Spammer', { verdict: 'notMine', reason: 'unknown' }),
  );
});
afterAll(() => service.close());

const CSP = '#/csp?period=7d';

describe('the groups of a type in a browser', () => {
  const browser = sharedBrowser();
  const visitor = sharedVisitor(browser, ({ page }) => signIn(page, service.url, key));
  const hosts = (page: Page) => page.getByRole('region', { name: 'Blocked hosts', exact: true });
  const rowsOf = (page: Page, name: string) => hosts(page).getByRole('row').filter({ hasText: name });

  it('combine three or more hosts of a domain into one row, and list them on request', async () => {
    const { page, said } = visitor();
    await go(page, '#/csp?period=30d');
    const row = rowsOf(page, 'adware.example');
    expect(await row.count()).toBe(1);
    expect(await row.textContent()).toMatch(/^adware\.example ?Show 6 hosts30/);
    expect(await rowsOf(page, 'ads.example').count()).toBe(2);
    expect(await axeFindings(page)).toEqual([]);
    await row.getByRole('button', { name: 'Show 6 hosts' }).click();
    expect(await rowsOf(page, 'adware.example').count()).toBe(6);
    await hosts(page).getByRole('link', { name: 'Filter by a1.adware.example' }).waitFor();
    expect(said).toEqual([]);
  });

  it('exclude a domain with one click, also in later visits, until its filter is removed', async () => {
    const { page } = visitor();
    await go(page, CSP);
    await page
      .getByRole('link', { name: 'Exclude all hosts of adware.example, also in later visits' })
      .click();
    const chips = page.getByRole('list', { name: 'Filters' });
    await chips.getByText('not blocked host').nth(1).waitFor();
    await settled(page);
    expect(await rowsOf(page, 'adware').count()).toBe(0);
    for (const hash of ['#/', '#/csp/reports?period=7d', CSP]) await go(page, hash);
    expect(await rowsOf(page, 'adware').count()).toBe(0);
    await signIn(page, service.url, key);
    await go(page, CSP);
    expect(await rowsOf(page, 'adware').count()).toBe(0);
    await go(page, '#/csp?period=7d&blockedHostnames=a1.adware.example');
    expect(await rowsOf(page, 'a1.adware.example').count()).toBe(1);
    await go(page, CSP);
    await chips.getByRole('link', { name: 'Remove all filters' }).click();
    await rowsOf(page, 'adware').first().waitFor();
    for (const hash of ['#/', CSP]) await go(page, hash);
    expect(await rowsOf(page, 'adware').count()).toBe(1);
  });

  it('are sorted by their rise, with the change from the previous period', async () => {
    const { page } = visitor();
    await go(page, CSP);
    const first = hosts(page).locator('tbody tr').first();
    expect(await first.textContent()).toContain('steady.example');
    await page.getByLabel('Sort').selectOption({ label: 'greatest rise' });
    await hosts(page).locator('tbody tr').first().getByText('grows.example').waitFor();
    await settled(page);
    expect(await first.getByRole('cell').nth(1).getAttribute('title')).toBe('1 before');
    expect(await rowsOf(page, 'adware.example').getByRole('cell').nth(1).textContent()).toBe('new');
    expect(await rowsOf(page, 'steady.example').getByRole('cell').nth(1).getAttribute('title')).toBe(
      '60 before',
    );
  });

  it('show the counts of each day, with the last day so far', async () => {
    const { page } = visitor();
    await go(page, '#/csp?period=30d');
    const days = async (name: string) => {
      const label = await rowsOf(page, name).getByRole('img').getAttribute('aria-label');
      return /^By day: (.*) so far today$/.exec(label!)![1]!.split(', ').map(Number);
    };
    const expected = (host: string) => {
      const counts = Array.from({ length: 30 }, () => 0);
      const today = Date.parse(new Date().toISOString().slice(0, 10));
      for (const { blockedUri, date, count } of REPORTS as Record<string, unknown>[])
        if (String(blockedUri).includes(host))
          counts[29 + Math.floor((Date.parse(String(date)) - today) / (24 * HOUR))]! += Number(count);
      return counts;
    };
    for (const name of ['steady.example', 'grows.example', 'adware.example'])
      expect(await days(name)).toEqual(expected(name));
    await go(page, `#/csp?from=${ago(12).slice(0, 10)}&to=${ago(5).slice(0, 10)}`);
    const past = await rowsOf(page, 'steady.example').getByRole('img').getAttribute('aria-label');
    expect(past).toBe('By day: 0, 0, 60, 0, 0, 0, 0');
    await go(page, '#/csp?period=24h');
    expect(await hosts(page).locator('.spark').count()).toBe(0);
  });

  it('can be restricted to one site in every view', async () => {
    const { page } = visitor();
    await go(page, '#/csp?period=30d');
    const site = page.getByRole('combobox', { name: 'Site' });
    expect(await site.locator('option').allTextContents()).toEqual([
      'All sites',
      'shop.example',
      'www.shop.example',
    ]);
    await site.selectOption('www.shop.example');
    await page.getByRole('link', { name: 'Remove filter: host www.shop.example' }).waitFor();
    await settled(page);
    expect(await rowsOf(page, 'grows.example').count()).toBe(1);
    expect(await rowsOf(page, 'steady.example').count()).toBe(0);
    await go(page, '#/watches');
    await site.selectOption('shop.example');
    await page.getByRole('heading', { name: 'CSP', exact: true }).waitFor();
    expect(page.url()).toContain('hostnames=shop.example');
    await settled(page);
    expect(await site.inputValue()).toBe('shop.example');
    await site.selectOption('');
    await page.getByRole('link', { name: /Remove filter/ }).waitFor({ state: 'detached' });
  });

  it('show the shares of each sender that pass DKIM and SPF, and the verdict of the team', async () => {
    const { page } = visitor();
    await go(page, '#/dmarc?period=7d');
    const senders = page.getByRole('region', { name: 'DKIM and SPF by sender', exact: true });
    const cells = (name: string) =>
      senders.getByRole('row').filter({ hasText: name }).getByRole('cell').allTextContents();
    await senders.getByText('Post Office').waitFor();
    expect(await cells('Post Office')).toEqual(['100', '90%', '20%', '90%']);
    expect(await cells('Spammer')).toEqual(['5', '0%', '0%', '0%']);
    expect(await senders.getByRole('row').filter({ hasText: 'Spammer' }).textContent()).toContain('not ours');
    expect(await axeFindings(page)).toEqual([]);
  });
});

describe('tables in a browser', () => {
  const browser = sharedBrowser();

  it.each([1280, 1366])('show all columns of long names at a width of %i pixels', async width => {
    await using visitor = await visit(browser(), { viewport: { width, height: 900 } });
    const { page } = visitor;
    await signIn(page, service.url, wideKey);
    for (const hash of [
      '#/csp?period=30d&order=RISE&compare=before',
      '#/dmarc?order=RISE&compare=before',
      '#/csp/reports?period=30d',
      '#/nel/reports?period=30d',
    ]) {
      await go(page, hash);
      await page.locator('.panel.scroll, .panel .groups').first().waitFor();
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.scroll:not(details *)')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(table => table.getAttribute('aria-label')),
      );
      expect(cut, hash).toEqual([]);
    }
  });
});
