import { REPORT_COLUMNS, type ReportColumn } from '../../../sql/feed/reports.ts';
import { foldWhiteSpace } from '../../../sql/report/conditions.ts';
import type { ReportField } from '../../../sql/report/types.ts';
import {
  bigintCell,
  booleanCell,
  type Cell,
  instantCell,
  smallintCell,
  textCell,
  textsCell,
} from '../copy/binary.ts';
import {
  atMost,
  boolean,
  type Check,
  date,
  type Fields,
  flag,
  instant,
  integer,
  list,
  number,
  object,
  optional,
  refuse,
  text,
} from './checks.ts';
import { shownInstant } from './instants.ts';
import { remembered } from './remembered.ts';

/** A report on its way: the cells of its row, and what only `extra` keeps. */
export interface Draft {
  cells: Cell[];
  extra: Record<string, unknown> | undefined;
  /** The UTC month of its date, `YYYY-MM`. */
  month: string | undefined;
}

/** A field of a report: what it does with its value, once it is known to be there. */
export interface FieldWriter {
  name: string;
  required: boolean;
  write(draft: Draft, value: unknown): void;
}

const column = new Map<string, number>(REPORT_COLUMNS.map((name, index) => [name, index]));

export function columnIndex(name: ReportColumn): number {
  return column.get(name)!;
}

/** How the field is checked, and written into its column or else into `extra`. */
export function fieldWriter(field: ReportField): FieldWriter {
  const { name } = field;
  const required = isRequired(field);
  const check = checkOf(field);
  if (!field.column) return { name, required, write: writeExtra(name, check) };
  if (field.column === 'date') return { name, required, write: writeDate };
  const index = columnIndex(field.column as ReportColumn);
  const encode = encoderOf(field);
  return {
    name,
    required,
    write({ cells }, value) {
      const known = check(value, name);
      // What is unknown is null, and so is the cell to begin with.
      if (known !== '' && (known as { length?: number }).length !== 0) cells[index] = encode(known);
    },
  };
}

/** Text, lists and flags may be left out, and so may what can be null. */
function isRequired({ name, kind, nullable }: ReportField): boolean {
  const canBeEmpty = nullable || ['text', 'texts', 'flag', 'objects', 'object'].includes(kind);
  return !canBeEmpty && name !== 'count';
}

function writeExtra(name: string, check: Check<unknown>): FieldWriter['write'] {
  return (draft, value) => {
    const known = check(value, name);
    if (!isUnknown(known)) {
      draft.extra ??= {};
      draft.extra[name] = known;
    }
  };
}

function isUnknown(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

const DATE = columnIndex('date');

const writeDate: FieldWriter['write'] = (draft, value) => {
  const known = reportDate(value, 'date');
  draft.cells[DATE] = instantCell(known);
  draft.month = known.slice(0, 7);
};

/** By the kind of the field, or by the column where a kind has columns of several types. */
const ENCODERS = {
  text: textCell,
  texts: textsCell,
  flag: booleanCell,
  boolean: booleanCell,
  count: bigintCell,
  domain_reputation_score: smallintCell,
} as Record<string, (value: unknown) => string>;

function encoderOf({ name, kind, column }: ReportField): (value: unknown) => string {
  const encode = ENCODERS[kind] ?? ENCODERS[column!];
  if (!encode) throw new Error(`Nothing writes ${name} into its column`);
  return encode;
}

/** Bytes that fit into the primary key of the daily counts. */
const LONGEST_DIRECTIVE = 1024;

/** What holds for single columns, beyond their kind. */
const OF_COLUMN: Partial<Record<ReportColumn, Check<unknown>>> = {
  directive: atMost(LONGEST_DIRECTIVE),
  policy: foldedText,
  domain_reputation_score: integer(0, 100),
  // As certificates are named, whose digests are compared with these.
  sha256: (value, path) => atMost(255)(value, path).toLowerCase(),
};

function checkOf(field: ReportField): Check<unknown> {
  return OF_COLUMN[field.column as ReportColumn] ?? checkOfKind(field);
}

function checkOfKind({ kind, values, fields = [] }: ReportField): Check<unknown> {
  switch (kind) {
    case 'text':
      return values ? known(values) : text;
    case 'integer':
      return integer();
    case 'number':
      return number;
    case 'timestamp':
      return (value, path) => shownInstant(instant(value, path));
    case 'date':
      return date;
    case 'boolean':
      return boolean;
    case 'flag':
      return flag;
    case 'texts':
      return list(text);
    case 'object':
      return compact(fields);
    case 'objects':
      return list(compact(fields));
  }
}

function known(values: readonly string[]): Check<string> {
  return (value, path) =>
    value === '' || values.includes(value as string)
      ? (value as string)
      : refuse(path, `must be one of ${values.join(', ')}`);
}

/** An object without what is unknown of it. */
function compact(fields: readonly ReportField[]): Check<Record<string, unknown>> {
  const check = object<Fields>(
    Object.fromEntries(fields.map(field => [field.name, optional(checkOfKind(field), null)])),
  );
  return (value, path) =>
    Object.fromEntries(Object.entries(check(value, path)).filter(([, item]) => !isUnknown(item)));
}

const fold = remembered(foldWhiteSpace);

function foldedText(value: unknown, path: string): string {
  return fold(text(value, path));
}

/** Every month with a report is a partition: a wrong clock must not make thousands of them. */
const [FIRST_YEAR, LAST_YEAR] = ['1970', '2200'];

function reportDate(value: unknown, path: string): string {
  const known = instant(value, path);
  const year = known.slice(0, 4);
  return year >= FIRST_YEAR! && year <= LAST_YEAR!
    ? known
    : refuse(path, `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`);
}
