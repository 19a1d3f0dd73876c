import { MS_PER_DAY } from '@sightline/reports';
import type { DemoAccount } from './accounts.ts';
import { type Calendar, toDay } from './calendar.ts';
import type { DemoLine } from './line.ts';
import type { Random } from './random.ts';

/** Covers the current month and the end of the previous one. Rejected reports are shown only for the current month. */
const DAYS = 40;
const QUIET = 0.1;

/** Rejected reports of each type on the last days. Some days have none. */
export function* usageLines(account: DemoAccount, calendar: Calendar, random: Random): Generator<DemoLine> {
  for (const type of account.reportTypes.items) {
    for (let day = Math.min(calendar.days, DAYS) - 1; day >= 0; day--) {
      if (random.chance(QUIET)) continue;
      yield {
        kind: 'usage',
        accountId: account.id,
        type,
        date: toDay(calendar.today - day * MS_PER_DAY),
        filtered: random.integer(0, 400),
        sampled: type === 'csp_integrity' || type === 'nel' ? random.integer(0, 900) : 0,
        rejected: random.integer(0, 20),
      };
    }
  }
}
