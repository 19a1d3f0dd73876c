import type { AccountId } from './account-id.ts';
import { LONGEST_ANSWER } from './answer-size.ts';
import type { Database, OwnedRow, Parameter } from './client.ts';
import { formatInstant } from './instants.ts';
import { type Bound, type Page, page, shownInPlace } from './page.ts';
import { conditions, exclusions } from './report/conditions.ts';
import type { FilterValues } from './report/filters.ts';
import {
  type FieldKind,
  REPORT_TYPE_DEFINITIONS,
  type ReportField,
  type ReportType,
} from './report/types.ts';

export interface ReportQuery {
  account: AccountId;
  type: ReportType;
  /** The first instant, and the first one behind the last, ISO 8601. */
  from: string;
  until: string;
  filters: FilterValues;
  /** Reports that match any of these are left out. */
  not?: FilterValues;
  /** Whether the account may see what threat intelligence says. */
  threatIntelligence: boolean;
  limit: number;
  /** Whether the records are wanted as JSON, if they can be written as they come. */
  asJson?: boolean | undefined;
  /** Whether the records are wanted with `account_id` and `id`, by which they are known, shown or not. */
  keyed?: boolean;
}

/** A record: exactly the fields of its type, in their order and form, ready to be shown as it is. */
export type ReportRecord = Readonly<Record<string, unknown>>;

/** A record with what it is known by. */
export type KeyedReportRecord = ReportRecord & { account_id: AccountId; id: string };

type ReportRow = OwnedRow & Record<string, unknown>;

/** Newest first: by date, then id, both descending. */
export function reports(db: Database, query: ReportQuery): Promise<Page<ReportRow, ReportRecord>> {
  const { account, type, from, until, filters, not = {}, limit } = query;
  const { columns, isWhole, shown } = shapeOf(query);
  const parameters: Parameter[] = [account, type, from, until];
  const bind = (value: Exclude<Parameter, boolean | null>) => `$${parameters.push(value)}`;
  const where = [...conditions(type, filters, bind), ...exclusions(type, not, bind)];
  const newest = `from report
     where account_id = $1 and type = $2 and date >= $3 and date < $4 ${where.map(text => `and ${text}`).join(' ')}
     order by date desc, id desc limit ${limit + 1}`;
  const text = `select ${columns(shortRaw(limit))} ${newest}`;
  const bound: Bound = { around: AROUND, column: 'raw', text: filling(columns('raw'), newest) };
  const asJson = isWhole && query.asJson;
  return page(db, account, text, parameters, { limit, shown, asJson, bound, prepare: recurs(text) });
}

const AROUND = '{"reports":[],"truncated":false}';

/** The original report, or null where as many of its length would not fit into an answer. */
function shortRaw(limit: number): string {
  const longest = Math.floor(LONGEST_ANSWER / (limit + 1));
  // PostgreSQL knows a length without reading a value that is stored apart.
  return `case when octet_length(raw) <= ${longest} then raw end`;
}

/** The records until their original reports fill an answer: what is behind them is not even read. */
function filling(columns: string, newest: string): string {
  return `select ${columns} from (
       select *, sum(octet_length(raw)) over (order by date desc, id desc rows unbounded preceding) as bytes
       from (select * ${newest}) newest) report
     where bytes - octet_length(raw) < ${LONGEST_ANSWER} order by date desc, id desc`;
}

/** Combinations of filters are too many to prepare each of them; those that came first are, on each connection. */
const recurring = new Set<string>();
const MOST_PREPARED = 100;

function recurs(text: string): boolean {
  if (recurring.size < MOST_PREPARED) recurring.add(text);
  return recurring.has(text);
}

/** One report by its id, as `query` would list it. */
export async function report(
  db: Database,
  query: Omit<ReportQuery, 'filters' | 'limit' | 'keyed' | 'asJson'>,
  id: string,
): Promise<KeyedReportRecord | undefined> {
  // The filter ignores case.
  const { records } = await reports(db, { ...query, filters: { id }, limit: MOST_OF_AN_ID, keyed: true });
  return (records as KeyedReportRecord[]).find(record => record.id === id);
}

/** More reports than have ids that differ in nothing but case. */
const MOST_OF_AN_ID = 100;

interface Shape {
  /** @param raw expression for the original report */
  columns(raw: string): string;
  /** Whether a row is the record: with every field in its order, and nothing else. */
  isWhole: boolean;
  shown(row: ReportRow): ReportRecord;
}

const shapes = new Map<string, Shape>();

/** The shapes of a type differ in what is shown of threats, and in whether the key comes with them. */
function shapeOf({ type, threatIntelligence, keyed = false }: ReportQuery): Shape {
  const name = `${type} ${threatIntelligence} ${keyed}`;
  const known = shapes.get(name) ?? shape(type, threatIntelligence, keyed);
  shapes.set(name, known);
  return known;
}

function shape(type: ReportType, threatIntelligence: boolean, keyed: boolean): Shape {
  const { fields } = REPORT_TYPE_DEFINITIONS.find(definition => definition.type === type)!;
  const extra = fields.filter(field => !field.column);
  const selected = fields
    .filter(field => field.column)
    .map(field => `${selection(field, threatIntelligence)} as "${field.name}"`);
  const key = keyed && !fields.some(({ column }) => column === 'id') ? ['id'] : [];
  const [before = '', behind = ''] = ['account_id', ...key, ...selected, ...(extra.length ? ['extra'] : [])]
    .join(', ')
    .split('raw as "raw"');
  const columns = (raw: string) => `${before}${raw} as "raw"${behind}`;
  const isWhole = extra.length === 0;
  const instants = fields.filter(({ kind }) => kind === 'timestamp').map(({ name }) => name);
  const shown = isWhole ? shownInPlace(instants) : (row: ReportRow) => assembled(fields, row);
  return { columns, isWhole, shown: keyed ? withKey(shown) : shown };
}

/** Shows the key, too. */
function withKey(shown: Shape['shown']): Shape['shown'] {
  return row => {
    const { account_id, id } = row;
    return Object.assign(shown(row), { account_id, id });
  };
}

function assembled(fields: readonly ReportField[], { extra, ...row }: ReportRow): ReportRecord {
  const values = (extra ?? {}) as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  for (const field of fields)
    record[field.name] = completed(field, (field.column ? row : values)[field.name]);
  return record;
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

/** Every field, where the loader left out what was unknown. */
function complete(fields: readonly ReportField[], values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(fields.map(field => [field.name, completed(field, values[field.name])]));
}

function completed({ kind, nullable, fields = [] }: ReportField, value: unknown): unknown {
  if (kind === 'object') return complete(fields, (value ?? {}) as Record<string, unknown>);
  if (kind === 'objects')
    return ((value ?? []) as Record<string, unknown>[]).map(item => complete(fields, item));
  if (value === undefined || value === null) return nullable ? null : UNKNOWN[kind];
  return kind === 'timestamp' ? formatInstant(value as string) : value;
}

const UNKNOWN: Partial<Record<FieldKind, unknown>> = {
  text: '',
  texts: [],
  boolean: false,
  flag: 0,
  integer: 0,
};
