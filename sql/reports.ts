import { Packed, type PackedField, type Parameter, type Rows } from '@sightline/pg-client';
import {
  formatInstant,
  getUnknownValue,
  REPORT_TYPE_DEFINITIONS,
  type ReportField,
  type ReportType,
} from '@sightline/reports';
import type { AccountId } from './account-id.ts';
import { fitting, LONGEST_ANSWER } from './answer-size.ts';
import type { Database, TenantRow } from './client.ts';
import { skipDaysWithoutMatches } from './groups/days-without-matches.ts';
import { filterConditions } from './report/conditions.ts';
import type { FilterValues } from './report/filter.ts';

export interface ReportQuery {
  account: AccountId;
  type: ReportType;
  /** The first instant and the end (exclusive), in ISO 8601. */
  from: string;
  until: string;
  filters: FilterValues;
  /** Excludes reports that match any of these. */
  not?: FilterValues | null | undefined;
  /** True if the account can see threat intelligence. */
  threatIntelligence: boolean;
  /** True if no field is read that only `/graphql` and `/export` have. */
  isPlain?: boolean | undefined;
  limit: number;
  /** The maximum size of the result in bytes. */
  longest?: number | undefined;
  /** The first day of the unindexed months, if known. */
  openSince?: string | undefined;
}

/** The fields of its type as stored in the database. */
export type ReportRow = TenantRow & { id: string } & Readonly<Record<string, unknown>>;

/**
 * Returns reports newest first: by date, then id, both descending. The list ends before a response becomes too long.
 */
export async function reports(db: Database, query: ReportQuery): Promise<Rows<ReportRow>> {
  const { account, type, from, until, limit, longest = LONGEST_ANSWER } = query;
  const shape = toShape(type, query.threatIntelligence, query.isPlain);
  const { packed, measureSize: sizeOf } = shape;
  const parameters: Parameter[] = [account, type, from, until];
  const bind = (value: Exclude<Parameter, boolean | null>) => `$${parameters.push(value)}`;
  const where = filterConditions(query, bind).join(' and ');
  const ask = (text: string, prepare: boolean) =>
    db.queryTenant<ReportRow>(account, text, parameters, { prepare });
  const rows = await (askWithRollups(db, query, shape, longest) ??
    ask(...toStatement(shape, where, limit, longest)));
  const found = rows.hasNull('raw') ? await ask(filling(shape, where, limit, longest), false) : rows;
  return (packed ? found.unpacking(packed) : found).upTo(limit).limitBytes(longest - AROUND.length, sizeOf);
}

/** Undefined if rollups do not help. */
function askWithRollups(
  db: Database,
  query: ReportQuery,
  shape: Shape,
  longest: number,
): Promise<Rows<ReportRow>> | undefined {
  const { account, limit, openSince, not } = query;
  if (openSince === undefined) return undefined;
  const parameters: Parameter[] = [];
  const bind = (value: Exclude<Parameter, boolean | null>) => `$${parameters.push(value)}`;
  const days = skipDaysWithoutMatches({ ...query, not: not ?? {} }, openSince, limit + 1, bind);
  if (!days) return undefined;
  const text = `with ${days.tables.join(',\n')}
    select ${shape.columns(isShort(shape, longest, limit))} from ${days.source}`;
  return db.queryTenant<ReportRow>(account, text, parameters, { prepare: false });
}

const AROUND = '{"reports":[],"truncated":false}';

const newest = (where: string, limit: number) => `from report
     where account_id = $1 and type = $2 and date >= $3 and date < $4 ${where && `and ${where}`}
     order by date desc, id desc limit ${limit + 1}`;

/** Selects records until the limit of the result is reached. */
function filling({ columns, weight }: Shape, where: string, limit: number, longest: number): string {
  return fitting({
    rows: `select * ${newest(where, limit)}`,
    table: 'report',
    columns: columns(),
    order: 'date desc, id desc',
    weight,
    longest,
  });
}

/**
 * A lower bound for the size of a report in a response: the raw report and, if it has lists of objects, the fields
 * without a column. Without it, a response could end without mentioning the remaining reports. PostgreSQL knows the
 * size of a value that is stored out of line without reading it, but must read a compressed value.
 */
function estimateWeight(fields: readonly ReportField[]): string {
  const lists = fields.filter(({ kind, column }) => kind === 'objects' && !column);
  if (lists.length === 0) return 'octet_length(raw)';
  const size = `case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra), 0)
    else octet_length(extra::text) end`;
  const lengths = lists.map(
    ({ name, fields = [] }) => `${estimateLeast(fields)} * coalesce(jsonb_array_length(extra->'${name}'), 0)`,
  );
  return `(octet_length(raw) + greatest((${size}) / 2, ${lengths.join(' + ')}))`;
}

/** @param weight of the report's remaining data */
function sizeIn(fields: readonly ReportField[], weight: string): string {
  const sizes = fields.flatMap(({ kind, column }) => {
    if (!column || column === 'raw') return [];
    if (kind === 'text') return [`coalesce(octet_length(${column}::text), 0)`];
    return kind === 'texts' ? [`coalesce(pg_column_size(${column}), 0)`] : [];
  });
  // Without lists, the weight excludes the fields without a column.
  const extra = weight.includes('extra') ? [] : ['coalesce(pg_column_size(extra), 0)'];
  return `(${[weight, ...extra, ...sizes].join(' + ')})`;
}

/** Returns the size of an object with only unknown values; a number can be shorter than null. */
function estimateLeast(fields: readonly ReportField[]): number {
  return JSON.stringify(Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'text' ? '' : 0])))
    .length;
}

/** Returns one report by its id, as `query` would list it. */
export async function report(
  db: Database,
  query: Omit<ReportQuery, 'filters' | 'limit' | 'longest'>,
  id: string,
): Promise<ReportRow | undefined> {
  // The filter ignores case.
  const found = await reports(db, { ...query, filters: { id }, limit: MOST_OF_AN_ID });
  return found.objects().find(record => record.id === id);
}

/** More than the number of ids that can differ only in case. */
const MOST_OF_AN_ID = 100;

/** There are too many combinations of filters to prepare all of them; each connection prepares the first ones. */
const recurring = new Map<string, string>();
const MOST_PREPARED = 100;

/** Returns the text, and whether it is prepared. */
function toStatement(shape: Shape, where: string, limit: number, longest: number): [string, boolean] {
  const key = `${shape.name} ${limit} ${longest} ${where}`;
  const existing = recurring.get(key);
  if (existing !== undefined) return [existing, true];
  const text = `select ${shape.columns(isShort(shape, longest, limit))} ${newest(where, limit)}`;
  const recurs = recurring.size < MOST_PREPARED;
  if (recurs) recurring.set(key, text);
  return [text, recurs];
}

/** The condition that a record does not exceed its share of a response. */
function isShort({ weight }: Shape, longest: number, limit: number): string {
  return `${weight} <= ${Math.floor(longest / (limit + 1))}`;
}

/** How a record is read. */
interface Shape {
  /** The statement's name. */
  name: string;
  /** @param isShort condition under which a record has neither its original nor fields without a column */
  columns(isShort?: string): string;
  /** Expression for the minimum size of a report in bytes. */
  weight: string;
  /** The size of a report with all its texts and lists. */
  size: string;
  /** The fields without a column, if there are any. */
  packed: Packed | undefined;
  /** Returns the size of a record in a response, in bytes. */
  measureSize(row: ReportRow): number;
}

const shapes = new Map<string, Shape>();

export function toShape(type: ReportType, threatIntelligence: boolean, isPlain = false): Shape {
  const name = `${type} ${threatIntelligence} ${isPlain}`;
  const existing = shapes.get(name) ?? newShape(name, type, threatIntelligence, isPlain);
  shapes.set(name, existing);
  return existing;
}

function newShape(name: string, type: ReportType, threatIntelligence: boolean, isPlain: boolean): Shape {
  const { fields } = REPORT_TYPE_DEFINITIONS.find(one => one.type === type)!;
  const inRest = fields.filter(({ graphOnly }) => !graphOnly);
  const read = isPlain ? inRest : fields;
  const direct = read.filter(({ column }) => !column);
  const weight = estimateWeight(fields);
  const hasLists = weight.includes('extra');
  const selectExtra = (isShort?: string) => (hasLists ? onlyIf(isShort, 'extra') : 'extra');
  return {
    name,
    columns: isShort =>
      listColumns(read, threatIntelligence, onlyIf(isShort, 'raw')) +
      (direct.length > 0 ? `, ${selectExtra(isShort)}` : ''),
    weight,
    size: sizeIn(fields, weight),
    packed: direct.length > 0 ? new Packed('extra', direct.map(packedField)) : undefined,
    measureSize: row => Buffer.byteLength(JSON.stringify(selectShownFields(inRest, row))),
  };
}

function onlyIf(condition: string | undefined, column: string): string {
  if (condition === undefined) return column;
  const name = column === 'raw' ? '' : ` as ${column}`;
  return `case when ${condition} then ${column} end${name}`;
}

/** Includes the id, which identifies a record even if it is not shown. */
function listColumns(fields: readonly ReportField[], threatIntelligence: boolean, raw: string): string {
  const columns = fields
    .filter(({ column }) => column && column !== 'id')
    .map(field => {
      const expression = field.column === 'raw' ? raw : selection(field, threatIntelligence);
      return `${expression} as "${field.name}"`;
    });
  return ['account_id', 'id', ...columns].join(', ');
}

/** Returns the fields that are shown. */
function selectShownFields(fields: readonly ReportField[], row: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    fields.map(({ name, kind, fields = [] }) => {
      const value = row[name];
      if (kind === 'timestamp') return [name, value && formatInstant(value as string)];
      if (kind === 'objects')
        return [name, (value as ReportRow[]).map(item => selectShownFields(fields, item))];
      return [name, kind === 'object' ? selectShownFields(fields, value as ReportRow) : value];
    }),
  );
}

/** Unknown text and empty lists are null in the table. */
function selection(field: ReportField, threatIntelligence: boolean): string {
  const { kind, column } = field;
  const always = column === 'id' || column === 'raw';
  const unknown = literal(getUnknownValue(field));
  if (field.threatIntelligence && !threatIntelligence) return unknown;
  if ((kind === 'text' || kind === 'texts') && !always) return `coalesce(${column}, ${unknown})`;
  if (kind === 'flag') return `${column}::int`;
  return column!;
}

function literal(unknown: unknown): string {
  if (Array.isArray(unknown)) return `'{}'::text[]`;
  return unknown === '' ? `''` : String(unknown);
}

/** The loader does not store unknown values. */
function packedField(field: ReportField): PackedField {
  const { name, fields } = field;
  const unknown = getUnknownValue(field);
  return fields ? { name, unknown, fields: fields.map(packedField) } : { name, unknown };
}
