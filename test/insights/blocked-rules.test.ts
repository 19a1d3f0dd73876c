import { describe, expect, it } from 'vitest';
import { blockedInsights } from '../../schema/insights/blocked.ts';
import { createScope, DAY, SINCE } from './scope-of-rows.ts';

/** Tests rules on both sides of their thresholds, with the rows that the database would return. */

const HOUR = SINCE / 3600;
const FIRST = SINCE / DAY;

/** Reports by day of the period. */
type PerDay = [day: number, reports: number][];

/** A host that is first blocked in the period: five reports on its first day. */
function toHost(host: string, fields: object = {}, perDay: PerDay = [[0, 5]]) {
  const reports = perDay.reduce((sum, [, one]) => sum + one, 0);
  return {
    ...{ host, isFresh: true, isAgain: false, isOwn: false, reports, count: reports },
    ...{ first: SINCE + 60, last: SINCE + 600, began: SINCE - 20 * DAY, flood: null, flood_hosts: 0 },
    ...{ day: '2026-05-10', day_hosts: 1, day_reports: reports, place: 1 },
    per_day: perDay.map(([day, one]) => `${FIRST + day},${one}`).join(' '),
    ...fields,
  };
}

const toReach = (host: string, fields: object = {}) => ({
  ...{ host, isPartial: false, browsers: 2, pages: 3, days: 1, path: '/about', directive: 'img-src' },
  ...{ browser: 'Chrome', threat: 0, pageHosts: 'shop.example' },
  ...{ attackBrowsers: 0, attackPath: '', attackDirective: '' },
  ...fields,
});

/** The hours of a value in the period, after a week with a report of it in the first hour. */
const toSeries = (way: string, v2: string, v3: string, ...hours: [hour: number, reports: number][]) => ({
  ...{ way: `hours ${way}`, v2, v3 },
  hours: [[-10 * 24, 1], ...hours].map(([hour, one]) => `[${HOUR + hour!},${one},${one},0,3599]`).join(),
});
const ALL = toSeries('HOUR', '', '');

const find = async (
  hosts: readonly object[],
  reach: readonly object[],
  series: readonly object[] = [ALL],
) => {
  const load = { filterConfiguration: async () => ({ global: { sites: [] } }) } as never;
  return (await blockedInsights(createScope(hosts, series, reach), load)).drafts;
};

describe('a new blocked host', () => {
  it.each<[string, object, object, number]>([
    ['days, browsers and pages', {}, { days: 3, browsers: 2, pages: 3 }, 3.06e9 + 5],
    ['four of its browsers', {}, { browsers: 5, pages: 1 }, 1.04e9 + 5],
    ['five of its pages', {}, { browsers: 2, pages: 6 }, 1.1e9 + 5],
    ['a million of its reports', { count: 1_000_001 }, {}, 1.06e9 + 1e6],
    ['an attack by two browsers', {}, { attackBrowsers: 2 }, 5e11 + 1.06e9 + 5],
    ['none by one browser', {}, { attackBrowsers: 1 }, 1.06e9 + 5],
    ['an attack by a known host', {}, { attackBrowsers: 2, threat: 1 }, 8e11 + 1.06e9 + 5],
  ])('is ranked by %s', async (_, host, reach, rank) => {
    const [found] = await find([toHost('a.test', host)], [toReach('a.test', reach)]);
    expect(found!.rank).toBe(rank);
  });

  it('ranks below the stronger ones of its hour', async () => {
    const next = { first: SINCE + 3600, last: SINCE + 4000 };
    const found = await find(
      [toHost('weak.test'), toHost('strong.test'), toHost('other.test', next)],
      [toReach('weak.test'), toReach('strong.test', { days: 2 }), toReach('other.test')],
    );
    expect(Object.fromEntries(found.map(({ subject, rank }) => [subject, rank]))).toEqual({
      ...{ 'strong.test': 2.06e9 + 5, 'other.test': 1.06e9 + 5, 'weak.test': 1.06e9 + 5 - 1e12 },
    });
  });

  it.each<[string, object, object, string[]]>([
    ['a week after the first report', { began: SINCE + 60 - 7 * DAY }, {}, ['a.test']],
    ['within the first week', { began: SINCE + 61 - 7 * DAY }, {}, []],
    ['by two browsers', {}, { browsers: 2 }, ['a.test']],
    ['by one browser', {}, { browsers: 1 }, []],
    ['by one browser, on the own site', { isOwn: true }, { browsers: 1 }, ['a.test']],
    ['known before', { isFresh: false }, {}, []],
  ])('is listed if it appears %s', async (_, host, reach, subjects) => {
    const found = await find([toHost('a.test', host)], [toReach('a.test', reach)]);
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
  });

  it.each<[string, PerDay, boolean]>([
    [
      'with more reports in the last complete days',
      [
        [6, 4],
        [7, 3],
        [8, 6],
        [9, 10],
      ],
      true,
    ],
    [
      'with as many',
      [
        [6, 8],
        [7, 8],
        [8, 6],
        [9, 10],
      ],
      false,
    ],
  ])('escalates %s', async (_, perDay, isEscalating) => {
    const first = SINCE + 6 * DAY;
    const [found] = await find([toHost('a.test', { first }, perDay)], [toReach('a.test')]);
    expect(found!.isEscalating).toBe(isEscalating);
  });

  it.each<[string, object, object, string, string, string | undefined]>([
    [
      'an own host',
      { isOwn: true },
      {},
      'incident',
      'a.test is your own, and is blocked since 10 May 00:01 UTC',
      'a.test is your own, and was blocked from 10 May 00:01 UTC on',
    ],
    [
      'a host that threat intelligence knows',
      {},
      { threat: 0.51 },
      'threat',
      'a.test is new on your pages, and threat intelligence knows it',
      'a.test was new on your pages, and threat intelligence knows it',
    ],
    [
      'such a host that attacks',
      {},
      { threat: 0.51, attackBrowsers: 2 },
      'threat',
      'a.test, known to threat intelligence, tries to run script on /pay',
      'a.test, known to threat intelligence, tried to run script on /pay',
    ],
    [
      'a host that attacks two browsers',
      {},
      { attackBrowsers: 2 },
      'incident',
      'a.test is new, and tries to run script on /pay',
      'a.test was new, and tried to run script on /pay',
    ],
    [
      'a host that attacks three browsers',
      {},
      { attackBrowsers: 3 },
      'threat',
      'a.test is new, and tries to run script on /pay',
      'a.test was new, and tried to run script on /pay',
    ],
    [
      'a host that attacks one browser',
      {},
      { attackBrowsers: 1, threat: 0.5 },
      'change',
      'a.test was not blocked in the 28 days before',
      undefined,
    ],
  ])('is described as %s', async (_, host, reach, severity, title, pastTitle) => {
    const attack = { attackPath: '/pay', attackDirective: 'script-src-elem', ...reach };
    const [found] = await find([toHost('a.test', host)], [toReach('a.test', attack)]);
    expect(found).toMatchObject({ severity, title, subject: 'a.test', hosts: ['a.test'] });
    expect(found!.pastTitle).toBe(pastTitle);
    expect(found!.detail).toMatch(/^5 reports of img-src on 3 pages, such as \/pay, by 2 browsers, /);
  });

  it.each<[string, object, PerDay, number]>([
    [
      'with five reports in seven days',
      {},
      [
        [0, 2],
        [6, 3],
      ],
      1,
    ],
    [
      'with five reports in eight days',
      {},
      [
        [0, 2],
        [7, 3],
      ],
      0,
    ],
    ['with four reports', {}, [[0, 4]], 0],
    ['again, with ten reports on a day', { isAgain: true }, [[0, 10]], 1],
    [
      'again, with nine reports on each day',
      { isAgain: true },
      [
        [0, 9],
        [1, 9],
      ],
      0,
    ],
    [
      'with reports of days before its first one',
      {},
      [
        [-1, 9],
        [0, 4],
      ],
      0,
    ],
  ])('is listed if it appears %s', async (_, fields, perDay, count) => {
    const found = await find([toHost('a.test', fields, perDay)], [toReach('a.test')]);
    expect(found).toHaveLength(count);
  });

  it('is listed with three reports if threat intelligence knows it, and the plan has that', async () => {
    const three = [toHost('a.test', {}, [[0, 3]])];
    expect(await find(three, [toReach('a.test', { threat: 0.51 })])).toHaveLength(1);
    expect(await find(three, [toReach('a.test', { threat: 0.5 })])).toEqual([]);
    expect(await find([toHost('a.test', {}, [[0, 2]])], [toReach('a.test', { threat: 1 })])).toEqual([]);
  });

  it('ranks below a stronger one of its hour even if they begin 59 minutes apart', async () => {
    const times = (first: number) => ({ first, last: first + 7200 });
    const found = await find(
      [
        toHost('weak.test', times(SINCE + 3599)),
        toHost('strong.test', times(SINCE)),
        toHost('next.test', times(SINCE + 3600)),
      ],
      [toReach('weak.test'), toReach('strong.test', { days: 2 }), toReach('next.test')],
    );
    expect(found.filter(({ rank }) => rank < 0).map(({ subject }) => subject)).toEqual(['weak.test']);
  });

  it('is described with the domain that it imitates, of a page or of a site of the setup', async () => {
    const own = `${'x'.repeat(36)}.com`;
    const host = `${'x'.repeat(36)}.net`;
    const name = `${'x'.repeat(7)}…${'x'.repeat(18)}.com`;
    const load = { filterConfiguration: async () => ({ global: { sites: [own] } }) } as never;
    const rows = [[toHost(host)], [ALL], [toReach(host)]];
    const ofSites = (await blockedInsights(createScope(...rows), load)).drafts;
    const ofPages = await find([toHost(host)], [toReach(host, { pageHosts: `www.${own}` })]);
    for (const found of [ofSites, ofPages])
      expect(found).toMatchObject([
        {
          ...{ kind: 'lookAlikeHost', severity: 'threat', subject: host },
          title: `${host} looks like ${name}, and is new on your pages`,
          pastTitle: `${host} looks like ${name}, and was on your pages`,
        },
      ]);
  });

  it('is described with a short path', async () => {
    const attackPath = `/pay/${'x'.repeat(40)}`;
    const attack = { attackBrowsers: 2, attackDirective: 'form-action', attackPath };
    const [found] = await find([toHost('a.test')], [toReach('a.test', attack)]);
    expect(found!.title).toBe(`a.test is new, and tries to receive forms on /pay/xx…${'x'.repeat(22)}`);
  });

  it('is described with its attack, whatever the case of its directive', async () => {
    const attack = { attackBrowsers: 2, attackPath: '/pay', attackDirective: 'Script-Src', path: '' };
    const [found] = await find([toHost('a.test')], [toReach('a.test', attack)]);
    expect(found!.title).toBe('a.test is new, and tries to load something on /pay');
    const [plain] = await find([toHost('a.test')], [toReach('a.test', { path: '', directive: '' })]);
    expect(plain!.detail).toBe(
      '5 reports of no directive on 3 pages, such as /, by 2 browsers, 10 May 00:01 UTC to 10 May 00:10 UTC.',
    );
  });

  it.each<[string, object, string[]]>([
    ['of the account itself', { isOwn: true }, [1, 2, 3, 4, 5].map(n => `${n}.a.test`)],
    ['of others', {}, ['a.test']],
  ])(
    'is one insight with the others of its domain unless it is own: five %s',
    async (_, fields, subjects) => {
      const names = [1, 2, 3, 4, 5].map(n => `${n}.a.test`);
      const found = await find(
        names.map(name => toHost(name, fields)),
        names.map(name => toReach(name)),
      );
      expect(found.map(({ subject }) => subject).sort()).toEqual(subjects);
    },
  );

  it('stays separate from the others of its domain if it looks like an own one', async () => {
    const names = [1, 2, 3, 4, 5].map(n => `${n}.examp1e.com`);
    const found = await find(
      names.map(name => toHost(name)),
      names.map(name => toReach(name, { pageHosts: 'www.example.com' })),
    );
    expect(found.map(({ kind, subject }) => [kind, subject]).sort()).toEqual(
      names.map(name => ['lookAlikeHost', name]),
    );
  });

  it('looks like no own one if it is own itself', async () => {
    const own = [toReach('cdn.examp1e.net', { pageHosts: 'www.example.com' })];
    const [blocked] = await find([toHost('cdn.examp1e.net', { isOwn: true })], own);
    expect(blocked!.kind).toBe('ownHostBlocked');
  });

  it('explains the spike of its own reports, as one that grows does', async () => {
    const weeks = Array.from({ length: 28 }, (_, day) => [day - 18, 2 ** Math.ceil((day + 1) / 7)]);
    const growing = toHost('b.test', { isFresh: false }, weeks as PerDay);
    const spikes = ['a', 'b', 'c'].map(name => toSeries('BLOCKED_HOST', `${name}.test`, 'external', [5, 30]));
    const found = await find([toHost('a.test'), growing], [toReach('a.test')], [ALL, ...spikes]);
    expect(found.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      ...['newBlockedHost a.test', 'growth b.test', 'spike c.test'],
    ]);
  });
});

describe('a host whose reports grow', () => {
  /** Reports by day of four weeks, of which the last one ends before the end of the period. */
  const weeks = (...counts: number[]): PerDay =>
    counts.flatMap((count, week) =>
      Array.from({ length: 7 }, (_, day) => [week * 7 + day - 18, count]),
    ) as PerDay;
  const grows = (fields: object = {}) => toHost('b.test', { isFresh: false, ...fields }, weeks(2, 4, 6, 9));

  it.each([
    ['of others', {}, 'incident'],
    ['of the account itself', { isOwn: true }, 'change'],
  ])('is described with its last week and the one before it grew: a host %s', async (_, fields, severity) => {
    // Growth begins on the first day that has reports in the three weeks before the end.
    const [found, ...others] = await find([grows(fields)], []);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'growth', severity, subject: 'b.test', isEscalating: true, hosts: ['b.test'] },
      title: 'b.test is blocked increasingly often: 63 reports in seven days',
      pastTitle: 'b.test was blocked increasingly often',
      ...{ first: SINCE - 4 * DAY, last: SINCE + 600, count: 63, baseline: 16 },
      rank: 63 / 16,
      reports: { type: 'csp', filters: { blockedHostnames: 'b.test' } },
    });
    expect(found!.detail).toMatch(
      /^63 reports in the last seven days, 16 reports in the week before it started to grow\. .* It was blocked first 22 Apr 00:00 UTC or earlier\.$/,
    );
  });

  it('does not grow if all reports grow as much, or if it is new', async () => {
    const all = (...counts: number[]) =>
      toSeries(
        'HOUR',
        '',
        '',
        ...weeks(...counts).flatMap(([day, one]): [number, number][] => [
          [day * 24, one],
          [day * 24 + 23, one],
        ]),
      );
    const findBeside = (own: object, series: object) => find([own], [], [series]);
    expect(await findBeside(grows(), all(2, 4, 6, 9))).toEqual([]);
    expect(await findBeside(grows(), all(9, 9, 9, 9))).toHaveLength(1);
    expect(await findBeside(grows({ isFresh: true }), all(9, 9, 9, 9))).toEqual([]);
  });
});

/** A domain with many new hosts. */
const toFlood = (domain: string, fields: object = {}) =>
  toHost(`x.${domain}`, { flood: domain, flood_hosts: 60, reports: 120, count: 130, place: 0, ...fields });

describe('new hosts of one domain', () => {
  const names = [1, 2, 3, 4, 5].map(n => `${n}.a.test`);
  const hosts = names.map((name, n) => toHost(name, { first: SINCE + 60 - n, last: SINCE + 600 + n }));

  it.each<[string, object, string]>([
    ['a change', { attackBrowsers: 1 }, 'change'],
    ['an incident if two browsers report an attack by one', { attackBrowsers: 2 }, 'incident'],
    ['a threat if one is known', { attackBrowsers: 2, threat: 0.51 }, 'threat'],
    ['no threat if half of the flagged reports concern others', { threat: 0.5 }, 'change'],
  ])('are %s', async (_, fields, severity) => {
    const reach = names.map((name, n) => toReach(name, n === 3 ? { browsers: 4, days: 9, ...fields } : {}));
    expect(await find(hosts, reach)).toMatchObject([
      {
        ...{ kind: 'newBlockedHost', severity, subject: 'a.test', count: 25, hosts: names },
        title: '5 sub-domains of a.test were not blocked in the 28 days before',
        detail:
          '25 reports by at least 4 browsers, 10 May 00:00 UTC to 10 May 00:10 UTC, such as of 1.a.test.',
        ...{ first: SINCE + 56, last: SINCE + 604, rank: 9.12e9 + 5 },
      },
    ]);
  });

  it('count all hosts of a flood, which is no insight of its own', async () => {
    const reach = names.map(name => toReach(name));
    const found = await find([...hosts, toFlood('a.test')], reach);
    expect(found.map(({ title, count }) => [title, count])).toEqual([
      ['60 sub-domains of a.test were not blocked in the 28 days before', 130],
    ]);
  });
});

describe('a flood of hosts', () => {
  /** Returns a host of the flood that has too few reports to be listed. */
  const rare = (fields: object = {}) => toHost('x.a.test', { reports: 2, ...fields });

  it.each<[string, object, string[]]>([
    ['a week after the first report', { began: SINCE + 60 - 7 * DAY }, ['a.test']],
    ['within the first week', { began: SINCE + 61 - 7 * DAY }, []],
  ])('is an insight if it begins %s', async (_, fields, subjects) => {
    const found = await find([rare(fields), toFlood('a.test', fields)], []);
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
  });

  it('is no insight below a public suffix', async () => {
    const found = await find([rare(), toFlood('co.uk'), toFlood('b.test')], []);
    expect(found.map(({ subject }) => subject)).toEqual(['b.test']);
  });

  it('is described with the browsers of a sample, if there are any', async () => {
    const sample = [{ domain: 'b.test', browsers: 3, browser: 'Safari' }];
    const found = await find([rare(), toFlood('a.test'), toFlood('b.test')], sample);
    expect(found.map(({ title, detail, rank }) => [title, detail.split('. ')[0], rank])).toEqual([
      [
        '120 reports of 60 sub-domains of a.test, by 1 browser: probably an extension',
        '10 May 00:01 UTC to 10 May 00:10 UTC, most by an unknown browser',
        60,
      ],
      [
        '120 reports of 60 sub-domains of b.test, by 3 browsers: probably an extension',
        '10 May 00:01 UTC to 10 May 00:10 UTC, most by Safari',
        60,
      ],
    ]);
  });

  const FIFTH = SINCE + 5 * 3600;
  it.each<[string, object, boolean]>([
    ['half of its excess', { count: 20 }, true],
    ['less than half of its excess', { count: 19 }, false],
    ['reports that begin with its last one', { first: FIFTH + 3599, last: FIFTH + 4000 }, true],
    ['reports that begin after it', { first: FIFTH + 3600, last: FIFTH + 4000 }, false],
    ['reports that end with its first one', { first: FIFTH - 9, last: FIFTH }, true],
    ['reports that end before it', { first: FIFTH - 9, last: FIFTH - 1 }, false],
  ])('explains a spike of all reports by %s', async (_, fields, isExplained) => {
    // Four reports are usual in this hour.
    const days = Array.from({ length: 9 }, (_, day): [number, number] => [(day - 9) * 24 + 5, 4]);
    const flood = toFlood('a.test', { first: FIFTH, last: FIFTH + 60, ...fields });
    const found = await find([rare(), flood], [], [toSeries('HOUR', '', '', ...days, [5, 44])]);
    expect(found.map(({ kind }) => kind)).toEqual(['manyNewHosts', ...(isExplained ? [] : ['spike'])]);
  });
});

describe('many new hosts', () => {
  const onDay = (day: string, hosts: number, fields: object = {}) =>
    toHost(`${day}.test`, {
      ...{ day: `2026-05-${day}`, day_hosts: hosts, day_reports: 300, reports: 2, ...fields },
    });

  it.each<[string, number, object, number]>([
    ['a hundred', 100, {}, 1],
    ['ninety-nine', 99, {}, 0],
    ['a hundred, a week after the first report', 100, { began: SINCE - 7 * DAY }, 1],
    ['a hundred, within the first week', 100, { began: SINCE - 7 * DAY + 1 }, 0],
  ])('of a day are an insight: %s', async (_, hosts, fields, count) => {
    expect(await find([onDay('10', hosts, fields)], [])).toHaveLength(count);
  });

  it('are counted without those that are listed', async () => {
    const listed = (count: number) => [
      onDay('10', count),
      toHost('listed.test', { day_hosts: count, day_reports: 300 }),
    ];
    const reach = [toReach('listed.test')];
    expect((await find(listed(101), reach)).map(({ kind, count, rank }) => [kind, count, rank])).toEqual([
      ['newBlockedHost', 5, 1.06e9 + 5],
      ['manyNewHosts', 295, 100],
    ]);
    expect(await find(listed(100), reach)).toHaveLength(1);
  });

  it('are one insight for days of which each is at most three after the one before', async () => {
    const found = await find(
      ['10', '13', '16', '20'].map(day => onDay(day, 100)),
      [],
    );
    expect(found.map(({ first, last, rank }) => [first, last, rank])).toEqual([
      [SINCE, SINCE + 7 * DAY - 1, 300],
      [SINCE + 10 * DAY, SINCE + 11 * DAY - 1, 100],
    ]);
  });
});

describe('a spike', () => {
  type Part = [way: string, v2: string, v3: string, reports: number];
  const page = (reports: number): Part => ['PAGE', 'shop.example', '/cart', reports];
  const directive = (reports: number): Part => ['DIRECTIVE', 'img-src', '', reports];
  const host = (reports: number): Part => ['BLOCKED_HOST', 'c.test', 'external', reports];

  it.each<[string, Part[], string[]]>([
    ['a page with half of the reports', [page(50)], ['shop.example/cart']],
    ['all, if a page has less than half of the reports', [page(49)], ['csp']],
    ['a host with half of the reports of a page', [page(50), host(25)], ['c.test', 'csp']],
    ['a page, if a host has less than half', [page(50), host(24)], ['c.test', 'shop.example/cart']],
    ['a directive with half of the reports', [directive(50)], ['img-src']],
    ['all, if a directive has less than half of the reports', [directive(49)], ['csp']],
    ['a host with half of the reports of a directive', [directive(60), host(30)], ['c.test', 'csp']],
    ['a directive, if a host has less than half', [directive(60), host(29)], ['c.test', 'img-src']],
    ['a page with half of the reports of a directive', [directive(100), page(50)], ['shop.example/cart']],
  ])('of all reports is one of %s', async (_, parts, subjects) => {
    const series = parts.map(([way, v2, v3, reports]) => toSeries(way, v2, v3, [5, reports]));
    const found = await find([], [], [toSeries('HOUR', '', '', [5, 100]), ...series]);
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
  });

  it('of an own host is described with its first and last report', async () => {
    const days = Array.from({ length: 9 }, (_, day): [number, number] => [(day - 9) * 24 + 5, 2]);
    const own = toSeries('BLOCKED_HOST', 'c.test', 'sameSite', ...days, [5, 30], [6, 30]);
    expect(await find([], [], [ALL, own])).toMatchObject([
      {
        ...{ kind: 'ownHostBlocked', severity: 'incident', subject: 'c.test', hosts: ['c.test'] },
        title: 'c.test is your own, and is blocked since 10 May 05:00 UTC',
        pastTitle: 'c.test is your own, and was blocked from 10 May 05:00 UTC on',
        detail:
          '60 reports until 10 May 06:59 UTC, 2 are usual. A deploy may have left it out of the policies.',
      },
    ]);
  });

  it('of a host that is external for some pages and own for others is the larger one', async () => {
    const spikes = (own: number, external: number) => [
      toSeries('BLOCKED_HOST', 'c.test', 'sameSite', [5, own]),
      toSeries('BLOCKED_HOST', 'c.test', 'external', [5, external]),
    ];
    const kinds = async (rows: object[]) => (await find([], [], [ALL, ...rows])).map(({ kind }) => kind);
    for (const order of [spikes(30, 40), spikes(30, 40).toReversed()])
      expect(await kinds(order)).toEqual(['spike']);
    for (const order of [spikes(40, 30), spikes(40, 30).toReversed()])
      expect(await kinds(order)).toEqual(['ownHostBlocked']);
  });

  it.each([
    ['sameOrigin', 'ownHostBlocked'],
    ['sameSite', 'ownHostBlocked'],
    ['external', 'spike'],
  ])('of a host that is %s is of the kind %s', async (sourceClass, kind) => {
    const found = await find([], [], [ALL, toSeries('BLOCKED_HOST', 'c.test', sourceClass, [5, 30])]);
    expect(found.map(one => one.kind)).toEqual([kind]);
  });
});
