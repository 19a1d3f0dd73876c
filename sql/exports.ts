import { createHash } from 'node:crypto';
import type { AccountId } from './account-id.ts';
import { fitting } from './answer-size.ts';
import type { Database, OwnedRow, Snapshot } from './client.ts';
import type { Packed } from './driver/packed.ts';
import type { Parameter } from './driver/parameters.ts';
import type { Rows } from './driver/rows.ts';
import type { Bind } from './report/indexed-values.ts';

/** What can be exported: rows of an account, each with an instant, an id, and the position at which it came. */
export interface ExportSource {
  account: AccountId;
  /** Tells it from all others of the account: a cursor is good for one of them. */
  name: string;
  table: string;
  /** Expressions by which its rows are ordered. */
  instant: string;
  id: string;
  /** What is shown, with `account_id`. */
  columns: string;
  packed?: Packed | undefined;
  /** What tells its rows from others of its table. */
  own(bind: Bind): string;
  /** Which of them are meant; `bind` takes a value and names its place, and $1 is the account. */
  conditions(bind: Bind): string[];
  /** Bytes of a row that are not known by its number of columns; for reports their originals. */
  weight?: string;
}

/** A row of an export, beside what it shows. */
export interface ExportRow extends OwnedRow {
  at: string;
  row_id: string;
}

/** A row of what came. */
export interface ArrivedRow extends ExportRow {
  cursor: string;
  /** Rows that there were, of which the first few are given where they are large. */
  found: number;
}

/** Where a page ended: an instant in the database's own text, and the id. */
export interface Place {
  at: string;
  id: string;
}

/** Bytes of large texts that a page holds, but for those of its first row. */
const LONGEST_PAGE = 8 * 1024 * 1024;

/** A page of all rows, newest first, of one state of the data. */
export async function page(
  snapshot: Snapshot,
  source: ExportSource,
  behind: Place | undefined,
  limit: number,
): Promise<Rows<ExportRow>> {
  const { parameters, bind } = binding(source);
  const { instant, id } = source;
  const where = [source.own(bind), ...source.conditions(bind)];
  if (behind)
    where.push(`(${instant}, ${id}) < (${bind(behind.at)}::timestamptz, ${bind(behind.id)} collate "C")`);
  const order = `${instant} desc, ${id} desc`;
  const rows = await snapshot.owned<ExportRow>(
    source.account,
    statement(source, where, order, limit, placeOf(source)),
    parameters,
  );
  return unpacked(rows, source);
}

/** To the letter the condition of the indexes of positions. */
const BY_POSITION = 'position >= 0';

/** A place in the order in which data came. */
export interface Arrival {
  /** All below it was seen. */
  position: string;
  /** Of the position itself, up to here; all of it where there is none. */
  seen?: { microseconds: string; id: string } | undefined;
}

/** Before everything, also before what came when there were no positions. */
export const START: Arrival = { position: '-1' };

/** The position that came last, of what is there. All that is committed later has a higher one. */
export async function lastPosition(db: Database, { account, ...source }: ExportSource): Promise<string> {
  const { parameters, bind } = binding({ account });
  // Not by the filters: what they leave out has been seen, too.
  const own = source.own(bind);
  const rows = await db.owned<OwnedRow & { last: string }>(
    account,
    `select account_id, position::text as last from ${source.table} where account_id = $1 and ${BY_POSITION} and ${own}
     order by position desc limit 1`,
    parameters,
    { quick: true },
  );
  return rows.last()?.last ?? START.position;
}

/** A page of what came behind a place, in the order in which it came, up to a position. */
export async function arrivals(
  db: Database,
  source: ExportSource,
  after: Arrival,
  until: string,
  limit: number,
): Promise<Rows<ArrivedRow>> {
  const { parameters, bind } = binding(source);
  const { instant, id } = source;
  const where = [
    BY_POSITION,
    source.own(bind),
    ...source.conditions(bind),
    behindArrival(source, after, bind),
    `position <= ${bind(until)}::bigint`,
  ];
  const order = `position, ${instant}, ${id}`;
  const shown = `${placeOf(source)}, ${cursorColumn(source)}, found`;
  const text = statement(source, where, order, limit, shown);
  const rows = await db.owned<ArrivedRow>(source.account, text, parameters, { prepare: false });
  return unpacked(rows, source);
}

function behindArrival({ instant, id }: ExportSource, { position, seen }: Arrival, bind: Bind): string {
  const place = `${bind(position)}::bigint`;
  if (!seen) return `position > ${place}`;
  const at = `timestamptz 'epoch' + ${bind(seen.microseconds)}::bigint * interval '1 microsecond'`;
  const isBehind = `(position, ${instant}, ${id}) > (${place}, ${at}, ${bind(seen.id)} collate "C")`;
  return `position >= ${place} and ${isBehind}`;
}

/** Whether reports that came behind a position are gone, or not shown any more, because of their age. */
export async function isGap(
  db: Database,
  account: AccountId,
  type: string,
  { position, seen }: Arrival,
  oldest: string,
): Promise<boolean> {
  const isBehind = `position ${seen ? '>=' : '>'} $3::bigint`;
  const rows = await db.owned<OwnedRow>(
    account,
    `(select account_id from removed_position where account_id = $1 and type = $2 and ${isBehind})
     union all
     (select account_id from report
      where account_id = $1 and type = $2 and date < $4 and ${isBehind} limit 1)`,
    [account, type, position, oldest],
    { quick: true },
  );
  return rows.length > 0;
}

function binding({ account }: { account: AccountId }): { parameters: Parameter[]; bind: Bind } {
  const parameters: Parameter[] = [account];
  return { parameters, bind: value => `$${parameters.push(value)}` };
}

/** As many of the first rows as their large texts fit into a page, and one at least. */
function statement(
  { table, columns, weight }: ExportSource,
  where: readonly string[],
  order: string,
  limit: number,
  further: string,
): string {
  const rows = `select * from ${table} where account_id = $1 and ${where.join(' and ')} order by ${order} limit ${limit}`;
  const shown = `${columns}, ${further}`;
  return fitting({ rows, table, columns: shown, order, weight: weight ?? '0', longest: LONGEST_PAGE });
}

const placeOf = ({ instant, id }: ExportSource) => `${instant}::text as at, ${id} as row_id`;

function cursorColumn(source: ExportSource): string {
  const { instant, id } = source;
  return `translate(encode(convert_to('${VERSION}.${scopeOf(source)}.' || position || '.'
    || (extract(epoch from ${instant}) * 1000000)::bigint || '.' || ${id}, 'UTF8'), 'base64'), E'+/=\\n', '-_') as cursor`;
}

function unpacked<Row extends ExportRow>(rows: Rows<Row>, { packed }: ExportSource): Rows<Row> {
  return packed ? rows.unpacking(packed) : rows;
}

const VERSION = 1;

function scopeOf({ account, name }: Pick<ExportSource, 'account' | 'name'>): string {
  return createHash('sha256')
    .update(JSON.stringify([account, name]))
    .digest('base64url')
    .slice(0, 12);
}

const CURSOR = /^1\.([\w-]{12})\.(-?\d{1,18})(?:\.(-?\d{1,18})\.([^\0]*))?$/s;

/** The text of a place; those of rows are made by PostgreSQL. */
export function cursorOf(source: ExportSource, { position }: Arrival): string {
  return Buffer.from(`${VERSION}.${scopeOf(source)}.${position}`).toString('base64url');
}

/** Undefined for what is no cursor of this source. */
export function readCursor(source: ExportSource, cursor: string): Arrival | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, scope, position, microseconds, id] = CURSOR.exec(text) ?? [];
  if (position === undefined || scope !== scopeOf(source)) return undefined;
  if (Buffer.from(text).toString('base64url') !== cursor) return undefined;
  return { position, seen: microseconds === undefined ? undefined : { microseconds, id: id! } };
}
