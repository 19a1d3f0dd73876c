import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow, Parameter } from './client.ts';
import { conditions, type FilterValues } from './report-filters.ts';
import {
  type FieldKind,
  REPORT_TYPE_DEFINITIONS,
  type ReportField,
  type ReportType,
} from './report-types.ts';

export interface ReportQuery {
  account: AccountId;
  type: ReportType;
  /** The first instant, and the first one behind the last, ISO 8601. */
  from: string;
  until: string;
  filters: FilterValues;
  /** Whether the account may see what threat intelligence says. */
  threatIntelligence: boolean;
  limit: number;
}

/** A record with every field of its type, ready to be shown. */
export type ReportRow = OwnedRow & Record<string, unknown>;

/** Newest first: by date, then id, both descending. */
export async function reports(db: Database, query: ReportQuery): Promise<ReportRow[]> {
  const { account, type, from, until, filters, limit } = query;
  const { columns, extra } = shapes.get(type)![query.threatIntelligence ? 'whole' : 'plain'];
  const parameters: Parameter[] = [account, type, from, until];
  const where = conditions(type, filters, value => `$${parameters.push(value)}`);
  const rows = await db.owned<ReportRow>(
    account,
    `select ${columns} from report
     where account_id = $1 and type = $2 and date >= $3 and date < $4 ${where.map(text => `and ${text}`).join(' ')}
     order by date desc, id desc limit ${limit}`,
    parameters,
    // Combinations of filters are too many to keep a plan of each.
    { prepare: where.length === 0 },
  );
  return extra.length === 0 ? rows : rows.map(row => withExtra(row, extra));
}

interface Shape {
  columns: string;
  extra: readonly ReportField[];
}

const shapes = new Map<ReportType, { whole: Shape; plain: Shape }>(
  REPORT_TYPE_DEFINITIONS.map(({ type, fields }) => [
    type,
    { whole: shape(fields, true), plain: shape(fields, false) },
  ]),
);

function shape(fields: readonly ReportField[], threatIntelligence: boolean): Shape {
  const extra = fields.filter(field => !field.column);
  const selected = fields
    .filter(field => field.column)
    .map(field => `${selection(field, threatIntelligence)} as "${field.name}"`);
  return { columns: ['account_id', ...selected, ...(extra.length ? ['extra'] : [])].join(', '), extra };
}

/** Unknown text and empty lists are null in the table. */
function selection(field: ReportField, threatIntelligence: boolean): string {
  const { kind, column } = field;
  const always = column === 'id' || column === 'raw';
  if (field.threatIntelligence && !threatIntelligence) return kind === 'flag' ? '0' : `'{}'::text[]`;
  if (kind === 'text' && !always) return `coalesce(${column}, '')`;
  if (kind === 'texts') return `coalesce(${column}, '{}')`;
  if (kind === 'flag') return `${column}::int`;
  return column!;
}

function withExtra({ extra, ...row }: ReportRow, fields: readonly ReportField[]): ReportRow {
  return Object.assign(row, complete(fields, (extra ?? {}) as Record<string, unknown>));
}

/** Every field, where the loader left out what was unknown. */
function complete(fields: readonly ReportField[], values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(fields.map(field => [field.name, completeField(field, values[field.name])]));
}

function completeField({ kind, nullable, fields = [] }: ReportField, value: unknown): unknown {
  if (kind === 'object') return complete(fields, (value ?? {}) as Record<string, unknown>);
  if (kind === 'objects')
    return ((value ?? []) as Record<string, unknown>[]).map(item => complete(fields, item));
  return value ?? (nullable ? null : UNKNOWN[kind]);
}

const UNKNOWN: Partial<Record<FieldKind, unknown>> = {
  text: '',
  texts: [],
  boolean: false,
  flag: 0,
  integer: 0,
};
