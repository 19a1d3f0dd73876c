import { type Scene, toGroup, toRows } from '../page-data.ts';
import type { RenderedPage } from '../rendered-page.ts';

const row = (recordId: string, more: object = {}) => ({
  ...{ recordId, date: '2026-03-10T10:00:00Z', count: 1, directive: 'img-src', uri: 'https://shop.example/' },
  ...{ blockedUri: 'https://a.example/x', browser: null, action: 'enforced', ...more },
});

export function listReports(): Scene[] {
  const scene = (title: string, reports: object[], truncated = false, query = '', days = 400): Scene => ({
    title,
    hash: `#/csp/reports?period=7d${query}`,
    data: {
      Reports: {
        account: { plan: { dataRetentionDays: days }, reports: { reports, truncated }, noise: toRows([]) },
      },
    },
  });
  const sorted = [
    row('r1', { count: 9, browser: 'b', date: '2026-03-10T10:00:00Z', uri: null }),
    row('r2', { count: 10, browser: null, date: '2026-03-11T10:00:00Z', uri: 'https://b.example/' }),
    row('r3', { count: 1000, browser: 'a', date: '2026-03-09T10:00:00Z', uri: 'https://a.example/' }),
  ];
  const clickSecond = (page: RenderedPage) =>
    page.root
      .findAll(({ localName }) => localName === 'th')[1]!
      .querySelector('button')!
      .fire('click');
  return [
    scene('no reports', []),
    { title: 'no account', hash: '#/csp/reports?period=90d', data: {} },
    scene('one report', [row('r1')]),
    scene('one record of two reports', [row('r1', { count: 2 })]),
    scene('two reports', [row('r1'), row('r2')]),
    scene('the newest reports', [row('r1'), row('r2')], true),
    scene('the newest records', [row('r1', { count: 2 }), row('r2')], true),
    scene('past the retention', [row('r1')], false, '', 6),
    scene('within the retention', [row('r1')], false, '', 7),
    scene('no reports past the retention', [], false, '', 1),
    ...['date', 'count', '-count', 'browser', '-browser', 'uri', 'recordId'].map(field =>
      scene(`sorted by ${field}`, sorted, false, `&sort=${field}`),
    ),
    scene('sorted by default', sorted),
    { ...scene('sorted by count after a click', sorted), use: clickSecond },
    { ...scene('sorted by count after a second click', sorted, false, '&sort=-count'), use: clickSecond },
  ];
}

export function listSingleReports(): Scene[] {
  const report = {
    ...row('r1', { raw: '{"b":1,"a":[]}', recordDate: null }),
    ...{ id: 'i1', message: 'A message', hash: '', generatedDomain: 0, indicatorOfCompromise: 1 },
    ...{ lowReputationDomain: null, policyIocHosts: [], sourceClass: 'inline', lineNumber: 0 },
  };
  const scene = (title: string, more: object, type = 'csp'): Scene => ({
    title,
    hash: `#/${type}/reports/r1?period=7d`,
    data: { OneReport: { account: { report: { ...report, ...more } } } },
  });
  const long = (length: number) => `https://${'a.'.repeat(20)}example/${'x'.repeat(length - 1)}`;
  const list = {
    Reports: {
      account: {
        plan: { dataRetentionDays: 400 },
        reports: {
          reports: ['r3', 'r1', 'r2'].map((id, at) => row(id, { date: `2026-03-0${9 - at}T10:00:00Z` })),
          truncated: false,
        },
        noise: toRows([]),
      },
    },
  };
  const opened = (id: string): Scene => ({
    ...scene(`${id}, opened from a list of r3, r1 and r2`, { recordId: id }),
    hash: '#/csp/reports?period=7d',
    data: { ...list, ...scene('', { recordId: id }).data },
    use: page => page.go(`#/csp/reports/${id}?period=7d`),
  });
  return [
    { title: 'no account', hash: '#/csp/reports/r1', data: {} },
    scene('a report', {}),
    scene('values that are as long as a filter allows', { blockedUri: long(299) }),
    scene('longer values', { blockedUri: long(300) }),
    scene('addresses without a host, and hidden characters', {
      ...{ uri: 'about:blank', blockedUri: 'inline', raw: 'x\u202ey' },
    }),
    {
      title: 'a report without values of filters',
      hash: '#/other/reports/r1',
      data: {
        OneReport: { account: { report: { recordId: 'r1', date: row('').date, count: 1, raw: '[1' } } },
      },
    },
    ...['r3', 'r1', 'r2', 'r4'].map(opened),
  ];
}

export function listSearches(): Scene[] {
  const found = {
    hostnames_csp: toRows([toGroup('shop.example', 1000), toGroup('x\u202ey', 1)], 1000),
    hostnames_nel: toRows([toGroup('other.example', 2)]),
    hostnames_coep: toRows([]),
    hostnames_coop: null,
  };
  const data = {
    SearchPages: { account: found },
    SearchResources: { account: {} },
    SearchNames: { account: { sender_dmarc: toRows([toGroup('Mailer', 3)]) } },
    SearchReports: { account: { id_csp: toRows([toGroup('', 1)]), id_csp_integrity: toRows([]) } },
    SearchPaths: { account: { paths_csp: toRows([toGroup('/cart', 4)], 1) } },
    SearchHashes: { account: { subresourceHashes_csp_integrity: toRows([toGroup('sha256-a=', 5)]) } },
    SearchAddresses: { account: { sourceIp_dmarc: toRows([toGroup('192.0.2.1', 6)]) } },
  };
  const id = '0A1B2C3D-0000-4000-8000-00000000000A';
  const texts = [
    ...['', ' ', 'shop', 'two words', 'x\u202ey', id, `${id}0`, '/cart', 'a/cart', '192.0.2.1', '1192.0.2.1'],
    ...[
      '192.0.2',
      '2001:db8::1',
      'a:b',
      'x:y:z',
      'sha256-a=',
      'sha384-a=',
      'sha512-a=',
      'sha1-a=',
      'sha256-a b',
    ],
  ];
  return [
    ...texts.map(text => ({
      title: JSON.stringify(text).replace('\u202e', '\\u202e'),
      hash: `#/search?q=${encodeURIComponent(text)}`,
      data,
    })),
    { title: 'nothing found', hash: '#/search?q=shop', data: {} },
  ];
}

/** The volume of a type and its new groups, compared with the time before the period. */
export function listVolumes(): Scene[] {
  const own = (names: readonly string[], firstSeen: string) =>
    toRows(names.map(name => toGroup(name, 5, { firstSeen })));
  const scene = (title: string, past: object, query = 'period=7d', more: object = {}): Scene => ({
    title,
    hash: `#/crash?${query}`,
    data: {
      ReportType: {
        account: {
          plan: { dataRetentionDays: 400 },
          time: toRows([toGroup(['2026-03-10', 'oom'], 5)]),
          table0: own(['a.example', 'b.example'], '2026-03-04T14:00:00Z'),
          ...more,
        },
      },
      Past: past,
    },
  });
  const before = (count: number) => ({
    fresh: { past: { totalReports: 1 }, table0: toRows([toGroup('b.example', 1)]) },
    before: { table0: toRows([toGroup('a.example', count)]) },
  });
  const begins = (day: string) => ({ time: toRows([toGroup([day, 'oom'], 5)]) });
  return [
    scene('no reports', {}, 'period=7d', { time: toRows([]) }),
    scene('one report, one new group', before(1), 'period=7d', {
      time: toRows([toGroup(['2026-03-10', ''], 1)]),
    }),
    scene('no reports before', {
      fresh: { past: { totalReports: 0 }, table0: toRows([toGroup('b.example', 1)]) },
    }),
    ...[0, 4, 5, 10].map(count =>
      scene(`${count} reports before`, before(count), 'period=7d&compare=before'),
    ),
    scene('more parts than are counted', before(1), 'period=7d', {
      ...{ time: toRows([toGroup(['2026-03-10', 'oom'], 5)], 1), plan: { dataRetentionDays: 6 } },
    }),
    scene('90 days with reports before the last week', {}, 'period=90d', {
      ...begins('2026-03-03'),
      table0: toRows([
        toGroup('new.example', 5, { firstSeen: '2026-03-05T00:00:00Z' }),
        toGroup('old.example', 5, { firstSeen: '2026-03-04T00:00:00Z' }),
      ]),
    }),
    scene('90 days that begin in the last week', {}, 'period=90d', begins('2026-03-05')),
  ];
}
