import type { Packed, Parameter, Rows } from '@sightline/pg-client';
import type { AccountId } from '../account-id.ts';
import type { TenantRow } from '../client.ts';
import type { Bind } from '../report/indexed-values.ts';

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

export function binding({ account }: { account: AccountId }): { parameters: Parameter[]; bind: Bind } {
  const parameters: Parameter[] = [account];
  return { parameters, bind: value => `$${parameters.push(value)}` };
}

export function unpacked<Row extends TenantRow>(rows: Rows<Row>, { packed }: ExportSource): Rows<Row> {
  return packed ? rows.unpacking(packed) : rows;
}
