import { type ComponentType, h } from 'preact';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderLines } from '../../../test/support/markup-lines.ts';
import { toGroup } from '../../../test/support/page-data.ts';
import { readAddress } from '../src/app/browser/address.ts';
import { SiteNamesDocument } from '../src/app/browser/documents/documents.generated.ts';
import { toLookUpUrl } from '../src/app/browser/parts/look-up.ts';
import { listDirectives } from '../src/app/browser/parts/policy-directives.ts';
import { REPORT_TYPES } from '../src/app/browser/report-types.ts';
import { questionText, SessionContext } from '../src/app/browser/use-answer.ts';

/** Renders the parts of views with values at and next to their limits. */

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-11T14:35:20Z') });
  vi.stubGlobal('location', { href: 'https://sightline.example/app#/csp' });
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const ADDRESS = readAddress('#/csp?period=7d&hostnames=a.example');
const CSP = REPORT_TYPES.find(({ type }) => type === 'csp')!;

/** Imports a component. The path is computed, because the compiler checks views with settings of their own. */
async function importPart(path: string): Promise<ComponentType<object>> {
  const [file, name] = path.split(' ') as [string, string];
  const url = new URL(`../src/app/browser/parts/${file}.tsx`, import.meta.url);
  return (await import(String(url)))[name];
}

const SESSION = {
  ...{ key: 'key', account: 'acme', isInternal: false, minutes: 0, answers: new Map() },
  renew() {},
  signOut() {},
};

async function renderPart(path: string, props: object, session: object = {}): Promise<string> {
  const part = h(await importPart(path), props);
  return renderLines(h(SessionContext.Provider, { value: { ...SESSION, ...session } }, part));
}

type Case = readonly [name: string, path: string, props: object, session?: object];

async function record(name: string, cases: readonly Case[]): Promise<void> {
  const blocks: string[] = [];
  for (const [title, path, props, session] of cases)
    blocks.push(`=== ${title}\n${(await renderPart(path, props, session)) || 'nothing'}`);
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot(`./recorded/${name}.txt`);
}

/** A group that was seen for an hour and a half of a day. */
const toBriefGroup = (values: string | readonly string[], count: number, more: object = {}) =>
  toGroup(values, count, { firstSeen: '2026-03-10T10:00:00Z', lastSeen: '2026-03-10T11:30:00Z', ...more });
const toRows = (groups: readonly object[], more: object = {}) => ({
  ...{ groups, otherGroups: 0, otherCount: null, totalCount: 100 },
  ...more,
});

it('values and texts are shown as recorded', async () => {
  const value = (name: string, value: unknown, more: object = {}): Case => [
    `${name || 'no name'}: ${JSON.stringify(value)?.slice(0, 40)}`,
    'value Value',
    { value, ...(name && { name }), ...more },
  ];
  const uri = (text: string): Case => [`URI of ${text.length}: ${text.slice(0, 40)}`, 'uri Uri', { text }];
  await record('part-values', [
    ...[null, undefined, '', 0, 1234, true, false, [], {}, ['a', '', null]].map(one => value('', one)),
    value('suspicious', true),
    value('suspicious', false),
    value('isEval', true),
    ...['asn', 'lineNumber', 'columnNumber', 'statusCode', 'elapsedTime', 'other'].map(name =>
      value(name, 12_345),
    ),
    value('samplingFraction', 0.05),
    value('', { a: 1, suspicious: true }),
    value('', '2026-03-11T10:00:00Z'),
    value('', '2026-03-11T10:00:00.000000000Z'),
    value('', '2026-03-11T10:00:00.0000000Z'),
    value('', '2026-13-11T10:00:00Z'),
    value('', '2026-03-11T10:00'),
    value('', '2026-03-11'),
    value('', '2026-13-11'),
    value('', '2026-03-11x'),
    value('', 'a\u202eb', { isShort: true }),
    value('', 'a'.repeat(501), { isShort: true }),
    ['a text of 600 characters', 'long Long', { text: `${'a'.repeat(599)}b` }],
    ['a text of 601 characters', 'long Long', { text: `${'a'.repeat(599)}bc` }],
    ['a text of 1,234 characters', 'long Long', { text: 'a'.repeat(1234) }],
    ...['', 'inline', 'https://a.example', 'http://a.example?x#y', 'https://a.example#y/z'].map(uri),
    ...['https://A.example:8443/\u202ex?y', 'https:', 'ftp://a.example/x', 'xhttps://a/'].map(uri),
    uri(`https://a.example/${'x'.repeat(299)}`),
    uri(`https://a.example/${'x'.repeat(300)}`),
    uri('d'.repeat(301)),
    ...['day', 'time', 'moment', 'second', 'exactly', undefined].map(
      (as): Case => [`a moment as ${as}`, 'moment Moment', { at: '2025-12-31T23:59:58.9Z', as }],
    ),
    ...['mine', 'accepted', 'forwarder', 'notMine'].map(
      (verdict): Case => [
        `the verdict ${verdict}`,
        'verdict-mark VerdictMark',
        { verdict: { verdict, reason: 'x\u202ey', decidedBy: 'ann' } },
      ],
    ),
  ]);
});

it('lists and messages are shown as recorded', async () => {
  const finding = (name: string, more: object): Case => [
    `a finding ${JSON.stringify(more)}`,
    'finding-list FindingName',
    {
      address: ADDRESS,
      group: { name, findings: 1, isDomain: false, isSensitive: false, source: 'csp', ...more },
    },
  ];
  const quota = (used: number, limit: number, now = '2026-03-11T00:00:00Z'): Case => [
    `${used} of ${limit} at ${now}`,
    'quota-bar QuotaBar',
    { used, limit, now: Date.parse(now) },
  ];
  const host = (values: string | string[], firstSeen: string, count = 1, days = 1) => ({
    ...{ keys: [values].flat().map(value => ({ value })), count, days, firstSeen },
  });
  const hosts = [
    host('a.example', '2026-03-05T00:00:00.000000Z'),
    host(['x\u202ey', 'b'], '2026-03-04T23:59:59.999Z', 2, 2),
    host(['x\u202ey', 'c'], '2026-03-05', 0, 0),
    host('', '2026-03-05T00:00:01+00:00', 1234, 1234),
  ];
  const noise = (query: string, classes: object | null | undefined): Case => [
    `noise at ${query || 'no query'}: ${JSON.stringify(classes)?.slice(0, 60)}`,
    'filters NoiseSwitch',
    { address: readAddress(`#/csp?${query}`), classes },
  ];
  const metric = (type: string, ...[accepted, filtered, sampled, rejected]: number[]) => ({
    ...{ type, accepted, filtered, sampled, rejected },
  });
  const empty = (query: string, type = 'csp'): Case => [
    `no reports of ${type} at ${query || 'no query'}`,
    'no-reports NoReports',
    {
      view: REPORT_TYPES.find(view => view.type === type),
      address: readAddress(`#/${type}?account=a&${query}`),
      retention: 'Retention.',
    },
  ];
  await record('part-lists', [
    finding('a.example', {}),
    finding('x\u202ey', { isDomain: true, findings: 1 }),
    finding('a.example', { isDomain: true, findings: 1200, source: 'csp_integrity' }),
    finding('a.example', { isSensitive: true, source: 'integrity_policy' }),
    finding('a.example', { source: 'nel' }),
    finding('a.example', { source: null }),
    [
      'hosts',
      'host-list HostList',
      { rows: hosts, address: ADDRESS, param: 'blockedHostnames', type: 'csp' },
    ],
    [
      'named hosts since a day',
      'host-list HostList',
      {
        rows: hosts.slice(0, 2),
        ...{ address: ADDRESS, param: 'issuer', type: 'nel', since: '2026-03-04T23:59:59Z' },
        getName: (value: string) => `<${value}>`,
      },
    ],
    quota(0, 0),
    quota(5, 0),
    quota(100, 310),
    quota(101, 310),
    quota(400, 310),
    quota(1, 1000, '2026-02-01T00:00:01Z'),
    quota(1, 1000, '2026-02-28T23:59:59Z'),
    quota(10, 1000, '2026-12-02T00:00:00Z'),
    quota(7, Number.MAX_SAFE_INTEGER),
    quota(7, Number.MAX_SAFE_INTEGER - 1),
    noise('', null),
    noise('', undefined),
    noise('', toRows([])),
    noise(
      '',
      toRows([toBriefGroup('browser', 2), toBriefGroup('external', 5), toBriefGroup('extension', 1)]),
    ),
    noise('noise=hidden', toRows([toBriefGroup('impossible', 1)], { totalCount: 1 })),
    noise('noise=hidden', toRows([toBriefGroup('external', 1)], { totalCount: 1 })),
    ['a day of retention', 'filters Retention', { days: 1 }],
    ['days of retention', 'filters Retention', { days: 30 }],
    ['no filters', 'filters Chips', { address: readAddress('#/csp?period=7d&noise=hidden') }],
    [
      'filters',
      'filters Chips',
      {
        address: readAddress(
          '#/csp?hostnames=a&hostnames=b&not.sourceClass=inline&suspicious=true&ioc=no&message=x%E2%80%AEy&period=7d',
        ),
      },
    ],
    ['no usage', 'usage-table UsageTable', { metrics: [metric('csp', 0, 0, 0, 0)] }],
    [
      'usage',
      'usage-table UsageTable',
      {
        metrics: [
          ...[metric('csp', 0, 0, 0, 0), metric('csp', 1, 0, 0, 0), metric('nel', 0, 1, 0, 0)],
          ...[metric('dmarc', 0, 0, 1, 0), metric('strange', 0, 0, 0, 1234)],
        ],
      },
    ],
    empty(''),
    empty('period=90d'),
    empty('period=90d', 'dmarc'),
    empty('noise=hidden'),
    empty('hostnames=a&not.browser=b&noise=hidden&period=90d'),
    empty('unit=days&date=2026-03-01'),
    ...['7', '', 'x\u202ey'].map(
      (value): Case => [
        `an invalid ${JSON.stringify(value)}`,
        'bad-address BadAddress',
        {
          address: readAddress('#/csp?date=7&unit=days&split=x&browser=b'),
          wrong: [{ name: value === '' ? 'split' : 'date', value, expected: 'one' }],
        },
      ],
    ),
    ['an empty message', 'states Empty', { children: 'Nothing.' }],
    ['a problem', 'states Problem', { problem: { message: 'No.' } }],
    ['a problem on top', 'states Problem', { problem: { message: 'No.' }, retry() {}, isOnTop: true }],
    ...[0, 1, 1000, 1001, 60_000].map(
      (wait): Case => [
        `a problem for ${wait} ms`,
        'states Problem',
        { problem: { message: 'No.', again: Date.now() + wait }, ...(wait > 1 && { retry() {} }) },
      ],
    ),
    ...(
      [
        [true, false, undefined],
        [true, true, undefined],
        [true, true, 'No.'],
        [false, true, undefined],
        [false, false, 'No.'],
        [undefined, true, undefined],
        [undefined, false, 'No.'],
      ] as const
    ).map(
      ([isCurrent, isLoading, message]): Case => [
        `an answer: ${isCurrent ? 'current' : isCurrent === false ? 'earlier' : 'none'}, ${isLoading ? 'loading' : 'loaded'}, ${message ?? 'no error'}`,
        'states Answered',
        {
          query: {
            ...(isCurrent !== undefined && { answer: { address: ADDRESS } }),
            ...{ isCurrent: isCurrent ?? false, isLoading, retry() {} },
            ...(message && { error: { message } }),
          },
          show: () => 'Shown.',
        },
      ],
    ),
    [
      'a table',
      'table Table',
      { label: 'L', columns: ['A', { children: 'B', class: 'number' }], children: null },
    ],
    ['a table as a panel', 'table Table', { label: 'L', class: 'x', isPanel: true, children: null }],
    ['days that ended', 'spark Spark', { counts: [0, 1, 100], isOngoing: false }],
    ['days that did not end', 'spark Spark', { counts: [0, 1200, 3], isOngoing: true }],
    ['days without reports', 'spark Spark', { counts: [0, 0], isOngoing: true }],
  ]);
});

it('the period and its neighbours are shown as recorded', async () => {
  const queries = [
    ...['', 'period=90d', 'unit=hours&date=2026-03-11T14', 'unit=days&date=2026-03-10'],
    ...['unit=months&date=2026-02', 'from=2026-03-01&to=2026-03-01T10:30', 'from=2026-03-01T10:30'],
  ];
  await record(
    'part-periods',
    queries.map(
      (query): Case => [
        query || 'no period',
        'period-picker PeriodPicker',
        { address: readAddress(`#/csp?browser=b&${query}`) },
      ],
    ),
  );
});

it('controls are shown as recorded', async () => {
  const sites = (hash: string, csp?: readonly string[], nel?: readonly string[]): Case => {
    const toNames = (names?: readonly string[]) =>
      names && { groups: names.map(name => toBriefGroup(name, 1)) };
    const data = { account: csp && { csp: toNames(csp), nel: toNames(nel) } };
    const variables = { account: 'acme', from: '2026-02-10' };
    return [
      `sites at ${hash} of ${csp} and ${nel}`,
      'site-switch SiteSwitch',
      { address: readAddress(hash) },
      { answers: new Map([[questionText(SiteNamesDocument, variables), { data }]]) },
    ];
  };
  const filter = (type: string): Case => [
    `a filter of ${type}`,
    'add-filter AddFilter',
    {
      view: REPORT_TYPES.find(view => view.type === type),
      address: ADDRESS,
      existing: new Map([
        [
          'hostnames',
          new Map([
            ['a.example', 1200],
            ['x\u202ey', 0],
          ]),
        ],
      ]),
    },
  ];
  await record('part-controls', [
    sites('#/csp'),
    sites('#/csp', ['b.example', 'a.example'], ['b.example', '', 'c\u202e.example']),
    sites('#/csp', ['a.example'], ['a.example', '']),
    sites('#/csp?hostnames=a.example', ['a.example'], []),
    sites('#/csp?hostnames=z.example'),
    sites('#/watches', ['b.example'], ['a.example']),
    sites('#/watches?site=b.example', ['b.example'], ['a.example']),
    sites('#/try-policy?site=b.example', ['b.example'], ['a.example']),
    sites('#/', ['b.example'], ['a.example']),
    sites('#/dmarc', ['b.example'], ['a.example']),
    sites('#/nel/reports', ['b.example'], ['a.example']),
    ...['csp', 'nel', 'dmarc'].map(filter),
    ['downloads', 'downloads Downloads', { path: 'reports/csp', about: 'All.' }],
  ]);
});

it.each([
  ['2026-03-04T14:35:19.999Z', false],
  ['2026-03-04T14:35:20Z', true],
])('a host that was first seen at %s is new since 14:35:20: %s', async (firstSeen, isNew) => {
  const rows = [toGroup('a.example', 1, { firstSeen })];
  const props = {
    rows,
    address: ADDRESS,
    param: 'hostnames',
    type: 'csp',
    since: '2026-03-04T14:35:20.500Z',
  };
  expect((await renderPart('host-list HostList', props)).includes('badge new')).toBe(isNew);
});

it('addresses and names of senders can be looked up elsewhere', () => {
  const lookUps = (
    [
      ...[
        ['SOURCE_IP', '192.0.2.1'],
        ['SOURCE_NETWORK', '192.0.2.0/24'],
        ['SERVER_IP', '2001:DB8::1'],
      ],
      ...[
        ['SOURCE_NETWORK', '2001:db8::/48'],
        ['SENDER', 'a&b'],
        ['ORGANISATION', 'cafe'],
      ],
      ...[
        ['SENDER', '::ffff:192.0.2.1x'],
        ['SENDER', ''],
        ['BLOCKED_HOST', 'a.example'],
      ],
    ] as [Parameters<typeof toLookUpUrl>[0], string][]
  ).map(([by, value]) => toLookUpUrl(by, value));
  expect(lookUps).toEqual([
    ...['192.0.2.1', '192.0.2.0/24', '2001:DB8::1', '2001:db8::/48'].map(
      address => `https://stat.ripe.net/resource/${address}`,
    ),
    ...['a%26b', 'cafe', '%3A%3Affff%3A192.0.2.1x'].map(name => `https://duckduckgo.com/?q=%22${name}%22`),
    ...[undefined, undefined],
  ]);
});

it('a policy has directives with their sources', () => {
  expect(listDirectives(" default-src  'self'\ta ;; sandbox; ")).toEqual([
    ['default-src', "'self'", 'a'],
    ['sandbox'],
  ]);
  expect(listDirectives('')).toEqual([]);
});

describe('a table of groups', () => {
  const table = (name: string, groups: readonly object[], more: object = {}, rows: object = {}): Case => [
    name,
    'group-table GroupTable',
    {
      ...{
        title: 'T',
        by: ['DIRECTIVE'],
        question: 'q',
        rows: toRows(groups, rows),
        view: CSP,
        account: 'acme',
      },
      ...{ address: ADDRESS, fresh: undefined, before: undefined },
      ...more,
    },
  ];
  const before = (groups: readonly object[], otherGroups = 0) => toRows(groups, { otherGroups });
  const hosts = ['a', 'b', 'x\u202ey'].map((name, at) => ({
    ...toBriefGroup(`${name}.ads.example`, 10 + at, {
      ...{ days: at + 1, countBefore: 11, dailyCounts: [0, at, 10] },
      ...{ firstSeen: `2026-03-0${9 - at}T10:00:00Z`, lastSeen: `2026-03-1${at}T23:00:00Z` },
    }),
    keys: [{ value: `${name}.ads.example`, domain: 'ads.example' }],
  }));

  it('has rows as recorded', async () => {
    const hours = readAddress('#/csp?unit=days&date=2026-03-10');
    await record('part-tables', [
      table('no groups', []),
      table('one count, days that are known', [
        toBriefGroup('img-src', 50, { dailyCounts: [1, 0, 49], days: 1200 }),
        toBriefGroup('', 1),
      ]),
      table('compared with each, or unknown', [
        toBriefGroup('a', 4, { countBefore: 2 }),
        toBriefGroup('b', 4),
      ]),
      table(
        'compared with a complete list',
        [
          toBriefGroup('a', 4),
          toBriefGroup('b', 4),
          toBriefGroup('c', 0),
          toBriefGroup('d', 3, { countBefore: 6 }),
        ],
        { before: before([toBriefGroup('a', 8), toBriefGroup('d', 1)]) },
      ),
      table('compared with the largest', [toBriefGroup('a', 4), toBriefGroup('b', 4), toBriefGroup('c', 1)], {
        before: before([toBriefGroup('a', 8), toBriefGroup('e', 2)], 1),
      }),
      table('compared with nothing', [toBriefGroup('a', 4)], { before: before([], 1) }),
      table('new ones', [toBriefGroup(['a', 'b'], 1), toBriefGroup(['a', 'c'], 1)], {
        by: ['DIRECTIVE', 'BROWSER'],
        fresh: new Set(['a\0c']),
      }),
      table(
        'hours of one day',
        [
          toBriefGroup('a', 1),
          toBriefGroup('b', 2),
          toBriefGroup('c', 3, { firstSeen: '2026-03-09T23:59:59Z' }),
        ],
        { address: hours },
      ),
      table(
        'blocked hosts and sources',
        [
          ...[
            toBriefGroup(['a.example', 'external'], 3),
            toBriefGroup(['', 'inline'], 2),
            toBriefGroup(['', 'browser'], 2),
          ],
          toBriefGroup(['x\u202ey.example', ''], 1),
        ],
        {
          by: ['BLOCKED_HOST', 'SOURCE_CLASS'],
          address: readAddress('#/csp?not.blockedHostnames=b.example'),
        },
      ),
      table('no host', [toBriefGroup('', 1)], { by: ['BLOCKED_HOST'] }),
      table('senders', [toBriefGroup('192.0.2.1', 1), toBriefGroup('', 1)], {
        ...{ by: ['SOURCE_IP'], view: REPORT_TYPES.find(({ type }) => type === 'dmarc') },
        address: readAddress('#/dmarc?period=7d'),
      }),
      table('hosts of a domain', hosts, { by: ['BLOCKED_HOST'] }),
      table('hosts of a domain by hour', [...hosts.slice(0, 2), { ...hosts[2], countBefore: null }], {
        ...{ by: ['BLOCKED_HOST'], address: hours },
        before: before([]),
      }),
      table('a hidden group', [toBriefGroup('a', 1)], {}, { otherGroups: 1, otherCount: 1234 }),
      table('many hidden groups', [toBriefGroup('a', 1)], {}, { otherGroups: 1200 }),
      table('fifty hidden groups', [toBriefGroup('a', 1)], {}, { otherGroups: 50, otherCount: 0 }),
    ]);
  });
});

describe('a bar chart', () => {
  const chart = (bars: readonly object[], values: readonly number[], more: object = {}) => ({
    ...{ title: 'Reports', bars, series: [{ name: 'a', color: 0, values }] },
    ...more,
  });
  const bars = (length: number, label: string, short?: string) =>
    Array.from({ length }, (_, at) => ({
      label: `${at}${label}`,
      name: `bar ${at}`,
      ...(short && { short }),
    }));
  const listLabels = (html: string) =>
    [...html.matchAll(/<text x="([\d.]+)" y="\d+(?:\.\d+)?" text-anchor="(\w+)">([^<]*)/g)]
      .slice(4)
      .map(([, x, anchor, text]) => `${text}@${x}${anchor === 'middle' ? '' : ` ${anchor}`}`);
  const renderChart = (props: object) => renderPart('bar-chart BarChart', props);

  it('has an axis up to a round number, whose half is an integer', async () => {
    const axes: Record<number, string> = {};
    for (const most of [0, 1, 2, 3, 5, 7, 9, 10, 11, 21, 31, 41, 51, 61, 81, 101, 4500]) {
      const html = await renderChart(chart(bars(2, ''), [most, 0]));
      axes[most] = [...html.matchAll(/text-anchor="end">([^<]*)/g)]
        .map(([, text]) => text!.toUpperCase())
        .join(' ');
    }
    expect(axes).toMatchInlineSnapshot(`
      {
        "0": "0 1 2 UTC",
        "1": "0 1 2 UTC",
        "10": "0 5 10 UTC",
        "101": "0 100 200 UTC",
        "11": "0 10 20 UTC",
        "2": "0 1 2 UTC",
        "21": "0 15 30 UTC",
        "3": "0 2 4 UTC",
        "31": "0 20 40 UTC",
        "41": "0 25 50 UTC",
        "4500": "0 2.5K 5K UTC",
        "5": "0 3 6 UTC",
        "51": "0 30 60 UTC",
        "61": "0 40 80 UTC",
        "7": "0 4 8 UTC",
        "81": "0 50 100 UTC",
        "9": "0 5 10 UTC",
      }
    `);
  });

  it('has labels that fit, of weekdays for at most a week', async () => {
    const long = ' and a label that is long';
    const labels: Record<string, string[]> = {};
    for (const [name, all] of [
      ['a week', bars(7, long, 'Mon')],
      ['more than a week', bars(8, long, 'Mon')],
      ['a week of long days', bars(7, long, 'A very long weekday')],
      ['a week of which one is not short', [...bars(6, long, 'Mon'), ...bars(1, long)]],
      ['a wide week', bars(7, ' Mar', 'Mon')],
      ['days', bars(30, ' Mar', 'Mon')],
      ['one', bars(1, long, 'Mon')],
      ['none', []],
    ] as const)
      labels[name] = listLabels(await renderChart(chart(all, [1])));
    expect(labels).toMatchInlineSnapshot(`
      {
        "a week": [
          "Mon@113.1",
          "Mon@243.4",
          "Mon@373.7",
          "Mon@504",
          "Mon@634.3",
          "Mon@764.6",
          "Mon@894.9",
        ],
        "a week of long days": [
          "1 and a label that is long@243.4",
          "3 and a label that is long@504",
          "5 and a label that is long@764.6",
        ],
        "a week of which one is not short": [
          "1 and a label that is long@243.4",
          "3 and a label that is long@504",
          "5 and a label that is long@764.6",
        ],
        "a wide week": [
          "0 Mar@113.1",
          "1 Mar@243.4",
          "2 Mar@373.7",
          "3 Mar@504",
          "4 Mar@634.3",
          "5 Mar@764.6",
          "6 Mar@894.9",
        ],
        "days": [
          "1 Mar@93.6",
          "3 Mar@154.4",
          "5 Mar@215.2",
          "7 Mar@276",
          "9 Mar@336.8",
          "11 Mar@397.6",
          "13 Mar@458.4",
          "15 Mar@519.2",
          "17 Mar@580",
          "19 Mar@640.8",
          "21 Mar@701.6",
          "23 Mar@762.4",
          "25 Mar@823.2",
          "27 Mar@884",
          "29 Mar@960 end",
        ],
        "more than a week": [
          "1 and a label that is long@219",
          "3 and a label that is long@447",
          "5 and a label that is long@675",
        ],
        "none": [],
        "one": [
          "0 and a label that is long@504",
        ],
      }
    `);
  });

  it('has bars, a legend and a table as recorded', async () => {
    const marks = [{ text: 'm', isUrgent: false }];
    const two = [
      { label: 'A', name: 'Mon A', href: '#/a', marks },
      { label: 'B', name: 'Tue B', marks: [...marks, { text: 'n', isUrgent: true }] },
      { label: 'C', name: 'Wed C', marks: [] },
    ];
    const series = [
      { name: 'a', color: 0, values: [3, 0] },
      { name: 'b', color: 'bad', values: [1200, 5, 0] },
    ];
    const legend = [
      { name: 'one', color: 0, sum: 3, href: '#/x' },
      { name: 'two', color: 1, sum: 1234 },
      { name: 'x'.repeat(501), color: 'extension', sum: 0 },
    ];
    await record('part-charts', [
      ['two series', 'bar-chart BarChart', chart(two, [], { series })],
      ['one series', 'bar-chart BarChart', chart(two.slice(2), [2])],
      ['no series', 'bar-chart BarChart', chart(two.slice(2), [], { series: [] })],
      ['a legend', 'bar-chart BarChart', chart(two.slice(2), [], { series, legend })],
      ...[0, 0.5, 0.51].map(
        (place): Case => [
          `the tooltip at ${place}`,
          'bar-pointer Tip',
          {
            bar: { ...two[place === 0 ? 2 : 0], local: place === 0.5 ? 'begins at noon' : undefined },
            ...{ series: place === 0.5 ? series : series.slice(0, 1), at: place === 0 ? 2 : 0, place },
          },
        ],
      ),
      [
        'the tooltip of five marks',
        'bar-pointer Tip',
        {
          bar: {
            name: 'n',
            marks: ['p', 'q', 'r', 's', 't'].map(text => ({ text, isUrgent: text === 'q' })),
          },
          ...{ series: [], at: 0, place: 0 },
        },
      ],
    ]);
  });

  it('of the volume has a bar for each day, hour or minute, as recorded', async () => {
    const groups = [
      ...[toBriefGroup(['2026-03-09', 'inline'], 3), toBriefGroup(['2026-03-10', 'inline'], 4)],
      ...[toBriefGroup(['2026-03-09', 'external'], 9), toBriefGroup(['2026-03-10', ''], 1)],
      toBriefGroup(['2026-03-01', 'inline'], 100),
    ];
    const volume = (name: string, period: object, more: object = {}): Case => [
      name,
      'volume Volume',
      { ...{ title: 'V', rows: toRows([]), period }, ...more },
    ];
    await record('part-volumes', [
      volume(
        'days by source',
        { from: '2026-03-09', to: '2026-03-14' },
        {
          ...{ rows: toRows(groups), split: 'SOURCE_CLASS' },
          toHref: (date: string) => `#/${date}`,
        },
      ),
      volume(
        'days',
        { from: '2026-03-09', to: '2026-03-14' },
        {
          rows: toRows([toBriefGroup('2026-03-09', 3), toBriefGroup('2026-03-09', 2)]),
        },
      ),
      volume('hours', { from: '2026-03-09T10:00:00Z', to: '2026-03-09T13:00:00Z' }),
      volume('minutes', { from: '2026-03-09T10:00:00Z', to: '2026-03-09T10:02:00Z' }),
    ]);
  });
});
