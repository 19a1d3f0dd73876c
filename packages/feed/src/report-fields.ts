import type { ReportField } from '@sightline/reports';
import { REPORT_COLUMNS, type ReportColumn } from '@sightline/reports/columns';
import { formatInstant } from '@sightline/reports/instants';
import { foldWhiteSpace } from '@sightline/reports/policy-text';
import { isUnknown } from '@sightline/reports/unknown';
import {
  anyInstant,
  atMost,
  boolean,
  type Check,
  date,
  type Fields,
  flag,
  instant,
  integer,
  list,
  MOST_OBJECTS,
  number,
  object,
  optional,
  rawText,
  refuse,
  shortText,
  type TextBounds,
  text,
} from './checks.ts';
import {
  bigintCell,
  booleanCell,
  type Cell,
  instantCell,
  smallintCell,
  textCell,
  textsCell,
} from './copy/binary.ts';
import { remembered } from './remembered.ts';
import type { ReportDays } from './report-days.ts';

/** A report on its way: the cells of its row, and what only `extra` keeps. */
export interface Draft {
  cells: Cell[];
  extra: Record<string, unknown> | undefined;
  /** The UTC month of its date, `YYYY-MM`. */
  month: string | undefined;
}

/** A field of a report: how its value is checked, once it is known to be there, and then written. */
export interface FieldWriter {
  name: string;
  required: boolean;
  /** The value where the field is left out. */
  otherwise?: number;
  /**
   * Answers with the value as it is stored.
   * @throws {BadLine}
   */
  check(value: unknown, days: ReportDays): unknown;
  /** Takes what `check` answered with. */
  write(draft: Draft, known: unknown): void;
}

const column = new Map<string, number>(REPORT_COLUMNS.map((name, index) => [name, index]));

export function columnIndex(name: ReportColumn): number {
  return column.get(name)!;
}

/** Checks the field, and writes it into its column or else into `extra`. */
export function fieldWriter(field: ReportField): FieldWriter {
  const { name } = field;
  const required = isRequired(field);
  if (field.column === 'date') return { name, required, check: checkDate, write: writeDate };
  const checkValue = checkOf(field);
  const check = (value: unknown) => checkValue(value, name);
  if (!field.column) {
    const write = writeExtra(name);
    return SESSIONS.has(name)
      ? { name, required, otherwise: 0, check, write }
      : { name, required, check, write };
  }
  const index = columnIndex(field.column);
  const encode = encoderOf(field);
  return {
    name,
    required,
    check,
    write({ cells }, known) {
      // An unknown value is null, and so is the cell to begin with.
      if (!isUnknown(known)) cells[index] = encode(known);
    },
  };
}

/** Answers with how long the texts of the field may be. */
export function boundsOf(field: ReportField): TextBounds {
  return checkOf(field);
}

/** Sessions that a TLS report does not count have not happened. */
const SESSIONS = new Set(['successfulSessions', 'failedSessions']);
/** Fields that are shown as false or 0 where the feed leaves them out, though they can never be null. */
const USUALLY_NOTHING = new Set(['count', 'potential', 'statusCode']);

/** Text, lists and flags may be left out, and so may what can be null. */
function isRequired({ name, kind, nullable }: ReportField): boolean {
  const canBeEmpty = nullable || ['text', 'texts', 'flag', 'objects', 'object'].includes(kind);
  return !canBeEmpty && !USUALLY_NOTHING.has(name);
}

function writeExtra(name: string): FieldWriter['write'] {
  return (draft, known) => {
    if (!isUnknown(known)) {
      draft.extra ??= {};
      draft.extra[name] = known;
    }
  };
}

const DATE = columnIndex('date');

const checkDate: FieldWriter['check'] = (value, { first, last }) => {
  const known = anyInstant(value, 'date');
  const day = known.slice(0, 10);
  return day < first || day > last ? refuse('date', `must be from ${first} to ${last}, in UTC`) : known;
};

const writeDate: FieldWriter['write'] = (draft, known) => {
  draft.cells[DATE] = instantCell(known as string);
  draft.month = (known as string).slice(0, 7);
};

/** Encoders by the kind of the field, or by the column where a kind has columns of several types. */
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
/** The largest count of a line: millions of them fit into a day. */
const LARGEST_COUNT = 1_000_000_000;

/** Checks of single columns, beyond those of their kind. */
const OF_COLUMN: Partial<Record<ReportColumn, Check<unknown>>> = {
  raw: rawText,
  count: integer(0, LARGEST_COUNT),
  policy_id: shortText,
  policy_ioc_hosts: list(shortText),
  policy_concern_hosts: list(shortText),
  hostnames: list(shortText),
  directive: atMost(LONGEST_DIRECTIVE),
  policy: mapped(text, remembered(foldWhiteSpace)),
  domain_reputation_score: integer(0, 100),
  // As certificates are named, whose digests are compared with these.
  sha256: mapped(shortText, known => known.toLowerCase()),
};

/** Fields of records, and of the objects in them, that are host names and have no column. */
const HOSTS = new Set([
  'domain',
  'headerFrom',
  'envelopeFrom',
  'envelopeTo',
  'sourceHostname',
  'mxHosts',
  'receivingMxHostname',
  'receivingMxHelo',
]);

function checkOf(field: ReportField): Check<unknown> {
  return (field.column && OF_COLUMN[field.column]) ?? checkOfKind(field);
}

function checkOfKind({ name, kind, values, fields = [] }: ReportField): Check<unknown> {
  const anyText = HOSTS.has(name) ? shortText : text;
  switch (kind) {
    case 'text':
      return values ? known(values) : anyText;
    case 'integer':
      return integer();
    case 'number':
      return number;
    case 'timestamp':
      return (value, path) => formatInstant(instant(value, path));
    case 'date':
      return date;
    case 'boolean':
      return boolean;
    case 'flag':
      return flag;
    case 'texts':
      return list(anyText);
    case 'object':
      return compact(fields);
    case 'objects':
      return list(compact(fields), MOST_OBJECTS);
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
  const known = (value: unknown, path: string) =>
    Object.fromEntries(Object.entries(check(value, path)).filter(([, item]) => !isUnknown(item)));
  return Object.assign(known, { fields: check.fields });
}

function mapped(check: Check<string>, map: (text: string) => string): Check<string> {
  return Object.assign((value: unknown, path: string) => map(check(value, path)), { most: check.most });
}
