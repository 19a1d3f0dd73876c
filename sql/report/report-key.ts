/**
 * The hash of a report's key for `report_locator`, as an SQL expression over that row or table. It ignores the case of
 * the id, so that a search for an id in any case finds its dates.
 */
export function reportKey({ account, type, id }: { account: string; type: string; id: string }): string {
  return `hashtextextended(${account} || ' ' || ${type} || ' ' || lower(${id}), 0)`;
}

/** The same over a row of `report`. */
export function toReportKey(row: string): string {
  return reportKey({ account: `${row}.account_id`, type: `${row}.type::text`, id: `${row}.id` });
}
