import { createHash } from 'node:crypto';
import type { Packed, Parameter, Rows } from '@sightline/postgres';
import type { AccountId } from './account-id.ts';
import { fitting } from './answer-size.ts';
import type { Database, OwnedRow, Snapshot } from './client.ts';
import type { Bind } from './report/indexed-values.ts';

/** A source of exports: rows of an account, each with an instant, an id, and the position at which it came. */
export interface ExportSource {
  account: AccountId;
  /** Tells it from all others of the account: a cursor is good for one of them. */
  name: string;
  table: string;
  /** Expressions by which its rows are ordered. */
  instant: string;
  id: string;
  /** The column that shows the instant; `id` shows the id. */
  instantColumn: string;
  /** The columns that are shown, with `account_id`. */
  columns: string;
  packed?: Packed | undefined;
  /** A query for the position up to which rows were removed for their age, as `account_id` and `position`. */
  removed?(bind: Bind): string;
  /** A condition that tells its rows from others of its table. */
  own(bind: Bind): string;
  /** The conditions of the export; `bind` takes a value and names its place, and $1 is the account. */
  conditions(bind: Bind): string[];
  /** Bytes of a row that are not known by its number of columns; for reports their originals. */
  weight?: string;
}

/** A row of an export: what it shows, as PostgreSQL has it. */
export type ExportRow = OwnedRow & { id: string } & Readonly<Record<string, unknown>>;

/** A row of what came. */
export interface ArrivedRow extends OwnedRow {
  cursor: string;
  /** Rows that there were, of which the first few are given where they are large. */
  found: number;
}

/**
 * Rows of a statement. With a bound PostgreSQL follows an index instead of sorting everything. Citus has all rows
 * of a statement before it gives the first one, so it holds no more than these.
 */
const BATCH = 10_000;

/** All rows, newest first, of one state of the data, in parts as they come. */
export async function* everything(snapshot: Snapshot, source: ExportSource): AsyncGenerator<Rows> {
  let behind: ExportRow | undefined;
  for (let count = BATCH; count === BATCH; ) {
    count = 0;
    const { text, parameters } = batch(source, behind);
    for await (const rows of snapshot.parts<ExportRow>(source.account, text, parameters)) {
      count += rows.length;
      if (count === BATCH) behind = rows.last();
      yield unpacked(rows, source);
    }
  }
}

/** The rows behind one, newest first. */
function batch(source: ExportSource, behind: ExportRow | undefined) {
  const { table, columns, instant, id, instantColumn } = source;
  const { parameters, bind } = binding(source);
  const where = ['account_id = $1', source.own(bind), ...source.conditions(bind)];
  if (behind) {
    const at = `${bind(behind[instantColumn] as string)}::timestamptz`;
    // The second says what the first does, in words by which PostgreSQL leaves out later months.
    where.push(`(${instant}, ${id}) < (${at}, ${bind(behind.id)} collate "C")`, `${instant} <= ${at}`);
  }
  const text = `select ${columns} from ${table} where ${where.join(' and ')}
     order by ${instant} desc, ${id} desc limit ${BATCH}`;
  return { text, parameters };
}

/** Bytes of large texts that a page holds, but for those of its first row. */
const LONGEST_PAGE = 8 * 1024 * 1024;

/** To the letter the condition of the indexes of positions. */
const BY_POSITION = 'position >= 0';

/** A row of a position. */
interface Seen {
  microseconds: string;
  id: string;
}

/** A place in the order in which data came. */
export interface Cursor {
  /** All below it was seen. */
  position: string;
  /** The last row seen at the position itself; all of it was seen where there is none. */
  seen?: Seen | undefined;
}

/** Before everything. */
export const START: Cursor = { position: '-1' };

/** The same: what came when there were no positions has 0, and all of it is behind the year 1. */
const FIRST: Cursor = { position: '0', seen: { microseconds: '-62135596800000000', id: '' } };

/** The position that came last, of what is there or was removed. All that is committed later has a higher one. */
export async function lastPosition(db: Database, { account, ...source }: ExportSource): Promise<string> {
  const { parameters, bind } = binding({ account });
  // Not by the filters: what they leave out has been seen, too.
  const own = source.own(bind);
  const last = `select account_id, position from ${source.table}
    where account_id = $1 and ${BY_POSITION} and ${own} order by position desc limit 1`;
  // Without what is gone, a cursor would stay before it, and be told of the same gap again.
  const any = source.removed ? `(${last}) union all (${source.removed(bind)})` : last;
  const rows = await db.owned<OwnedRow & { last: string }>(
    account,
    `select account_id, position::text as last from (${any}) as positions order by position desc limit 1`,
    parameters,
    { quick: true },
  );
  return rows.last()?.last ?? START.position;
}

/** The rows behind a place, and the position that is whole once these are seen. */
export interface Arrived {
  rows: Rows<ArrivedRow>;
  until: string;
}

/**
 * A page of what came behind a place, in the order in which it came: the rest of the place's position, or else what has
 * later ones. Together they would be sorted with every row of that position, which may be all that there are.
 * @param last the position that came last
 */
export async function arrivals(
  db: Database,
  source: ExportSource,
  after: Cursor,
  last: string,
  limit: number,
): Promise<Arrived> {
  const { position, seen } = after.position === START.position ? FIRST : after;
  if (seen) {
    const rows = await arrived(db, source, limit, bind => restOf(source, position, seen, bind));
    if (rows.length > 0) return { rows, until: position };
  }
  const rows = await arrived(db, source, limit, bind => [
    BY_POSITION,
    `position > ${bind(position)}::bigint`,
    `position <= ${bind(last)}::bigint`,
  ]);
  return { rows, until: last };
}

async function arrived(
  db: Database,
  source: ExportSource,
  limit: number,
  behind: (bind: Bind) => string[],
): Promise<Rows<ArrivedRow>> {
  const { parameters, bind } = binding(source);
  const where = [source.own(bind), ...source.conditions(bind), ...behind(bind)];
  const order = `position, ${source.instant}, ${source.id}`;
  const text = page(source, where, order, limit);
  const rows = await db.owned<ArrivedRow>(source.account, text, parameters, { prepare: false });
  return unpacked(rows, source);
}

function restOf({ instant, id }: ExportSource, position: string, seen: Seen, bind: Bind): string[] {
  const at = `timestamptz 'epoch' + ${bind(seen.microseconds)}::bigint * interval '1 microsecond'`;
  return [
    `position = ${bind(position)}::bigint`,
    `(${instant}, ${id}) > (${at}, ${bind(seen.id)} collate "C")`,
  ];
}

/** Tells whether reports that came behind a position are gone, or not shown any more, because of their age. */
export async function isGap(
  db: Database,
  account: AccountId,
  type: string,
  { position, seen }: Cursor,
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
function page(source: ExportSource, where: readonly string[], order: string, limit: number): string {
  const { table, columns, weight = '0' } = source;
  const rows = `select * from ${table} where account_id = $1 and ${where.join(' and ')} order by ${order} limit ${limit}`;
  const shown = `${columns}, ${cursorColumn(source)}, found`;
  return fitting({ rows, table, columns: shown, order, weight, longest: LONGEST_PAGE });
}

function cursorColumn(source: ExportSource): string {
  const { instant, id } = source;
  return `translate(encode(convert_to('${VERSION}.${scopeOf(source)}.' || position || '.'
    || (extract(epoch from ${instant}) * 1000000)::bigint || '.' || ${id}, 'UTF8'), 'base64'), E'+/=\\n', '-_') as cursor`;
}

function unpacked<Row extends OwnedRow>(rows: Rows<Row>, { packed }: ExportSource): Rows<Row> {
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
export function cursorOf(source: ExportSource, { position }: Cursor): string {
  return Buffer.from(`${VERSION}.${scopeOf(source)}.${position}`).toString('base64url');
}

/** Undefined for what is no cursor of this source. */
export function readCursor(source: ExportSource, cursor: string): Cursor | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, scope, position, microseconds, id] = CURSOR.exec(text) ?? [];
  if (position === undefined || scope !== scopeOf(source)) return undefined;
  if (Buffer.from(text).toString('base64url') !== cursor) return undefined;
  return { position, seen: microseconds === undefined ? undefined : { microseconds, id: id! } };
}
