import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { SCREEN, sharedBrowser, sharedVisitor } from '../support/browser.ts';
import {
  finding,
  open,
  personal,
  plan,
  report,
  THREAT_INTELLIGENCE,
  verdict,
  watch,
} from '../support/fixtures.ts';
import { go, signIn, TODAY } from '../support/page.ts';
import { listPlanted, ordinary, stamp } from '../support/planted.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Tests the overview of an account with planted incidents, of a new account, and of a quiet account. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = Date.parse(TODAY);
/** So recent that the attack is ongoing at any time of day. */
const ATTACKED = Date.now() - 2 * HOUR;

let service: TestService;
let keys: { planted: string; young: string; quiet: string; many: string };

const blocked = (account: string, name: string, at: number, fields: object = {}): Line =>
  report(account, 'csp', name, {
    date: stamp(at),
    uri: 'https://www.example.com/about',
    directive: 'script-src-elem',
    blockedUri: 'https://usual.test/a.js',
    browser: 'Chrome',
    platform: 'Windows',
    ...fields,
  });

const BROWSERS = ['Chrome', 'Firefox', 'Safari'];
/** Makes reports of a new host on a payment page. */
const attack = (account: string, name: string, count: number): Line[] =>
  Array.from({ length: count }, (_, index) =>
    blocked(account, `${name}-${index}`, ATTACKED + index * 1000, {
      uri: 'https://www.example.com/checkout',
      blockedUri: 'https://collect.test/c.js',
      browser: BROWSERS[index % 3],
    }),
  );

beforeAll(async () => {
  service = await startService();
  await service.load(
    ...ordinary('planted', TODAY, 1, { days: 40, reports: 2000 }),
    ...listPlanted('planted', TODAY, 1).flatMap(({ lines }) => lines),
  );
  keys = {
    planted: await service.key('personal', 'planted'),
    young: await open(service, personal('young'), plan('young')),
    quiet: await open(service, personal('quiet'), plan('quiet', {}, THREAT_INTELLIGENCE)),
    many: await open(service, personal('many'), plan('many')),
  };
  const days = Array.from({ length: 40 }, (_, day) =>
    blocked('quiet', `usual-${day}`, END - (40 - day) * DAY),
  );
  await service.load(
    blocked('young', 'first', END - 2 * DAY),
    ...days,
    ...attack('quiet', 'attack', 6),
    ...Array.from({ length: 60 }, (_, index) =>
      blocked('quiet', `flood-${index}`, END - 5 * HOUR + index * 1000, {
        blockedUri: `https://x${index}.flood.test/a.js`,
      }),
    ),
    ...Array.from({ length: 1100 }, (_, index) =>
      blocked('many', `many-${index}`, END - DAY, { blockedUri: `https://x${index}.test/a.js`, count: 2 }),
    ),
    watch('quiet', 'script', 'www.example.com'),
    ...Array.from({ length: 130 }, (_, index) =>
      finding('quiet', 'script', 'www.example.com', `https://x${index}.adware.test/${index}.js`, {
        firstSeen: stamp(END - DAY),
      }),
    ),
    finding('quiet', 'script', 'www.example.com', 'https://collect.test/c.js', {
      firstSeen: stamp(END - HOUR),
    }),
  );
});
afterAll(() => service.close());

const insights = (page: Page) => page.getByRole('region', { name: 'Insights' });

describe('the overview in a browser', () => {
  const browser = sharedBrowser();

  describe('with planted incidents', () => {
    const visitor = sharedVisitor(browser, ({ page }) => signIn(page, service.url, keys.planted));

    it('fits five widths without axe-core findings, in light and dark mode', async () => {
      const { page, said } = visitor();
      for (const width of [390, 768, 1280, 1366, 1600]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide, `${width} pixels`).toBe(0);
      }
      await page.setViewportSize(SCREEN);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeFindings(page), colorScheme).toEqual([]);
      }
      expect(said).toEqual([]);
    });

    it('marks the days when insights began, and names them in the tooltip of the bar', async () => {
      const { page } = visitor();
      await go(page, '#/');
      expect(await page.locator('.mark.urgent').count()).toBeGreaterThan(1);
      await page.locator('.bar:has(.mark.urgent)').first().hover();
      expect(await page.locator('.tip .warn').count()).toBeGreaterThan(0);
    });

    it('shows the insights of another period', async () => {
      const { page } = visitor();
      const week = await insights(page).getByRole('listitem').count();
      await go(page, '#/?period=90d');
      await page.getByText('in 90 days, by day').waitFor();
      await page.getByRole('button', { name: /^Show \d+ more/ }).click();
      expect(await insights(page).getByRole('listitem').count()).toBeGreaterThan(week);
      await go(
        page,
        `#/?from=${stamp(END - 30 * DAY).slice(0, 10)}&to=${stamp(END - 20 * DAY).slice(0, 10)}`,
      );
      await page.getByText('in 10 days, by day').waitFor();
    });

    it('can hide a series of the chart', async () => {
      const { page } = visitor();
      await go(page, '#/');
      const panel = page.getByRole('region', { name: 'Reports by day' });
      const hide = panel.getByRole('button', { name: /^Hide / }).first();
      const blocks = () => panel.locator('.bar rect:not(.hit)').count();
      const before = await blocks();
      await hide.click();
      await panel.locator('.legend .aside').waitFor();
      expect(await blocks()).toBeLessThan(before);
      await hide.click();
      await panel.locator('.legend .aside').waitFor({ state: 'detached' });
      expect(await blocks()).toBe(before);
    });
  });

  describe('of other accounts', () => {
    const visitor = sharedVisitor(browser, ({ page }) => signIn(page, service.url, keys.young));
    const signInAs = async (page: Page, key: string) => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(page, service.url, key);
    };

    it('shows how long a new account is learning, and which reports were examined', async () => {
      const { page } = visitor();
      await insights(page)
        .getByText(/^Learning until \d+ \w+ \d{4}\.$/)
        .waitFor();
      await insights(page)
        .getByText(/No rule found anything in 1 report \(7 days\): 1 CSP\./)
        .waitFor();
      await page.getByText('There are no CSP reports from the 23 days before the period').waitFor();
    });

    it('makes the verdict line that dismisses an insight until its count doubles', async () => {
      const { page, context } = visitor();
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(() => localStorage.setItem('sightline-dismissed quiet', '{}'));
      await signInAs(page, keys.quiet);
      const attacks = insights(page).getByRole('listitem').filter({ hasText: 'collect.test is new' });
      await attacks.getByRole('button', { name: /^Dismiss: collect\.test/ }).click();
      const form = attacks.getByRole('form', { name: /^Dismiss: collect\.test/ });
      await form.getByLabel('Reason').fill('A "test"\u202E of ours');
      expect(await form.getByRole('button').count()).toBe(0);
      await form.getByLabel('Decided by').fill(' ann@acme.example ');
      await form.getByLabel('Until').fill(stamp(END + 30 * DAY).slice(0, 10));
      await form.getByText('sightline load verdicts.ndjson').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await form.getByRole('button', { name: 'Copy the line' }).click();
      await form.getByText('Copied.').waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toMatch(/^\{.*\}\n$/);
      expect(copied).toContain('"A \\"test\\"\\u202e of ours"');
      const line = JSON.parse(copied);
      expect(line).toMatchObject({
        ...{ kind: 'verdict', accountId: 'quiet', subjectKind: 'insight', verdict: 'accepted', count: 6 },
        ...{ decidedBy: 'ann@acme.example', expiresAt: stamp(END + 30 * DAY) },
      });
      expect(await page.evaluate(() => localStorage.length)).toBe(0);

      await service.load(line);
      await page.reload();
      await signIn(page, service.url, keys.quiet);
      await page.getByText('1 insight dismissed by the team').waitFor();
      expect(await attacks.count()).toBe(0);
      await insights(page)
        .getByRole('button', { name: /^Show \d+ more/ })
        .click();
      const decision = attacks.getByText(
        /^Dismissed by ann@acme\.example until \d+ \w+ \d{4} \(accepted\): A "test"/,
      );
      await decision.waitFor();
      expect(await attacks.getByRole('button', { name: /^Dismiss/ }).count()).toBe(0);
      await service.load(...attack('quiet', 'more', 20));
      await page.reload();
      await signIn(page, service.url, keys.quiet);
      await attacks.getByRole('button', { name: /^Dismiss: collect\.test/ }).waitFor();
    });

    it('keeps listing an insight whose verdict is notMine', async () => {
      const { page } = visitor();
      await service.load(
        verdict('quiet', 'blockedSource', 'collect.test', { verdict: 'notMine', reason: 'A skimmer' }),
      );
      await page.reload();
      await signIn(page, service.url, keys.quiet);
      const attacks = insights(page).getByRole('listitem').filter({ hasText: 'collect.test is new' });
      await attacks.getByText('Judged by ann@example.com (it is not ours): A skimmer').waitFor();
      await attacks.getByRole('button', { name: /^Dismiss: collect\.test/ }).waitFor();
    });

    it('shows the total of the groups that are not in the table, even after the table is expanded', async () => {
      const { page } = visitor();
      await signInAs(page, keys.many);
      await go(page, '#/csp');
      const hosts = page.getByRole('region', { name: 'Blocked hosts', exact: true });
      await hosts.getByText('1,085 more groups, 2,170 in all').waitFor();
      await hosts.getByRole('button', { name: 'Show 50 more' }).click();
      await hosts.getByText('1,035 more groups, 2,070 in all').waitFor();
    });

    it('shows a flood of one domain, which can be excluded with one click', async () => {
      const { page } = visitor();
      await signInAs(page, keys.quiet);
      const flood = insights(page).getByRole('listitem').filter({ hasText: '60 sub-domains of flood.test' });
      await flood.getByRole('link', { name: 'Exclude flood.test' }).click();
      await page.getByRole('list', { name: 'Filters' }).getByText('*.flood.test').waitFor();
      const hosts = page.getByRole('region', { name: 'Blocked hosts', exact: true });
      await hosts.getByText('usual.test').waitFor();
      expect(await hosts.textContent()).not.toContain('flood.test');
    });

    it('counts all new findings, and ranks scripts on payment pages first', async () => {
      const { page } = visitor();
      await signInAs(page, keys.quiet);
      const findings = page.getByRole('region', { name: 'New findings of watches' });
      await findings.getByText('131', { exact: true }).waitFor();
      const rows = findings.getByRole('listitem');
      expect(await rows.count()).toBe(2);
      expect(await rows.first().textContent()).toContain('collect.test on pages for payment or login');
      expect(await rows.nth(1).textContent()).toContain('adware.test 130 addresses');
      await go(page, '#/watches');
      const watches = page.getByRole('region', { name: 'Findings of the script watch on www.example.com' });
      expect(await watches.locator('tbody tr').count()).toBe(2);
      expect(await watches.locator('tbody th').first().textContent()).toContain('collect.test');
    });
  });
});
