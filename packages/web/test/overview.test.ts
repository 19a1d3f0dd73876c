import { describe, expect, it } from 'vitest';
import {
  hasEarlier,
  listNewHosts,
  listSenders,
  type OverviewAccount,
} from '../src/app/browser/views/overview/data.ts';

const toGroup = (values: readonly string[], count: number, firstSeen = '') => ({
  keys: values.map(value => ({ value })),
  ...{ count, firstSeen },
});
const toAccount = (rows: Record<string, ReturnType<typeof toGroup>[]>) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, groups]) => [name, { groups }]),
  ) as unknown as OverviewAccount;

describe('the overview', () => {
  it('lists senders by messages, with those before the period', () => {
    const account = toAccount({
      sendersNow: [
        toGroup(['small', 'true'], 3),
        toGroup(['large', 'false'], 4),
        toGroup(['large', 'true'], 6),
        toGroup(['late', 'false'], 1),
      ],
      // These include the period.
      senders: [
        toGroup(['large', 'true'], 26),
        toGroup(['large', 'false'], 5),
        toGroup(['small', 'true'], 3),
        toGroup(['gone', 'true'], 90),
      ],
    });
    expect(listSenders(account)).toEqual([
      { name: 'large', now: { all: 10, aligned: 6 }, before: { all: 21, aligned: 20 } },
      { name: 'small', now: { all: 3, aligned: 3 }, before: { all: 0, aligned: 0 } },
      { name: 'late', now: { all: 1, aligned: 0 }, before: { all: 0, aligned: 0 } },
    ]);
  });

  it('has new hosts only if there are earlier reports', () => {
    const begin = '2026-03-01T00:00:00.000Z';
    const since = (firstSeen: string) =>
      hasEarlier(toAccount({ sources: [toGroup(['x'], 1, firstSeen)] }), begin);
    expect([since('2026-02-28T23:59:59+00:00'), since('2026-03-01T00:00:00+00:00')]).toEqual([true, false]);
    expect(hasEarlier(toAccount({}), begin)).toBe(false);
    const hosts = listNewHosts(
      toAccount({ newHosts: [toGroup(['a'], 2), toGroup([''], 9), toGroup(['b'], 1)] }),
    );
    expect(hosts.map(({ count }) => count)).toEqual([2, 1]);
  });
});
