import type { Parameter, StatementOptions } from '@sightline/pg-client';
import type { AccountId } from '../account-id.ts';
import type { Database, TenantRow } from '../client.ts';
import type { Bind } from '../report/indexed-values.ts';
import { type Cursor, type RowPosition, START } from './cursor.ts';
import { binding, type ExportSource } from './source.ts';

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

/** Must equal the condition of the indexes on positions. */
export const BY_POSITION = 'position >= 0';

/** The year 1, before all rows. */
export const BEFORE_ALL: RowPosition = { microseconds: '-62135596800000000', id: '' };

/** The start for rows from before positions existed, which have position 0. */
export const FIRST: Cursor = { position: '0', seen: BEFORE_ALL };

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

/** Positions whose rows are sorted together: the last one, and whether it is a single position with many rows. */
interface Positions {
  until: string;
  isOne: boolean;
}

/** Returns the next positions that have at most this many rows together, or otherwise one position of any size. */
export async function nextPositions(
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

export const between = (after: string, until: string, bind: Bind) => [
  `position > ${bind(after)}::bigint`,
  `position <= ${bind(until)}::bigint`,
];

export const toOrder = ({ instant, id }: ExportSource) => `${instant}, ${id}`;

/** @param microseconds placeholder of a parameter: microseconds since the Unix epoch */
function toInstant(microseconds: string): string {
  return `timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`;
}

export function toRest(
  { instant, id }: ExportSource,
  position: string,
  seen: RowPosition,
  bind: Bind,
): string[] {
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
