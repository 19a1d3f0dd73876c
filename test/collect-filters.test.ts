import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createRemoteFilters } from '../src/collect/ask-filters.ts';
import { Filters } from '../src/collect/filters.ts';
import { createReportReader } from '../src/collect/reader.ts';
import { listen } from '../src/http/listen.ts';
import { endTimeLimits } from './support/time-limits.ts';

const NONE = {
  global: { sites: [] as string[], removeReferrer: false, removeQueryString: false },
  advanced: {
    browserExtensions: false,
    unactionableReports: false,
    inlineEval: false,
    blockedHosts: [] as string[],
    blockedSchemes: [] as string[],
    pagePaths: [] as string[],
  },
  samplingRates: { csp: 100 },
};

type Advanced = Partial<(typeof NONE)['advanced']>;

const advanced = (more: Advanced) => new Filters({ ...NONE, advanced: { ...NONE.advanced, ...more } });
const ofSites = (...sites: string[]) => new Filters({ ...NONE, global: { ...NONE.global, sites } });

const REPORT = { page: 'https://www.example.com/shop/cart', blocked: 'https://cdn.example/x.js' };
const drops = (filters: Filters, more: Record<string, string> = {}) =>
  filters.drops({ ...REPORT, source: 'host', ...more } as never);

describe("an account's filters", () => {
  it('drop nothing if all are off', () => {
    for (const source of ['host', 'extension', 'browser', 'inline', 'eval'])
      expect(drops(new Filters(NONE), { source })).toBe(false);
    expect(drops(new Filters(NONE), { page: 'about:blank', blocked: '' })).toBe(false);
    expect(new Filters(NONE).sampling).toEqual({ csp: 100 });
  });

  it.each([
    [{ browserExtensions: true }, ['extension']],
    [{ unactionableReports: true }, ['browser']],
    [{ inlineEval: true }, ['inline', 'eval']],
  ])('drop with %j only the sources %j', (more, dropped) => {
    const sources = ['host', 'extension', 'browser', 'inline', 'eval'];
    expect(sources.filter(source => drops(advanced(more), { source }))).toEqual(
      sources.filter(source => dropped.includes(source)),
    );
  });

  it('drop a report of no page as unactionable', () => {
    expect(drops(advanced({ unactionableReports: true }), { page: 'about' })).toBe(true);
    expect(drops(advanced({ unactionableReports: true }), { page: '' })).toBe(true);
    expect(drops(advanced({ browserExtensions: true, inlineEval: true }), { page: '' })).toBe(false);
  });

  it.each([
    ['www.example.com', false],
    ['WWW.Example.COM', false],
    ['*.example.com', false],
    ['www.*', false],
    ['*', false],
    ['w*.ex*le.com', false],
    ['example.com', true],
    ['ww.example.com', true],
    ['www.example.co', true],
    ['www.example.com*m', true],
    ['*.example.com.*', true],
  ])('with the site %s drop a report of www.example.com: %s', (site, isDropped) => {
    expect(drops(ofSites(site))).toBe(isDropped);
    expect(drops(ofSites('other.example', site))).toBe(isDropped);
  });

  it('compare hosts without their final dot', () => {
    expect(drops(ofSites('www.example.com'), { page: 'https://www.example.com./' })).toBe(false);
    expect(drops(advanced({ blockedHosts: ['cdn.example'] }), { blocked: 'https://cdn.example./' })).toBe(
      true,
    );
  });

  it('drop a report without a host if there are sites', () => {
    expect(drops(ofSites('*'), { page: '' })).toBe(true);
  });

  it.each([
    [{ blockedHosts: ['cdn.example'] }, true],
    [{ blockedHosts: ['*.example'] }, true],
    [{ blockedHosts: ['www.example.com'] }, false],
    [{ blockedSchemes: ['https'] }, true],
    [{ blockedSchemes: ['https:'] }, true],
    [{ blockedSchemes: ['HTTPS://'] }, true],
    [{ blockedSchemes: ['http'] }, false],
    [{ pagePaths: ['/shop/*'] }, true],
    [{ pagePaths: ['/SHOP/cart'] }, true],
    [{ pagePaths: ['*/cart'] }, true],
    [{ pagePaths: ['/shop'] }, false],
    [{ pagePaths: ['/x.js'] }, false],
    [{ pagePaths: [''] }, false],
  ] satisfies [Advanced, boolean][])('drop with %j a report on a blocked script: %s', (more, isDropped) => {
    expect(drops(advanced(more))).toBe(isDropped);
  });

  it('match a bare scheme that is reported instead of an address', () => {
    expect(drops(advanced({ blockedSchemes: ['moz-extension:'] }), { blocked: 'moz-extension' })).toBe(true);
    expect(drops(advanced({ blockedHosts: ['moz-extension'] }), { blocked: 'moz-extension' })).toBe(false);
  });

  describe('rewrite a report', () => {
    const rewrite = (removeReferrer: boolean, removeQueryString: boolean) =>
      new Filters({ ...NONE, global: { sites: [], removeReferrer, removeQueryString } }).rewrite({
        url: 'https://a.example/?token=1',
        body: [{ Referrer: 'https://b.example/?x', count: 1, inner: null }],
      });

    it.each([
      [false, false, 'https://a.example/?token=1', { Referrer: 'https://b.example/?x' }],
      [true, false, 'https://a.example/?token=1', {}],
      [false, true, 'https://a.example/', { Referrer: 'https://b.example/' }],
      [true, true, 'https://a.example/', {}],
    ])('without referrers: %s, without queries: %s', (referrer, query, url, rest) => {
      expect(rewrite(referrer, query)).toEqual({ url, body: [{ count: 1, inner: null, ...rest }] });
    });
  });
});

it('the filters of the last answer stay in use, and each problem is reported once until it is over', async () => {
  const answers: Record<string, object> = {
    '/v1/filters': { ...NONE, advanced: { ...NONE.advanced, browserExtensions: true } },
    '/v1/quota': { used: 7, limit: 100 },
  };
  let isKeyValid = true;
  const server = createServer((request, response) => {
    const isAccepted = isKeyValid && request.headers.authorization === 'Bearer key';
    response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAccepted ? answers[request.url!] : { error: 'Unauthorized' }));
  });
  const url = `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0 })}`;
  const problems: string[] = [];
  // An account whose key is refused does not delay the one after it.
  const keys = new Map([
    ['revoked', 'wrong'],
    ['acme', 'key'],
  ]);
  const filters = createRemoteFilters(url, keys, account => problems.push(account));
  expect(filters.of('acme')).toBeUndefined();
  await filters.ask();
  expect(problems.splice(0)).toEqual(['revoked']);
  expect(filters.of('revoked')).toBeUndefined();
  expect(drops(filters.of('acme') as Filters, { source: 'extension' })).toBe(true);
  expect(filters.getQuota('acme')).toMatchObject({ used: 7, limit: 100 });
  const reported: number[] = [];
  for (const isValid of [false, false, true, false, false]) {
    isKeyValid = isValid;
    await filters.ask();
    reported.push(problems.length);
    expect(filters.getQuota('acme')).toMatchObject({ used: 7, limit: 100 });
  }
  expect(reported).toEqual([1, 1, 1, 2, 2]);
  server.close();
  server.closeAllConnections();
});

it('the filters of an account are asked for during at most five seconds', async () => {
  const limits = endTimeLimits();
  const problems: string[] = [];
  const keys = new Map([['acme', 'key']]);
  const filters = createRemoteFilters('http://127.0.0.1:1', keys, (...problem) => problems.push(...problem));
  await filters.ask();
  expect([limits, problems]).toEqual([[5000], ['acme', 'The time limit is over']]);
});

it('each filter drops the reports that are recorded', async () => {
  const patterns = [
    '*',
    'a.example',
    '*.example',
    'a*e',
    'a*a*e',
    'A.EXAMPLE',
    'data:',
    'data',
    '/p/*',
    '/p*q',
    '',
  ];
  const pages = [
    'https://a.example/p/q',
    'https://A.example./p',
    'https://b.test/',
    'about:blank',
    'data',
    '',
  ];
  const settings: [string, typeof NONE][] = [['none', NONE]];
  for (const name of ['browserExtensions', 'unactionableReports', 'inlineEval'])
    settings.push([name, { ...NONE, advanced: { ...NONE.advanced, [name]: true } }]);
  for (const pattern of patterns) {
    settings.push([`sites ${pattern}`, { ...NONE, global: { ...NONE.global, sites: [pattern] } }]);
    for (const name of ['blockedHosts', 'blockedSchemes', 'pagePaths'])
      settings.push([`${name} ${pattern}`, { ...NONE, advanced: { ...NONE.advanced, [name]: [pattern] } }]);
  }
  const text = settings.map(([name, setting]) => {
    const filters = new Filters(setting);
    const dropped: string[] = [];
    for (const page of pages) {
      if (drops(filters, { page, blocked: '' })) dropped.push(`page ${page}`);
      if (drops(filters, { page: 'https://c.test/', blocked: page })) dropped.push(`blocked ${page}`);
    }
    for (const source of ['extension', 'browser', 'inline', 'eval', 'data'])
      if (drops(filters, { page: pages[0]!, blocked: '', source })) dropped.push(source);
    return `${name}: ${dropped.join(', ')}\n`;
  });
  await expect(text.join('')).toMatchFileSnapshot('./recorded/collect-filters.txt');
});

it('a report of a known type is read after fifty unknown types, and of each account', () => {
  const reader = createReportReader();
  const [url, body] = ['https://www.example.com/', {}];
  const read = (type: string, account = 'acme') => {
    const read = reader.read({ type, age: 1, url, body }, account);
    return typeof read === 'string' ? read : read.type;
  };
  const unknown = Array.from({ length: 51 }, (_, number) => `invented-${number}`);
  expect(unknown.map(type => read(type))).toEqual([...Array(50).fill('other'), 'unstored']);
  expect([read('deprecation'), read('invented-0'), read('invented-50', 'other')]).toEqual([
    ...['deprecation', 'other', 'other'],
  ]);
});
