import { DEMO_PERSONAL } from '@sightline/demo';
import { MS_PER_DAY, MS_PER_HOUR, REPORT_TYPES } from '@sightline/reports';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { Random } from '../../packages/demo/src/random.ts';
import { sharedBrowser, visit, type WatchedPage } from './browser.ts';
import { data } from './graphql.ts';
import { signIn, smallDemo } from './page.ts';
import { startService, type TestService } from './service.ts';

/**
 * A random walk through valid and invalid URLs, links, buttons and the history, while responses are slow or fail. After
 * each step, the page must show a view with only the numbers of its URL.
 */

const LISTS = /^(hostnames|paths|blocked\w+|subresource\w+|sourceClass)$/;
const FLAGS = /^(aligned|hasFailures|ioc|generatedDomain|suspicious|newlyRegisteredDomain|anyThreatIntel)$/;

const dayBefore = (days: number) => new Date(Date.now() - days * MS_PER_DAY).toISOString().slice(0, 10);
const DAYS: Readonly<Record<string, number>> = { '1d': 0, '7d': 6, '30d': 29, '90d': 89 };

/** The period in a URL as the service expects it, computed independently of the page. */
function toPeriod(params: URLSearchParams): Record<string, string> {
  const [unit, date, from, to] = ['unit', 'date', 'from', 'to'].map(name => params.get(name));
  if (unit && date) return { unit, date };
  const instant = (text: string) => (text.length === 10 ? text : `${text}:00Z`);
  if (from) return { from: instant(from), ...(to && { to: instant(to) }) };
  const period = params.get('period') ?? '30d';
  if (period === '24h')
    return { from: new Date((Math.floor(Date.now() / MS_PER_HOUR) - 23) * MS_PER_HOUR).toISOString() };
  return { from: dayBefore(DAYS[period]!) };
}

function listFilters(params: URLSearchParams, prefix: '' | 'not.'): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [param, value] of params) {
    const isNot = param.startsWith('not.');
    const name = isNot ? param.slice(4) : param;
    if (isNot !== (prefix === 'not.') || NO_FILTER.test(name)) continue;
    if (LISTS.test(name)) found[name] = [...((found[name] as string[]) ?? []), value];
    else if (FLAGS.test(name)) found[name] = value === 'true';
    else found[name] = name === 'domainReputationScore' ? Number(value) : value;
  }
  return found;
}
const NO_FILTER = /^(account|period|unit|date|from|to|noise|split|order|sort|compare)$/;
const NOISY = new Set(['csp', 'integrity_policy', 'coep']);

const QUERY = `query ($type: ReportTypeName!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant,
    $where: ReportFilter, $not: ReportFilter) {
  viewer { reportGroups(type: $type, unit: $unit, date: $date, from: $from, to: $to, where: $where, not: $not,
    by: [DAY], first: 1) { totalCount totalReports } }
}`;

/** The service's response for a URL, obtained without the page. */
async function oracle(service: TestService, key: string, hash: string) {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const type = path.split('/')[0]!;
  const params = new URLSearchParams(query);
  const not = listFilters(params, 'not.');
  if (params.get('noise') === 'hidden' && NOISY.has(type))
    not.sourceClass = [...((not.sourceClass as string[]) ?? []), 'extension', 'browser', 'impossible'];
  const variables = { type, ...toPeriod(params), where: listFilters(params, ''), not };
  const { viewer } = await data(service, key, QUERY, { variables });
  return viewer.reportGroups as { totalCount: number; totalReports: number };
}

interface SeenPage {
  hash: string;
  text: string;
  /** True if the page says that it shows an earlier response. */
  isStill: boolean;
  /** The total in a type's heading; the number of rows in a list; the id of a report. */
  total: string | undefined;
  rows: number | undefined;
  report: string | undefined;
}

/** Reads everything at once, after the page has been drawn. */
function look(page: Page): Promise<SeenPage> {
  return page.evaluate(async () => {
    await new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done))));
    const main = document.querySelector('main, .starting');
    const of = (selector: string) => document.querySelector<HTMLElement>(selector)?.textContent;
    const list = document.querySelector('section[aria-label="Reports"] tbody');
    return {
      hash: location.hash,
      text: (main as HTMLElement | null)?.textContent ?? '',
      isStill: document.querySelector('.still') !== null,
      total: of('section[aria-label="Volume"] h2')?.match(/^[\d,]+/)?.[0],
      rows: list?.querySelectorAll('tr').length,
      report: document.querySelector<HTMLElement>('section[aria-label="Fields"] dd')?.textContent,
    };
  });
}

/** Returns what is wrong with a view, or undefined. */
async function wrongWith(seen: SeenPage, service: TestService, key: string): Promise<string | undefined> {
  if (seen.text.trim() === '') return 'the view is blank';
  if (seen.text.includes('This view failed')) return seen.text.slice(0, 300);
  if (seen.isStill) return undefined;
  const id = /\/reports\/([^?]+)/.exec(seen.hash)?.[1];
  if (id !== undefined) {
    const isOther = seen.report !== undefined && seen.report !== decodeURIComponent(id);
    return isOther ? `it shows the report ${seen.report}` : undefined;
  }
  if (seen.total === undefined && seen.rows === undefined) return undefined;
  const { totalCount, totalReports } = await oracle(service, key, seen.hash);
  const total = seen.total?.replaceAll(',', '');
  if (total !== undefined && Number(total) !== totalCount)
    return `it has ${total}, and should have ${totalCount}`;
  const rows = Math.min(1000, totalReports);
  if (seen.rows !== undefined && seen.rows !== rows)
    return `it has ${seen.rows} rows, and should have ${rows}`;
  return undefined;
}

/** URLs of every kind. */
function anyAddress(random: Random): string {
  const type = random.pick(REPORT_TYPES);
  const day = dayBefore(random.integer(0, 40));
  const hour = `${day}T${String(random.integer(0, 23)).padStart(2, '0')}`;
  const period = random.pick([
    '',
    'period=1d',
    'period=24h',
    'period=7d',
    'period=30d',
    'period=90d',
    `unit=days&date=${day}`,
    `unit=hours&date=${hour}`,
    `unit=months&date=${day.slice(0, 7)}`,
    `from=${hour}:10&to=${hour}:50`,
    `from=${dayBefore(60)}&to=${day}`,
    `from=${day}`,
  ]);
  const bad = random.pick(['unit=days&date=2026-02-30', 'period=x', 'to=1', 'split=__proto__', 'nothing=1']);
  const more = random.pick([
    '',
    '',
    'noise=hidden',
    'order=FIRST_SEEN',
    'compare=before',
    'hostnames=*example*',
  ]);
  const query = random.chance(0.08) ? bad : [period, more].filter(Boolean).join('&');
  if (random.chance(0.15))
    return random.pick([
      '#/',
      '#/watches',
      '#/policies',
      '#/audit',
      '#/setup',
      '#/nothing',
      '#/csp/reports/none',
    ]);
  return `#/${type}${random.chance(0.3) ? '/reports' : ''}?${query}`;
}

/** Elements that change the view or open another one. */
const CLICKABLE =
  'main a[href^="#"], nav a, .period button, .switch, main select, .bar.leads, .more-groups button, .reports th button,' +
  ' .pages a, .chips a, main summary, .panel-head button, .problem button';

async function clickAny(page: Page, random: Random): Promise<string> {
  const at = random.next();
  const clicked = await page.evaluate(
    ([selector, place]) => {
      const all = [...document.querySelectorAll<HTMLElement>(selector)];
      const one = all[Math.floor(place * all.length)];
      if (!one) return 'nothing';
      const name = (
        one.getAttribute('aria-label') ??
        one.getAttribute('href') ??
        one.textContent ??
        ''
      ).slice(0, 80);
      if (one instanceof HTMLSelectElement) {
        one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
        one.dispatchEvent(new Event('change', { bubbles: true }));
      } else if (one instanceof HTMLElement) one.click();
      else (one as Element).dispatchEvent(new MouseEvent('click', { bubbles: true }));
      return `${one.tagName} ${name}`;
    },
    [CLICKABLE, at] as const,
  );
  return `click ${clicked}`;
}

type Weather = 'fair' | 'slow' | 'failing';

/** Chooses what happens to a request. */
function describeState(random: Random, weather: () => Weather) {
  return async (route: Route) => {
    const kind = weather();
    if (kind === 'slow') await new Promise(done => setTimeout(done, random.integer(0, 400)));
    const answer = () => route.continue();
    const failures = [
      () => route.abort(),
      () => route.fulfill({ status: 500, headers: { 'x-request-id': '7f3a' }, body: '{}' }),
      () => route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '{}' }),
      () => route.fulfill({ status: 200, body: '{"data":' }),
      answer,
    ];
    await (kind === 'failing' ? random.pick(failures) : answer)().catch(() => {});
  };
}

/**
 * The demo and a browser for the walks of a test file.
 * @returns a function that walks in a new browser session
 */
export function walks() {
  let service: TestService;
  let key: string;
  beforeAll(async () => {
    service = await startService();
    await service.load(...smallDemo());
    key = await service.key('personal', DEMO_PERSONAL);
  });
  afterAll(() => service.close());
  const browser = sharedBrowser();
  return async (seed: number, steps: number, options: BrowserContextOptions = {}) => {
    await using visitor = await visit(browser(), options);
    await signIn(visitor.page, service.url, key);
    // Awaited before the session is closed.
    return await walk(visitor, { service, key, seed, steps });
  };
}

/**
 * Walks this many steps, which the seed makes reproducible.
 * @returns the problem, with the steps that led to it
 */
async function walk(
  { page, said }: WatchedPage,
  { service, key, seed, steps }: { service: TestService; key: string; seed: number; steps: number },
): Promise<string[]> {
  const random = new Random(seed, 'walk');
  let weather: Weather = 'fair';
  await page.route(
    '**/graphql',
    describeState(new Random(seed, 'weather'), () => weather),
  );
  await page.evaluate(() => history.replaceState('first', ''));
  const wrong: string[] = [];
  const way: string[] = [];
  for (let step = 0; step < steps && wrong.length < 5; step++) {
    if (random.chance(0.1)) weather = random.pick(['fair', 'fair', 'slow', 'failing']);
    way.push(`${weather}: ${await takeStep(page, random)}`);
    const problem = await wrongWith(await look(page), service, key);
    const thrown = said.filter(
      line => line.startsWith('error: ') && !/Failed to load resource|status of/.test(line),
    );
    if (problem !== undefined || thrown.length > 0)
      wrong.push(`step ${step}, ${page.url()}: ${problem ?? thrown}\n  ${way.slice(-6).join('\n  ')}`);
    said.length = 0;
  }
  await page.unroute('**/graphql');
  return wrong;
}

async function takeStep(page: Page, random: Random): Promise<string> {
  const kind = random.next();
  if (kind < 0.3) {
    const hash = anyAddress(random);
    await page.evaluate(to => {
      location.hash = to;
    }, hash);
    return hash;
  }
  if (kind < 0.75) return clickAny(page, random);
  if (kind < 0.92) {
    // Only after the first view was shown.
    await page.evaluate(() => history.state !== 'first' && history.back());
    await page.waitForTimeout(random.integer(0, 60));
    return 'back';
  }
  await page.waitForTimeout(random.integer(0, 300));
  return 'wait';
}
