import type { DemoAccount } from './accounts.ts';
import { type Calendar, DAY, dayOf } from './calendar.ts';
import type { Line } from './line.ts';
import type { Random } from './random.ts';

/** This month and the end of the one before: what was turned away is shown for the current month alone. */
const DAYS = 40;
const QUIET = 0.1;

/** Reports of each type that were turned away on the last days; on some days none were. */
export function* usageLines(account: DemoAccount, calendar: Calendar, random: Random): Generator<Line> {
  for (const type of account.reportTypes.items) {
    for (let day = Math.min(calendar.days, DAYS) - 1; day >= 0; day--) {
      if (random.chance(QUIET)) continue;
      yield {
        kind: 'usage',
        accountId: account.id,
        type,
        date: dayOf(calendar.today - day * DAY),
        filtered: random.integer(0, 400),
        sampled: type === 'csp_integrity' || type === 'nel' ? random.integer(0, 900) : 0,
        rejected: random.integer(0, 20),
      };
    }
  }
}
