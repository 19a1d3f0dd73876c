import { DEMO_DEFAULTS, demoFeed } from '@sightline/demo';
import { MS_PER_DAY, REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportField } from '@sightline/reports';
import type { Page } from 'playwright-core';
import { finding, report, watch } from './fixtures.ts';
import type { Line } from './service.ts';

export const TODAY = new Date().toISOString().slice(0, 10);

/** A small version of the demo data, up to and including today. */
export function smallDemo(): Line[] {
  const sizes = { accounts: 2, reports: 2000, auditEvents: 150, largest: 0.95 };
  const text = [...demoFeed({ ...DEMO_DEFAULTS, ...sizes, today: TODAY })].join('');
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

/** A text that would be executed or interpreted if it were not treated as text. */
export const HOSTILE =
  '"><img src=x onerror="document.title=`owned`"><script>document.title="owned"</script>\u202Egnp.exe' +
  '{{constructor.constructor("document.title=1")()}}';

/**
 * A report of each type in which every text is hostile.
 * @param long text for long fields
 */
export function hostileReports(accountId: string, name: string, long = HOSTILE): Line[] {
  return REPORT_TYPE_DEFINITIONS.map(({ type, fields }) => {
    const texts = Object.fromEntries(
      fields
        .filter(({ name, computed }) => name !== 'id' && !computed)
        .flatMap(field => hostileField(field, long)),
    );
    return report(accountId, type, name, {
      ...texts,
      date: `${TODAY}T00:00:00Z`,
      raw: JSON.stringify({ text: long }),
    });
  });
}

/** A week of a site: an attack, a deployment, failing mail, a certificate, and the usual noise. */
export function eventfulWeek(accountId: string): Line[] {
  const daysAgo = (days: number) => new Date(Date.parse(TODAY) - days * MS_PER_DAY).toISOString();
  const make = (type: string, name: string, days: number, fields: Record<string, unknown>) =>
    report(accountId, type, name, { date: daysAgo(days), ...fields });
  const blocked = (name: string, days: number, fields: Record<string, unknown>) =>
    make('csp', name, days, { uri: 'https://shop.example/cart', directive: 'script-src-elem', ...fields });
  const sent = (name: string, days: number, count: number, aligned: boolean) =>
    make('dmarc', name, days, { organisation: 'Post Office', count, aligned });
  const issued = (name: string, days: number, issuer: string) =>
    make('certificate_transparency', name, days, { issuer, hostnames: [`${name}.shop.example`] });
  return [
    blocked('known', 20, { blockedUri: 'https://cdn.example/x.js', count: 10 }),
    blocked('attack', 1, { blockedUri: 'https://evil.example/x.js', count: 9, lowReputationDomain: 1 }),
    blocked('deploy', 2, { blockedUri: 'https://images.shop.example/a.png', count: 8 }),
    blocked('noise', 3, { blockedUri: 'chrome-extension', count: 4 }),
    sent('passes', 20, 50, true),
    sent('fails', 2, 20, false),
    issued('www', 20, 'C=GB, CN=Known CA'),
    issued('login', 1, 'C=PA, CN=Fast CA'),
    watch(accountId, 'script', 'shop.example'),
    finding(accountId, 'script', 'shop.example', 'https://evil.example/x.js', { firstSeen: daysAgo(1) }),
  ];
}

const LONG = new Set([
  'uri',
  'blockedUri',
  'subresourceUri',
  'message',
  'stack',
  'sourceFile',
  'policy',
  'issuer',
]);

function hostileField({ name, kind, values, fields = [] }: ReportField, long: string): [string, unknown][] {
  const inner = () => Object.fromEntries(fields.flatMap(field => hostileField(field, long)));
  if (kind === 'text')
    return values ? [] : [[name, LONG.has(name) ? `https://shop.example/${long}` : HOSTILE]];
  if (kind === 'texts') return [[name, [HOSTILE]]];
  if (kind === 'objects') return [[name, [inner()]]];
  return kind === 'object' ? [[name, inner()]] : [];
}

const OTHERS = [
  ...['#/', '#/search', '#/watches', '#/policies', '#/try-policy', '#/mail-policy', '#/audit', '#/setup'],
];
/** The views in the page's navigation. */
export const NAVIGATED = [...OTHERS, ...REPORT_TYPES.map(type => `#/${type}`)];
export const VIEWS = [...NAVIGATED, ...REPORT_TYPES.map(type => `#/${type}/reports?period=90d`)];

/**
 * Signs in with the form.
 * @param url of the service
 */
export async function signIn(page: Page, url: string, key: string, place = ''): Promise<void> {
  await page.goto(`${url}/app${place}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Waits until the view has received its data. */
export async function settled(page: Page): Promise<void> {
  // In a single step, so that a view that has not sent its query yet is not mistaken for a finished one.
  await page.locator('main:has([aria-busy="false"]):not(:has([aria-busy="true"])) h1').first().waitFor();
}

/** Opens another view, and waits until it has received its data. */
export async function go(page: Page, hash: string): Promise<void> {
  await turnTo(page, hash);
  await settled(page);
}

/** Opens another view, and waits until it is drawn, with or without data. */
export async function turnTo(page: Page, hash: string): Promise<void> {
  if ((await page.evaluate(() => location.hash)) === hash) return;
  await drawnAfter(page, () => page.evaluate(to => location.assign(to), hash));
}

/**
 * Waits until the view is drawn after an action, with or without data.
 * @param act changes the URL
 */
export async function drawnAfter(page: Page, act: () => Promise<unknown>): Promise<void> {
  // This listener runs after the page's, so the page has already drawn the view as busy.
  await page.evaluate(() => {
    const drawn = new Promise(done => addEventListener('hashchange', () => setTimeout(done), { once: true }));
    Object.assign(globalThis, { drawn });
  });
  await act();
  await page.evaluate('drawn');
}
