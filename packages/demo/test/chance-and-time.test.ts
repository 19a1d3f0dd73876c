import { describe, expect, it } from 'vitest';
import { createCalendar, listTimes, timeBetween, timeOrderedId, timestamp, toDay } from '../src/calendar.ts';
import { demoToday } from '../src/index.ts';
import { Choice, heavyTail, Random } from '../src/random.ts';

/** Numbers that a generator returns in turn, as parts of all possible ones. */
function fixed(...parts: number[]): Random {
  const random = new Random(1, '');
  random.next = () => parts.shift()!;
  return random;
}

const ALMOST_ONE = 1 - 2 ** -32;

describe('the random generator of the demo', () => {
  it('returns the recorded numbers for a seed and a purpose', () => {
    const list = (seed: number, purpose: string) => {
      const random = new Random(seed, purpose);
      return Array.from({ length: 3 }, () => Math.floor(random.next() * 1000));
    };
    expect([list(1, 'a'), list(1, 'b'), list(2, 'a')]).toMatchInlineSnapshot(`
      [
        [
          919,
          192,
          477,
        ],
        [
          329,
          378,
          336,
        ],
        [
          74,
          956,
          334,
        ],
      ]
    `);
  });

  it('includes both ends of a range of integers, and every item of a list', () => {
    expect([0, 0.49, 0.5, ALMOST_ONE].map(part => fixed(part).integer(3, 4))).toEqual([3, 3, 4, 4]);
    expect([0, ALMOST_ONE].map(part => fixed(part).integer(-2, 2))).toEqual([-2, 2]);
    expect([0, 0.34, 0.67, ALMOST_ONE].map(part => fixed(part).pick(['a', 'b', 'c']))).toEqual([
      'a',
      'b',
      'c',
      'c',
    ]);
  });

  it('never meets a probability of 0 and always one of 1', () => {
    expect([fixed(0).chance(0), fixed(0.3).chance(0.3), fixed(0.29).chance(0.3)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(fixed(ALMOST_ONE).chance(1)).toBe(true);
  });

  it('returns hexadecimal digits of any number', () => {
    const random = new Random(1, 'digits');
    const texts = [0, 1, 6, 7, 30].map(digits => random.hex(digits));
    expect(texts.map(({ length }) => length)).toEqual([0, 1, 6, 7, 30]);
    expect(texts.join('')).toMatch(/^[0-9a-f]+$/);
    expect([fixed(0).hex(6), fixed(ALMOST_ONE).hex(6)]).toEqual(['000000', 'ffffff']);
  });

  it('chooses items by their weights, and never one without', () => {
    const choice = new Choice(['a', 'none', 'b', 'c'], (_, index) => [1, 0, 2, 1][index]!);
    const parts = [0, 0.249, 0.25, 0.749, 0.75, ALMOST_ONE];
    expect(parts.map(part => choice.pick(fixed(part)))).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
    expect([1, 2, 4].map(place => heavyTail(2)(undefined, place - 1))).toEqual([1, 1 / 4, 1 / 16]);
  });
});

describe('the calendar of the demo', () => {
  const HOUR = 3_600_000;
  const quiet = () => {
    const random = new Random(1, '');
    random.chance = () => false;
    return random;
  };

  it('weighs hours, days of the week, growth, incidents and today', () => {
    // A Sunday, of which two hours have passed.
    const options = { today: '2026-03-01', days: 8, hoursOfToday: 2 };
    const calendar = createCalendar(options, quiet());
    const midnight = Date.parse('2026-03-01T00:00:00Z');
    expect(calendar).toMatchObject({
      start: midnight - 7 * 24 * HOUR,
      end: midnight + 2 * HOUR,
      today: midnight,
      days: 8,
    });
    expect(calendar.weights).toHaveLength(7 * 24 + 2);
    const days = Array.from({ length: 8 }, (_, day) => calendar.weights[24 * day]! / 3);
    const expected = [0.55, 1, 1.05, 1.05, 1, 0.9, 0.6, 0.55 * 4].map(
      (weight, day) => weight * (1 + 0.002 * day),
    );
    expect(days.map(weight => weight.toFixed(6))).toEqual(expected.map(weight => weight.toFixed(6)));
    expect(calendar.weights.slice(24, 48).map(weight => Math.round(weight / 1.002))).toEqual([
      3, 2, 2, 2, 2, 3, 5, 7, 9, 10, 10, 10, 9, 10, 11, 11, 10, 9, 9, 8, 8, 7, 5, 4,
    ]);
    const busy = quiet();
    const asked: number[] = [];
    busy.chance = probability => asked.push(probability) === 2;
    const ofIncident = createCalendar(options, busy).weights;
    expect(asked).toEqual(Array(8).fill(0.03));
    expect(
      [0, 24, 48].map(hour => (ofIncident[hour]! / calendar.weights[hour]!).toFixed(9)).map(Number),
    ).toEqual([1, 2.5, 1]);
  });

  it('lists exactly as many times as wanted, in whole seconds of their hours', () => {
    const calendar = {
      ...createCalendar({ today: '2026-03-01', days: 1, hoursOfToday: 3 }, quiet()),
      weights: [1, 0, 3],
    };
    for (const total of [0, 1, 2, 3, 8, 1001]) {
      const times = [...listTimes(calendar, total, new Random(1, ''))];
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const hours = [0, 1, 2].map(
        hour => times.filter(time => Math.floor((time - calendar.start) / HOUR) === hour).length,
      );
      expect(hours).toEqual([Math.round(total / 4), 0, total - Math.round(total / 4)]);
      expect(times.filter(time => time % 1000 !== 0)).toEqual([]);
    }
    const ends = [...listTimes(calendar, 4, fixed(0, 0, ALMOST_ONE, ALMOST_ONE))];
    expect(ends.map(time => (time - calendar.start) / 1000)).toEqual([0, 7200, 9599, 10_799]);
  });

  it('chooses a second of a period without its end', () => {
    expect([0, 0.5, ALMOST_ONE].map(part => timeBetween(5000, 8000, fixed(part)))).toEqual([
      5000, 6000, 7000,
    ]);
  });

  it('formats times, days and ids that sort by time', () => {
    const time = Date.parse('2026-02-28T23:59:59.999Z');
    expect([timestamp(time), toDay(time)]).toEqual(['2026-02-28T23:59:59Z', '2026-02-28']);
    const ids = [0, 1, 0xabcdef].map(number => timeOrderedId(time, number, fixed(0)));
    expect(ids).toEqual([
      '019ca6b1-dbff-7000-8000-000000000000',
      '019ca6b1-dbff-7000-8000-000000000001',
      '019ca6b1-dbff-7000-8000-000000abcdef',
    ]);
    expect(timeOrderedId(1, 2, fixed(ALMOST_ONE))).toBe('00000000-0001-7fff-8fff-000000000002');
  });

  it.each([
    ['2026-02-28T23:59:59.999Z', '2026-02-28', 6],
    ['2026-03-01T00:00:00Z', '2026-03-01', 0],
    ['2026-03-01T00:59:59Z', '2026-03-01', 0],
    ['2026-03-01T05:59:59Z', '2026-03-01', 5],
    ['2026-03-01T06:00:00Z', '2026-03-01', 6],
  ])('at %s, today is %s with %i hours', (now, today, hoursOfToday) => {
    expect(demoToday(Date.parse(now))).toEqual({ today, hoursOfToday });
  });
});
