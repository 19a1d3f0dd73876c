import type { AccountId } from '../account-id.ts';
import { ForeignRow, type OwnedRow } from '../client.ts';
import type { JsonRows } from '../driver/json-rows.ts';

/** The second fence: no row of another account leaves `sql/`. @throws {ForeignRow} */
export function ownRows<Row extends OwnedRow>(accounts: string | readonly AccountId[], rows: Row[]): Row[] {
  const isForeign =
    typeof accounts === 'string'
      ? (row: Row) => row.account_id !== accounts
      : (row: Row) => !accounts.includes(row.account_id);
  if (rows.some(isForeign)) throw foreignRow();
  return rows;
}

/** The same, of rows that were looked at when they were written. @throws {ForeignRow} */
export function ownJson(rows: JsonRows): JsonRows {
  if (rows.isForeign) throw foreignRow();
  return rows;
}

function foreignRow(): ForeignRow {
  return new ForeignRow('a statement answered with a row of another account');
}
