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
