import { DEMO_PERSONAL } from '@sightline/demo';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { SCREEN, sharedBrowser, sharedVisitor, visit, type WatchedPage } from '../support/browser.ts';
import { open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { HOSTILE, hostileReports, smallDemo, TODAY } from '../support/page.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PHONE = { width: 390, height: 844 };

let service: TestService;
/** Keys of the largest demo account, of one with hostile reports, and of one with more reports than the page loads. */
let keys: { demo: string; hostile: string; many: string };

beforeAll(async () => {
  service = await startService({ rateLimit: { max: 60, window: 3_600_000 } });
  const many = Array.from({ length: 600 }, (_, at) =>
    report('many', 'nel', `r${at}`, { date: `${TODAY}T00:00:00Z`, raw: 'x'.repeat(1000) }),
  );
  await service.load(...smallDemo(), personal('many'), plan('many'), ...many);
  keys = {
    demo: await service.key('personal', DEMO_PERSONAL),
    hostile: await open(service, personal('hostile'), plan('hostile', {}, THREAT_INTELLIGENCE)),
    many: await service.key('personal', 'many'),
  };
  await service.load(...hostileReports('hostile', 'r'));
});
afterAll(() => service.close());

/** Opens the page and waits until its script is ready. */
async function openDocs(page: Page): Promise<void> {
  await page.goto(`${service.url}/docs`);
  await page.locator('#contents a[aria-current]').waitFor({ state: 'attached' });
}

const toRequest = (page: Page, id: string) => page.locator(`#${id} form.request`).first();

/** Sends a request as printed, with the key if it needs one. */
async function send(request: Locator, key?: string): Promise<void> {
  const button = request.getByRole('button', { name: 'Send' });
  await button.click();
  if (key === undefined) return;
  await request.getByLabel('Your API key').fill(key);
  await button.click();
}

// By class, because a search by text, label or role examines thousands of elements.
const knownKey = (page: Page) => page.locator('.known', { hasText: 'Your key is in memory.' });
const saysThatItHasKey = (page: Page) =>
  page.evaluate(() => document.body.textContent!.includes('Your key is in memory.'));
async function forgetKey({ page }: WatchedPage): Promise<void> {
  const existing = page.locator('button', { hasText: 'Forget the key' });
  if (await existing.isVisible()) await existing.click();
}
const toText = async (part: Locator) => (await part.textContent()) ?? '';
const getStatus = (request: Locator) => request.locator('.send [role="status"]');
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe('/docs in a browser', () => {
  const browser = sharedBrowser();

  it('is readable without JavaScript, without inactive controls', async () => {
    await using visitor = await visit(browser(), { javaScriptEnabled: false });
    const { page, requested } = visitor;
    await page.goto(`${service.url}/docs`);
    await page.locator('#listAuditLog, #getAuditLog').first().waitFor();
    expect(await toText(page.locator('#getMe'))).toContain("The person's e-mail address.");
    expect(await page.locator('#getMe pre.sample:visible').count()).toBe(3);
    expect(await page.locator('button:visible, input:visible, select:visible').count()).toBe(0);
    expect(requested.filter(({ pathname }) => pathname.endsWith('.js'))).toEqual([]);
  });

  /** Each test starts signed out, on the page that the previous test left open. */
  describe('on a phone', () => {
    const visitor = sharedVisitor(browser, ({ page }) => openDocs(page), {
      viewport: PHONE,
      colorScheme: 'light',
    });
    beforeEach(() => forgetKey(visitor()));

    it('hides the contents behind a button', async () => {
      const { page } = visitor();
      const link = page.locator('#contents').getByRole('link', { name: 'Reading DMARC' });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Contents' }).click();
      await link.click();
      expect(await link.isVisible()).toBe(false);
      await until(async () => (await page.locator('#dmarc h2').boundingBox())!.y < 400);
    });

    it('has no axe-core findings in light and dark mode, 1280 and 390 pixels wide', async () => {
      const { page, said } = visitor();
      onTestFinished(() => page.setViewportSize(PHONE));
      await page.setViewportSize(SCREEN);
      await page.evaluate(() => scrollTo(0, 0));
      await send(toRequest(page, 'getMe'), keys.demo);
      await page.locator('#getMe .answer').waitFor();
      await page.locator('#getMe .answer summary').click();
      await toRequest(page, 'getPlan').getByRole('button', { name: 'Python' }).click();
      expect(await axeFindings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFindings(page, 'looks'), 'dark').toEqual([]);
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await axeFindings(page, 'looks'), 'dark, 390 pixels').toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await axeFindings(page), 'light, 390 pixels').toEqual([]);
      expect(said).toEqual([]);
    });

    it('shows hostile text as text', async () => {
      const { page, said } = visitor();
      const before = said.length;
      await send(toRequest(page, 'listCspReports'), keys.hostile);
      for (const id of ['listCspReports', 'listDmarcReports', 'listNelReports']) {
        const request = toRequest(page, id);
        if (id !== 'listCspReports') await send(request);
        await getStatus(request).getByText('200 OK').waitFor();
        expect(JSON.stringify(JSON.parse(await toText(request.locator('.answer pre'))))).toContain(
          JSON.stringify(HOSTILE).slice(1, -1),
        );
      }
      expect(await page.locator('img, iframe').count()).toBe(0);
      expect(await page.title()).toBe('Sightline API');
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(said.slice(before)).toEqual([]);
    });
  });

  /** Each test starts signed out, on the page that the previous test left open. */
  describe('on a desktop', () => {
    const visitor = sharedVisitor(browser, ({ page }) => openDocs(page));
    beforeEach(() => forgetKey(visitor()));

    it('fits 390, 1280 and 1920 pixels without empty columns', async () => {
      const { page } = visitor();
      onTestFinished(() => page.setViewportSize(SCREEN));
      for (const width of [390, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page), `${width} pixels`).toBeLessThanOrEqual(0);
        const rows = await page.locator('.row').evaluateAll(all =>
          all.map(row => {
            const [row_, ...parts] = [row, ...row.children].map(each => each.getBoundingClientRect());
            return {
              right: Math.round(row_!.right - Math.max(...parts.map(({ right }) => right))),
              left: Math.round(Math.min(...parts.map(({ left }) => left)) - row_!.left),
              least: Math.min(...parts.map(({ height }) => height)),
            };
          }),
        );
        expect(rows.length, `${width} pixels`).toBeGreaterThan(60);
        for (const { left, right, least } of rows) {
          expect([left, right], `${width} pixels`).toEqual([0, 0]);
          expect(least, `${width} pixels`).toBeGreaterThan(40);
        }
      }
    });

    it('sends a request with a key, and shows the response body above its headers', async () => {
      const { page, said, requested } = visitor();
      const request = toRequest(page, 'getMe');
      expect(await page.locator('#getMe .example').isVisible()).toBe(true);
      await send(request, keys.demo);
      await getStatus(request)
        .getByText(/^200 OK · \d+ ms · \d+ bytes$/)
        .waitFor();
      const { body } = await service.get('/v1/me', keys.demo);
      const answer = request.locator('.answer');
      expect(JSON.parse(await toText(answer.locator('pre')))).toEqual(body);
      expect(await page.locator('#getMe .example').isVisible()).toBe(false);
      const order = await answer.evaluate(({ children }) => [...children].map(({ tagName }) => tagName));
      expect(order).toEqual(['PRE', 'DETAILS']);
      await answer.getByText('Headers').click();
      await answer.getByText('ratelimit-policy').waitFor();
      expect(said).toEqual([]);
      expect(new Set(requested.map(({ origin }) => origin))).toEqual(new Set([service.url]));
    });

    it('shows that the service is unreachable, and sends again afterwards', async () => {
      const { page, context } = visitor();
      const request = toRequest(page, 'getQuota');
      await send(request, keys.demo);
      await getStatus(request).getByText('200 OK').waitFor();
      await context.setOffline(true);
      await send(request);
      await request.getByRole('alert').getByText('cannot be reached').waitFor();
      expect(await request.locator('.answer').count()).toBe(0);
      await context.setOffline(false);
      await send(request);
      await getStatus(request).getByText('200 OK').waitFor();
    });

    it('shows how long to wait after too many requests', async () => {
      const { page } = visitor();
      const key = await service.key('personal', DEMO_PERSONAL);
      const left = async () => (await service.get('/v1/me', key)).headers.get('ratelimit');
      while (!(await left())!.includes('r=1;'));
      const request = toRequest(page, 'getQuota');
      await send(request, key);
      await getStatus(request).getByText('200 OK').waitFor();
      await send(request);
      await getStatus(request).getByText('429 Too Many Requests').waitFor();
      await request
        .getByRole('alert')
        .getByText(/Try again in \d+ seconds/)
        .waitFor();
    });

    it('updates the request and its samples with the entered parameters', async () => {
      const { page, requested } = visitor();
      const before = requested.length;
      const request = toRequest(page, 'listCspReports');
      await request.getByLabel('unit').selectOption('months');
      await request.getByLabel('date').fill(TODAY.slice(0, 7));
      await request.getByLabel('Add a parameter').selectOption('action');
      await request.getByLabel('Add a parameter').selectOption('paths');
      await request.getByRole('textbox', { name: 'paths' }).fill("/it's here*,/b&c");
      const query = `unit=months&date=${TODAY.slice(0, 7)}&action=enforced&paths=/it%27s%20here*,/b%26c`;
      const sample = request.locator('pre.sample:visible');
      expect(await toText(sample)).toContain(`'${service.url}/v1/reports/csp?${query}'`);
      await request.getByRole('button', { name: 'Without paths' }).click();
      await request.getByRole('button', { name: 'JavaScript' }).click();
      expect(await toText(sample)).toContain("action: 'enforced'");
      expect(await toText(sample)).not.toContain('paths');
      expect(await toText(toRequest(page, 'getMe').locator('pre.sample:visible'))).toContain('createClient');
      await send(request, keys.demo);
      await getStatus(request).getByText('200 OK').waitFor();
      const sent = requested.slice(before).filter(({ pathname }) => pathname === '/v1/reports/csp');
      expect(sent.map(({ search }) => search)).toEqual([
        `?unit=months&date=${TODAY.slice(0, 7)}&action=enforced`,
      ]);
    });

    it('sends the GraphQL query of a guide', async () => {
      const { page } = visitor();
      const request = toRequest(page, 'graphql');
      await send(request, keys.demo);
      await getStatus(request).getByText('200 OK').waitFor();
      const { data } = JSON.parse(await toText(request.locator('.answer pre')));
      expect(data.viewer.plan.name).toMatch(/\w/);
      expect(data.viewer.dmarc.groups.length).toBeGreaterThan(0);
    });

    it('discards a rejected key, and asks for another one', async () => {
      const { page } = visitor();
      const request = toRequest(page, 'getMe');
      await send(request, 'svc_d_wrong');
      await request.getByRole('alert').getByText('is unknown or no longer valid').waitFor();
      expect(await toText(request.locator('.answer pre'))).toContain('Unauthorized');
      expect(await saysThatItHasKey(page)).toBe(false);
      await send(request, keys.demo);
      await getStatus(request).getByText('200 OK').waitFor();
    });

    it('stops a hanging request, and can send it again', async () => {
      const { page } = visitor();
      const request = toRequest(page, 'getMe');
      await page.route('**/v1/me', () => {}, { times: 1 });
      const abandoned = page.waitForEvent('requestfailed');
      await send(request, keys.demo);
      await getStatus(request).getByText('On its way').waitFor();
      const button = request.getByRole('button', { name: 'Stop' });
      await button.press('Enter');
      expect((await abandoned).url()).toContain('/v1/me');
      await getStatus(request).getByText('Stopped.').waitFor();
      expect(await request.getByRole('alert').count()).toBe(0);
      await send(request);
      await getStatus(request).getByText('200 OK').waitFor();
    });

    it('does not send a key that a header cannot contain', async () => {
      const { page, requested } = visitor();
      const before = requested.length;
      const request = toRequest(page, 'getMe');
      await send(request, 'svc_d_ключ');
      const field = request.getByLabel('Your API key');
      expect(await field.evaluate((input: HTMLInputElement) => input.validationMessage)).not.toBe('');
      expect(requested.slice(before).filter(({ pathname }) => pathname.startsWith('/v1'))).toEqual([]);
    });

    it('reads only the beginning of a stream, and states that there is more', async () => {
      const { page } = visitor();
      const request = toRequest(page, 'listExportedReports');
      await request.locator('select').first().selectOption('nel');
      await send(request, keys.many);
      await request.getByText('There is more. This is the beginning.').waitFor();
      expect((await toText(request.locator('.answer pre'))).length).toBeLessThanOrEqual(200_000);
    });

    it('allows entering a key and sending a request by keyboard only', async () => {
      const { page } = visitor();
      await page.evaluate(() => document.querySelector<HTMLElement>('#first-request h2 a')!.focus());
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      for (let step = 0; step < 20 && (await focused()) !== 'Send'; step++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('input[name="key"]:focus').waitFor();
      await page.keyboard.type(keys.demo);
      await page.keyboard.press('Enter');
      await getStatus(toRequest(page, 'first-request')).getByText('200 OK').waitFor();
    });

    it('filters its contents by a path or word, and follows the reader', async () => {
      const { page } = visitor();
      const links = page.locator('#contents a:visible');
      const all = await links.count();
      await page.locator('#contents').getByLabel('Find a guide or a route').fill('/v1/reports dmarc');
      expect(await links.allInnerTexts()).toContain('DMARC reports');
      expect(await links.count()).toBeLessThan(6);
      await links.filter({ hasText: /^DMARC reports$/ }).click();
      expect(page.url()).toMatch(/#listDmarcReports$/);
      await until(async () => (await toText(page.locator('#contents a[aria-current]'))) === 'DMARC reports');
      await page.locator('#contents').getByLabel('Find a guide or a route').fill('');
      expect(await links.count()).toBe(all);
    });

    it('finds guides by their content, and states when nothing is found', async () => {
      const { page } = visitor();
      const contents = page.locator('#contents');
      const find = contents.getByLabel('Find a guide or a route');
      for (const [words, guide] of [
        ['429', 'Errors and limits'],
        ['rate limit', 'Errors and limits'],
        ['import', 'How reports get in'],
      ] as const) {
        await find.fill(words);
        expect(await contents.locator('a:visible').allInnerTexts(), words).toContain(guide);
      }
      await find.fill('xyzzy');
      await contents.getByText('Nothing found.').waitFor();
      expect(await contents.locator('a:visible').count()).toBe(0);
      await find.fill('');
      await contents.getByText('Nothing found.').waitFor({ state: 'detached' });
    });

    it('shows the base URL and the first request without scrolling, and links to the web app', async () => {
      const { page } = visitor();
      onTestFinished(() => page.setViewportSize(SCREEN));
      for (const size of [SCREEN, PHONE]) {
        await page.setViewportSize(size);
        await page.evaluate(() => scrollTo(0, 0));
        for (const part of ['.base code', 'pre.sample:visible', 'button:text("Send")']) {
          const box = await page.locator(`#overview ${part}`).first().boundingBox();
          expect(box!.y + Math.min(box!.height, 60), `${part}, ${size.width}`).toBeLessThanOrEqual(
            size.height,
          );
        }
        expect(await page.getByRole('link', { name: 'Page', exact: true }).isVisible()).toBe(true);
      }
      expect(await toText(page.locator('.base code'))).toBe(`${service.url}/v1`);
    });

    it('copies the sample of the selected language', async () => {
      const { page, context } = visitor();
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const request = toRequest(page, 'getMe');
      await request.getByRole('button', { name: 'Python' }).click();
      await request.getByRole('button', { name: 'Copy' }).click();
      await request.getByText('Copied.').waitFor();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      expect(text).toBe(await toText(request.locator('pre.sample:visible')));
      expect(text).toContain('import os, urllib.request');
    });

    it('keeps the key only in memory, for all requests, until it is discarded or the page is reloaded', async () => {
      const { page, context } = visitor();
      await send(toRequest(page, 'getMe'), keys.demo);
      await knownKey(page).waitFor();
      const other = toRequest(page, 'getPlan');
      await send(other);
      await getStatus(other).getByText('200 OK').waitFor();
      const storage = await page.evaluate(() => [
        localStorage.length,
        sessionStorage.length,
        document.cookie,
      ]);
      expect([storage, await context.cookies()]).toEqual([[0, 0, ''], []]);
      expect(await page.content()).not.toContain(keys.demo);
      await page.locator('button', { hasText: 'Forget the key' }).click();
      await send(other);
      await other.getByLabel('Your API key').waitFor();
      await send(toRequest(page, 'getMe'), keys.demo);
      await knownKey(page).waitFor();
      await page.reload();
      await page.locator('#contents a[aria-current]').waitFor();
      expect(await saysThatItHasKey(page)).toBe(false);
    });
  });
});
