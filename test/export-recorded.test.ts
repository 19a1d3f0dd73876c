import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES } from '@sightline/reports';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auditEvent,
  finding,
  NOW,
  open,
  personal,
  plan,
  policyFinding,
  report,
  scriptVerdict,
  THREAT_INTELLIGENCE,
  verdict,
  watch,
} from './support/fixtures.ts';
import { RECORDS } from './support/records.ts';
import { type Line, startService, type TestService } from './support/service.ts';

/** Records what exports contain: each field with a value and without one, and the rows of periods with exact bounds. */

let service: TestService;
let key: string;

/** An instant at which several rows of each export are dated, and those just before and after it. */
const [BEFORE, AT, AFTER] = [
  '2026-05-10T11:59:59.999Z',
  '2026-05-10T12:00:00.000Z',
  '2026-05-10T12:00:00.001Z',
];
/** Their order is that of code points, which no alphabet has. */
const NAMES = ['b', 'B', 'é', 'a'];
const DATED: [name: string, date: string][] = [
  ['before', BEFORE],
  ...NAMES.map((name): [string, string] => [name, AT]),
  ['next', '2026-05-10T12:00:00.000001Z'],
  ['after', AFTER],
];

const listFurther = (account: string): Line[] => [
  ...['script', 'policy', 'data', 'frame'].map(product => watch(account, product, 'www.example.com')),
  ...DATED.flatMap(([name, date]) => [
    auditEvent(account, name, { timestamp: date, ...(name === 'a' && { requestIp: '' }) }),
    finding(account, 'script', 'www.example.com', `https://${name}.example/`, {
      lastSeen: date,
    }),
    verdict(account, 'sender', name, { decidedAt: date }),
  ]),
  policyFinding(account, 'www.example.com', "default-src 'none'", { enforced: false, count: 3 }),
  policyFinding(account, 'www.example.com', "default-src 'self'"),
  finding(account, 'data', 'WWW.example.com.', 'https://d.example/', {
    source: 'csp_integrity',
    count: 2 ** 53 - 1,
  }),
  finding(account, 'frame', 'www.example.com', 'https://f.example/'),
  scriptVerdict(account, 'Shop.example', 'https://pay.example/*', {
    ...{ hashes: ['sha256-a', 'sha256-b'], expiresAt: '2026-12-31T23:59:59.9Z', verdict: 'notMine' },
  }),
  verdict(account, 'insight', 'i-1', { count: 7 }),
];

/** Types that the collector can sample. */
const SAMPLED = REPORT_TYPE_DEFINITIONS.filter(({ fromBrowser }) => fromBrowser).map(({ type }) => type);

/** Fields of an original CSP report that only exports and `/graphql` have. */
const CONTEXT = {
  ...{ sourceFile: 'https://www.example.com/a.js?b', lineNumber: 3, columnNumber: 4 },
  ...{ sample: '=alert(1)', statusCode: 200 },
};

beforeAll(async () => {
  service = await startService({ now: NOW });
  const own = plan('ada', { dataRetentionDays: 30, reportQuota: 12_345 }, THREAT_INTELLIGENCE);
  key = await open(service, personal('ada'), own);
  await service.load(
    personal('eve'),
    ...listFurther('ada'),
    ...listFurther('eve'),
    ...REPORT_TYPES.flatMap(type => [
      report('ada', type, 'full', {
        ...{ ...RECORDS[type].given, id: 'full', date: AT },
        ...(SAMPLED.includes(type) && { samplingRate: 0.5 }),
        ...(type === 'csp' && { raw: JSON.stringify({ body: CONTEXT }) }),
      }),
      report('ada', type, 'bare', { raw: undefined, ...RECORDS[type].required, date: BEFORE }),
      report('eve', type, 'full', { ...RECORDS[type].given, id: 'full', date: AT }),
    ]),
  );
});
afterAll(() => service.close());

const get = (path: string, as = key) => service.get(`/export${path}`, as);

const toLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

const FURTHER = ['/audit-log', '/findings', '/verdicts'];

it('each field has the recorded forms in JSON and CSV', async () => {
  let text = '';
  for (const path of [...REPORT_TYPES.map(type => `/reports/${type}`), ...FURTHER]) {
    const records = toLines((await get(path)).text);
    const [header, ...rows] = parse((await get(`${path}?format=csv`)).text) as string[][];
    expect(header).toEqual(Object.keys(records[0]!));
    text += `${path}\n`;
    for (const [place, name] of header!.entries()) {
      const values = records.map((record, index) => {
        const value = JSON.stringify(record[name]);
        const cell = rows[index]![place]!;
        return cell === record[name] || cell === value ? value : `${value} (${cell})`;
      });
      text += `  ${name}: ${[...new Set(values)].join(' | ')}\n`;
    }
  }
  await expect(text).toMatchFileSnapshot('./recorded/exports.txt');
});

describe.each([...FURTHER, '/reports/csp'])('an export of %s', path => {
  /** The ids of the rows around the instant. */
  const listDated = async (query: string) => {
    const name = { '/findings': 'uri', '/verdicts': 'subject' }[path] ?? 'id';
    const names = toLines((await get(`${path}?${query}`)).text).map(row => String(row[name]));
    return names
      .map(one => one.replace(/^https:\/\/(.*)\.example\/$/, '$1'))
      .filter(one => DATED.some(([dated]) => dated === one) || ['full', 'bare'].includes(one));
  };
  /** Newest first. A finding's id has the digest of its address, which gives the order of equal times. */
  const rows = {
    '/findings': ['after', 'next', 'é', 'B', 'b', 'a', 'before'],
    '/reports/csp': ['full', 'bare'],
  }[path] ?? ['after', 'next', 'é', 'b', 'a', 'B', 'before'];
  const isReport = path === '/reports/csp';

  it('has the rows of a period from its first instant to before its end, in order', async () => {
    const all = await listDated('');
    expect(all.toSorted()).toEqual(rows.toSorted());
    if (path !== '/findings') expect(all).toEqual(rows);
    const [first, last] = [isReport ? ['full'] : ['after'], isReport ? ['bare'] : ['before']];
    const middle = all.filter(name => ![...first, ...last].includes(name) || (isReport && name === 'full'));
    expect(await listDated(`from=${AT}`)).toEqual(isReport ? ['full'] : [...first, ...middle]);
    expect(await listDated(`to=${AT}`)).toEqual(last);
    expect(await listDated(`from=${AT}&to=${AFTER}`)).toEqual(middle);
    expect(await listDated(`from=${BEFORE}&to=${AT}`)).toEqual(last);
    expect(await listDated(`from=${AFTER}`)).toEqual(isReport ? [] : first);
    expect(await listDated(`from=${AT}&to=${AT}`)).toEqual([]);
  });

  it('continues after the cursor of each row, and after each page', async () => {
    const records = toLines((await get(`${path}?after=&cursors=true&limit=10000`)).text);
    const ids = records.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(
      toLines((await get(path)).text)
        .map(({ id }) => id)
        .toSorted(),
    );
    for (const [index, { cursor }] of records.entries()) {
      const rest = toLines((await get(`${path}?after=${cursor}`)).text);
      expect(rest.map(({ id }) => id)).toEqual(ids.slice(index + 1));
    }
    const paged: unknown[] = [];
    for (let after = ''; ; ) {
      const answer = await get(`${path}?after=${after}&limit=3`);
      const page = toLines(answer.text);
      paged.push(...page.map(({ id }) => id));
      after = answer.headers.get('sightline-cursor')!;
      if (page.length === 0) break;
    }
    expect(paged).toEqual(ids);
  });
});

it('an export of reports begins with the retention, whatever period is requested', async () => {
  const edge = await open(service, personal('edge'), plan('edge', { dataRetentionDays: 30 }));
  const dates = ['2026-04-19T23:59:59.999Z', '2026-04-20T00:00:00Z', '2026-04-21T00:00:00Z'];
  await service.load(...dates.map((date, index) => report('edge', 'crash', `r-${index}`, { date })));
  const ids = async (query: string) =>
    toLines((await get(`/reports/crash?${query}`, edge)).text).map(({ id }) => id);
  expect(await ids('')).toEqual(['r-2', 'r-1']);
  expect(await ids('from=2020-01-01')).toEqual(['r-2', 'r-1']);
  expect(await ids('from=2026-04-20T00:00:00.001Z')).toEqual(['r-2']);
  expect(await ids('to=2026-04-20')).toEqual([]);
});

it.each([
  ...['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'],
  ...['application/json', 'text/csv', 'application/csv'],
])('%s is preferred to other forms if the client prefers it', async type => {
  const named = /csv/.test(type) ? 'text/csv' : type === 'application/json' ? type : 'application/x-ndjson';
  for (const other of ['application/json', 'text/csv'].filter(one => one !== named)) {
    const accept = `${other};q=0.5, ${type};q=0.9`;
    const { headers } = await service.get('/export/verdicts', key, { accept });
    expect([accept, headers.get('content-type')!.split(';')[0]]).toEqual([accept, named]);
  }
});

/** Headers that an export has by itself. */
const HEADERS = [
  ...['content-type', 'content-disposition', 'cache-control', 'vary', 'content-length', 'link'],
  ...['sightline-cursor', 'sightline-gap', 'retry-after'],
];

it('each form and page has its headers, with the day in UTC', async () => {
  // Still the day before in the time zone of the tests.
  service.setNow('2026-05-21T01:00:00Z');
  let text = '';
  for (const query of [
    ...[
      '',
      'format=json',
      'format=csv',
      'after=now',
      'after=&limit=1',
      'after=&format=csv',
      'after=&cursors=true',
    ],
  ])
    for (const path of ['/reports/nel', '/findings']) {
      const { headers } = await service.get(`/export${path}?${query}`, key, {
        'accept-encoding': 'identity',
      });
      text += `${path}?${query}\n`;
      for (const name of HEADERS)
        if (headers.has(name))
          text += `  ${name}: ${headers.get(name)!.replace(/\b[\w-]{30,}/g, 'CURSOR')}\n`;
    }
  service.setNow(NOW);
  await expect(text).toMatchFileSnapshot('./recorded/export-headers.txt');
});
