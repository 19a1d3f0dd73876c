import { describe, expect, it } from 'vitest';
import { quotaInsights } from '../../schema/insights/quota.ts';

interface Found {
  limit?: number;
  until: string;
  /** Reports of each day from the first of November on. */
  daily: readonly number[];
  type?: string;
}

/** November has 30 days. */
async function find({ limit = 3000, until, daily, type = 'csp' }: Found) {
  const rows = daily.map((total, index) => ({
    day: `2026-11-${String(index + 1).padStart(2, '0')}`,
    type,
    total,
  }));
  const plan = { reportQuota: limit };
  const scope = { account: { id: 'a-1', plan }, until: new Date(until) };
  const dayTotals = (month: object) => async () => {
    expect(month).toEqual(NOVEMBER);
    return rows;
  };
  return quotaInsights(scope as never, { dayTotals } as never);
}

const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

describe('the quota', () => {
  it.each([
    [100, 0],
    [101, 1],
  ])('of 3000 reports with %d a day gives %d insights', async (daily, count) => {
    expect(
      await find({ until: '2026-11-10T12:00:00Z', daily: [...times(9, daily), daily / 2] }),
    ).toHaveLength(count);
  });

  it.each([
    ['2026-11-03T23:59:59Z', 0],
    ['2026-11-04T00:00:00Z', 1],
    ['2026-11-04T00:00:01Z', 1],
  ])('at %s gives %d insights, because the pace needs three days', async (until, count) => {
    expect(await find({ until, daily: times(3, 1000) })).toHaveLength(count);
  });

  it('begins on the third day at the earliest, which counts as a whole', async () => {
    const [{ first } = { first: 0 }] = await find({ until: '2026-11-04T00:00:01Z', daily: times(3, 1000) });
    expect(first).toBe(Date.parse('2026-11-03T00:00:00Z') / 1000);
  });

  it('is described with its forecast, from the first day on which it was short', async () => {
    const daily = [...times(4, 10), ...times(4, 400), 0];
    expect(await find({ until: '2026-11-09T12:00:00Z', daily })).toEqual([
      {
        kind: 'quota',
        severity: 'change',
        title: 'The quota will not last until the end of the month',
        detail:
          '1,640 of 3,000 reports are used; at this pace it comes to 5,788. Filters and sampling save some.',
        subject: '2026-11',
        first: Date.parse('2026-11-06T00:00:00Z') / 1000,
        last: Date.parse('2026-11-09T12:00:00Z') / 1000,
        count: 1640,
        baseline: 3000,
        isOngoing: true,
        place: '',
        hosts: [],
        rank: (1640 / 8.5) * 30,
      },
    ]);
  });

  it('begins to be short again after a day on which it was not', async () => {
    const daily = [...times(3, 200), ...times(6, 0), 2000, 0];
    const [{ first } = { first: 0 }] = await find({ until: '2026-11-11T12:00:00Z', daily });
    expect(first).toBe(Date.parse('2026-11-10T00:00:00Z') / 1000);
  });

  it.each([
    [3000, 'change', 'The quota will not last until the end of the month'],
    [3001, 'incident', 'The quota is used up'],
  ])('with %d of 3000 reports is a matter of the severity %s', async (used, severity, title) => {
    const [insight] = await find({ until: '2026-11-20T12:00:00Z', daily: [used] });
    expect(insight).toMatchObject({ severity, title, count: used });
  });

  it('is not used by types outside of /v1, and a limit of 0 is none', async () => {
    const [until, daily] = ['2026-11-20T12:00:00Z', times(19, 1000)];
    expect(await find({ until, daily, type: 'connection_allowlist' })).toEqual([]);
    expect(await find({ until, daily, type: 'other' })).toEqual([]);
    expect(await find({ until, daily, limit: 0 })).toEqual([]);
    expect(await find({ until, daily, limit: 1 })).toHaveLength(1);
  });

  it('is that of the month before at midnight of the first day', async () => {
    const until = '2026-12-01T00:00:00Z';
    expect(await find({ until, daily: times(29, 50) })).toEqual([]);
    expect(await find({ until, daily: times(30, 101) })).toMatchObject([
      { subject: '2026-11', count: 3030, rank: 3030 },
    ]);
  });
});
