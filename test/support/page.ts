import type { Page } from 'playwright-core';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportField } from '../../sql/report/types.ts';
import { demoFeed } from '../../src/demo/feed.ts';
import { DEMO_DEFAULTS } from '../../src/demo/options.ts';
import { report } from './fixtures.ts';
import type { Line } from './service.ts';

export const TODAY = new Date().toISOString().slice(0, 10);

/** Demo data, small, with a day that is today. */
export function smallDemo(): Line[] {
  const sizes = { accounts: 2, reports: 2000, auditEvents: 150, largest: 0.95 };
  const text = [...demoFeed({ ...DEMO_DEFAULTS, ...sizes, today: TODAY })].join('');
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

/** What would run, turn, or be filled in where a text is taken for anything else. */
export const HOSTILE =
  '"><img src=x onerror="document.title=`owned`"><script>document.title="owned"</script>\u202Egnp.exe' +
  '{{constructor.constructor("document.title=1")()}}';

/** A report of each type in which every text is hostile. @param long stands in the fields that take long texts */
export function hostileReports(accountId: string, name: string, long = HOSTILE): Line[] {
  return REPORT_TYPE_DEFINITIONS.map(({ type, fields }) => {
    const texts = Object.fromEntries(
      fields.filter(({ name }) => name !== 'id').flatMap(field => hostileField(field, long)),
    );
    return report(accountId, type, name, {
      ...texts,
      date: `${TODAY}T00:00:00Z`,
      raw: JSON.stringify({ text: long }),
    });
  });
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

const OTHERS = ['#/', '#/watches', '#/policies', '#/audit', '#/setup'];
export const VIEWS = [
  ...OTHERS,
  ...REPORT_TYPES.map(type => `#/${type}`),
  '#/csp/reports',
  '#/dmarc/reports',
];

/** Signs a visitor in by the form. @param url of the service */
export async function signIn(page: Page, url: string, key: string, place = ''): Promise<void> {
  await page.goto(`${url}/app${place}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Waits until the view has its answer. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
  await page.locator('main h1').waitFor();
}

export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(to => {
    location.hash = to;
  }, hash);
  // The view changes in the next frame, and only then is anything busy.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50))));
  await settled(page);
}
