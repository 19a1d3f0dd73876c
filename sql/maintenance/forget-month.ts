import { type Month, monthAfter } from '../feed/partitions.ts';

/** The statement that removes the kept groups of the month's days, as its reports change or go. */
export function forgetMonth(month: Month): string {
  return `delete from daily_group where day >= '${month}-01' and day < '${monthAfter(month)}-01'`;
}
