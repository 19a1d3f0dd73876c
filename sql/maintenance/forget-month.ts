import { type Month, monthAfter } from '../feed/partitions.ts';

/** Statements that remove the groups of a month's days when its reports change or are deleted. */
export function forgetMonth(month: Month): string {
  return `delete from rollup_month where month = '${month}';
    delete from daily_group where day >= '${month}-01' and day < '${monthAfter(month)}-01'`;
}
