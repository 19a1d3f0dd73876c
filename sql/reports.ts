import { Packed, type PackedField, type Parameter, type Rows } from '@sightline/postgres';
import { REPORT_TYPE_DEFINITIONS, type ReportField, type ReportType } from '@sightline/reports';
import { formatInstant } from '@sightline/reports/instants';
import { unknownOf } from '@sightline/reports/unknown';
import type { AccountId } from './account-id.ts';
import { fitting, LONGEST_ANSWER } from './answer-size.ts';
import type { Database, OwnedRow } from './client.ts';
import { conditions, exclusions } from './report/conditions.ts';
import type { FilterValues } from './report/filter.ts';

export interface ReportQuery {
  account: AccountId;
  type: ReportType;
  /** The first instant, and the first one behind the last, ISO 8601. */
  from: string;
  until: string;
  filters: FilterValues;
  /** Reports that match any of these are left out. */
  not?: FilterValues | null | undefined;
  /** True if the account may see what threat intelligence says. */
  threatIntelligence: boolean;
  /** True if no field is read that only `/graphql` and `/export` show. */
  isPlain?: boolean | undefined;
  limit: number;
  /** The most bytes of an answer. */
  longest?: number | undefined;
}

/** The fields of its type, in the forms of the database. */
export type ReportRow = OwnedRow & { id: string } & Readonly<Record<string, unknown>>;

/** Newest first: by date, then id, both descending. They end before the one that would make an answer too long. */
export async function reports(db: Database, query: ReportQuery): Promise<Rows<ReportRow>> {
  const { account, type, from, until, filters, not, limit, longest = LONGEST_ANSWER } = query;
  const shape = shapeOf(type, query.threatIntelligence, query.isPlain);
  const { packed, sizeOf } = shape;
  const parameters: Parameter[] = [account, type, from, until];
  const bind = (value: Exclude<Parameter, boolean | null>) => `$${parameters.push(value)}`;
  const left = conditions(type, filters, bind);
  const where = (not ? [...left, ...exclusions(type, not, bind)] : left).join(' and ');
  const ask = (text: string, prepare: boolean) => db.owned<ReportRow>(account, text, parameters, { prepare });
  const rows = await ask(...statementOf(shape, where, limit, longest));
  const found = rows.hasNull('raw') ? await ask(filling(shape, where, limit, longest), false) : rows;
  return (packed ? found.unpacking(packed) : found).upTo(limit).within(longest - AROUND.length, sizeOf);
}

const AROUND = '{"reports":[],"truncated":false}';

const newest = (where: string, limit: number) => `from report
     where account_id = $1 and type = $2 and date >= $3 and date < $4 ${where && `and ${where}`}
     order by date desc, id desc limit ${limit + 1}`;

/** The records until they fill an answer. */
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
 * Bytes that a report has at least as it is shown: of its original, and where it has lists of objects, of what has no
 * column. With more, an answer would end without a word of what is behind it. PostgreSQL knows a length without reading
 * a value that is stored apart; what is compressed it has to read.
 */
function weightOf(fields: readonly ReportField[]): string {
  const lists = fields.filter(({ kind, column }) => kind === 'objects' && !column);
  if (lists.length === 0) return 'octet_length(raw)';
  const size = `case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra), 0)
    else octet_length(extra::text) end`;
  const lengths = lists.map(
    ({ name, fields = [] }) => `${leastOf(fields)} * coalesce(jsonb_array_length(extra->'${name}'), 0)`,
  );
  return `(octet_length(raw) + greatest((${size}) / 2, ${lengths.join(' + ')}))`;
}

/** Bytes of an object of which nothing is known; a number may be shorter than null. */
function leastOf(fields: readonly ReportField[]): number {
  return JSON.stringify(Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'text' ? '' : 0])))
    .length;
}

/** One report by its id, as `query` would list it. */
export async function report(
  db: Database,
  query: Omit<ReportQuery, 'filters' | 'limit' | 'longest'>,
  id: string,
): Promise<ReportRow | undefined> {
  // The filter ignores case.
  const found = await reports(db, { ...query, filters: { id }, limit: MOST_OF_AN_ID });
  return found.objects().find(record => record.id === id);
}

/** More reports than have ids that differ in nothing but case. */
const MOST_OF_AN_ID = 100;

/** Combinations of filters are too many to prepare each of them; those that came first are, on each connection. */
const recurring = new Map<string, string>();
const MOST_PREPARED = 100;

/** Its text, and whether it is prepared. */
function statementOf(shape: Shape, where: string, limit: number, longest: number): [string, boolean] {
  const key = `${shape.name} ${limit} ${longest} ${where}`;
  const known = recurring.get(key);
  if (known !== undefined) return [known, true];
  const isShort = `${shape.weight} <= ${Math.floor(longest / (limit + 1))}`;
  const text = `select ${shape.columns(isShort)} ${newest(where, limit)}`;
  const recurs = recurring.size < MOST_PREPARED;
  if (recurs) recurring.set(key, text);
  return [text, recurs];
}

/** The way in which a record is read. */
interface Shape {
  /** The name of this one alone. */
  name: string;
  /** @param isShort condition without which a record has neither its original nor what has no column */
  columns(isShort?: string): string;
  /** Expression for the bytes of a report. */
  weight: string;
  /** The fields without a column of their own, where there are any. */
  packed: Packed | undefined;
  /** Bytes of a record as it is shown. */
  sizeOf(row: ReportRow): number;
}

const shapes = new Map<string, Shape>();

export function shapeOf(type: ReportType, threatIntelligence: boolean, isPlain = false): Shape {
  const name = `${type} ${threatIntelligence} ${isPlain}`;
  const known = shapes.get(name) ?? newShape(name, type, threatIntelligence, isPlain);
  shapes.set(name, known);
  return known;
}

function newShape(name: string, type: ReportType, threatIntelligence: boolean, isPlain: boolean): Shape {
  const { fields } = REPORT_TYPE_DEFINITIONS.find(one => one.type === type)!;
  const inRest = fields.filter(({ graphOnly }) => !graphOnly);
  const read = isPlain ? inRest : fields;
  const kept = read.filter(({ column }) => !column);
  const weight = weightOf(fields);
  const hasLists = weight.includes('extra');
  const extraOf = (isShort?: string) => (hasLists ? onlyIf(isShort, 'extra') : 'extra');
  return {
    name,
    columns: isShort =>
      columnsOf(read, threatIntelligence, onlyIf(isShort, 'raw')) +
      (kept.length > 0 ? `, ${extraOf(isShort)}` : ''),
    weight,
    packed: kept.length > 0 ? new Packed('extra', kept.map(packedField)) : undefined,
    sizeOf: row => Buffer.byteLength(JSON.stringify(shown(inRest, row))),
  };
}

function onlyIf(condition: string | undefined, column: string): string {
  if (condition === undefined) return column;
  const name = column === 'raw' ? '' : ` as ${column}`;
  return `case when ${condition} then ${column} end${name}`;
}

/** With the id, by which a record is known, shown or not. */
function columnsOf(fields: readonly ReportField[], threatIntelligence: boolean, raw: string): string {
  const columns = fields
    .filter(({ column }) => column && column !== 'id')
    .map(field => {
      const expression = field.column === 'raw' ? raw : selection(field, threatIntelligence);
      return `${expression} as "${field.name}"`;
    });
  return ['account_id', 'id', ...columns].join(', ');
}

/** As long as a record is shown, and with all of its fields. */
function shown(fields: readonly ReportField[], row: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    fields.map(({ name, kind, fields = [] }) => {
      const value = row[name];
      if (kind === 'timestamp') return [name, value && formatInstant(value as string)];
      if (kind === 'objects') return [name, (value as ReportRow[]).map(item => shown(fields, item))];
      return [name, kind === 'object' ? shown(fields, value as ReportRow) : value];
    }),
  );
}

/** Unknown text and empty lists are null in the table. */
function selection(field: ReportField, threatIntelligence: boolean): string {
  const { kind, column } = field;
  const always = column === 'id' || column === 'raw';
  const unknown = literal(unknownOf(field));
  if (field.threatIntelligence && !threatIntelligence) return unknown;
  if ((kind === 'text' || kind === 'texts') && !always) return `coalesce(${column}, ${unknown})`;
  if (kind === 'flag') return `${column}::int`;
  return column!;
}

function literal(unknown: unknown): string {
  if (Array.isArray(unknown)) return `'{}'::text[]`;
  return unknown === '' ? `''` : String(unknown);
}

/** The loader leaves out what was unknown. */
function packedField(field: ReportField): PackedField {
  const { name, fields } = field;
  const unknown = unknownOf(field);
  return fields ? { name, unknown, fields: fields.map(packedField) } : { name, unknown };
}
