/** Bytes of an answer's body, in UTF-8: a list of records ends before the one that would make it longer. */
export const LONGEST_ANSWER = 32 * 1024 * 1024;

export interface Weighted {
  /** A select of whole rows, in any order, and the name under which `columns` know it. */
  rows: string;
  table: string;
  /** The columns that are shown; `found` is how many rows there were. */
  columns: string;
  order: string;
  /** The bytes of a row's large texts, and how many may come in all. */
  weight: string;
  longest: number;
}

/**
 * A select of the first rows, as many as their large texts fit, and one at least. PostgreSQL knows a length without
 * reading a value that is stored apart, so what is behind them is not even read.
 */
export function fitting({ rows, table, columns, order, weight, longest }: Weighted): string {
  return `select ${columns} from (
      select *, sum(${weight}) over (order by ${order} rows unbounded preceding) as bytes, (count(*) over ())::int as found
      from (${rows}) as ${table}) as ${table}
    where bytes - ${weight} < ${longest} order by ${order}`;
}
