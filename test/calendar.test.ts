import { describe, expect, it } from 'vitest';
import { addDays, listDays, sameDayMonthsBefore, toDay, toMonth, toPeriod } from '../schema/calendar.ts';
import { isClosed, monthsAhead } from '../sql/maintenance/months.ts';
import { inZone, ZONES } from './support/time-zone.ts';

it.each([
  ['2026-05-20T00:00:00.000Z', '2026-05-20'],
  ['2026-05-19T23:59:59.999Z', '2026-05-19'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31'],
])('the day of %s is %s', (instant, day) => {
  expect(toDay(new Date(instant))).toBe(day);
});

it.each([
  ['2026-05-20', 1, '2026-05-21'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2024-03-01', -1, '2024-02-29'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-03-08', 1, '2026-03-09'],
  ['2026-05-20', 0, '2026-05-20'],
])('%s and %d days is %s', (day, days, other) => {
  expect(addDays(day, days)).toBe(other);
});

it('a span of days includes both of its ends', () => {
  expect(listDays({ from: '2026-10-31', to: '2026-11-02' })).toEqual([
    '2026-10-31',
    '2026-11-01',
    '2026-11-02',
  ]);
  expect(listDays({ from: '2026-10-31', to: '2026-10-31' })).toEqual(['2026-10-31']);
});

it.each([
  ['2026-02-28T23:59:59.999Z', '2026-02-01', '2026-02-28'],
  ['2024-02-01T00:00:00.000Z', '2024-02-01', '2024-02-29'],
  ['2026-12-31T12:00:00.000Z', '2026-12-01', '2026-12-31'],
  ['2026-05-01T01:00:00.000Z', '2026-05-01', '2026-05-31'],
  ['2026-05-31T12:00:00.000Z', '2026-05-01', '2026-05-31'],
])('the month of %s is from %s to %s in each time zone', (instant, from, to) => {
  for (const zone of ZONES) expect(inZone(zone, () => toMonth(new Date(instant)))).toEqual({ from, to });
});

it.each([
  ['2026-05-31', 3, '2026-02-28'],
  ['2024-05-31', 3, '2024-02-29'],
  ['2026-05-31', 1, '2026-04-30'],
  ['2026-05-30', 1, '2026-04-30'],
  ['2026-05-29', 1, '2026-04-29'],
  ['2026-01-15', 1, '2025-12-15'],
  ['2026-05-15', 12, '2025-05-15'],
])('%s is %d months after %s in each time zone', (day, months, before) => {
  for (const zone of ZONES) expect(inZone(zone, () => sameDayMonthsBefore(day, months))).toBe(before);
});

describe('a period', () => {
  it.each([
    ['hours', '2026-05-19T23', '2026-05-19T23:00:00.000Z', '2026-05-20T00:00:00.000Z'],
    ['days', '2026-03-08', '2026-03-08T00:00:00.000Z', '2026-03-09T00:00:00.000Z'],
    ['days', '2026-12-31', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['months', '2026-02', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['months', '2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ] as const)('of the unit %s, %s, is from %s until %s in each time zone', (unit, date, from, until) => {
    const period = { from: new Date(from), until: new Date(until) };
    for (const zone of ZONES) expect(inZone(zone, () => toPeriod(unit, date))).toEqual(period);
  });

  it.each([
    ['hours', '2026-05-19'],
    ['hours', '2026-05-19T24'],
    ['hours', '2026-05-19T5'],
    ['days', '2026-05-19T05'],
    ['days', '2026-02-30'],
    ['days', '2026-05-00'],
    ['months', '2026-05-19'],
    ['months', '2026-13'],
    ['months', '2026-00'],
  ] as const)('of the unit %s is not %s', (unit, date) => {
    expect(toPeriod(unit, date)).toBeUndefined();
  });
});

it.each([
  ['2026-05-31', false],
  ['2026-06-01', false],
  ['2026-06-02', false],
  ['2026-06-03', true],
  ['2026-07-01', true],
])('on %s the month of May is closed: %s', (today, closed) => {
  expect(isClosed('2026-05', today)).toBe(closed);
});

it('the months ahead are this one and the next two', () => {
  expect(monthsAhead('2026-11-30')).toEqual(['2026-11', '2026-12', '2027-01']);
});
