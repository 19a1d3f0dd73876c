import { describe, expect, it } from 'vitest';
import {
  computeExcess,
  findDaySpike,
  findSpikes,
  isExplained,
  median,
  type Spike,
  sameHours,
} from '../../schema/insights/series.ts';
import { spikeDraft } from '../../schema/insights/spike.ts';
import type { Hour } from '../../sql/insights/hourly.ts';

const DAY = 24;
/** The hour of the examined reports, at least 28 days after the first ones. */
const NOW = 20_000 * DAY + 5;

/** An hour with reports. The count is ten times as large. */
const toHour = (hour: number, reports: number): Hour =>
  ({ hour, reports, count: 10 * reports, first: hour * 3600 + 60, last: hour * 3600 + 120 }) as Hour;
/** @param hours reports by hour, relative to the examined one */
const toSeries = (hours: Readonly<Record<number, number>>) => ({
  values: ['a.example', ''] as [string, string],
  hours: Object.entries(hours)
    .map(([hour, reports]) => toHour(NOW + Number(hour), reports))
    .sort((one, other) => one.hour - other.hour),
});
/** Reports at the same hour on the days before. */
const earlier = (days: number, reports: number) =>
  Object.fromEntries(Array.from({ length: days }, (_, index) => [-(index + 1) * DAY, reports]));

it.each([
  [[3, 1, 2], 2],
  [[10, 9, 1, 2], 5.5],
  [[7], 7],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

describe('the reports above the usual number', () => {
  it.each<[number, number[], number | undefined]>([
    // At least 20 reports, more than twice the median, and more than six deviations above it.
    [20, [0, 0, 0], 20],
    [19, [0, 0, 0], undefined],
    [36, [9, 9, 9], 27],
    [27, [9, 9, 9], undefined],
    [28, [9, 9, 9], 19],
    [200, [100, 100, 100], undefined],
    [201, [100, 100, 100], 101],
    [50, [10, 10, 20], 40],
    // The median absolute deviation is 10, the standard deviation 14.8.
    [108, [10, 20, 30], undefined],
    [109, [10, 20, 30], 89],
  ])('are those of %i after %j: %s', (reports, baseline, excess) => {
    expect(computeExcess(reports, baseline)).toBe(excess);
  });

  it('need fewer reports if a rule says so', () => {
    expect([computeExcess(10, [0], 10), computeExcess(9, [0], 10)]).toEqual([10, undefined]);
  });
});

describe('the same hours of earlier days', () => {
  const byHour = (days: number) => new Map(toSeries(earlier(days, 3)).hours.map(one => [one.hour, one]));

  it('are those of up to 28 days, without reports 0, from seven days on', () => {
    expect(sameHours(byHour(40), NOW, NOW - 40 * DAY, 'reports')).toEqual(Array(28).fill(3));
    expect(sameHours(byHour(5), NOW, NOW - 8 * DAY, 'count')).toEqual([30, 30, 30, 30, 30, 0, 0, 0]);
    expect(sameHours(byHour(7), NOW, NOW - 7 * DAY, 'reports')).toHaveLength(7);
    expect(sameHours(byHour(7), NOW, NOW - 7 * DAY + 1, 'reports')).toBeUndefined();
  });
});

describe('a spike', () => {
  const find = (hours: Record<number, number>, since = -1) =>
    findSpikes(toSeries(hours), NOW - 40 * DAY, NOW + since);

  it('has the reports of its hours, and those that are usual', () => {
    const [spike, ...others] = find({ ...earlier(28, 4), 0: 40, 1: 30, 2: 5 });
    expect(others).toEqual([]);
    expect(spike).toEqual({
      values: ['a.example', ''],
      ...{ first: NOW * 3600 + 60, last: (NOW + 1) * 3600 + 120, firstHour: NOW, lastHour: NOW + 1 },
      ...{ count: 700, baseline: 40 },
      excess: new Map([
        [NOW, 36],
        [NOW + 1, 30],
      ]),
    });
  });

  it('ends after three days without another one', () => {
    const spans = (hour: number) =>
      find({ 0: 40, [hour]: 40 }).map(({ firstHour, lastHour }) => [firstHour - NOW, lastHour - NOW]);
    expect(spans(3 * DAY)).toEqual([[0, 72]]);
    expect(spans(3 * DAY + 1)).toEqual([
      [0, 0],
      [73, 73],
    ]);
  });

  it('that began earlier is not found again', () => {
    expect(find({ [-2]: 40, 0: 40 })).toEqual([]);
    expect(find({ [-1]: 40, 0: 40 })).toHaveLength(1);
    expect(find({ [-73]: 40, [-1]: 40 })).toEqual([]);
    // An earlier one is another spike if it ended more than three days before.
    expect(find({ [-74]: 40, 0: 40 })).toHaveLength(1);
  });

  it('needs seven days of earlier reports', () => {
    const young = (days: number) => findSpikes(toSeries({ 0: 40 }), NOW - days * DAY, NOW);
    expect([young(6).length, young(7).length]).toEqual([0, 1]);
  });
});

describe('a day with unusually many reports', () => {
  const began = NOW - 40 * DAY;
  const find = (hours: Record<number, number>, since = NOW - 5) =>
    findDaySpike(toSeries(hours), began, since);

  it('is found although none of its hours is unusual', () => {
    expect(find({ ...earlier(28, 1), 0: 8, 3: 8 })).toEqual({
      values: ['a.example', ''],
      ...{ first: NOW * 3600 + 60, last: (NOW + 3) * 3600 + 120, firstHour: NOW, lastHour: NOW + 3 },
      ...{ count: 160, baseline: 1, excess: new Map([[NOW - 5, 15]]) },
    });
    expect(find({ ...earlier(28, 1), 0: 4, 3: 5 })).toBeUndefined();
  });

  it('continues on unusual days at most three days apart', () => {
    const spans = (hour: number) => {
      const spike = find({ 0: 16, [hour]: 16 })!;
      return [spike.firstHour - NOW, spike.lastHour - NOW, spike.count];
    };
    expect(spans(3 * DAY)).toEqual([0, 72, 320]);
    expect(spans(4 * DAY)).toEqual([96, 96, 160]);
  });

  it('is not found before the examined days, or without seven earlier days', () => {
    expect(find({ 0: 16 }, NOW - 4)).toBeUndefined();
    const young = (days: number) => findDaySpike(toSeries({ 0: 16 }), NOW - 5 - days * DAY, NOW - 5);
    expect([young(6), young(7)?.count]).toEqual([undefined, 160]);
    // A day of which only a part has data does not count.
    expect([young(8 - 1 / DAY)?.count, young(7 - 1 / DAY)]).toEqual([160, undefined]);
  });
});

describe('a spike beside others', () => {
  const spike = (...excess: [number, number][]) => ({ excess: new Map(excess) }) as unknown as Spike;

  it.each<[string, [number, number][][], boolean]>([
    [
      'half of it in the same hours',
      [
        [
          [1, 5],
          [2, 5],
        ],
      ],
      true,
    ],
    [
      'less than half of it',
      [
        [
          [1, 5],
          [2, 4],
        ],
      ],
      false,
    ],
    [
      'more in one hour, which does not count for another',
      [
        [
          [1, 90],
          [2, 0],
        ],
      ],
      true,
    ],
    ['other hours', [[[3, 90]]], false],
    [
      'several of them together',
      [
        [[1, 3]],
        [
          [1, 3],
          [2, 4],
        ],
      ],
      true,
    ],
    ['none', [], false],
  ])('is explained by %s, or not', (_, others, isIt) => {
    expect(
      isExplained(
        spike([1, 10], [2, 10]),
        others.map(excess => spike(...excess)),
      ),
    ).toBe(isIt);
  });
});

it('spikes of a page, a directive and a host have different keys even if these have one name', () => {
  const spike = { values: ['a', ''], first: 0, last: 0, excess: new Map() } as unknown as Spike;
  const keys = (['all', 'directive', 'page', 'host'] as const).map(of => spikeDraft('csp', of, spike).key);
  expect(new Set([...keys, spikeDraft('nel', 'host', spike).key]).size).toBe(5);
});
