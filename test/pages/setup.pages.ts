import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountLines } from '../../src/cli/account-lines.ts';
import { axeFindings } from '../support/axe.ts';
import { sharedBrowser, visit } from '../support/browser.ts';
import { report } from '../support/fixtures.ts';
import { drawnAfter, go, settled, signIn, TODAY } from '../support/page.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const COLLECTOR = 'https://reports.shop-metrics.example/r/token';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/**
 * Creates an account with `account create`.
 * @returns its key
 */
async function create(id: string, collector?: string): Promise<string> {
  const created = { id, type: 'personal' as const, emails: [`${id}@shop.example`], retention: 30, hosts: [] };
  const lines = accountLines({ ...created, collector, rua: 'dmarc@shop.example' }, '2026-01-01T00:00:00Z');
  await service.load(...(lines as Parameters<TestService['load']>));
  return service.key('personal', id);
}

const firstReport = (account: string) =>
  report(account, 'csp', 'first', { date: `${TODAY}T00:00:00Z`, uri: 'https://shop.example/' });

describe('the setup in a browser', () => {
  const browser = sharedBrowser();

  it('shows the headers of the account in the syntax of each server, and its DNS records', async () => {
    const key = await create('headers', COLLECTOR);
    await using visitor = await visit(browser());
    const { page, said } = visitor;
    await signIn(page, service.url, key, '#/setup');
    await settled(page);
    const lines = async (title: string) =>
      page.getByRole('region', { name: title, exact: true }).locator('pre').textContent();
    expect(await lines('Where browsers send reports')).toBe(
      `Reporting-Endpoints: default="${COLLECTOR}", csp="${COLLECTOR}/enforce", csp-try="${COLLECTOR}/report"`,
    );
    expect(await lines('Content Security Policy, to try')).toContain(`report-uri ${COLLECTOR}/report`);
    expect(await lines('Network errors (NEL)')).toMatch(/^Report-To: .*\nNEL: /);
    expect(await lines('DMARC')).toBe('_dmarc IN TXT "v=DMARC1; p=none; rua=mailto:dmarc@shop.example"');
    await page.getByLabel('Headers formatted for').selectOption('nginx');
    expect(await lines('Content Security Policy, enforced')).toMatch(
      /^add_header Content-Security-Policy "default-src 'self'; .*" always;$/,
    );
    expect(await axeFindings(page)).toEqual([]);
    expect(said).toEqual([]);
  });

  it('shows how to create a report endpoint when there is none', async () => {
    const key = await create('mail');
    await using visitor = await visit(browser());
    const { page } = visitor;
    await signIn(page, service.url, key, '#/setup');
    await page.getByText('sightline collect token create --account mail').waitFor();
    expect(await page.getByText('Reporting-Endpoints').count()).toBe(0);
  });

  it.each([
    ['#/setup', 'waits'],
    ['#/', 'waited'],
  ])(
    'waits at %s for the first report, pauses in hidden tabs, and continues automatically',
    async (hash, id) => {
      const key = await create(id, COLLECTOR);
      await using visitor = await visit(browser());
      const { page, requested, said } = visitor;
      await page.clock.install();
      await signIn(page, service.url, key, hash);
      await settled(page);
      await page.getByText('Waiting for the first report.').waitFor();
      const questions = () => requested.filter(({ pathname }) => pathname === '/graphql').length;
      /** Waits until the page has sent another request. */
      const nextQuestion = async (before: number) => {
        await until(async () => {
          await page.clock.runFor(1000);
          expect(questions()).toBeGreaterThan(before);
        });
      };
      await nextQuestion(questions());
      await page.evaluate(() =>
        Object.defineProperty(document, 'hidden', { value: true, configurable: true }),
      );
      await settled(page);
      const before = questions();
      await page.clock.runFor(60_000);
      expect(questions()).toBe(before);
      await service.load(firstReport(id));
      await page.evaluate(() => {
        Reflect.deleteProperty(document, 'hidden');
        document.dispatchEvent(new Event('visibilitychange'));
      });
      if (hash === '#/setup') {
        await page.getByText('The first report has arrived.').waitFor();
        await drawnAfter(page, () => page.getByRole('main').getByRole('link', { name: 'CSP' }).click());
        await page.getByText('1 report by day (UTC)').waitFor();
      } else await page.getByText('in 7 days, by day').waitFor();
      await go(page, '#/setup');
      const after = questions();
      await page.clock.runFor(60_000);
      expect(questions()).toBe(after);
      expect(said).toEqual([]);
    },
  );
});
