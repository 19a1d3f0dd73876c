import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { sharedBrowser, sharedVisitor } from '../support/browser.ts';
import { open, personal, plan, report } from '../support/fixtures.ts';
import { drawnAfter, go, HOSTILE, settled, signIn, TODAY } from '../support/page.ts';
import { startService, type TestService } from '../support/service.ts';

const ID = '01a206f1-bea0-7757-8d40-000000004e1c';
const HASH = 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('ada'), plan('ada'));
  const on = (type: string, name: string, fields: Record<string, unknown>) =>
    report('ada', type, name, { date: `${TODAY}T00:00:00Z`, ...fields });
  const page = { uri: 'https://www.shop.example/cart' };
  await service.load(
    on('csp', 'skimmer', { ...page, blockedUri: 'https://cdn.evil.example/a.js' }),
    on('coep', 'frame', { ...page, blockedUri: 'https://evil.example/frame' }),
    on('csp_integrity', 'hash', { ...page, subresourceUri: 'https://evil.example/b.js', hash: HASH }),
    on('nel', ID, { ...page, serverIp: '192.0.2.7', phase: 'dns' }),
    on('dmarc', 'mail', { headerFrom: 'shop.example', sourceIp: '192.0.2.7' }),
    on('csp', 'report-no-7', { ...page, uri: 'https://www.shop.example/editor/42', blockedUri: 'inline' }),
    on('dmarc', 'sent', { headerFrom: 'shop.example', organisation: 'Newsletter Works Ltd' }),
    on('certificate_transparency', 'certificate', { issuer: 'C=US, O=Known Trust, CN=Known E7' }),
    on('deprecation', 'feature', { ...page, featureId: 'UnloadHandler', message: 'Unload is deprecated' }),
    on('csp', 'hostile', { ...page, blockedUri: `https://hostile.example/${HOSTILE}` }),
  );
  await service.load(
    personal('other'),
    report('other', 'csp', 'theirs', { blockedUri: 'https://evil.example/' }),
  );
});
afterAll(() => service.close());

describe('the search', () => {
  const visitor = sharedVisitor(sharedBrowser(), ({ page }) => signIn(page, service.url, key));
  const search = async (text: string) => {
    const { page } = visitor();
    await page.getByLabel('Search for').fill(text);
    await drawnAfter(page, () => page.getByLabel('Search for').press('Enter'));
    await settled(page);
    const regions = await page.getByRole('region').all();
    const names = await Promise.all(regions.map(region => region.getAttribute('aria-label')));
    return names.filter(name => name?.includes(','));
  };

  it('is linked from every view', async () => {
    const { page } = visitor();
    await drawnAfter(page, () => page.getByRole('link', { name: 'Search' }).click());
    await settled(page);
    expect(await page.locator('main').textContent()).toContain('Enter a host, a name, or a part of one');
  });

  it.each([
    ['evil', ['CSP, blocked host', 'COEP, blocked host', 'CSP Integrity, resource host']],
    [
      'https://evil.example/frame?x=1',
      ['CSP, blocked host', 'COEP, blocked host', 'CSP Integrity, resource host'],
    ],
    ['newsletter works', ['DMARC, sender']],
    ['Known Trust', ['Certificates, issuer']],
    ['UnloadHandler', ['Deprecation, feature']],
    ['/editor', ['CSP, path']],
    ['skimmer', ['CSP, report']],
    ['evil.*', ['COEP, blocked host', 'CSP Integrity, resource host']],
    ['192.0.2.7', ['DMARC, address', 'Network errors, server address']],
    [HASH, ['CSP Integrity, hash']],
    [ID.toUpperCase(), ['Network errors, report']],
  ])('finds reports with %s', async (text, places) => {
    expect(await search(text)).toEqual(places);
  });

  it('finds the pages of a host in every report type', async () => {
    expect(await search('shop.example')).toEqual([
      'CSP, host',
      'CSP Integrity, host',
      'Network errors, host',
      'Deprecation, host',
      'COEP, host',
      'DMARC, host',
    ]);
  });

  it('links to the reports, and restores the search after a step back', async () => {
    const { page } = visitor();
    await search('evil');
    await drawnAfter(page, () => page.getByRole('link', { name: 'cdn.evil.example' }).click());
    await settled(page);
    expect(await page.evaluate(() => location.hash)).toBe('#/csp?blockedHostnames=cdn.evil.example');
    expect(await page.locator('main').textContent()).toContain('1 report by day');
    await drawnAfter(page, () => page.goBack());
    await settled(page);
    expect(await page.getByLabel('Search for').inputValue()).toBe('evil');
  });

  it('states that nothing was found, for any text', async () => {
    for (const text of ['nowhere.example', HOSTILE.slice(0, 200), '0.0.0.0', '::1', "' or 1=1"]) {
      expect(await search(text)).toEqual([]);
      expect(await visitor().page.locator('main').textContent()).toMatch(/No (report (has|is of)|sender,) /);
    }
  });

  it('fits 390 pixels, and has no axe-core findings', async () => {
    const { page } = visitor();
    await search('example');
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

describe('a host filter', () => {
  const visitor = sharedVisitor(sharedBrowser(), ({ page }) => signIn(page, service.url, key));

  it('is kept when switching to another report type', async () => {
    const { page } = visitor();
    await go(page, '#/csp?period=7d&hostnames=www.shop.example&browser=Chrome');
    await drawnAfter(page, () => page.getByRole('link', { name: 'Network errors' }).click());
    await settled(page);
    expect(await page.evaluate(() => location.hash)).toBe('#/nel?period=7d&hostnames=www.shop.example');
    expect(await page.locator('main').textContent()).toContain('1 report by day');
  });
});

describe('a list of reports', () => {
  const visitor = sharedVisitor(sharedBrowser(), ({ page }) => signIn(page, service.url, key));

  it.each([
    ['deprecation', 'This is the only report of the period.'],
    ['csp', 'All 3 reports of the period.'],
    ['crash', 'This is the only record of the period, with 1,200 reports in total.'],
    ['coop', 'All 2 records of the period, with 8 reports in total.'],
  ])('of %s tells records from the reports that they count', async (type, extent) => {
    await service.load(
      report('ada', 'crash', 'often', { date: `${TODAY}T00:00:00Z`, count: 1200 }),
      report('ada', 'coop', 'twice', { date: `${TODAY}T00:00:00Z`, count: 1 }),
      report('ada', 'coop', 'more', { date: `${TODAY}T00:00:00Z`, count: 7 }),
    );
    const { page } = visitor();
    await go(page, `#/${type}/reports`);
    await page.getByText(extent, { exact: true }).waitFor();
  });
});
