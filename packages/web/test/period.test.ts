import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAddress } from '../src/app/browser/address.ts';
import {
  atPeriod,
  barNames,
  isBeyondRetention,
  neighbour,
  newIn,
  type PagePeriod,
  periodIn,
  periodLabel,
  periodName,
  periodOfBar,
  periodOfBars,
  toBars,
  toSpan,
  wrongInPeriod,
} from '../src/app/browser/period.ts';

const NOW = '2026-03-10T15:30:00.000Z';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) }));
afterEach(() => void vi.useRealTimers());

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
const at = (query: string, path = 'csp') => readAddress(`#/${path}?${query}`);

describe('a period of the page', () => {
  it.each<[PagePeriod, string, string | undefined]>([
    [{ unit: 'hours', date: '2026-03-08T06' }, '2026-03-08T06:00:00.000Z', '2026-03-08T07:00:00.000Z'],
    [{ unit: 'hours', date: '2026-12-31T23' }, '2026-12-31T23:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    [{ unit: 'days', date: '2028-02-28' }, '2028-02-28T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    // Summer time begins and ends in New York on these days.
    [{ unit: 'days', date: '2026-03-08' }, '2026-03-08T00:00:00.000Z', '2026-03-09T00:00:00.000Z'],
    [{ unit: 'days', date: '2026-11-01' }, '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    [{ unit: 'months', date: '2026-03' }, '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    [{ unit: 'months', date: '2026-12' }, '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    [
      { from: '2026-03-01T10:00:00Z', to: '2026-03-01T10:01:00Z' },
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T10:01:00.000Z',
    ],
    [{ from: '2026-03-01' }, '2026-03-01T00:00:00.000Z', undefined],
  ])('%j lasts from %s to %s', (period, from, to) => {
    const span = toSpan(period);
    expect([iso(span.from), iso(span.to)]).toEqual([from, to]);
  });

  it.each([
    ['period=1d', { from: '2026-03-10' }, 'Today'],
    ['period=24h', { from: '2026-03-09T16:00:00.000Z' }, '24 hours'],
    ['period=7d', { from: '2026-03-04' }, '7 days'],
    ['period=30d', { from: '2026-02-09' }, '30 days'],
    ['period=90d', { from: '2025-12-11' }, '90 days'],
    ['', { from: '2026-02-09' }, '30 days'],
    ['unit=months&date=2026-02', { unit: 'months', date: '2026-02' }, 'February 2026, UTC'],
    ['unit=days&date=2026-02-03', { unit: 'days', date: '2026-02-03' }, 'Tue 3 Feb 2026, UTC'],
    [
      'unit=hours&date=2026-02-03T09',
      { unit: 'hours', date: '2026-02-03T09' },
      '3 Feb 2026, 09:00 to 09:59 UTC',
    ],
    ['from=2026-02-03', { from: '2026-02-03T00:00:00.000Z' }, 'Since Tue 3 Feb, UTC'],
    ['from=2026-02-03T10:15', { from: '2026-02-03T10:15:00.000Z' }, 'Since 3 Feb, 10:15, UTC'],
    [
      'from=2026-02-03&to=2026-02-04T00:01',
      { from: '2026-02-03T00:00:00.000Z', to: '2026-02-04T00:01:00.000Z' },
      '3 Feb 2026, 00:00 to 4 Feb 2026, 00:01, UTC',
    ],
  ])('is read from %j', (query, period, label) => {
    expect(periodIn(at(query))).toEqual(period);
    expect(periodLabel(at(query)).replace('Tue,', 'Tue')).toBe(label);
    expect(wrongInPeriod(at(query))).toEqual([]);
  });

  it('is a week on the overview and a month elsewhere, unless the address names one', () => {
    expect(periodLabel(at('', ''))).toBe('7 days');
    expect(periodLabel(at('period=1d', ''))).toBe('Today');
    expect(periodLabel(at('', 'csp/reports'))).toBe('30 days');
  });

  it.each([
    ['period=8d', 'period'],
    ['unit=weeks&date=2026-02-03', 'unit'],
    ['unit=toString&date=2026-02-03', 'unit'],
    ['unit=days', 'date'],
    ['date=2026-02-03', 'date'],
    ['unit=days&date=2026-02-30', 'date'],
    ['unit=days&date=2026-02', 'date'],
    ['unit=hours&date=2026-02-03T24', 'date'],
    ['unit=months&date=2026-13', 'date'],
    ['from=2026-02-30', 'from'],
    ['from=2026-02-03T10:00:00', 'from'],
    ['from=2026-02-03T24:00', 'from'],
    ['to=2026-02-03', 'from'],
    ['from=2026-02-03&to=tomorrow', 'to'],
    ['from=2026-02-03&to=2026-02-03', 'to'],
    ['from=2026-02-03T00:01&to=2026-02-03', 'to'],
  ])('of the address %j has a wrong %s', (query, name) => {
    expect(wrongInPeriod(at(query)).map(wrong => wrong.name)).toEqual([name]);
  });

  it.each([
    ['period=', '', '1d, 24h, 7d, 30d, 90d'],
    ['unit=weeks', 'weeks', 'hours, days or months'],
    ['unit=days&date=x', 'x', 'one of the days, as 2026-01-31T10, 2026-01-31 or 2026-01'],
    ['date=2026-02', '2026-02', 'one of the unit, as 2026-01-31T10, 2026-01-31 or 2026-01'],
    ['unit=hours', '', 'one of the hours, as 2026-01-31T10, 2026-01-31 or 2026-01'],
    ['from=x', 'x', 'a time in UTC as 2026-01-31T10:00, or a day as 2026-01-31'],
    ['from=2026-02-03&to=x', 'x', 'a time in UTC as 2026-01-31T10:00, or a day as 2026-01-31'],
    ['from=2026-02-03&to=2026-02-03', '2026-02-03', 'a time after the start of the period'],
  ])('of the address %j has the wrong value %j, and should be %s', (query, value, expected) => {
    expect(wrongInPeriod(at(query))).toMatchObject([{ value, expected }]);
  });

  it.each<[PagePeriod | string, object]>([
    ['7d', { period: '7d' }],
    [
      { unit: 'days', date: '2026-02-03' },
      { unit: 'days', date: '2026-02-03' },
    ],
    [
      { from: '2026-02-03T00:00:00Z', to: '2026-02-04T10:05:00Z' },
      { from: '2026-02-03', to: '2026-02-04T10:05' },
    ],
  ])('%j has the parameters %j', (period, parameters) => {
    const given = Object.entries(atPeriod(period)).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(given)).toEqual(parameters);
  });

  it.each<[PagePeriod, string, number, string, string]>([
    [
      { from: '2026-03-10T10:00:00Z', to: '2026-03-10T12:00:00Z' },
      'MINUTE',
      120,
      '2026-03-10T10:00',
      '2026-03-10T11:59',
    ],
    [
      { from: '2026-03-10T10:00:00Z', to: '2026-03-10T12:00:01Z' },
      'HOUR',
      3,
      '2026-03-10T10',
      '2026-03-10T12',
    ],
    [{ from: '2026-03-01', to: '2026-03-05' }, 'HOUR', 96, '2026-03-01T00', '2026-03-04T23'],
    [{ from: '2026-03-01', to: '2026-03-05T00:00:01Z' }, 'DAY', 5, '2026-03-01', '2026-03-05'],
    // Without an end, the last bar is that of the present.
    [{ from: '2026-03-10' }, 'HOUR', 24, '2026-03-10T00', '2026-03-10T23'],
    [{ from: '2026-03-09T16:00:00Z' }, 'HOUR', 24, '2026-03-09T16', '2026-03-10T15'],
    [{ from: '2026-03-04' }, 'DAY', 7, '2026-03-04', '2026-03-10'],
  ])('%j has %s bars', (period, bars, count, first, last) => {
    expect(toBars(period)).toBe(bars);
    const names = barNames(period, []);
    expect([names.length, names[0], names.at(-1)]).toEqual([count, first, last]);
  });

  it('has a bar for each report after its end, and at most 800, from the first report', () => {
    expect(barNames({ from: '2026-03-01', to: '2026-03-06' }, ['2026-03-07']).at(-1)).toBe('2026-03-07');
    const long = { from: '2020-01-01', to: '2026-03-10' };
    expect(barNames(long, ['2026-03-08', '2026-03-09'])).toEqual(['2026-03-08', '2026-03-09']);
    expect(barNames(long, [])).toEqual([]);
    const most = barNames(long, ['2020-01-01']);
    expect([most.length, most.at(-1)]).toEqual([800, '2026-03-09']);
  });

  it('can be chosen by one bar, or by two in either order', () => {
    expect(periodOfBar('2026-03-08')).toEqual({ unit: 'days', date: '2026-03-08' });
    expect(periodOfBar('2026-03-08T10')).toEqual({ unit: 'hours', date: '2026-03-08T10' });
    expect(periodOfBar('2026-03-08T10:59')).toEqual({
      from: '2026-03-08T10:59:00.000Z',
      to: '2026-03-08T11:00:00.000Z',
    });
    const days = { from: '2026-03-08T00:00:00.000Z', to: '2026-03-11T00:00:00.000Z' };
    expect(periodOfBars('2026-03-08', '2026-03-10')).toEqual(days);
    expect(periodOfBars('2026-03-10', '2026-03-08')).toEqual(days);
  });

  it.each<[PagePeriod, PagePeriod, PagePeriod | undefined]>([
    [
      { unit: 'months', date: '2026-02' },
      { unit: 'months', date: '2026-01' },
      { unit: 'months', date: '2026-03' },
    ],
    [{ unit: 'months', date: '2026-03' }, { unit: 'months', date: '2026-02' }, undefined],
    [
      { unit: 'days', date: '2026-03-09' },
      { unit: 'days', date: '2026-03-08' },
      { unit: 'days', date: '2026-03-10' },
    ],
    [{ unit: 'days', date: '2026-03-10' }, { unit: 'days', date: '2026-03-09' }, undefined],
    [
      { unit: 'hours', date: '2026-03-10T00' },
      { unit: 'hours', date: '2026-03-09T23' },
      { unit: 'hours', date: '2026-03-10T01' },
    ],
    [
      { from: '2026-03-09T10:00:00Z', to: '2026-03-09T12:30:00Z' },
      { from: '2026-03-09T07:30:00.000Z', to: '2026-03-09T10:00:00.000Z' },
      { from: '2026-03-09T12:30:00.000Z', to: '2026-03-09T15:00:00.000Z' },
    ],
    [{ from: '2026-03-04' }, { from: '2026-02-25T00:00:00.000Z', to: '2026-03-04T00:00:00.000Z' }, undefined],
  ])('%j has the neighbours %j and %j', (period, before, after) => {
    expect([neighbour(period, -1), neighbour(period, 1)]).toEqual([before, after]);
  });

  it('is beyond the retention if it begins before the first retained day', () => {
    const begins = (date: string) => isBeyondRetention({ unit: 'days', date }, 30);
    expect([begins('2026-02-08'), begins('2026-02-09')]).toEqual([true, false]);
  });

  it.each<[PagePeriod, string, string]>([
    // In a long period, values of its last week are new; in a short one, all that did not occur for three weeks.
    [{ from: '2026-02-09' }, '2026-03-04T00:00:00.000Z', '2026-02-09T00:00:00.000Z'],
    [{ from: '2026-03-04' }, '2026-03-04T00:00:00.000Z', '2026-02-09T00:00:00.000Z'],
    [{ from: '2026-03-10' }, '2026-03-10T00:00:00.000Z', '2026-02-15T00:00:00.000Z'],
    [{ from: '2026-01-01', to: '2026-03-01' }, '2026-02-22T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ])('%j has new values since %s that did not occur since %s', (period, since, past) => {
    const bounds = newIn(period);
    expect([iso(bounds.since), iso(bounds.past)]).toEqual([since, past]);
  });

  it('has a name with its year where that matters', () => {
    expect(periodName({ from: '2025-03-04T10:15:00.000Z' })).toBe('Since 4 Mar 2025, 10:15, UTC');
    expect(periodName({ unit: 'months', date: '2025-03' })).toBe('March 2025, UTC');
  });
});
