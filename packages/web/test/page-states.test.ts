import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveData } from '../../../test/support/page-data.ts';
import { PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  click,
  NOW,
  openPage,
  restoreBrowser,
  type Serve,
  serveMadeUp,
} from '../../../test/support/rendered-page.ts';

/** Tests views without an answer, after losing it, and with the answer of another address. */

afterEach(restoreBrowser);

const madeUp = serveMadeUp(1);

/** Answers immediately, or when `release` is called while `hold` is true. */
class Server {
  hold = false;
  readonly #waiting: (() => void)[] = [];

  readonly serve: Serve = async (query, variables) => {
    if (this.hold) await new Promise<void>(resolve => void this.#waiting.push(resolve));
    return madeUp(query, variables);
  };

  release(): void {
    this.hold = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
};

describe('a request that fails', () => {
  const REFUSED = {
    errors: [{ message: 'The period is too long.', extensions: { code: 'BAD_USER_INPUT' } }],
  };
  it.each<[string, Serve, string[]]>([
    [
      'because the service cannot be reached',
      () => Promise.reject(new TypeError('fetch failed')),
      ['The service cannot be reached.', '<Try again>'],
    ],
    [
      'because of the service',
      () => new Response('', { status: 503, headers: { 'x-request-id': 'abc' } }),
      ['The service failed (503). Request id in its log: abc.', '<Try again>'],
    ],
    ['without an id', () => new Response('', { status: 500 }), ['The service failed (500).', '<Try again>']],
    ['with a reason', () => Response.json({ error: 'No.' }, { status: 400 }), ['No.', '<Try again>']],
    [
      'without a reason',
      () => new Response('', { status: 404 }),
      ['The service answered 404.', '<Try again>'],
    ],
    ['because of the query', () => Response.json(REFUSED), ['The period is too long.', '<Try again>']],
    ['without data', () => Response.json({ data: null }), ['The answer was empty.', '<Try again>']],
    [
      'because the answer is another one',
      () => Response.json({ errors: 7 }),
      ['The page could not process this answer.', '<Try again>'],
    ],
    [
      'because the answer is cut off',
      () => new Response('{"data":'),
      ['The answer was cut off, or did not come from this service.', '<Try again>'],
    ],
    [
      'because of too many requests',
      () => new Response('', { status: 429, headers: { 'retry-after': '7' } }),
      ['Too many requests with this key. Retrying automatically in 7 s.'],
    ],
    [
      'because of too many requests for an unknown time',
      () => new Response('', { status: 429 }),
      ['Too many requests with this key. Retrying automatically in 10 s.'],
    ],
  ])('%s is explained', async (_, serve, lines) => {
    const page = await openPage('#/audit', serve);
    expect(page.text()).toContain(`\n${lines.join('\n')} {role=alert}\n`.replace('s. {', 's.\n{'));
    expect(page.text()).not.toContain('Loading');
    page.close();
  });

  it('because the key is no longer valid ends the visit', async () => {
    const page = await openPage('#/audit', () => new Response('', { status: 401 }));
    expect(page.actions.at(-1)).toBe('signs out This key is unknown or no longer valid.');
    page.close();
  });

  it('is repeated by a button, and then shows the answer', async () => {
    let isDown = true;
    const page = await openPage('#/policies', (query, variables) =>
      isDown ? new Response('', { status: 500 }) : madeUp(query, variables),
    );
    isDown = false;
    await click(page, 'Try again');
    expect(page.actions).toHaveLength(2);
    expect(page.actions[1]).toBe(page.actions[0]);
    expect(page.text()).not.toContain('The service failed');
    expect(page.text()).toContain('## CSP Wizard');
    page.close();
  });

  it('for one field that the plan does not include leaves the rest of the answer', async () => {
    const page = await openPage('#/audit', () =>
      Response.json({
        data: { account: { auditLog: null } },
        errors: [{ message: 'Not in your plan.', extensions: { code: 'FORBIDDEN' } }],
      }),
    );
    expect(page.text()).toContain("There are no such events, or they are older than the plan's retention.");
    page.close();
  });
});

describe('the limit of requests', () => {
  it('is respected before the next request, until the window ends', async () => {
    const limited: Serve = async (query, variables) => {
      const response = (await madeUp(query, variables)) as Response;
      response.headers.set('ratelimit', '"default";r=0;t=12');
      return response;
    };
    const page = await openPage('#/audit', limited, { userKey: 'limited' });
    await page.go('#/policies');
    expect(page.actions).toHaveLength(1);
    expect(page.text()).toContain('Too many requests with this key. Retrying automatically in 12 s.');
    vi.setSystemTime(NOW + 12_000);
    await page.go('#/watches');
    expect(page.actions.at(-1)).toMatch(/^asks Watches/);
    page.close();
  });
});

/** Records the timers of the page in place of starting them. */
function recordTimers() {
  const timers: [wait: number, call: () => void][] = [];
  const record = (call: () => void, wait: number) => timers.push([wait, call]);
  for (const name of ['setTimeout', 'setInterval']) vi.stubGlobal(name, record);
  for (const name of ['clearTimeout', 'clearInterval']) vi.stubGlobal(name, () => {});
  return timers;
}

describe('a request', () => {
  const toWaits = (timers: readonly [wait: number, call: () => void][]) => timers.map(([wait]) => wait);

  it('beyond the limit counts down, and is repeated at its end', async () => {
    let isLimited = false;
    const page = await openPage('#/audit', (query, variables) =>
      isLimited
        ? new Response('', { status: 429, headers: { 'retry-after': '7' } })
        : madeUp(query, variables),
    );
    isLimited = true;
    const timers = recordTimers();
    await page.go('#/policies');
    // The first timer is for a slow request.
    expect(toWaits(timers)).toEqual([10_000, 1000, 7100]);
    const [count, again] = timers.slice(1).map(([, call]) => call) as [() => void, () => void];
    const countDown = async (time: number) => {
      vi.setSystemTime(NOW + time);
      count();
      await page.settle();
      return /automatically .*\./.exec(page.text())?.[0];
    };
    expect(await countDown(3000)).toBe('automatically in 4 s.');
    expect(await countDown(6001)).toBe('automatically in 1 s.');
    expect(await countDown(7000)).toBe('automatically now.');
    isLimited = false;
    again();
    await page.settle();
    expect(page.actions).toHaveLength(3);
    expect(page.text()).toContain('## CSP Wizard');
  });

  it('that takes ten seconds can be repeated', async () => {
    const server = new Server();
    const page = await openPage('#/audit', server.serve);
    const timers = recordTimers();
    server.hold = true;
    page.location.hash = '#/policies';
    await turns();
    expect(toWaits(timers)).toEqual([10_000]);
    expect(page.text()).not.toContain('Still loading.');
    timers[0]![1]();
    await turns();
    expect(page.text()).toContain('Still loading.');
    page.root.findAll(one => toText(one) === '<Retry>')[0]!.fire('click');
    await turns();
    expect(page.actions).toHaveLength(3);
    expect(page.text()).not.toContain('Still loading.');
    server.release();
    await page.settle();
    expect(page.text()).toContain('## CSP Wizard');
  });

  it('that fails leaves the data of the last one, and says so', async () => {
    let isDown = false;
    const page = await openPage('#/audit', (query, variables) =>
      isDown ? new Response('', { status: 500 }) : madeUp(query, variables),
    );
    isDown = true;
    await page.go('#/policies');
    await page.go('#/audit');
    expect(page.text()).toContain(
      'The service failed (500). The data below are from the last successful request.',
    );
    expect(page.text()).toContain('There are no such events');
    expect(page.text()).toContain('!stale');
  });
});

describe('a view', () => {
  it('shows that it loads, and then its answer', async () => {
    const server = new Server();
    const page = await openPage('#/audit', server.serve);
    expect(page.text()).not.toContain('Loading');
    server.hold = true;
    page.location.hash = '#/policies';
    await turns();
    expect(page.text()).toContain('Loading');
    expect(page.text()).not.toContain('CSP Wizard');
    server.release();
    await page.settle();
    expect(page.text()).not.toContain('Loading');
    expect(page.text()).toContain('## CSP Wizard');
    page.close();
  });

  it('shows the previous period, as such, until the next one has loaded', async () => {
    const server = new Server();
    const page = await openPage('#/other?period=7d', server.serve);
    expect(page.text()).not.toContain('Still showing');
    server.hold = true;
    page.location.hash = '#/other?period=90d';
    await turns();
    expect(page.text()).toContain('!stale');
    expect(page.text()).toContain('Still showing 7 days {role=status}');
    server.release();
    await page.settle();
    expect(page.text()).not.toContain('Still showing');
    page.close();
  });

  it('does not show an answer that arrives after another address was opened', async () => {
    const server = new Server();
    const page = await openPage('#/audit', server.serve);
    server.hold = true;
    for (const event of ['early', 'late']) {
      page.location.hash = `#/audit?event=${event}`;
      await turns();
    }
    server.release();
    await page.settle();
    expect(page.actions.filter(action => action.startsWith('asks Audit'))).toHaveLength(3);
    expect(page.text()).toContain('[× {aria-label=Remove filter: event late}](#/audit)');
    expect(page.text()).not.toContain('early');
    page.close();
  });

  it('shows no error of a request that another address has ended', async () => {
    const server = new Server();
    const page = await openPage('#/audit', server.serve);
    const open = async (hash: string) => {
      server.hold = true;
      page.location.hash = hash;
      await turns();
    };
    await open('#/audit?event=early');
    await open('#/audit?event=late');
    server.release();
    await page.settle();
    await open('#/audit?event=early');
    expect(page.text()).toContain('Still showing');
    expect(page.text()).not.toContain('role=alert');
    server.release();
    await page.settle();
    page.close();
  });

  it('shows one of the last ten answers at once, and asks again', async () => {
    const server = new Server();
    const page = await openPage('#/audit', server.serve);
    for (let at = 1; at < 10; at++) await page.go(`#/audit?event=e${at}`);
    const isShown = async (hash: string) => {
      server.hold = true;
      page.location.hash = hash;
      await turns();
      const text = page.text();
      server.release();
      await page.settle();
      return !text.includes('Still showing');
    };
    expect(page.actions).toHaveLength(10);
    expect(await isShown('#/audit')).toBe(true);
    expect(page.actions).toHaveLength(11);
    // This answer takes the place of the oldest, which is not that of the first address any more.
    expect(await isShown('#/audit?event=e10')).toBe(false);
    expect(await isShown('#/audit')).toBe(true);
    expect(await isShown('#/audit?event=e2')).toBe(true);
    expect(await isShown('#/audit?event=e1')).toBe(false);
    page.close();
  });

  it.each([
    ['/x', 'No page has this path.'],
    ['sha256-x', 'No report has this hash.'],
    ['192.0.2.1', 'No report has this address.'],
    ['0a1b2c3d-0000-4000-8000-00000000000a', 'No report has this id.'],
    ['two words', 'No sender, network, issuer or feature has this name.'],
  ])('without results for %s says so', async (text, words) => {
    const page = await openPage(`#/search?q=${encodeURIComponent(text)}`, serveData({}));
    expect(page.text()).toContain(words);
    expect(page.actions).toHaveLength(1);
  });

  it.each([
    ['ann@acme.example', 'ann@acme.example'],
    ["it's", "'it'\\''s'"],
    ['a b', "'a b'"],
  ])('of the setup names the account %s as the shell reads it', async (id, word) => {
    const viewer = { id, type: 'team', email: null, teamName: 'Acme' };
    const page = await openPage('#/setup', serveData({}), { viewer });
    expect(page.text()).toContain(`sightline import --account ${word} ~/Maildir`);
  });

  it('of reports shortens long values', async () => {
    const report = { recordId: 'r1', date: '2026-03-10T00:00:00Z', count: 1, featureId: 'x'.repeat(501) };
    const account = { plan: { dataRetentionDays: 90 }, reports: { reports: [report], truncated: false } };
    const page = await openPage('#/deprecation/reports', serveData({ Reports: { account } }));
    expect(/x{2,}/.exec(page.text())?.[0]).toHaveLength(500);
  });

  it('of a report selects similar ones by its values, but not by its message', async () => {
    const report = {
      recordId: 'r1',
      date: '2026-03-10T00:00:00Z',
      message: 'Old.',
      featureId: 'Old',
      raw: '{}',
    };
    const page = await openPage(
      '#/deprecation/reports/r1',
      serveData({ OneReport: { account: { report } } }),
    );
    expect(page.text()).toContain('Filter by feature Old');
    expect(page.text()).not.toContain('Filter by message');
  });

  it('that fails is replaced by its error until another address is opened', async () => {
    const page = await openPage('#/audit', () =>
      Response.json({ data: { account: { auditLog: { events: 7 } } } }),
    );
    expect(page.text()).toContain('This view failed. The other views still work.');
    expect(page.actions.some(action => action.startsWith('fails: TypeError'))).toBe(true);
    await page.go('#/search');
    expect(page.text()).not.toContain('This view failed.');
    expect(page.text()).toContain('# Search');
    page.close();
  });
});

describe('a row of the list of reports', () => {
  const openList = async () => {
    const page = await openPage('#/csp/reports?period=7d', serveMadeUp(101));
    return { page, row: page.root.findAll(one => one.localName === 'tr')[3]! };
  };

  it('opens its report', async () => {
    const { page, row } = await openList();
    const href = row.querySelector('a')!.attributes.get('href');
    row.fire('click');
    await page.settle();
    expect(href).toMatch(/^#\/csp\/reports\/record-\d\?period=7d$/);
    expect(page.location.hash).toBe(href);
  });

  it('does nothing itself where it has a link, or while text is selected', async () => {
    const { page, row } = await openList();
    row.querySelector('a')!.fire('click');
    vi.stubGlobal('getSelection', () => 'text');
    row.fire('click');
    await page.settle();
    expect(page.location.hash).toBe('#/csp/reports?period=7d');
  });
});

describe('a download', () => {
  const openWatches = (file?: () => Response, hash = '#/watches', props: object = {}) =>
    openPage(hash, Object.assign(serveData({}), file && { file }), props);
  const refuse = (name: string) => async () => {
    throw Object.assign(new Error('No'), { name });
  };

  it('is not requested if the visitor cancels it', async () => {
    const page = await openWatches();
    vi.stubGlobal('window', { showSaveFilePicker: refuse('AbortError') });
    page.actions.length = 0;
    await click(page, 'CSV');
    expect(page.actions).toEqual([]);
    expect(page.text()).toContain('<Copy as curl> {role=status} {role=status}');
  });

  it('that the visitor cancels leaves nothing of an earlier one', async () => {
    const page = await openWatches(() => new Response('a,b'));
    await click(page, 'CSV');
    expect(page.text()).toContain('is complete. {role=status}');
    vi.stubGlobal('window', { showSaveFilePicker: refuse('AbortError') });
    await click(page, 'CSV');
    expect(page.text()).toContain('<Copy as curl> {role=status} {role=status}');
  });

  it.each<[string, object]>([
    ['cannot write files', {}],
    ['does not allow it', { showSaveFilePicker: refuse('SecurityError') }],
  ])('is passed to a browser that %s', async (_, window) => {
    const page = await openWatches(() => new Response('a,b'));
    vi.stubGlobal('window', window);
    const timers = recordTimers();
    const links: (PageNode & { href?: string; download?: string })[] = [];
    const offered: string[] = [];
    vi.spyOn(pageDocument, 'createElement').mockImplementationOnce(name => {
      links.push(new PageNode(name));
      return Object.assign(links[0]!, { click: () => offered.push(links[0]!.download!) });
    });
    const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
    const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    await click(page, 'NDJSON');
    expect(offered).toEqual(['acme-findings-2026-03-11.ndjson']);
    expect([links[0]!.href, await (create.mock.calls[0]![0] as Blob).text()]).toEqual(['blob:1', 'a,b']);
    expect(page.text()).toContain('acme-findings-2026-03-11.ndjson was passed to the browser.');
    // The browser reads the file later.
    expect([revoke.mock.calls, timers.map(([wait]) => wait)]).toEqual([[], [60_000]]);
    timers[0]![1]();
    expect(revoke.mock.calls).toEqual([['blob:1']]);
    vi.restoreAllMocks();
  });

  it('says that it has started until it is complete', async () => {
    let respond!: (response: Response) => void;
    const held = new Promise<Response>(resolve => {
      respond = resolve;
    });
    const page = await openWatches(() => held as never);
    page.root.findAll(one => toText(one) === '<CSV>')[0]!.fire('click');
    await turns();
    expect(page.text()).toContain('The download has started. {role=status}');
    respond(new Response('a,b'));
    await page.settle();
    expect(page.text()).toContain('acme-findings-2026-03-11.csv is complete. {role=status}');
  });

  it('says that it was interrupted', async () => {
    const body = () => new ReadableStream({ pull: stream => stream.error(new Error('cut')) });
    const page = await openWatches(() => new Response(body()));
    await click(page, 'CSV');
    expect(page.text()).toContain('The download was interrupted. {role=status}');
  });

  it('has a name that is valid in every folder', async () => {
    const page = await openWatches(undefined, '#/watches?account=../a%20b%27%3A', { viewer: null });
    await click(page, 'CSV');
    expect(page.actions.at(-2)).toBe('saves .._a_b_-findings-2026-03-11.csv');
  });

  it.each([
    ['#/csp/reports?from=2026-03-01&to=2026-03-05T10:00', 'acme-csp-2026-03-01-2026-03-05'],
    ['#/csp/reports?unit=months&date=2026-02', 'acme-csp-2026-02-01-2026-03-01'],
  ])('at %s has a name with the days of its period', async (hash, name) => {
    const reports = [{ recordId: 'r1', date: '2026-03-02T00:00:00Z', count: 1 }];
    const account = { plan: { dataRetentionDays: 90 }, reports: { reports, truncated: false } };
    const page = await openPage(hash, serveData({ Reports: { account } }));
    await click(page, 'CSV');
    expect(page.actions.at(-2)).toBe(`saves ${name}.csv`);
  });
});

describe('a download that fails', () => {
  it.each([
    [
      'has a reason',
      () => Response.json({ error: 'Too large.' }, { status: 400 }),
      'Too large. {role=status}',
    ],
    [
      'can be tried again later',
      () => new Response('', { status: 429, headers: { 'retry-after': '70' } }),
      'Too many requests with this key. Try again in 70 s. {role=status}',
    ],
  ])('%s', async (_, file, outcome) => {
    const page = await openPage('#/watches', Object.assign(serveMadeUp(2), { file }));
    await click(page, 'CSV');
    expect(page.text()).toContain(outcome);
    expect(page.actions.at(-1)).toBe('gets export/findings?format=csv');
  });

  it('because the key is no longer valid ends the visit', async () => {
    const file = () => new Response('', { status: 401 });
    const page = await openPage('#/watches', Object.assign(serveMadeUp(2), { file }), {
      ...{ viewer: null, account: 'acme' },
    });
    await page.go('#/watches?account=acme');
    await click(page, 'NDJSON');
    expect(page.actions.slice(-2)).toEqual([
      'gets export/findings?account=acme&format=ndjson',
      'signs out This key is unknown or no longer valid.',
    ]);
  });
});
