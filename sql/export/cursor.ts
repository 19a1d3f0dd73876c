import { createHash } from 'node:crypto';
import type { ExportSource } from './source.ts';

/** A place in the order of arrival. */
export interface Cursor {
  /** All rows with a lower position were seen. */
  position: string;
  /** The last row seen at the position; if absent, all of its rows were seen. */
  seen?: RowPosition | undefined;
}

/** A row within a position. */
export interface RowPosition {
  microseconds: string;
  id: string;
}

/** Before everything. */
export const START: Cursor = { position: '-1' };

const VERSION = 1;

function toScope({ account, name }: Pick<ExportSource, 'account' | 'name'>): string {
  return createHash('sha256')
    .update(JSON.stringify([account, name]))
    .digest('base64url')
    .slice(0, 12);
}

/** The cursor that continues after a row. */
export function toCursor(source: ExportSource): string {
  const { instant, id } = source;
  return `translate(encode(convert_to('${VERSION}.${toScope(source)}.' || position || '.'
    || (extract(epoch from ${instant}) * 1000000)::bigint || '.' || ${id}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
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
