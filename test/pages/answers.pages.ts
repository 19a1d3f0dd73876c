import { MS_PER_DAY } from '@sightline/reports';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser, sharedVisitor, visit } from '../support/browser.ts';
import { open, personal, plan, report, savedPolicy, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { drawnAfter, eventfulWeek, go, settled, signIn, TODAY } from '../support/page.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Checks that the page shows the data for its URL, whatever was shown before. */

let service: TestService;
let keys: { eventful: string; forged: string };

beforeAll(async () => {
  service = await startService();
  keys = {
    eventful: await open(service, personal('eventful'), plan('eventful', {}, THREAT_INTELLIGENCE)),
    forged: await open(service, personal('forged'), plan('forged')),
  };
  await service.load(...eventfulWeek('eventful'));
  await service.load(
    savedPolicy('forged', 'main', 'Main', "default-src 'self'; img-src 'self'"),
    ...['constructor', '__proto__', 'img-src'].map(directive =>
      report('forged', 'csp', directive, { directive, policyId: 'main', date: `${TODAY}T00:00:00Z` }),
    ),
  );
});
afterAll(() => service.close());

/** Holds back the page's requests until they are released. */
async function hold(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>(done => {
    release = done;
  });
  await page.route('**/graphql', async route => {
    await held;
    await route.continue().catch(() => {});
  });
  return async () => {
    release();
    await page.unroute('**/graphql');
  };
}

const bars = (page: Page) => page.locator('section[aria-label="Volume"] .bar').count();

describe('the web app in a browser', () => {
  const browser = sharedBrowser();

  /** The tests share a browser session. Each opens the view that it needs first. */
  describe('with an eventful week', () => {
    const visitor = sharedVisitor(browser, ({ page }) => signIn(page, service.url, keys.eventful));

    it('returns from a day to the surrounding days, and on to other views', async () => {
      const { page, said } = visitor();
      for (const hash of ['#/csp', '#/dmarc']) {
        await go(page, hash);
        const days = await bars(page);
        const title = await page.locator('section[aria-label="Volume"] h2').textContent();
        const leading = page.locator('.bar.leads:has(.c-0, .c-bad, .c-extension)');
        await leading.last().click();
        await page.getByText('by hour (UTC)').waitFor();
        await page.goBack();
        await page.getByText('by day (UTC)').waitFor();
        await settled(page);
        expect(await bars(page), hash).toBe(days);
        expect(await page.locator('section[aria-label="Volume"] h2').textContent()).toBe(title);
      }
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.getByText('in 7 days, by day').waitFor();
      expect(said).toEqual([]);
    });

    it('labels the previous period while new data loads', async () => {
      const { page } = visitor();
      await go(page, '#/csp?period=90d');
      expect(await bars(page)).toBe(90);
      const release = await hold(page);
      await page.getByRole('button', { name: '7 days' }).click();
      await page.getByText(/^Still showing /).waitFor();
      expect(await page.getByRole('button', { name: '7 days' }).getAttribute('aria-pressed')).toBe('true');
      expect(await bars(page)).toBe(90);
      expect(await page.getByRole('switch').textContent()).not.toMatch(/\d/);
      await release();
      await settled(page);
      expect(await bars(page)).toBe(7);
      expect(await page.getByText(/^Still showing /).count()).toBe(0);
    });

    it('shows the period that was chosen last when an earlier request is answered after it', async () => {
      const { page } = visitor();
      await go(page, '#/csp?period=90d');
      const lastWeek = new Date(Date.parse(TODAY) - 6 * MS_PER_DAY).toISOString().slice(0, 10);
      const held: (() => Promise<void>)[] = [];
      await page.route('**/graphql', async route => {
        if (!route.request().postData()?.includes(`"from":"${lastWeek}"`)) return route.continue();
        const response = await route.fetch();
        held.push(() => route.fulfill({ response }).catch(() => {}));
      });
      await drawnAfter(page, () => page.getByRole('button', { name: '7 days' }).click());
      await until(() => held.length > 0);
      await page.getByRole('button', { name: '30 days' }).click();
      await settled(page);
      for (const release of held) await release();
      await page.evaluate(() => fetch('app').then(answer => answer.text()));
      await settled(page);
      expect(await bars(page)).toBe(30);
      expect(await page.getByText(/^Still showing /).count()).toBe(0);
      await page.unroute('**/graphql');
    });

    it('keeps the focus when data arrives, or moves it next to a removed element', async () => {
      const { page } = visitor();
      const focused = () =>
        page.evaluate(() => {
          const { ariaLabel, textContent } = document.activeElement!;
          return ariaLabel ?? textContent!.replace(/:.*/, '');
        });
      /** Presses a key on the focused element, and returns the focused element after the response. */
      const pressKey = async (name: string, key: string) => {
        const release = await hold(page);
        await drawnAfter(page, () => page.keyboard.press(key));
        expect(await focused()).toBe(name);
        await release();
        await settled(page);
        return focused();
      };
      // No earlier test used this order, so no response is cached.
      await go(page, '#/csp?order=LAST_SEEN');
      const noise = page.getByRole('switch');
      await noise.focus();
      expect(await pressKey('Hide browser noise', 'Space')).toBe('Hide browser noise');
      await page.getByRole('button', { name: '7 days' }).focus();
      expect(await pressKey('7 days', 'Enter')).toBe('7 days');
      const table = page.getByRole('region', { name: 'Directives', exact: true });
      await table.getByRole('link', { name: 'Filter by script-src-elem' }).focus();
      expect(await pressKey('Filter by script-src-elem', 'Enter')).toBe('Filter by script-src-elem');
      await page.getByRole('link', { name: 'Exclude evil.example' }).focus();
      expect(await pressKey('Exclude evil.example', 'Enter')).toBe('Blocked hosts, data table');
      await page.getByRole('link', { name: /^Remove filter: directive/ }).focus();
      await drawnAfter(page, () => page.keyboard.press('Enter'));
      expect(await focused()).toBe('Remove filter: not blocked host evil.example');
      await settled(page);
    });

    it('shows no data of another period when the request fails', async () => {
      const { page, context } = visitor();
      await go(page, '#/csp?period=30d');
      await context.setOffline(true);
      await page.getByRole('button', { name: '24 hours' }).click();
      await page.getByRole('alert').getByText('cannot be reached').waitFor();
      expect(await bars(page)).toBe(0);
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('No CSP reports in this period').waitFor();
    });

    it.each([
      ['#/csp?unit=hours&date=2026-11-22T99', 'date'],
      ['#/csp?unit=months&date=2026-13', 'date'],
      ['#/csp?unit=days&date=2026-02-30', 'date'],
      ['#/csp?unit=days', 'date'],
      ['#/csp?unit=weeks&date=2026-01-01', 'unit'],
      ['#/csp?period=soon', 'period'],
      ['#/csp?from=2026-11-22T10:00&to=2026-11-22T09:00', 'to'],
      ['#/csp/reports?from=never', 'from'],
      ['#/csp?domainReputationScore=abc', 'domainReputationScore'],
      ['#/dmarc?aligned=perhaps', 'aligned'],
      ['#/csp?sourceClass=other', 'sourceClass'],
      ['#/csp?nelType=dns.failed', 'nelType'],
      ['#/csp?split=__proto__', 'split'],
      ['#/csp?order=constructor', 'order'],
    ])('names the invalid parameter of %s, and continues without it', async (hash, name) => {
      const { page, requested, said } = visitor();
      const before = requested.length;
      await page.evaluate(to => {
        location.hash = to;
      }, hash);
      await page.getByRole('alert').getByText(name, { exact: true }).waitFor();
      expect(requested.length).toBe(before);
      await page.getByRole('link', { name: 'Remove what is invalid' }).click();
      await settled(page);
      await page.getByRole('region', { name: /^(Volume|Reports)$/ }).waitFor();
      expect(said.filter(line => !line.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
    });
  });

  it('shares a stored key with new tabs, and accepts a sign-in link in an open tab', async () => {
    await using visitor = await visit(browser());
    const { page, context } = visitor;
    const other = await context.newPage();
    await other.goto(`${service.url}/app`);
    await other.getByLabel('API key').waitFor();
    await page.goto(`${service.url}/app`);
    await page.getByLabel('Keep the key').check();
    await page.getByLabel('API key').fill(keys.eventful);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('in 7 days, by day').waitFor();
    const opened = await context.newPage();
    await opened.goto(`${service.url}/app#/csp/reports`);
    await opened.getByRole('region', { name: 'Reports', exact: true }).waitFor();
    // A login code that was already used, in an open tab: the stored key remains signed in, and the code is removed
    // from the URL.
    await opened.evaluate(() => {
      location.hash = '#code=used';
    });
    await opened.getByText('in 7 days, by day').waitFor();
    expect(opened.url()).toBe(`${service.url}/app#/`);
  });

  it('signs out in all tabs, and stays signed out after a reload', async () => {
    await using visitor = await visit(browser());
    const { page, context } = visitor;
    await page.goto(`${service.url}/app`);
    await page.getByLabel('Keep the key').check();
    await page.getByLabel('API key').fill(keys.eventful);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('in 7 days, by day').waitFor();
    const other = await context.newPage();
    await other.goto(`${service.url}/app`);
    await other.getByText('in 7 days, by day').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, other]) {
      await tab.getByLabel('API key').waitFor();
      await tab.reload();
      await tab.getByLabel('API key').waitFor();
      expect(await tab.evaluate(() => sessionStorage.getItem('sightline-key'))).toBeNull();
    }
    // A tab that has not received the event still has its key, which must be rejected.
    await other.evaluate(key => {
      const channel = new BroadcastChannel('sightline-key');
      channel.onmessage = ({ data }) => data === 'ask' && channel.postMessage({ key });
    }, keys.eventful);
    await page.reload();
    await page.getByLabel('API key').waitFor();
    // After signing in again, the session persists.
    await page.getByLabel('Keep the key').check();
    await page.getByLabel('API key').fill(keys.eventful);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('in 7 days, by day').waitFor();
    await page.reload();
    await page.getByText('in 7 days, by day').waitFor();
  });

  it('keeps other views working when one fails, and shows the details to report', async () => {
    await using visitor = await visit(browser());
    const { page } = visitor;
    await signIn(page, service.url, keys.eventful, '#/setup');
    await settled(page);
    await page.route(
      '**/graphql',
      route => route.fulfill({ json: { data: { account: { auditLog: { events: 7 } } } } }),
      {
        times: 1,
      },
    );
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    const failure = page.getByRole('alert');
    await failure.getByText('This view failed').waitFor();
    expect(await failure.textContent()).toMatch(/TypeError.*#\/audit/s);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('in 7 days, by day').waitFor();
    await page.route(
      '**/graphql',
      route => route.fulfill({ json: { data: { account: { auditLog: { events: 7 } } } } }),
      {
        times: 1,
      },
    );
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await failure.getByRole('button', { name: 'Show it again' }).click();
    await page.getByText('There are no such events').waitFor();
  });

  it('shows policies with any reported directive names', async () => {
    await using visitor = await visit(browser());
    const { page, said } = visitor;
    await signIn(page, service.url, keys.forged, '#/policies');
    const main = page.getByRole('region', { name: 'Main, main', exact: true });
    await main.getByRole('link', { name: 'img-src 1' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('in 7 days, by day').waitFor();
    expect(said).toEqual([]);
  });
});
