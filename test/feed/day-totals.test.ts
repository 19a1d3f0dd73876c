import { describe, expect, it } from 'vitest';
import { DayTotals } from '../../src/feed/day-totals.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const OF = { accountId: 'a-1', type: 'csp', day: '2026-05-20', directive: 'img-src' };

const totals = (before: number) => new DayTotals([{ ...OF, before: String(before) }] as never);

function line(more: Record<string, unknown> = {}): string {
  const report = { kind: 'report', accountId: 'a-1', type: 'csp', id: 'r-1', directive: 'img-src' };
  return JSON.stringify({ ...report, date: '2026-05-20T10:00:00Z', ...more });
}

describe('the count of a day', () => {
  it('can reach 2^53-1, but not exceed it', () => {
    expect(totals(MOST - 5).take(line({ count: 5 }))).toBe(true);
    expect(totals(MOST - 5).take(line({ count: 6 }))).toBe(false);
    expect(totals(MOST - 1).take(line())).toBe(true);
    expect(totals(MOST).take(line())).toBe(false);
  });

  it.each([
    { kind: 'watch' },
    { accountId: 'a-2' },
    { type: 'nel' },
    { directive: 'script-src' },
    { directive: undefined },
    { date: '2026-05-21T00:00:00Z' },
    { date: '2026-05-20T23:30:00-01:00' },
    { deleted: true },
  ])('does not include a line with %j', more => {
    const day = totals(MOST);
    expect(day.take(line({ count: 5, ...more }))).toBe(true);
    expect(day.take(line())).toBe(false);
  });

  it('of reports without a directive includes only those', () => {
    const day = new DayTotals([{ ...OF, directive: '', before: String(MOST) }] as never);
    expect(day.take(line())).toBe(true);
    expect(day.take(line({ directive: undefined }))).toBe(false);
    expect(day.take(line({ directive: null }))).toBe(false);
  });

  it('sums up the lines', () => {
    const day = totals(MOST - 5);
    expect([3, 3, 2, 1].map((count, index) => day.take(line({ id: `r-${index}`, count })))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('includes only the last of several lines for the same report', () => {
    const day = totals(MOST - 5);
    expect([5, 3, 5, 6].map(count => day.take(line({ count })))).toEqual([true, true, true, false]);
    expect(day.take(line({ id: 'r-2' }))).toBe(false);
    expect(day.take(line({ deleted: true }))).toBe(true);
    expect([5, 1].map((count, index) => day.take(line({ id: `r-${index + 2}`, count })))).toEqual([
      true,
      false,
    ]);
  });

  it('does not include a stored report that a line replaces, moves or deletes', () => {
    for (const [more, left] of [
      [{ count: 4 }, 0],
      [{ count: 1 }, 3],
      [{ deleted: true }, 4],
      [{ date: '2026-05-21T00:00:00Z' }, 4],
    ] as const) {
      const day = totals(MOST);
      day.remember([{ ...OF, id: 'r-1', count: '4' }] as never);
      expect(day.take(line(more))).toBe(true);
      if (left > 0) expect(day.take(line({ id: 'r-2', count: left }))).toBe(true);
      expect(day.take(line({ id: 'r-3', count: 1 }))).toBe(false);
    }
  });

  it('loses a stored report only once, however often lines move it', () => {
    const day = totals(MOST);
    day.remember([{ ...OF, id: 'r-1', count: '4' }] as never);
    expect(day.take(line({ date: '2026-05-21T00:00:00Z' }))).toBe(true);
    expect(day.take(line({ date: '2026-05-22T00:00:00Z' }))).toBe(true);
    expect(day.take(line({ id: 'r-2', count: 5 }))).toBe(false);
    expect(day.take(line({ id: 'r-2', count: 4 }))).toBe(true);
  });

  it('needs the ids of its reports only', () => {
    const day = totals(0);
    for (const more of [
      {},
      { id: 'r-2' },
      { id: 'r-2' },
      { id: 'r-3', type: 'nel' },
      { id: 'w', kind: 'watch' },
    ])
      day.expect(line(more));
    expect(day.toIds({ ...OF, before: '0' } as never)).toEqual(['r-1', 'r-2']);
  });
});
