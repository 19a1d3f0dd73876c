import type { AccountId } from './account-id.ts';
import { AnswerSize, fitting } from './answer-size.ts';
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
  /** Where the records of an answer may be too long for it. */
  bound?: Bound | undefined;
}

/** Ends a page before the record that would make its answer too long. */
export interface Bound {
  /** The answer's body without a record, at its longest. */
  around: string;
  /** A column that every row has. The statement leaves out those values that could be too long together. */
  column: string;
  /** The statement that is asked where it left out one: it leaves out rows behind those that fill an answer. */
  text: string;
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
  options: PageOptions<Row, Shown>,
): Promise<Page<Row, Shown>> {
  const { bound } = options;
  const found = await pageOf(db, account, text, parameters, options, bound?.column);
  return found ?? (await pageOf(db, account, bound!.text, parameters, { ...options, prepare: false }))!;
}

/** @param required the column without which there is no page */
async function pageOf<Row extends OwnedRow, Shown>(
  db: Database,
  account: AccountId,
  text: string,
  parameters: readonly Parameter[],
  options: PageOptions<Row, Shown>,
  required?: string,
): Promise<Page<Row, Shown> | undefined> {
  const { limit = Number.POSITIVE_INFINITY, hidden = [], shown, asJson, bound, ...rest } = options;
  const size = bound && new AnswerSize(bound.around);
  const rows = asJson
    ? await db.written<Row>(text, parameters, { owner: account, hidden, limit, size, required }, rest)
    : await db.owned<Row>(account, text, parameters, rest);
  if (rows instanceof JsonRows) {
    if (rows.isAbridged) return abandoned(rows);
    const { count, isTruncated } = rows;
    return { records: rows as never, count, isTruncated, last: () => rows.last<Row>() };
  }
  if (required && rows.some(row => row[required as keyof Row] === null)) return undefined;
  const shownRows = rows.slice(0, limit).map(shown);
  const records = size ? fitting(shownRows, size) : shownRows;
  const count = records.length;
  return { records, count, isTruncated: rows.length > count, last: () => rows[count - 1] };
}

function abandoned(rows: JsonRows): undefined {
  rows.release();
}

/** Shows the row itself, where it has every field in its order. What is undefined is not there for JSON. */
export function shownInPlace(instants: readonly string[]) {
  return <Row extends OwnedRow>(row: Row): Omit<Row, 'account_id'> => {
    row.account_id = undefined as never;
    for (const name of instants as (keyof Row)[]) row[name] = formatInstant(row[name] as string) as never;
    return row;
  };
}
