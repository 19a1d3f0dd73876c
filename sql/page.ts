import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow, Parameter, StatementOptions } from './client.ts';
import { JsonRows } from './driver/json-rows.ts';
import { formatInstant } from './instants.ts';

export interface PageOptions<Row, Shown> extends StatementOptions {
  /** Rows of a page, where there may be more: the statement then asks for one more. */
  limit?: number;
  /** Columns that are not shown, beside `account_id`. */
  hidden?: readonly string[];
  /** A row as it is shown: without those columns, and with instants in their form. */
  shown: (row: Row) => Shown;
  /** Whether the records are wanted as JSON rather than as objects. */
  asJson: boolean | undefined;
}

export interface Page<Row, Shown> {
  /** `JsonRows` where JSON was wanted and could be had: nothing but `jsonOf` can then look into it. */
  records: Shown[];
  count: number;
  /** Whether there are more than the page holds. */
  isTruncated: boolean;
  /** The last row of the page, with all of its columns. */
  last(): Row | undefined;
}

/** The first rows of an account that a statement answers with, as they are shown. */
export async function page<Row extends OwnedRow, Shown>(
  db: Database,
  account: AccountId,
  text: string,
  parameters: readonly Parameter[],
  { limit = Number.POSITIVE_INFINITY, hidden = [], shown, asJson, ...options }: PageOptions<Row, Shown>,
): Promise<Page<Row, Shown>> {
  const rows = asJson
    ? await db.written<Row>(text, parameters, { owner: account, hidden, limit }, options)
    : await db.owned<Row>(account, text, parameters, options);
  if (rows instanceof JsonRows) {
    const { count, isTruncated } = rows;
    return { records: rows as never, count, isTruncated, last: () => rows.last<Row>() };
  }
  const kept = rows.length > limit ? rows.slice(0, limit) : rows;
  const isTruncated = rows.length > limit;
  return { records: kept.map(shown), count: kept.length, isTruncated, last: () => kept.at(-1) };
}

/** Shows the row itself, where it has every field in its order. What is undefined is not there for JSON. */
export function shownInPlace(instants: readonly string[]) {
  return <Row extends OwnedRow>(row: Row): Omit<Row, 'account_id'> => {
    row.account_id = undefined as never;
    for (const name of instants as (keyof Row)[]) row[name] = formatInstant(row[name] as string) as never;
    return row;
  };
}
