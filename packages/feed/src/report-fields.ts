import type { ReportField } from '@sightline/reports';
import {
  foldWhiteSpace,
  formatInstant,
  isUnknown,
  REPORT_COLUMNS,
  type ReportColumn,
} from '@sightline/reports';
import {
  anyInstant,
  atMost,
  boolean,
  type Check,
  date,
  type FieldChecks,
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
import { memoize } from './memoize.ts';
import type { ReportDays } from './report-days.ts';

/** A report that is being encoded: the cells of its row, and the fields that are only stored in `extra`. */
export interface ReportDraft {
  cells: Cell[];
  extra: Record<string, unknown> | undefined;
  /** The UTC month of the report's date, `YYYY-MM`. */
  month: string | undefined;
}

/** Checks and writes a field's value. */
export interface FieldWriter {
  name: string;
  required: boolean;
  /** The default value. */
  otherwise?: number;
  /**
   * Checks a value and returns it in its stored form.
   * @throws {BadLine}
   */
  check(value: unknown, days: ReportDays): unknown;
  /** Writes the result of `check`. */
  write(draft: ReportDraft, existing: unknown): void;
}

const column = new Map<string, number>(REPORT_COLUMNS.map((name, index) => [name, index]));

export function columnIndex(name: ReportColumn): number {
  return column.get(name)!;
}

/** Creates the function that checks a field and writes it into its column or into `extra`. */
export function fieldWriter(field: ReportField): FieldWriter {
  const { name } = field;
  const required = isRequired(field);
  if (field.column === 'date') return { name, required, check: checkDate, write: writeDate };
  const checkValue = toCheck(field);
  const check = (value: unknown) => checkValue(value, name);
  if (!field.column) {
    const write = writeExtra(name);
    return SESSIONS.has(name)
      ? { name, required, otherwise: 0, check, write }
      : { name, required, check, write };
  }
  const index = columnIndex(field.column);
  const encode = createEncoder(field);
  return {
    name,
    required,
    check,
    write({ cells }, existing) {
      // An unknown value is stored as null, the initial value of a cell.
      if (!isUnknown(existing)) cells[index] = encode(existing);
    },
  };
}

/** Returns the maximum sizes of a field's texts. */
export function getBounds(field: ReportField): TextBounds {
  return toCheck(field);
}

/** The session counts of a TLS report, which are 0 if omitted. */
const SESSIONS = new Set(['successfulSessions', 'failedSessions']);
/** Fields whose default is false or 0 instead of null. */
const USUALLY_NOTHING = new Set(['count', 'potential', 'statusCode']);

/** Checks whether a field is required. Texts, lists, flags and nullable fields are optional. */
function isRequired({ name, kind, nullable }: ReportField): boolean {
  const canBeEmpty = nullable || ['text', 'texts', 'flag', 'objects', 'object'].includes(kind);
  return !canBeEmpty && !USUALLY_NOTHING.has(name);
}

function writeExtra(name: string): FieldWriter['write'] {
  return (draft, existing) => {
    if (!isUnknown(existing)) {
      draft.extra ??= {};
      draft.extra[name] = existing;
    }
  };
}

const DATE = columnIndex('date');

const checkDate: FieldWriter['check'] = (value, { first, last }) => {
  const existing = anyInstant(value, 'date');
  const day = existing.slice(0, 10);
  return day < first || day > last ? refuse('date', `must be from ${first} to ${last}, in UTC`) : existing;
};

const writeDate: FieldWriter['write'] = (draft, existing) => {
  draft.cells[DATE] = instantCell(existing as string);
  draft.month = (existing as string).slice(0, 7);
};

/** Cell encoders by the kind of the field, or by column if fields of a kind have columns of different types. */
const ENCODERS = {
  text: textCell,
  texts: textsCell,
  flag: booleanCell,
  boolean: booleanCell,
  count: bigintCell,
  domain_reputation_score: smallintCell,
} as Record<string, (value: unknown) => string>;

function createEncoder({ name, kind, column }: ReportField): (value: unknown) => string {
  const encode = ENCODERS[kind] ?? ENCODERS[column!];
  if (!encode) throw new Error(`Nothing writes ${name} into its column`);
  return encode;
}

/** Maximum size of a directive in bytes, because it is part of the primary key of the daily counts. */
const LONGEST_DIRECTIVE = 1024;
/** Maximum count of a line. Sums of millions of lines per day stay in the range of `bigint`. */
const LARGEST_COUNT = 1_000_000_000;

/** Checks of individual columns, in addition to those of their kind. */
const OF_COLUMN: Partial<Record<ReportColumn, Check<unknown>>> = {
  raw: rawText,
  count: integer(0, LARGEST_COUNT),
  policy_id: shortText,
  policy_ioc_hosts: list(shortText),
  policy_concern_hosts: list(shortText),
  hostnames: list(shortText),
  directive: atMost(LONGEST_DIRECTIVE),
  policy: mapCheck(text, memoize(foldWhiteSpace)),
  domain_reputation_score: integer(0, 100),
  // Digests are stored in lower case, as in certificates, so that they can be compared.
  sha256: mapCheck(shortText, existing => existing.toLowerCase()),
};

/** Fields that contain host names and have no column of their own. */
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

function toCheck(field: ReportField): Check<unknown> {
  return (field.column && OF_COLUMN[field.column]) ?? checkOfKind(field);
}

function checkOfKind({ name, kind, values, fields = [] }: ReportField): Check<unknown> {
  const anyText = HOSTS.has(name) ? shortText : text;
  switch (kind) {
    case 'text':
      return values ? checkKnownWord(values) : anyText;
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

function checkKnownWord(values: readonly string[]): Check<string> {
  return (value, path) =>
    value === '' || values.includes(value as string)
      ? (value as string)
      : refuse(path, `must be one of ${values.join(', ')}`);
}

/** Creates a check for an object, which omits unknown values from the result. */
function compact(fields: readonly ReportField[]): Check<Record<string, unknown>> {
  const check = object<FieldChecks>(
    Object.fromEntries(fields.map(field => [field.name, optional(checkOfKind(field), null)])),
  );
  const checkKnownWord = (value: unknown, path: string) =>
    Object.fromEntries(Object.entries(check(value, path)).filter(([, item]) => !isUnknown(item)));
  return Object.assign(checkKnownWord, { fields: check.fields });
}

function mapCheck(check: Check<string>, map: (text: string) => string): Check<string> {
  return Object.assign((value: unknown, path: string) => map(check(value, path)), { most: check.most });
}
