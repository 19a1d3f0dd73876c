import { describe, expect, it } from 'vitest';
import { findGrowth, isEscalating } from '../../schema/insights/growth.ts';

const TODAY = 20_000;

/** Reports of the days up to today, the oldest first. */
const toDays = (...counts: number[]) =>
  new Map(counts.map((count, index) => [TODAY - counts.length + 1 + index, count]));
/** Returns daily counts, which are equal within a week. The oldest week comes first. */
const weeks = (...counts: number[]) => counts.flatMap(count => Array<number>(7).fill(count));
const STEADY = toDays(...weeks(...Array<number>(12).fill(100)));
/** Daily counts of two weeks with one report and with four. */
const RARE = [1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0];
/** A volume that grows by half in each of the last two weeks. */
const GROWING = weeks(4, 4, 4, 6, 9);

describe('the growth of a volume', () => {
  it.each([
    ['half as much again in each of two weeks', GROWING, TODAY],
    ['less in the last week', weeks(4, 4, 4, 6, 8), undefined],
    ['less in the week before', weeks(5, 5, 5, 6, 10), undefined],
    ['nothing before', weeks(0, 6, 9), undefined],
    ['differences that chance explains', weeks(1, 2, 3), undefined],
    ['too few reports in the last week', [...RARE, 0, 0, 0, 0, 0, 0, 19], undefined],
    ['enough reports in the last week', [...RARE, 0, 0, 0, 0, 0, 0, 20], TODAY],
  ])('of %s begins on a day or not at all', (_, counts, day) => {
    expect(findGrowth(toDays(...counts), STEADY, TODAY)).toBe(day);
  });

  it('is not one if all reports grow as much', () => {
    const own = toDays(...GROWING);
    expect(findGrowth(own, toDays(...weeks(40, 40, 40, 60, 90)), TODAY)).toBeUndefined();
    expect(findGrowth(own, toDays(...weeks(100, 100, 100, 100, 100)), TODAY)).toBe(TODAY);
  });

  it('keeps its first day for 28 days, unless less than half of its level is left', () => {
    const findFirst = (...counts: number[]) => findGrowth(toDays(...GROWING, ...counts), STEADY, TODAY);
    expect(findFirst(...Array<number>(7).fill(9))).toBe(TODAY - 7);
    expect(findFirst(...Array<number>(27).fill(9))).toBe(TODAY - 27);
    expect(findFirst(...Array<number>(28).fill(9))).toBeUndefined();
    // The week of its first day has 63 reports.
    expect(findFirst(4, 4, 4, 4, 4, 6, 6)).toBe(TODAY - 7);
    expect(findFirst(4, 4, 4, 4, 4, 5, 6)).toBeUndefined();
  });
});

describe('something new', () => {
  it.each([
    ['four days', [5, 5, 15, 15], true],
    ['three days', [5, 15, 45], false],
    ['a later half that is too small', [1, 1, 4, 5], false],
    ['a later half that is just large enough', [1, 1, 5, 5], true],
    ['an odd number of days, without the first one', [90, 5, 5, 15, 15], true],
    ['half as much again', [20, 20, 30, 30], true],
    ['less than half as much again', [20, 20, 30, 29], false],
    ['a constant volume', [20, 20, 20, 20], false],
    [
      'more than fourteen days, of which the last ones count',
      [...Array<number>(7).fill(90), ...weeks(5, 15)],
      true,
    ],
  ])('of %s is growing or not', (_, counts, isGrowing) => {
    expect(isEscalating(toDays(...counts), TODAY - counts.length + 1, TODAY)).toBe(isGrowing);
  });
});
