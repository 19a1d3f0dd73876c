import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serveData } from '../../../test/support/page-data.ts';
import { PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  click,
  NOW,
  openPage,
  type RenderedPage,
  restoreBrowser,
  serveMadeUp,
  windowListeners,
} from '../../../test/support/rendered-page.ts';

/** Tests the frame around the views, which refreshes them and opens the navigation. */

afterEach(async () => {
  pageDocument.hidden = false;
  await restoreBrowser();
});

const madeUp = serveMadeUp(1);

/** Opens the audit log, whose timers are called by the test. */
async function openWithTimers() {
  const looks = new Map<number, () => void>();
  const intervals: number[] = [];
  const page = await openPage('#/audit', madeUp);
  vi.stubGlobal('setInterval', (look: () => void, every: number) => {
    intervals.push(every);
    return looks.set(intervals.length, look) && intervals.length;
  });
  vi.stubGlobal('clearInterval', (timer: number) => looks.delete(timer));
  /** Returns the number of queries after a time in milliseconds since the page was opened. */
  const queriesAt = async (time: number, look = () => looks.forEach(one => void one())) => {
    vi.setSystemTime(NOW + time);
    look();
    await page.settle();
    return page.actions.length;
  };
  return { page, intervals, looks, queriesAt };
}

describe('a view that is refreshed every minute', () => {
  const becomeVisible = () => {
    pageDocument.hidden = false;
    pageDocument.listeners.fire('visibilitychange');
  };

  it('is requested again a minute after the last time', async () => {
    const { page, intervals, queriesAt } = await openWithTimers();
    await click(page, 'Refresh every minute');
    expect(intervals).toEqual([1000]);
    expect(await queriesAt(59_999)).toBe(1);
    expect(await queriesAt(60_000)).toBe(2);
    expect(page.actions[1]).toBe(page.actions[0]);
    expect(await queriesAt(119_999)).toBe(2);
    expect(await queriesAt(120_000)).toBe(3);
    page.close();
  });

  it('waits while the page is hidden', async () => {
    const { page, queriesAt } = await openWithTimers();
    await click(page, 'Refresh every minute');
    pageDocument.hidden = true;
    expect(await queriesAt(90_000)).toBe(1);
    expect(await queriesAt(90_001, becomeVisible)).toBe(2);
    expect(await queriesAt(150_000)).toBe(2);
    expect(await queriesAt(150_001)).toBe(3);
    page.close();
  });

  it('is not requested any more once that is off', async () => {
    const { page, looks, queriesAt } = await openWithTimers();
    await click(page, 'Refresh every minute');
    expect(looks.size).toBe(1);
    await click(page, 'Refresh every minute');
    expect(looks.size).toBe(0);
    expect(await queriesAt(60_000, becomeVisible)).toBe(1);
    page.close();
  });
});

it('the navigation of a phone is closed by Escape, and by choosing a view', async () => {
  const page = await openPage('#/audit', madeUp);
  const [nav] = page.root.findAll(one => one.localName === 'nav');
  const [views] = nav!.findAll(one => one.attributes.get('class') === 'views');
  const isOpen = () => [nav!.attributes.get('class') ?? '', views!.attributes.get('aria-expanded')];
  const press = async (key: string) => {
    views!.fire('keydown', { key });
    await page.settle();
    return isOpen();
  };
  expect(isOpen()).toEqual(['', 'false']);
  await click(page, 'Views');
  expect(await press('Enter')).toEqual(['open', 'true']);
  expect(await press('Escape')).toEqual(['', 'false']);
  await click(page, 'Views');
  await click(page, 'Policies');
  expect(isOpen()).toEqual(['', 'false']);
  page.close();
});

describe('the frame', () => {
  it('listens to nothing any more once the page is closed', async () => {
    const [added, removed] = (['addEventListener', 'removeEventListener'] as const).map(name =>
      vi.spyOn(PageNode.prototype, name),
    );
    onTestFinished(() => {
      for (const spy of [added!, removed!]) spy.mockRestore();
    });
    const list = ({ mock }: NonNullable<typeof added>) =>
      mock.calls
        .map(([type]) => type)
        .filter((type, at) => {
          const target = mock.contexts[at];
          return type === 'focusin' || target === windowListeners || target === pageDocument.listeners;
        })
        .sort();
    const page = await openPage('#/csp?period=7d', madeUp, {}, { 'sightline-key': 'sl_x' }, 'App');
    await click(page, 'Refresh every minute');
    page.root.querySelectorAll('g.bar')[0]!.fire('pointerdown', { pointerType: 'mouse' });
    await page.settle();
    page.close();
    await page.settle();
    expect(list(removed!)).toEqual(list(added!));
    expect([...new Set(list(added!))]).toEqual([
      ...['focusin', 'hashchange', 'pointerup', 'scroll', 'visibilitychange'],
    ]);
  });

  it('names the view, its period and its filters in the title', async () => {
    const page = await openPage('#/', serveData({}));
    const titles: Record<string, string> = {};
    for (const hash of [
      ...['#/', '#/csp', '#/csp?period=7d&hostnames=a', '#/csp?period=7d&hostnames=a&not.browser=x'],
      ...['#/csp/reports?unit=days&date=2026-03-01', '#/csp/reports/r1?hostnames=a', '#/nel/reports/r1'],
      ...['#/csp?period=8d', '#/search?q=x', '#/try-policy', '#/toString', '#/nonsense'],
    ]) {
      await page.go(hash);
      titles[hash] = pageDocument.title.replace(/ · Sightline$/, '');
    }
    expect(titles).toEqual({
      '#/': 'Overview',
      '#/csp': 'CSP, 30 days',
      '#/csp?period=7d&hostnames=a': 'CSP, 7 days, 1 filter',
      '#/csp?period=7d&hostnames=a&not.browser=x': 'CSP, 7 days, 2 filters',
      '#/csp/reports?unit=days&date=2026-03-01': 'CSP reports, Sun 1 Mar 2026, UTC',
      '#/csp/reports/r1?hostnames=a': 'CSP report',
      '#/nel/reports/r1': 'Network error report',
      '#/csp?period=8d': 'CSP',
      '#/search?q=x': 'Search',
      '#/try-policy': 'Try a policy',
      '#/toString': 'Overview',
      '#/nonsense': 'Overview',
    });
  });

  const listLinks = (page: RenderedPage) =>
    page.root.querySelector('nav')!.findAll(one => one.localName === 'a');

  it('marks the current view in the navigation', async () => {
    const page = await openPage('#/', serveData({}));
    const marked: (string | undefined)[] = [];
    for (const hash of ['#/', '#/search?q=x', '#/csp/reports/r1', '#/mail-policy', '#/nonsense']) {
      await page.go(hash);
      const current = listLinks(page).filter(one => one.attributes.get('aria-current') === 'page');
      marked.push(current.map(one => one.attributes.get('href')).join(' '));
    }
    expect(marked).toEqual(['#/', '#/search', '#/csp', '#/mail-policy', '']);
  });

  it('leads to other types with the period, the noise and the host, and elsewhere with the account', async () => {
    const query = 'account=a&period=7d&noise=hidden&hostnames=h&browser=x&order=KEY';
    const page = await openPage(`#/csp?${query}`, serveData({}));
    const targets = listLinks(page).map(one => one.attributes.get('href'));
    expect(targets.filter(href => /^#\/(\?|search|nel|watches)/.test(href!))).toEqual([
      ...['#/?account=a', '#/search?account=a'],
      ...['#/nel?account=a&period=7d&noise=hidden&hostnames=h', '#/watches?account=a'],
    ]);
  });

  it.each(['#/nonsense', '#/csp/nonsense', '#/csp/nonsense/r1', '#/nonsense/reports', '#/valueOf'])(
    'knows no view at %s',
    async hash => {
      const page = await openPage(`${hash}?account=a&period=7d`, serveData({}));
      expect(page.text()).toContain('There is no such view. [Go to the overview](#/?account=a)');
      expect(page.actions.filter(action => !action.includes('SiteNames'))).toEqual([]);
    },
  );

  it('shows the account of the key, whatever the address says', async () => {
    const viewer = { id: 'acme', type: 'personal', email: 'ann@acme.example', teamName: null };
    const page = await openPage('#/audit?account=other', serveData({}), { viewer });
    expect(toText(page.root.querySelector('header')!)).toMatch(/^Sightlineann@acme\.example <Refresh/);
    expect(page.actions).toEqual(['asks Audit {"account":"acme","cursor":null,"event":null,"actor":null}']);
  });

  it.each([
    [{ teamName: 'Te\u202eam', email: 'a@acme.example' }, 'Te⟨U+202E⟩am'],
    [{ teamName: null, email: 'a@acme.example' }, 'a@acme.example'],
    [null, 'acme'],
  ])('shows the account that an internal token has chosen: %j', async (account, name) => {
    const accounts = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
    const data = { AccountName: { account }, Accounts: { accounts } };
    const page = await openPage('#/audit?account=acme', serveData(data), { viewer: null });
    const [header] = page.root.querySelectorAll('header.top');
    expect(toText(header!)).toContain(`Sightline${name} [Other account](#/) <Refresh`);
    await click(page, 'Other account');
    expect(toText(header!)).not.toContain('Other account');
    expect(page.text()).toContain('There are no accounts yet.');
  });

  it('restores the height of a list, and shows other views from their top', async () => {
    const page = await openPage('#/csp/reports', serveData({}));
    const heights: number[] = [];
    vi.stubGlobal('scrollTo', (_: number, height: number) => heights.push(height));
    const scroll = (height: number) => {
      vi.stubGlobal('scrollY', height);
      windowListeners.fire('scroll');
    };
    scroll(700);
    await page.go('#/csp/reports?browser=x');
    expect(heights).toEqual([]);
    await page.go('#/csp/reports/r1?browser=x');
    expect(pageDocument.activeElement?.attributes.get('id')).toBe('content');
    scroll(50);
    await page.go('#/csp/reports?browser=x');
    await page.go('#/audit');
    await page.go('#/csp/reports');
    expect(heights).toEqual([0, 700, 0, 0]);
    await page.go('#/csp');
    scroll(300);
    await page.go('#/csp_integrity');
    await page.go('#/csp');
    expect(heights.slice(4)).toEqual([0, 0, 0]);
  });

  it('shows a view that has failed again, with a new answer', async () => {
    let events: unknown = 7;
    const serve = () => Response.json({ data: { account: { auditLog: { events } } } });
    const page = await openPage('#/audit', serve);
    expect(page.text()).toContain('This view failed.');
    events = [];
    await click(page, 'Show it again');
    expect(page.actions.filter(action => action.startsWith('asks'))).toHaveLength(2);
    expect(page.text()).toContain('There are no such events');
  });
});

describe('an account without reports', () => {
  const none = { lastSevenDays: [], violations: null, mail: null, sessions: null };
  const some = { totalReports: 1 };

  /** Opens the setup, whose timers are called by the test. */
  async function openSetup(answer: () => Response = () => Response.json({ data: { account: none } })) {
    const serve = (query: string) =>
      /query Arrived/.test(query) ? answer() : Response.json({ data: { account: { ...none, setup: null } } });
    const page = await openPage('#/audit', serve);
    const timers: [wait: number, call: () => void][] = [];
    vi.stubGlobal('setTimeout', (call: () => void, wait: number) => timers.push([wait, call]));
    vi.stubGlobal('clearTimeout', () => {});
    await page.go('#/setup');
    const countQueries = () => page.actions.filter(action => action.includes('asks Arrived')).length;
    const look = async () => {
      timers.pop()![1]();
      await page.settle();
      return countQueries();
    };
    // The earlier ones belong to slow requests.
    timers.splice(0, timers.length, timers.at(-1)!);
    return { page, timers, look, countQueries };
  }

  it('looks for the first one every ten seconds while the page is visible', async () => {
    const { page, timers, look, countQueries } = await openSetup();
    expect(timers.map(([wait]) => wait)).toEqual([10_000]);
    expect(countQueries()).toBe(1);
    expect(await look()).toBe(2);
    expect(timers.map(([wait]) => wait)).toEqual([10_000]);
    pageDocument.hidden = true;
    expect(await look()).toBe(2);
    pageDocument.listeners.fire('visibilitychange');
    await page.settle();
    expect(countQueries()).toBe(2);
    pageDocument.hidden = false;
    pageDocument.listeners.fire('visibilitychange');
    await page.settle();
    expect(countQueries()).toBe(3);
    pageDocument.listeners.fire('visibilitychange');
    await page.settle();
    expect(countQueries()).toBe(3);
    pageDocument.hidden = true;
    await look();
    page.close();
    pageDocument.hidden = false;
    pageDocument.listeners.fire('visibilitychange');
    await page.settle();
    expect(countQueries()).toBe(3);
  });

  it.each([
    [{ ...none, violations: some, mail: some }, '[CSP](#/csp?period=90d)'],
    [{ ...none, mail: some, sessions: some }, '[DMARC](#/dmarc?period=90d)'],
    [{ ...none, sessions: some }, '[TLS-RPT](#/tls_rpt?period=90d)'],
    [{ ...none, lastSevenDays: [{ nel: 0 }, { nel: 1 }] }, '[Network errors](#/nel?period=90d)'],
  ])('learns of the first one, and its view is asked again: %j', async (arrived, link) => {
    let account: object = none;
    const { page, timers, look, countQueries } = await openSetup(() => Response.json({ data: { account } }));
    expect(page.text()).toContain('Waiting for the first report.');
    account = arrived;
    page.actions.length = 0;
    await look();
    expect(page.text()).toContain(`The first report has arrived. ${link} {role=status}`);
    expect(page.actions.map(action => action.split(' ')[1]).sort()).toEqual(['Arrived', 'Arrived', 'Setup']);
    for (const [, call] of timers) call();
    await page.settle();
    expect(countQueries()).toBe(2);
  });

  it('waits as long as the limit of requests requires', async () => {
    const headers = { 'retry-after': '20' };
    const { timers } = await openSetup(() => new Response('', { status: 429, headers }));
    expect(timers.map(([wait]) => wait)).toEqual([20_000]);
  });
});
