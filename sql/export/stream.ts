import type { Parameter, Rows } from '@sightline/pg-client';
import type { Snapshot, TenantRow } from '../client.ts';
import type { Bind } from '../report/indexed-values.ts';
import { type Cursor, type RowPosition, START } from './cursor.ts';
import {
  BEFORE_ALL,
  BY_POSITION,
  between,
  FIRST,
  lastPosition,
  nextPositions,
  toOrder,
  toRest,
} from './positions.ts';
import { binding, type ExportRow, type ExportSource, unpacked } from './source.ts';

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

/** Rows in the order of arrival. */
export interface ArrivedRows {
  /** Undefined if no row matches. */
  rows?: Rows | undefined;
  /** Returns the place after them. Computed on demand, because only the last place of a part is used. */
  place(): Cursor;
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
    const place = { position };
    yield { place: () => place };
  }
}

type StreamedRow = ExportRow & { position: string };

/** Streams the rows of a position after one of them. */
function streamPosition(snapshot: Snapshot, source: ExportSource, position: string, seen: RowPosition) {
  return streamOrdered(snapshot, source, toOrder(source), (bind, behind) =>
    toRest(source, position, behind ? toRowPosition(source, behind) : seen, bind),
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
  for await (const rows of streamBatches<StreamedRow>(snapshot, source, columns, order, toConditions)) {
    const last = rows.last();
    if (!last) continue;
    const place = () => ({ position: last.position, seen: toRowPosition(source, last) });
    yield { rows: unpacked(rows, source), place };
  }
}

function toRowPosition({ instantColumn }: ExportSource, row: StreamedRow): RowPosition {
  return { microseconds: toMicroseconds(row[instantColumn] as string), id: row.id };
}

/** @param instant in PostgreSQL's text form, in UTC */
function toMicroseconds(instant: string): string {
  const [, seconds, fraction = ''] = /^(.+?)(?:\.(\d+))?\+00$/.exec(instant)!;
  const milliseconds = Date.parse(`${seconds!.replace(' ', 'T')}Z`);
  return String(BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, '0')));
}
