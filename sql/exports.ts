import { createHash } from 'node:crypto';
import type { Packed, Parameter, Rows, StatementOptions } from '@sightline/pg-client';
import type { AccountId } from './account-id.ts';
import { fitting } from './answer-size.ts';
import type { Database, Snapshot, TenantRow } from './client.ts';
import type { Bind } from './report/indexed-values.ts';

/** A source of exports: rows of an account, each with an instant, an id, and its position in the load order. */
export interface ExportSource {
  account: AccountId;
  /** Distinguishes it from other exports of the account; a cursor is valid for only one of them. */
  name: string;
  table: string;
  /** Expressions that determine the order of its rows. */
  instant: string;
  id: string;
  /** The column that shows the instant; `id` shows the id. */
  instantColumn: string;
  /** The columns that are shown, with `account_id`. */
  columns: string;
  packed?: Packed | undefined;
  /** A query for the position up to which rows were removed by age, as `account_id` and `position`. */
  removed?(bind: Bind): string;
  /** A condition that selects its rows in the table. */
  own(bind: Bind): string;
  /** The conditions of the export; `bind` adds a parameter and returns its placeholder, and $1 is the account. */
  conditions(bind: Bind): string[];
  /** The approximate size of a row in bytes. */
  weight?: string;
}

/** An exported row in PostgreSQL's text form. */
export type ExportRow = TenantRow & { id: string } & Readonly<Record<string, unknown>>;

/** A row with its position in the load order. */
export interface ArrivedRow extends TenantRow {
  /** Null in rows before the last one, unless all are requested. */
  cursor: string | null;
  /** Large rows are returned in part: true in the last of these. */
  hasNext: boolean;
}

/**
 * Maximum number of rows per statement. With a limit PostgreSQL follows an index instead of sorting everything. Citus
 * buffers all rows of a statement, so their number must be limited.
 */
const BATCH = 10_000;

/** Streams all rows of a snapshot, newest first. */
export async function* everything(snapshot: Snapshot, source: ExportSource): AsyncGenerator<Rows> {
  const { columns, instant, id, instantColumn } = source;
  const order = `${instant} desc, ${id} desc`;
  const batch = (bind: Bind, behind?: ExportRow) => {
    if (!behind) return [];
    const at = `${bind(behind[instantColumn] as string)}::timestamptz`;
    // The second condition is implied by the first; it lets PostgreSQL skip later months.
    return [`(${instant}, ${id}) < (${at}, ${bind(behind.id)} collate "C")`, `${instant} <= ${at}`];
  };
  for await (const rows of streamBatches(snapshot, source, columns, order, batch))
    yield unpacked(rows, source);
}

/**
 * Streams the rows of several statements.
 * @param toConditions selects the rows after the last one of the previous statement
 */
async function* streamBatches<Row extends ExportRow>(
  snapshot: Snapshot,
  source: ExportSource,
  columns: string,
  order: string,
  toConditions: (bind: Bind, behind: Row | undefined) => string[],
): AsyncGenerator<Rows<Row>> {
  let behind: Row | undefined;
  for (let count = BATCH; count === BATCH; ) {
    count = 0;
    const { parameters, bind } = binding(source);
    const where = [source.own(bind), ...source.conditions(bind), ...toConditions(bind, behind)];
    const text = `select ${columns} from ${source.table} where account_id = $1 and ${where.join(' and ')}
     order by ${order} limit ${BATCH}`;
    for await (const rows of snapshot.parts<Row>(source.account, text, parameters)) {
      count += rows.length;
      if (count === BATCH) behind = rows.last();
      yield rows;
    }
  }
}

/** Rows in the order of arrival, and the place after them. */
export interface ArrivedRows {
  rows?: Rows | undefined;
  place: Cursor;
}

/** Streams the rows of a snapshot after a place, in load order. A place without rows shows that all before it are seen. */
export async function* streamArrivals(
  snapshot: Snapshot,
  source: ExportSource,
  after: Cursor,
): AsyncGenerator<ArrivedRows> {
  const readLast = async <Row extends TenantRow>(text: string, parameters: readonly Parameter[]) => {
    let last: Row | undefined;
    for await (const rows of snapshot.parts<Row>(source.account, text, parameters))
      last = rows.last() ?? last;
    return last;
  };
  const last = BigInt(await lastPosition(readLast, source));
  let { position, seen } = after.position === START.position ? FIRST : after;
  if (seen) yield* streamPosition(snapshot, source, position, seen);
  while (BigInt(position) < last) {
    const { until, isOne } = await nextPositions(readLast, source, position, String(last), BATCH);
    if (isOne) yield* streamPosition(snapshot, source, until, BEFORE_ALL);
    else yield* streamPositions(snapshot, source, position, until);
    position = until;
    yield { place: { position } };
  }
}

type StreamedRow = ExportRow & { position: string };

/** Streams the rows of a position after one of them. */
function streamPosition(snapshot: Snapshot, source: ExportSource, position: string, seen: RowPosition) {
  return streamOrdered(snapshot, source, toOrder(source), (bind, behind) =>
    toRest(source, position, behind ? toPlace(source, behind).seen : seen, bind),
  );
}

/** Streams the rows of the positions after one, which fit into one statement. */
function streamPositions(snapshot: Snapshot, source: ExportSource, after: string, until: string) {
  const order = `position, ${toOrder(source)}`;
  return streamOrdered(snapshot, source, order, bind => [BY_POSITION, ...between(after, until, bind)]);
}

async function* streamOrdered(
  snapshot: Snapshot,
  source: ExportSource,
  order: string,
  toConditions: (bind: Bind, behind: StreamedRow | undefined) => string[],
): AsyncGenerator<ArrivedRows> {
  const columns = `${source.columns}, position`;
  for await (const rows of streamBatches<StreamedRow>(snapshot, source, columns, order, toConditions))
    if (rows.length > 0) yield { rows: unpacked(rows, source), place: toPlace(source, rows.last()!) };
}

function toPlace(
  { instantColumn }: ExportSource,
  row: StreamedRow,
): Required<Cursor> & { seen: RowPosition } {
  const microseconds = toMicroseconds(row[instantColumn] as string);
  return { position: row.position, seen: { microseconds, id: row.id } };
}

/** @param instant in PostgreSQL's text form, in UTC */
function toMicroseconds(instant: string): string {
  const [, seconds, fraction = ''] = /^(.+?)(?:\.(\d+))?\+00$/.exec(instant)!;
  const milliseconds = Date.parse(`${seconds!.replace(' ', 'T')}Z`);
  return String(BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, '0')));
}

/** Maximum size of a page in bytes, excluding its first row. */
const LONGEST_PAGE = 8 * 1024 * 1024;

/** Must equal the condition of the indexes on positions. */
const BY_POSITION = 'position >= 0';

/** A row within a position. */
interface RowPosition {
  microseconds: string;
  id: string;
}

/** The size of a page. */
export interface PageSize {
  /** The maximum number of rows. */
  limit: number;
  /** True to return a cursor with every row, which doubles the time that PostgreSQL takes for a page. */
  withCursors: boolean;
}

/** Runs a statement on the source's account, and returns its last row. */
export type ReadLast = <Row extends TenantRow>(
  text: string,
  parameters: readonly Parameter[],
) => Promise<Row | undefined>;

export function toLastRowReader(db: Database, account: AccountId, options: StatementOptions): ReadLast {
  return async <Row extends TenantRow>(text: string, parameters: readonly Parameter[]) => {
    const rows = await db.queryTenant<Row>(account, text, parameters, options);
    return rows.last();
  };
}

/** A place in the order of arrival. */
export interface Cursor {
  /** All rows with a lower position were seen. */
  position: string;
  /** The last row seen at the position; if absent, all of its rows were seen. */
  seen?: RowPosition | undefined;
}

/** Before everything. */
export const START: Cursor = { position: '-1' };

/** The year 1, before all rows. */
const BEFORE_ALL: RowPosition = { microseconds: '-62135596800000000', id: '' };

/** The start for rows from before positions existed, which have position 0. */
const FIRST: Cursor = { position: '0', seen: BEFORE_ALL };

/**
 * Returns the latest position of present and removed rows. Everything that is committed later has a higher position.
 */
export async function lastPosition(
  readLast: ReadLast,
  { account, ...source }: ExportSource,
): Promise<string> {
  const { parameters, bind } = binding({ account });
  // Independent of the filters, because excluded rows count as seen.
  const own = source.own(bind);
  const last = `select account_id, position from ${source.table}
    where account_id = $1 and ${BY_POSITION} and ${own} order by position desc limit 1`;
  // Without the removed rows, a cursor would stay before them and report the same gap again.
  const any = source.removed ? `(${last}) union all (${source.removed(bind)})` : last;
  const row = await readLast<TenantRow & { last: string }>(
    `select account_id, position::text as last from (${any}) as positions order by position desc limit 1`,
    parameters,
  );
  return row?.last ?? START.position;
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

/** Positions whose rows are sorted together: the last one, and whether it is a single position with many rows. */
interface Positions {
  until: string;
  isOne: boolean;
}

/** Returns the next positions that have at most this many rows together, or otherwise one position of any size. */
async function nextPositions(
  readLast: ReadLast,
  source: ExportSource,
  after: string,
  last: string,
  most: number,
): Promise<Positions> {
  const { parameters, bind } = binding(source);
  const own = [source.own(bind), BY_POSITION, ...between(after, last, bind)].join(' and ');
  const next = await readLast<TenantRow & { first: string; final: string; rows: number }>(
    `select account_id, min(position)::text as first, max(position)::text as final, count(*)::int as rows
     from (select account_id, position from ${source.table} where account_id = $1 and ${own}
       order by position limit ${most + 1}) as next group by account_id`,
    parameters,
  );
  if (!next || next.rows <= most) return { until: last, isOne: false };
  const isOne = next.first === next.final;
  return { until: isOne ? next.first : String(BigInt(next.final) - 1n), isOne };
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

const between = (after: string, until: string, bind: Bind) => [
  `position > ${bind(after)}::bigint`,
  `position <= ${bind(until)}::bigint`,
];

const toOrder = ({ instant, id }: ExportSource) => `${instant}, ${id}`;

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

/** @param microseconds placeholder of a parameter: microseconds since the Unix epoch */
function toInstant(microseconds: string): string {
  return `timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`;
}

function toRest({ instant, id }: ExportSource, position: string, seen: RowPosition, bind: Bind): string[] {
  const at = toInstant(bind(seen.microseconds));
  return [
    `position = ${bind(position)}::bigint`,
    `(${instant}, ${id}) > (${at}, ${bind(seen.id)} collate "C")`,
  ];
}

/** Checks whether reports after a cursor were removed or hidden because of their age. */
export async function isGap(
  db: Database,
  account: AccountId,
  type: string,
  { position, seen }: Cursor,
  oldest: string,
): Promise<boolean> {
  const parameters: Parameter[] = [account, type, position, oldest];
  let isAfter = (_date: string, _id: string) => 'position > $3::bigint';
  if (seen) {
    parameters.push(seen.microseconds, seen.id);
    isAfter = (date, id) => `position >= $3::bigint and
        (position, ${date}, ${id}) > ($3::bigint, ${toInstant('$5')}, $6 collate "C")`;
  }
  const rows = await db.queryTenant<TenantRow>(
    account,
    `(select account_id from removed_position
      where account_id = $1 and type = $2 and ${isAfter('date', 'id')})
     union all
     (select account_id from report
      where account_id = $1 and type = $2 and date < $4 and ${isAfter('date', 'id')} limit 1)`,
    parameters,
    { quick: true },
  );
  return rows.length > 0;
}

function binding({ account }: { account: AccountId }): { parameters: Parameter[]; bind: Bind } {
  const parameters: Parameter[] = [account];
  return { parameters, bind: value => `$${parameters.push(value)}` };
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

/** The cursor that continues after a row. */
function toCursor(source: ExportSource): string {
  const { instant, id } = source;
  return `translate(encode(convert_to('${VERSION}.${toScope(source)}.' || position || '.'
    || (extract(epoch from ${instant}) * 1000000)::bigint || '.' || ${id}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
}

function unpacked<Row extends TenantRow>(rows: Rows<Row>, { packed }: ExportSource): Rows<Row> {
  return packed ? rows.unpacking(packed) : rows;
}

const VERSION = 1;

function toScope({ account, name }: Pick<ExportSource, 'account' | 'name'>): string {
  return createHash('sha256')
    .update(JSON.stringify([account, name]))
    .digest('base64url')
    .slice(0, 12);
}

const CURSOR = /^1\.([\w-]{12})\.(-?\d{1,18})(?:\.(-?\d{1,18})\.([^\0]*))?$/s;

/** Serializes a place. PostgreSQL does the same for rows of pages. */
export function toCursorText(source: ExportSource, { position, seen }: Cursor): string {
  const place = seen ? [position, seen.microseconds, seen.id] : [position];
  return Buffer.from([VERSION, toScope(source), ...place].join('.')).toString('base64url');
}

/** Undefined if the text is not a cursor of this source. */
export function readCursor(source: ExportSource, cursor: string): Cursor | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, scope, position, microseconds, id] = CURSOR.exec(text) ?? [];
  if (position === undefined || scope !== toScope(source)) return undefined;
  if (Buffer.from(text).toString('base64url') !== cursor) return undefined;
  return { position, seen: microseconds === undefined ? undefined : { microseconds, id: id! } };
}
