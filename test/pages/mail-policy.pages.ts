import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { sharedBrowser, sharedVisitor } from '../support/browser.ts';
import { open, personal, plan, report, verdict } from '../support/fixtures.ts';
import { drawnAfter, go, HOSTILE, settled, signIn, turnTo } from '../support/page.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

const DAY = 86_400_000;
const daysAgo = (days: number) => `${new Date(Date.now() - days * DAY).toISOString().slice(0, 10)}T00:00:00Z`;

const result = (domain: string, passes: boolean) => ({
  domain,
  result: passes ? 'pass' : 'fail',
  humanResult: '',
});

/**
 * Makes a row of an aggregate report.
 * @param fields can set different domains for the signature and return path
 */
const messages = (name: string, organisation: string, count: number, fields: Record<string, unknown>): Line =>
  report('ada', 'dmarc', name, {
    ...{ date: daysAgo(3), domain: 'example.com', headerFrom: 'example.com', organisation, count },
    ...{ dkim: 'fail', spf: 'fail', aligned: false, disposition: 'none', overrideReasons: [] },
    ...{ dkimResults: [], spfResults: [] },
    publishedPolicy: { p: 'none', sp: '', np: '', adkim: 'r', aspf: 'r', fo: '', pct: 100, testing: '' },
    ...fields,
  });

const OWN = {
  ...{ dkim: 'pass', spf: 'pass', aligned: true },
  dkimResults: [{ ...result('example.com', true), selector: 's1' }],
  spfResults: [{ ...result('example.com', true), scope: 'mfrom' }],
};
const UNSIGNED = { spfResults: [{ ...result('esp.example', true), scope: 'mfrom' }] };

const POLICY_STRINGS = ['version: STSv1', 'mode: testing', 'mx: mx1.example.com', 'max_age: 86400'];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('ada'), plan('ada'));
  await service.load(
    ...Array.from({ length: 20 }, (_, days) =>
      messages(`own-${days}`, 'Own servers', 100, { ...OWN, date: daysAgo(days) }),
    ),
    messages('letter-1', 'Newsletter Ltd', 60, OWN),
    messages('letter-2', 'Newsletter Ltd', 40, UNSIGNED),
    messages('forged', 'Forger', 500, { spfResults: [{ ...result('evil.example', false), scope: 'mfrom' }] }),
    messages('hostile', HOSTILE, 3, { spfResults: [{ ...result(HOSTILE, true), scope: 'mfrom' }] }),
    messages('other', 'Other servers', 7, { ...OWN, domain: 'other.example', headerFrom: 'other.example' }),
    report('ada', 'tls_rpt', 'sessions', {
      ...{ date: daysAgo(2), domain: 'example.com', policyType: 'sts', reporter: 'Mail Ltd' },
      ...{ successfulSessions: 900, failedSessions: 30, policyStrings: POLICY_STRINGS },
      failureDetails: [
        { resultType: 'certificate-expired', receivingMxHostname: 'mx1.example.com', failedSessions: 30 },
      ],
    }),
    verdict('ada', 'sender', 'Forger', { verdict: 'notMine', reason: 'Nobody knows it' }),
  );
});
afterAll(() => service.close());

describe('the mail policy view', () => {
  const visitor = sharedVisitor(sharedBrowser(), ({ page }) => signIn(page, service.url, key));
  const said = () => visitor().page.locator('main').textContent();
  const readRows = async (label: string) => {
    const rows = visitor().page.getByLabel(label, { exact: true }).locator('tbody tr');
    return (await rows.allTextContents()).map(text => text.replaceAll(/\s+/g, ' '));
  };

  it('is linked from the overview, which lists the domains with senders to repair', async () => {
    const { page } = visitor();
    await turnTo(page, '#/');
    await settled(page);
    await page.getByRole('region', { name: 'Mail', exact: true }).scrollIntoViewIfNeeded();
    const line = page.getByRole('link', { name: 'example.com: 1 sender to repair before p=reject' });
    await line.waitFor();
    expect(await page.getByLabel('Readiness for p=reject').textContent()).toContain(
      'other.example: too few reports to say',
    );
    await drawnAfter(page, () => line.click());
    await settled(page);
    expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe('example.com');
    expect(await said()).toContain('delivers 2,060, quarantines 0 and rejects 543');
  });

  it('lists the senders that would lose mail, with the reasons and the verdict of the team', async () => {
    expect(await said()).toContain('Repair first');
    expect(await readRows('Senders to repair')).toEqual([
      expect.stringMatching(
        /^Newsletter Ltd Yours: it sends aligned messages ?10060040 ?40: no DKIM signature.*40: the return path is of esp\.example/,
      ),
    ]);
    expect(await readRows('Other senders')).toEqual([
      expect.stringContaining('Own servers'),
      expect.stringMatching(/Forger it is not ours5000?0?500/),
      expect.stringContaining('<img src=x'),
    ]);
  });

  it('shows the record to publish, the published record, and the limits of reports', async () => {
    const { page } = visitor();
    const panel = page.getByLabel('DMARC', { exact: true });
    expect(await panel.locator('pre').textContent()).toBe('v=DMARC1; p=reject');
    expect(await panel.textContent()).toContain('Last record that receivers found: v=DMARC1; p=none');
    await panel.getByText('What reports cannot tell').click();
    expect(await panel.getByText('Only receivers that send aggregate reports are counted').isVisible()).toBe(
      true,
    );
  });

  it('replays the selected options, and keeps other tags of the record', async () => {
    const { page } = visitor();
    await page.getByLabel('DMARC record').fill('p=reject; rua=mailto:a@example.com');
    await page.getByLabel('Policy (p)').selectOption('quarantine');
    await page.getByLabel('SPF (aspf)').selectOption('strict');
    expect(await page.getByLabel('DMARC record').inputValue()).toBe(
      'p=quarantine; rua=mailto:a@example.com; aspf=s',
    );
    await drawnAfter(page, () => page.getByRole('button', { name: 'Try it' }).click());
    await expect.poll(said).toContain('quarantines 543 and rejects 0');
    await page.goBack();
    await expect.poll(said).toContain('quarantines 0 and rejects 543');
    await expect.poll(() => page.getByLabel('Policy (p)').inputValue()).toBe('reject');
  });

  it('shows the error of an invalid record', async () => {
    const { page } = visitor();
    await turnTo(page, '#/mail-policy?domain=example.com&policy=p%3Ddelete');
    await expect.poll(said).toContain('The tag p must be none, quarantine, reject.');
    await page.goBack();
    await settled(page);
  });

  it('shows the MTA-STS policy file and DNS record', async () => {
    const { page } = visitor();
    const panel = page.getByLabel('MTA-STS', { exact: true });
    expect(await panel.textContent()).toContain('Of 930 sessions the policy lets 900 pass and refuses 30');
    expect(await readRows('Sessions that failed')).toEqual(['mx1.example.comcertificate-expiredrefused301']);
    const [policy, record] = await panel.locator('pre').allTextContents();
    expect(policy).toBe('version: STSv1\nmode: enforce\nmx: mx1.example.com\nmax_age: 86400\n');
    expect(record).toMatch(/^v=STSv1; id=\d{14}$/);
    expect(await page.getByLabel('Domain', { exact: true }).isVisible()).toBe(true);
  });

  it('states when there are no reports of a domain', async () => {
    const { page } = visitor();
    await go(page, '#/mail-policy?domain=nobody.example');
    expect(await said()).toContain('No DMARC report of the period has messages of this domain.');
    expect(await said()).toContain('No report of the period contains sessions under an MTA-STS policy');
  });

  const WIDTHS = process.env.SCREENSHOTS ? [390, 768, 1280, 1366, 1600] : [390, 1280];
  it.each(WIDTHS.flatMap(width => (['light', 'dark'] as const).map(scheme => ({ width, scheme }))))(
    'shows reported text as text, fits $width pixels, and has no axe-core findings, $scheme',
    async ({ width, scheme }) => {
      const { page, said: printed } = visitor();
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await go(page, '#/mail-policy?domain=example.com&policy=p%3Dreject');
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('main details:not(.free)'))
          (details as HTMLDetailsElement).open = true;
      });
      const seen = await page.evaluate(() => ({
        title: document.title,
        made: document.querySelectorAll('main :is(img, script, iframe)').length,
        overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      }));
      expect(seen).toEqual({ title: 'Try a mail policy · Sightline', made: 0, overflow: 0 });
      if (process.env.SCREENSHOTS) {
        mkdirSync(process.env.SCREENSHOTS, { recursive: true });
        await page.screenshot({
          path: join(process.env.SCREENSHOTS, `mail-policy-${width}-${scheme}.png`),
          fullPage: true,
        });
      }
      expect(await axeFindings(page)).toEqual([]);
      // The browser logs the record that was rejected in an earlier test.
      expect(printed.filter(text => !text.includes('400'))).toEqual([]);
    },
  );
});
