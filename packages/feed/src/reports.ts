import {
  isReportType,
  LINE_COLUMNS,
  REPORT_COLUMNS,
  REPORT_TYPE_DEFINITIONS,
  type ReportType,
  type ReportTypeDefinition,
  STAGED_COLUMNS,
} from '@sightline/reports';
import { identifier, refuse, type TextBounds } from './checks.ts';
import {
  type BinaryRow,
  bigintCell,
  binaryRow,
  booleanCell,
  type Cell,
  digestCell,
  joinJsonCell,
  textCell,
} from './copy/binary.ts';
import { addressWriter } from './report-addresses.ts';
import type { ReportDays } from './report-days.ts';
import { columnIndex, type FieldWriter, fieldWriter, getBounds, type ReportDraft } from './report-fields.ts';

/** A report as a row in COPY's binary format. */
export interface EncodedReport {
  kind: 'report';
  accountId: string;
  /** Type, account and id. */
  key: string;
  deleted: boolean;
  /** All cells or, for a deletion, the staged ones. */
  row: BinaryRow;
  /** The UTC month of the report's date, `YYYY-MM`. */
  month: string | undefined;
}

/** Returns values for empty fields of a report; undefined if there are none. */
export type Enrich = (type: ReportType, record: Readonly<Record<string, unknown>>) => object | undefined;

/** The compiled checks of a report type. */
interface CompiledType {
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

const compiled = new Map<ReportType, CompiledType>(
  REPORT_TYPE_DEFINITIONS.map(definition => [definition.type, compile(definition)]),
);

/**
 * Checks a report like `encodeReport`, but does not write a row.
 * @throws {BadLine}
 */
export function checkReport(record: Record<string, unknown>, days: ReportDays): void {
  compiledFor(record).check(record, days);
}

/**
 * Checks a report and encodes it as a row in one pass.
 * @param record receives the values from `enrich`
 * @param original the parsed JSON of `raw`; undefined if `raw` is not JSON
 * @param enrich fills in empty fields. They do not affect the digest of the line
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

/** Returns the maximum sizes of a type's texts, by field. */
export function textBounds(type: ReportType): TextBounds {
  return compiled.get(type)!.bounds;
}

function compiledFor({ type }: Record<string, unknown>): CompiledType {
  if (type === undefined || type === null) return refuse('type', 'is missing');
  if (typeof type !== 'string' || !isReportType(type)) {
    return refuse(
      'type',
      `must be one of ${REPORT_TYPE_DEFINITIONS.map(existing => existing.type).join(', ')}`,
    );
  }
  return compiled.get(type)!;
}

const ACCOUNT = columnIndex('account_id');
const ID = columnIndex('id');
const DIGEST = columnIndex('digest');
const EXTRA = columnIndex('extra');
/** The staged cells after the key of a deletion, which are null. */
const NOTHING_ELSE: readonly Cell[] = Array.from({ length: STAGED_COLUMNS - ID - 1 });

function compile(definition: ReportTypeDefinition): CompiledType {
  const { type, fields, filterOnly } = definition;
  // Every report has an id, even if its record does not show it.
  const given = [...fields, ...filterOnly].filter(({ name, computed }) => name !== 'id' && !computed);
  const writers = given.map(fieldWriter);
  const bounds = { fields: Object.fromEntries(given.map(field => [field.name, getBounds(field)])) };
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
  const check: CompiledType['check'] = (record, days) => {
    checkHead(record);
    for (const writer of writers) checkField(writer, record, days);
  };
  const encode: CompiledType['encode'] = (record, original, deleted, days, enrich) => {
    const { accountId, id } = checkHead(record);
    // The length of the account id makes the key unambiguous, even if an id contains a tab.
    const key = `${type}\t${accountId.length}\t${accountId}\t${id}`;
    const [accountCell, idCell] = [textCell(accountId), textCell(id)];
    if (deleted) {
      const row = binaryRow([accountCell, typeCell, idCell, ...NOTHING_ELSE], STAGED_COLUMNS);
      return { kind: 'report', accountId, key, deleted, row, month: undefined };
    }

    const draft: ReportDraft = { cells: blank.slice(), extra: undefined, month: undefined };
    const { cells } = draft;
    cells[ACCOUNT] = accountCell;
    cells[ID] = idCell;
    for (const writer of writers) {
      const existing = checkField(writer, record, days);
      if (existing !== undefined) writer.write(draft, existing);
    }
    const added = enrich?.(type, record);
    // The record is changed in place, because copying it is slow.
    if (added) Object.assign(record, added);
    writeAddresses(cells, record, original);
    if (draft.extra) cells[EXTRA] = joinJsonCell(cells[EXTRA], draft.extra);
    let lineColumns = LINE_COLUMNS;
    if (added) {
      cells[DIGEST] = digestCell(binaryRow(cells, STAGED_COLUMNS, lineColumns));
      lineColumns = 0;
      fillIn(draft, added, days);
    }
    const row = binaryRow(cells, STAGED_COLUMNS, lineColumns);
    return { kind: 'report', accountId, key, deleted, row, month: draft.month };
  };
  const fillIn = (draft: ReportDraft, added: object, days: ReportDays) => {
    const extra = draft.cells[EXTRA];
    draft.extra = undefined;
    for (const [name, value] of Object.entries(added)) {
      const writer = writerOf.get(name)!;
      writer.write(draft, writer.check(value, days));
    }
    if (draft.extra) draft.cells[EXTRA] = joinJsonCell(extra, draft.extra);
  };
  return { bounds, check, encode };
}

function requireIdentifier(name: string, value: unknown): string {
  return value === undefined || value === null ? refuse(name, 'is missing') : identifier(value, name);
}

/** Checks a field; returns undefined if it is absent. */
function checkField(
  { name, required, otherwise, check }: FieldWriter,
  record: Record<string, unknown>,
  days: ReportDays,
): unknown {
  const value = record[name] ?? otherwise;
  if (value !== undefined && value !== null) return check(value, days);
  return required ? refuse(name, 'is missing') : undefined;
}

/** Returns the initial cells of a report of the given type. */
function blankCells(type: ReportType): Cell[] {
  const initial: Partial<Record<string, Cell>> = {
    type: textCell(type),
    count: bigintCell(1),
    // A placeholder for the digest, which is computed once the row is complete.
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
