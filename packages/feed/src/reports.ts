import {
  isReportType,
  REPORT_TYPE_DEFINITIONS,
  type ReportType,
  type ReportTypeDefinition,
} from '@sightline/reports';
import { LINE_COLUMNS, REPORT_COLUMNS, STAGED_COLUMNS } from '@sightline/reports/columns';
import { identifier, refuse, type TextBounds } from './checks.ts';
import {
  type BinaryRow,
  bigintCell,
  binaryRow,
  booleanCell,
  type Cell,
  digestCell,
  joinedJsonCell,
  jsonCell,
  textCell,
} from './copy/binary.ts';
import { addressWriter } from './report-addresses.ts';
import type { ReportDays } from './report-days.ts';
import { boundsOf, columnIndex, type Draft, type FieldWriter, fieldWriter } from './report-fields.ts';

/** A report as a row of COPY's binary format. */
export interface EncodedReport {
  kind: 'report';
  accountId: string;
  /** Type, account and id. */
  key: string;
  deleted: boolean;
  /** All of it, or what is staged of one that is deleted. */
  row: BinaryRow;
  /** The UTC month of its date, `YYYY-MM`. */
  month: string | undefined;
}

/** Answers with fields that a report leaves empty, and undefined where nothing is known of any. */
export type Enrich = (type: ReportType, record: Readonly<Record<string, unknown>>) => object | undefined;

/** The checks of a type's reports. */
interface Compiled {
  bounds: TextBounds;
  check(record: Record<string, unknown>, days: ReportDays): void;
  encode(
    record: Record<string, unknown>,
    original: unknown,
    deleted: boolean,
    days: ReportDays,
    enrich?: Enrich,
  ): EncodedReport;
}

const compiled = new Map<ReportType, Compiled>(
  REPORT_TYPE_DEFINITIONS.map(definition => [definition.type, compile(definition)]),
);

/**
 * Checks a report as `encodeReport` does, and writes no row.
 * @throws {BadLine}
 */
export function checkReport(record: Record<string, unknown>, days: ReportDays): void {
  compiledFor(record).check(record, days);
}

/**
 * Checks a report and writes it as a row, in one pass.
 * @param record gets what `enrich` fills in
 * @param original what `raw` has, read as JSON; undefined where it is none
 * @param enrich fills in what the line leaves empty. The report is known by its line again, whatever is filled in.
 * @throws {BadLine}
 */
export function encodeReport(
  record: Record<string, unknown>,
  original: unknown,
  deleted: boolean,
  days: ReportDays,
  enrich?: Enrich,
): EncodedReport {
  return compiledFor(record).encode(record, original, deleted, days, enrich);
}

/** Answers with how long the texts of such a report may be, by field. */
export function textBounds(type: ReportType): TextBounds {
  return compiled.get(type)!.bounds;
}

function compiledFor({ type }: Record<string, unknown>): Compiled {
  if (type === undefined || type === null) return refuse('type', 'is missing');
  if (typeof type !== 'string' || !isReportType(type)) {
    return refuse('type', `must be one of ${REPORT_TYPE_DEFINITIONS.map(known => known.type).join(', ')}`);
  }
  return compiled.get(type)!;
}

const ACCOUNT = columnIndex('account_id');
const ID = columnIndex('id');
const DIGEST = columnIndex('digest');
const EXTRA = columnIndex('extra');
/** The cells behind the key of what is staged of a report that is deleted. */
const NOTHING_ELSE: readonly Cell[] = Array.from({ length: STAGED_COLUMNS - ID - 1 });

function compile(definition: ReportTypeDefinition): Compiled {
  const { type, fields, filterOnly } = definition;
  // Not every record shows its id, but every report has one.
  const given = [...fields, ...filterOnly].filter(({ name, computed }) => name !== 'id' && !computed);
  const writers = given.map(fieldWriter);
  const bounds = { fields: Object.fromEntries(given.map(field => [field.name, boundsOf(field)])) };
  const writerOf = new Map(writers.map(writer => [writer.name, writer]));
  const names = new Set(['kind', 'deleted', 'accountId', 'type', 'id', ...writerOf.keys()]);
  const blank = blankCells(type);
  const typeCell = textCell(type);
  const writeAddresses = addressWriter(definition);

  const checkHead = (record: Record<string, unknown>) => {
    for (const name in record) if (!names.has(name)) refuse(name, `is not a field of ${type} reports`);
    const accountId = requireIdentifier('accountId', record.accountId);
    return { accountId, id: requireIdentifier('id', record.id) };
  };
  const check: Compiled['check'] = (record, days) => {
    checkHead(record);
    for (const writer of writers) checkField(writer, record, days);
  };
  const encode: Compiled['encode'] = (record, original, deleted, days, enrich) => {
    const { accountId, id } = checkHead(record);
    // With the length, so that a tab within an id is none between two.
    const key = `${type}\t${accountId.length}\t${accountId}\t${id}`;
    const [accountCell, idCell] = [textCell(accountId), textCell(id)];
    if (deleted) {
      const row = binaryRow([accountCell, typeCell, idCell, ...NOTHING_ELSE], STAGED_COLUMNS);
      return { kind: 'report', accountId, key, deleted, row, month: undefined };
    }

    const draft: Draft = { cells: blank.slice(), extra: undefined, month: undefined };
    const { cells } = draft;
    cells[ACCOUNT] = accountCell;
    cells[ID] = idCell;
    for (const writer of writers) {
      const known = checkField(writer, record, days);
      if (known !== undefined) writer.write(draft, known);
    }
    const added = enrich?.(type, record);
    // A copy of the record would cost more than all that is looked up.
    if (added) Object.assign(record, added);
    writeAddresses(cells, record, original);
    if (draft.extra) cells[EXTRA] = jsonCell(draft.extra);
    let told = LINE_COLUMNS;
    if (added) {
      cells[DIGEST] = digestCell(binaryRow(cells, STAGED_COLUMNS, told));
      told = 0;
      fillIn(draft, added, days);
    }
    const row = binaryRow(cells, STAGED_COLUMNS, told);
    return { kind: 'report', accountId, key, deleted, row, month: draft.month };
  };
  const fillIn = (draft: Draft, added: object, days: ReportDays) => {
    const told = draft.cells[EXTRA];
    draft.extra = undefined;
    for (const [name, value] of Object.entries(added)) {
      const writer = writerOf.get(name)!;
      writer.write(draft, writer.check(value, days));
    }
    if (draft.extra) draft.cells[EXTRA] = joinedJsonCell(told, draft.extra);
  };
  return { bounds, check, encode };
}

function requireIdentifier(name: string, value: unknown): string {
  return value === undefined || value === null ? refuse(name, 'is missing') : identifier(value, name);
}

/** Undefined for a field that is left out. */
function checkField(
  { name, required, otherwise, check }: FieldWriter,
  record: Record<string, unknown>,
  days: ReportDays,
): unknown {
  const value = record[name] ?? otherwise;
  if (value !== undefined && value !== null) return check(value, days);
  return required ? refuse(name, 'is missing') : undefined;
}

/** The cells of a report of which nothing is known but its type. */
function blankCells(type: ReportType): Cell[] {
  const initial: Partial<Record<string, Cell>> = {
    type: textCell(type),
    count: bigintCell(1),
    // Written when the row is whole.
    digest: bigintCell(0),
    raw: textCell(''),
    generated_domain: booleanCell(false),
    indicator_of_compromise: booleanCell(false),
    recently_registered_domain: booleanCell(false),
    low_reputation_domain: booleanCell(false),
    suspicious: booleanCell(false),
  };
  return REPORT_COLUMNS.map(name => initial[name]);
}
