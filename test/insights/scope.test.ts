import { expect, it } from 'vitest';
import { getCoverage } from '../../schema/insights/coverage.ts';
import { toWindow } from '../../schema/insights/scope.ts';
import type { Account } from '../../sql/account.ts';
import type { Database } from '../../sql/client.ts';

const now = new Date('2026-05-20T14:30:00Z');

function windowFor(dataRetentionDays: number, before: number, earlier?: number) {
  const account = { id: 'ada', plan: { dataRetentionDays } } as unknown as Account;
  const since = new Date('2026-05-13T09:00:00Z');
  return toWindow({ account, database: {} as Database, now, since, until: now }, before, earlier);
}

it('reads whole days before the examined period as the baseline', () => {
  expect(windowFor(365, 28)).toEqual({
    account: 'ada',
    from: '2026-04-15T00:00:00.000Z',
    since: '2026-05-13T00:00:00.000Z',
    until: '2026-05-20T14:30:00.000Z',
  });
  expect(windowFor(365, 28, 3)).toMatchObject({
    from: '2026-04-12T00:00:00.000Z',
    since: '2026-05-10T00:00:00.000Z',
  });
});

it('never reads reports that are older than the retention of the plan', () => {
  for (const days of [3, 10, 30]) {
    const { from, since, until } = windowFor(days, 28);
    expect(Date.parse(from)).toBeGreaterThanOrEqual(now.getTime() - (days + 1) * 86_400_000);
    expect(from <= since && since <= until).toBe(true);
  }
  expect(windowFor(3, 28).since).toBe(windowFor(3, 28).from);
});

it('covers the reports from the hour of the start on, and says until when a type is learned', () => {
  const HOUR = 3600;
  const at = (text: string) => Date.parse(text) / 1000;
  const [since, until] = [new Date('2026-05-13T09:30:00Z'), new Date('2026-05-20T14:30:00Z')];
  /** Two reports in each of these hours, of which the first begins with the given second. */
  const hours = (first: number, ...others: number[]) =>
    [first, ...others].map(second => ({
      ...{ hour: Math.floor(second / HOUR), reports: 2, count: 9, first: second, last: second },
    }));
  const series = new Map([
    ['csp', hours(at('2026-05-13T08:59:59Z'), at('2026-05-13T09:00:00Z'), at('2026-05-20T14:00:00Z'))],
    ['nel', hours(at('2026-05-13T14:30:01Z'))],
    ['coop', hours(at('2026-05-13T14:30:00Z'))],
    ['dmarc', []],
  ] as const);
  const given = new Map(
    [...series].map(([type, own]) => [type, { values: ['', ''] as [string, string], hours: own }]),
  );
  expect(getCoverage(given, { since, until })).toEqual({
    since: '2026-05-13T09:30:00.000Z',
    until: '2026-05-20T14:30:00.000Z',
    types: [
      { type: 'csp', reports: 4, learningUntil: null },
      { type: 'nel', reports: 2, learningUntil: '2026-05-20T14:30:01.000Z' },
      { type: 'coop', reports: 2, learningUntil: null },
    ],
  });
});
