import { expect, it } from 'vitest';
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
