/** The maximum size of a response body in bytes. A list of records ends before it. */
export const LONGEST_ANSWER = 32 * 1024 * 1024;

export interface WeightedQuery {
  /** A select of complete rows in any order, and the alias that `columns` uses for it. */
  rows: string;
  table: string;
  /** The columns of the result; `has_next` is false in the last row. */
  columns: string;
  order: string;
  /** The size of a row's large texts in bytes, and the limit for all rows. */
  weight: string;
  longest: number;
}

/**
 * Selects the first rows whose large texts fit, but at least one. PostgreSQL knows the size of a value that is stored
 * out of line, so the other rows are not read. They are not counted either, because PostgreSQL would first write all
 * rows to a temporary file.
 */
export function fitting({ rows, table, columns, order, weight, longest }: WeightedQuery): string {
  return `select ${columns} from (
      select *, sum(${weight}) over ordered as bytes, lead(true, 1, false) over ordered as has_next
      from (${rows}) as ${table}
      window ordered as (order by ${order} rows unbounded preceding)) as ${table}
    where bytes - ${weight} < ${longest} order by ${order}`;
}
