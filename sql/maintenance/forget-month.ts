import { type Month, monthAfter } from '../feed/partitions.ts';

/** A statement that removes the groups of a month's days, as its reports change or go. */
export function forgetMonth(month: Month): string {
  return `delete from daily_group where day >= '${month}-01' and day < '${monthAfter(month)}-01'`;
}
