import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { sharedBrowser, sharedVisitor } from '../support/browser.ts';
import { open, personal, plan, report, savedPolicy } from '../support/fixtures.ts';
import { drawnAfter, go, HOSTILE, settled, signIn, TODAY, turnTo } from '../support/page.ts';
import { startService, type TestService } from '../support/service.ts';

const SITE = 'shop.example';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('ada'), plan('ada'));
  const violation = (name: string, page: number, fields: Record<string, unknown>) =>
    report('ada', 'csp', `${name}-${page}`, {
      date: `${TODAY}T00:00:00Z`,
      uri: `https://${SITE}/page/${page}`,
      directive: 'script-src-elem',
      ...fields,
    });
  await service.load(
    savedPolicy('ada', 'main', 'Main', "default-src 'self'; img-src *"),
    ...[1, 2, 3].map(page => violation('cdn', page, { blockedUri: 'https://cdn.example/a.js' })),
    violation('skimmer', 1, { blockedUri: 'https://evil.example/a.js' }),
    violation('data', 1, { blockedUri: 'data', directive: 'font-src' }),
    violation('hostile', 1, { blockedUri: `https://hostile.example/${HOSTILE}`, directive: HOSTILE }),
  );
});
afterAll(() => service.close());

describe('the policy view', () => {
  const visitor = sharedVisitor(sharedBrowser(), ({ page }) => signIn(page, service.url, key));
  const said = () => visitor().page.locator('main').textContent();
  const header = () =>
    visitor().page.getByLabel('The policy', { exact: true }).locator('code').first().textContent();

  it('asks for a site and a policy, and offers the saved policies', async () => {
    const { page } = visitor();
    await turnTo(page, '#/try-policy');
    expect(await said()).toContain('Choose a site and a policy');
    await page.getByLabel('Start from').selectOption({ label: 'Main' });
    await page.getByLabel('Site').fill(SITE);
    await drawnAfter(page, () => page.getByRole('button', { name: 'Try it' }).click());
    await settled(page);
    expect(await header()).toBe("Content-Security-Policy-Report-Only: default-src 'self'; img-src *");
    expect(await said()).toContain('would still block 5 and allow 1');
  });

  it('counts the effects of each directive', async () => {
    const rows = visitor().page.getByLabel('Directive by directive').locator('tbody tr');
    const words = (await rows.allTextContents()).map(text => text.replaceAll(/\s+/g, ' '));
    expect(words).toEqual([
      expect.stringMatching(/^default-src 'self'\s?500$/),
      expect.stringMatching(/^img-src \*\s?000$/),
      expect.stringMatching(/applies, so it allows these\.001$/),
    ]);
  });

  it('lists sources with doubts separately, with the reasons, after a click', async () => {
    const { page } = visitor();
    const cdn = page.getByRole('row', { name: 'script-src https://cdn.example' });
    expect(await cdn.isVisible()).toBe(false);
    await page.getByText(/sources to review first/).click();
    expect(await cdn.textContent()).toContain('new this week, one kind of browser, one day');
    const columns = await page.getByLabel('Sources to review first').locator('thead th').allTextContents();
    expect(columns).toEqual(['Allow', 'First seen', 'Browsers', 'Pages', 'Days', 'Reports']);
  });

  it('replays the policy when a source is selected, and after a step back', async () => {
    const { page } = visitor();
    await page.getByRole('checkbox', { name: 'script-src https://cdn.example' }).check();
    await expect.poll(said).toContain('would still block 2 and allow 4');
    expect(await header()).toContain("script-src 'self' https://cdn.example");
    await page.goBack();
    await expect.poll(said).toContain('would still block 5 and allow 1');
    expect(await page.getByRole('checkbox', { name: 'script-src https://cdn.example' }).isChecked()).toBe(
      false,
    );
  });

  it('warns about what a source allows beyond the reported content', async () => {
    expect(await said()).toContain('It allows any content within an address');
  });

  it('links to the reports of a blocked source', async () => {
    const { page } = visitor();
    await drawnAfter(page, () => page.getByRole('link', { name: 'Reports of https://evil.example' }).click());
    await settled(page);
    expect(await page.evaluate(() => location.hash)).toContain('blockedHostnames=evil.example');
    await drawnAfter(page, () => page.goBack());
    await settled(page);
  });

  it('is linked from a saved policy', async () => {
    const { page } = visitor();
    await go(page, '#/policies');
    await page.getByRole('link', { name: 'Try a change on the reports' }).click();
    await expect.poll(() => page.getByLabel('Policy').inputValue()).toBe("default-src 'self'; img-src *");
  });

  it.each([390, 1280])(
    'shows reported text as text, fits %i pixels, and has no axe-core findings',
    async width => {
      const { page, said: messages } = visitor();
      await page.setViewportSize({ width, height: 900 });
      await go(page, `#/try-policy?site=${SITE}&policy=${encodeURIComponent("default-src 'self'")}`);
      await settled(page);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('main details'))
          (details as HTMLDetailsElement).open = true;
      });
      const seen = await page.evaluate(() => ({
        title: document.title,
        made: document.querySelectorAll('main :is(img, script, iframe)').length,
        overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      }));
      expect(seen).toEqual({ title: 'Try a policy · Sightline', made: 0, overflow: 0 });
      if (process.env.SCREENSHOTS) {
        mkdirSync(process.env.SCREENSHOTS, { recursive: true });
        await page.screenshot({
          path: join(process.env.SCREENSHOTS, `try-policy-${width}.png`),
          fullPage: true,
        });
      }
      expect(await axeFindings(page)).toEqual([]);
      expect(messages).toEqual([]);
    },
  );
});
