import type { Rows } from '@sightline/pg-client';
import { fitting } from '../answer-size.ts';
import type { Database, TenantRow } from '../client.ts';
import type { Bind } from '../report/indexed-values.ts';
import { type Cursor, type RowPosition, START, toCursor } from './cursor.ts';
import {
  BEFORE_ALL,
  BY_POSITION,
  between,
  FIRST,
  nextPositions,
  toLastRowReader,
  toOrder,
  toRest,
} from './positions.ts';
import { binding, type ExportSource, unpacked } from './source.ts';

/** A row with its position in the load order. */
export interface ArrivedRow extends TenantRow {
  /** Null in rows before the last one, unless all are requested. */
  cursor: string | null;
  /** Large rows are returned in part: true in the last of these. */
  hasNext: boolean;
}

/** Maximum size of a page in bytes, excluding its first row. */
const LONGEST_PAGE = 8 * 1024 * 1024;

/** The size of a page. */
export interface PageSize {
  /** The maximum number of rows. */
  limit: number;
  /** True to return a cursor with every row, which doubles the time that PostgreSQL takes for a page. */
  withCursors: boolean;
}

/** The rows after a place, and the position that is complete once they are seen. */
export interface OrderedRow {
  rows: Rows<ArrivedRow>;
  until: string;
}

/**
 * Reads a page of the rows after a place, in load order: the rest of the place's position, or rows of later positions.
 * A single query for both would sort every row of that position, which can be all rows.
 * @param last the latest position
 */
export async function arrivals(
  db: Database,
  source: ExportSource,
  after: Cursor,
  last: string,
  size: PageSize,
): Promise<OrderedRow> {
  const { position, seen } = after.position === START.position ? FIRST : after;
  if (seen) {
    const rows = await loadPosition(db, source, position, seen, size);
    if (rows.length > 0) return { rows, until: position };
  }
  return loadLater(db, source, position, last, size);
}

/** Reads rows of later positions. Filters can exclude all rows of some positions; then the following ones are read. */
async function loadLater(
  db: Database,
  source: ExportSource,
  position: string,
  last: string,
  size: PageSize,
): Promise<OrderedRow> {
  const readLast = toLastRowReader(db, source.account, { prepare: false });
  for (let [after, most] = [position, size.limit]; ; most *= 2) {
    const { until, isOne } = await nextPositions(readLast, source, after, last, most);
    const rows = isOne
      ? await loadPosition(db, source, until, BEFORE_ALL, size)
      : await loadPositions(db, source, after, until, size);
    if (rows.length > 0 || until === last) return { rows, until };
    after = until;
  }
}

/** Reads the rows of a position after one of them. */
function loadPosition(
  db: Database,
  source: ExportSource,
  position: string,
  seen: RowPosition,
  size: PageSize,
): Promise<Rows<ArrivedRow>> {
  // The position is constant and left out: with it, PostgreSQL would sort rows that the primary key already returns in
  // order.
  return loadArrivals(db, source, size, toOrder(source), bind => toRest(source, position, seen, bind));
}

/** Reads the rows of the positions after one. */
function loadPositions(
  db: Database,
  source: ExportSource,
  after: string,
  until: string,
  size: PageSize,
): Promise<Rows<ArrivedRow>> {
  const order = `position, ${toOrder(source)}`;
  return loadArrivals(db, source, size, order, bind => [BY_POSITION, ...between(after, until, bind)]);
}

async function loadArrivals(
  db: Database,
  source: ExportSource,
  size: PageSize,
  order: string,
  behind: (bind: Bind) => string[],
): Promise<Rows<ArrivedRow>> {
  const { parameters, bind } = binding(source);
  const where = [source.own(bind), ...source.conditions(bind), ...behind(bind)];
  const text = page(source, where, order, size);
  const rows = await db.queryTenant<ArrivedRow>(source.account, text, parameters, { prepare: false });
  return unpacked(rows, source);
}

/** Selects the first rows that fit into a page, but at least one. */
function page(
  source: ExportSource,
  where: readonly string[],
  order: string,
  { limit, withCursors }: PageSize,
): string {
  const { table, columns, weight = '0' } = source;
  const rows = `select * from ${table} where account_id = $1 and ${where.join(' and ')} order by ${order} limit ${limit}`;
  const isBeforeLast = `has_next and bytes < ${LONGEST_PAGE}`;
  const cursor = withCursors
    ? toCursor(source)
    : `case when not (${isBeforeLast}) then ${toCursor(source)} end`;
  const shown = `${columns}, ${cursor} as cursor, has_next as "hasNext"`;
  return fitting({ rows, table, columns: shown, order, weight, longest: LONGEST_PAGE });
}
