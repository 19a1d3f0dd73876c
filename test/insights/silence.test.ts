import type { ReportType } from '@sightline/reports';
import { describe, expect, it } from 'vitest';
import type { InsightScope } from '../../schema/insights/scope.ts';
import { reporterSilences, siteSilences, typeSilences } from '../../schema/insights/silence.ts';
import type { Hour, Series } from '../../sql/insights/hourly.ts';
import { createScope, SINCE } from './scope-of-rows.ts';

const HOUR = 3600;
const DAY = 24;
/** The hour until which reports arrive, at noon. */
const LAST = 20_000 * DAY + 12;

/** Reports of the hours up to one, every so many hours, for some days. The last report comes in the last second. */
function toSeries(end: number, every: number, days: number, reports = 1): Series {
  const hours: Hour[] = [];
  for (let hour = end; hour > end - days * DAY; hour -= every)
    hours.unshift({ hour, reports, count: reports, first: hour * HOUR, last: (hour + 1) * HOUR - 1 });
  return { values: ['', ''], hours };
}

/** @param now in hours after the last report of others */
function find(own: Partial<Record<ReportType, Series>>, now = 0): string[] {
  const until = new Date(((LAST + now + 1) * HOUR - 1) * 1000);
  return typeSilences(new Map(Object.entries(own)) as Map<ReportType, Series>, { until } as InsightScope).map(
    ({ subject, baseline }) => `${subject} ${Math.round(baseline)}`,
  );
}

const OTHERS = toSeries(LAST, 1, 30);

describe('a type that stops while others arrive', () => {
  it.each([
    ['20 missed reports', 20, 1, ['coop 20']],
    ['19 missed reports', 19, 1, []],
    ['20 missed reports of an hour with four', 5, 4, ['coop 20']],
  ])('of steady reports is silent after %s', (_, hours, reports, subjects) => {
    expect(find({ nel: OTHERS, coop: toSeries(LAST - hours, 1, 30, reports) })).toEqual(subjects);
  });

  it('of daily reports is silent after two days, and of mail after three', () => {
    const daily = (hours: number) => toSeries(LAST - hours, DAY, 30);
    expect(find({ nel: OTHERS, coop: daily(47) })).toEqual([]);
    expect(find({ nel: OTHERS, coop: daily(48) })).toEqual(['coop 2']);
    expect(find({ nel: OTHERS, dmarc: daily(71) })).toEqual([]);
    expect(find({ nel: OTHERS, dmarc: daily(72) })).toEqual(['dmarc 3']);
  });

  it('of rare reports is not silent', () => {
    expect(find({ nel: OTHERS, coop: toSeries(LAST - 72, 2 * DAY, 30) })).toEqual([]);
    // Fourteen days of reports are needed, of which a type is known for at least seven.
    expect(find({ nel: OTHERS, coop: toSeries(LAST - 72, DAY, 13) })).toEqual([]);
    expect(find({ nel: OTHERS, coop: toSeries(LAST - 72, DAY, 14) })).toEqual(['coop 3']);
    // A day of the fortnight is missing.
    const { values, hours } = toSeries(LAST - 72, DAY, 15);
    expect(find({ nel: OTHERS, coop: { values, hours: hours.toSpliced(7, 1) } })).toEqual([]);
    expect(find({ nel: OTHERS, coop: toSeries(LAST - 72, 1, 7, 9) })).toEqual([]);
  });

  it('is measured until now, even if reports of others are in the future', () => {
    expect(find({ nel: OTHERS, coop: toSeries(LAST - 20, 1, 30) }, -1)).toEqual([]);
    expect(find({ nel: OTHERS, coop: toSeries(LAST - 21, 1, 30) }, -1)).toEqual(['coop 20']);
  });

  it('is steady with reports in 80 % of the hours of a fortnight', () => {
    const without = (missing: number) => {
      const { values, hours } = toSeries(LAST - 60, 1, 15, 9);
      // Whole days are left out, because a daily type would be silent as well.
      return { values, hours: hours.filter((_, index) => index < 124 || index >= 124 + missing) };
    };
    expect(find({ nel: OTHERS, coop: without(67) })).toHaveLength(1);
    expect(find({ nel: OTHERS, coop: without(68) })).toEqual([]);
  });

  it('is described with its last report and the usual number since', () => {
    const series = new Map([
      ['nel', OTHERS],
      ['coop', toSeries(LAST - 20, 1, 30)],
    ] as const);
    const until = new Date((LAST + 1) * HOUR * 1000);
    const [found, ...others] = typeSilences(series, { until } as InsightScope);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'silence', severity: 'change', subject: 'coop', place: 'coop', isOngoing: true },
      title: 'Cross-Origin Opener Policy reports stopped',
      detail: 'The last came 3 Oct 16:59 UTC, and 20 reports were usual since.',
      ...{ first: (LAST - 19) * HOUR - 1, last: (LAST + 1) * HOUR - 1, count: 0, hosts: [] },
    });
    expect(found!.baseline).toBeCloseTo(20);
    expect(found!.rank).toBe(found!.baseline);
  });
});

describe('silence of all types', () => {
  it('is an incident after 30 hours if reports came on each day', () => {
    expect(find({ nel: OTHERS }, 29)).toEqual([]);
    expect(find({ nel: OTHERS }, 30)).toEqual([' 0']);
    expect(find({ nel: toSeries(LAST, DAY, 13) }, 30)).toEqual([]);
    const [all] = typeSilences(new Map([['nel', OTHERS]]), {
      until: new Date((LAST + 40) * HOUR * 1000),
    } as InsightScope);
    expect(all).toMatchObject({
      ...{ severity: 'incident', title: 'No reports arrive any more', isOngoing: true, count: 0 },
      ...{ first: (LAST + 1) * HOUR - 1, last: (LAST + 40) * HOUR, subject: '', place: '' },
      detail: 'The last of any type came 4 Oct 12:59 UTC; before, some came on every day.',
    });
  });

  it('comes before that of a type which stopped earlier', () => {
    expect(find({ nel: OTHERS, coop: toSeries(LAST - 48, DAY, 30) }, 30)).toEqual([' 0', 'coop 2']);
  });

  it('is noticed after three days if only mail servers reported daily', () => {
    const mail = { dmarc: toSeries(LAST, DAY, 30), nel: toSeries(LAST, 2 * DAY, 30) };
    expect([find(mail, 71), find(mail, 72)]).toEqual([[], [' 0']]);
  });
});

describe('a daily reporter of mail', () => {
  /** @param hours since the last report of the newest one */
  const toReporter = (type: string, reporter: string, hours: number, fields: object = {}) => ({
    ...{ type, reporter, days: 14, reports: 28, last: SINCE - Math.round(hours * HOUR) },
    ...fields,
  });
  const findReporters = (...rows: { type: string }[]) =>
    reporterSilences(
      createScope(...['dmarc', 'tls_rpt'].map(type => rows.filter(row => row.type === type))),
      new Set(['dmarc', 'tls_rpt']) as never,
    );

  it('is silent two days before the newest report of its type', async () => {
    const found = await findReporters(
      toReporter('dmarc', 'Late', 48),
      toReporter('dmarc', 'New', 0),
      toReporter('dmarc', 'Later', 48 - 1 / HOUR),
      toReporter('tls_rpt', 'Alone', 100),
      toReporter('tls_rpt', 'Silent', 200),
    );
    expect(found.map(({ subject, key }) => [subject, key])).toEqual([
      ['Late', 'dmarc Late'],
      ['Silent', 'tls_rpt Silent'],
    ]);
  });

  it('is described with its last report and the usual number of the whole days since', async () => {
    const found = await findReporters(
      toReporter('dmarc', 'Big Mail', 24 * 2 + 23, { days: 13, reports: 26 }),
      toReporter('dmarc', 'New', 0),
    );
    expect(found).toMatchObject([
      {
        ...{ kind: 'silence', severity: 'notice', subject: 'Big Mail', isOngoing: true },
        title: 'Big Mail sends no DMARC reports any more',
        detail: 'The last came 7 May 01:00 UTC; before, they came on 13 of 14 days.',
        ...{ first: SINCE - 71 * HOUR, last: SINCE, count: 0, baseline: 4, rank: 26, hosts: [] },
        reports: { type: 'dmarc', filters: { reporter: 'Big Mail' } },
      },
    ]);
  });
});

describe('a site with daily reports', () => {
  const toSite = (reporter: string, hours: number, reports: number) => ({
    ...{ type: 'csp', reporter, days: 14, reports, last: SINCE - Math.round(hours * HOUR) },
  });
  const findSites = (...sites: object[]) => siteSilences(createScope(sites));

  it.each([
    ['20 missed reports in 24 hours', 24, 280, 1],
    ['20 missed reports in less than 24 hours', 24 - 1 / HOUR, 281, 0],
    ['19 missed reports in 24 hours', 24, 279, 0],
    ['20 missed reports in 48 hours', 48, 140, 1],
  ])('is silent after %s', async (_, hours, reports, count) => {
    expect(await findSites(toSite('old.example', hours, reports), toSite('new.example', 0, 14))).toHaveLength(
      count,
    );
  });

  it('is described with its last report and the usual number since', async () => {
    expect(await findSites(toSite('new.example', 0, 14), toSite('old.example', 36, 280))).toMatchObject([
      {
        ...{ kind: 'silence', severity: 'change', subject: 'old.example', key: 'csp old.example' },
        title: 'old.example sends no Content Security Policy reports any more',
        detail:
          'The last came 8 May 12:00 UTC, and 30 reports were usual since. Other sites go on: a deploy may have left out the header.',
        ...{ first: SINCE - 36 * HOUR, last: SINCE, count: 0, baseline: 30, isOngoing: true },
        reports: { type: 'csp', filters: { hostnames: 'old.example' } },
      },
    ]);
  });
});
