import { LINE_COLUMNS, REPORT_COLUMNS, STAGED_COLUMNS } from '../../../sql/feed/report-columns.ts';
import { normalizeHost, parseAddress, reverseHost } from '../../../sql/report/addresses.ts';
import { senderOf } from '../../../sql/report/sender.ts';
import { readViolation, sourceClass } from '../../../sql/report/source-class.ts';
import type { SourceClass } from '../../../sql/report/source-classes.ts';
import {
  isReportType,
  REPORT_TYPE_DEFINITIONS,
  type ReportType,
  type ReportTypeDefinition,
} from '../../../sql/report/types.ts';
import {
  bigintCell,
  booleanCell,
  type Cell,
  jsonCell,
  lengthOf,
  rowOf,
  textCell,
  textsCell,
} from '../copy/binary.ts';
import { digestOf } from '../copy/rows.ts';
import { identifier, refuse, type TextBounds } from './checks.ts';
import { remembered } from './remembered.ts';
import type { ReportDays } from './report-days.ts';
import { boundsOf, columnIndex, type Draft, type FieldWriter, fieldWriter } from './report-fields.ts';

/** A report as a row of COPY's binary format. */
export interface EncodedReport {
  kind: 'report';
  accountId: string;
  /** Type, account and id. */
  key: string;
  deleted: boolean;
  /** All of it, or what is staged of one that is deleted; and where in it that ends. */
  row: string;
  head: number;
  /** Where what the line says ends, and what is made of it begins; 0 where its digest is written, or it has none. */
  told: number;
  /** The UTC month of its date, `YYYY-MM`. */
  month: string | undefined;
}

/** Answers with fields that a report leaves empty, and undefined where nothing is known of any. */
export type Enrich = (type: ReportType, record: Readonly<Record<string, unknown>>) => object | undefined;

/** What is done with the reports of one type. */
interface Compiled {
  bounds: TextBounds;
  check(record: Record<string, unknown>, days: ReportDays): void;
  encode(record: Record<string, unknown>, deleted: boolean, days: ReportDays, enrich?: Enrich): EncodedReport;
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
 * @param enrich fills in what the line leaves empty. The report is known by its line again, whatever is filled in.
 * @throws {BadLine}
 */
export function encodeReport(
  record: Record<string, unknown>,
  deleted: boolean,
  days: ReportDays,
  enrich?: Enrich,
): EncodedReport {
  return compiledFor(record).encode(record, deleted, days, enrich);
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
  const names = new Set(['kind', 'deleted', 'accountId', 'type', 'id', ...writers.map(({ name }) => name)]);
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
  const encode: Compiled['encode'] = (record, deleted, days, enrich) => {
    const { accountId, id } = checkHead(record);
    // With the length, so that a tab within an id is none between two.
    const key = `${type}\t${accountId.length}\t${accountId}\t${id}`;
    const [accountCell, idCell] = [textCell(accountId), textCell(id)];
    if (deleted) {
      const row = rowOf([accountCell, typeCell, idCell, ...NOTHING_ELSE]);
      return { kind: 'report', accountId, key, deleted, row, head: row.length, told: 0, month: undefined };
    }

    const draft: Draft = { cells: blank.slice(), extra: undefined, month: undefined };
    const { cells } = draft;
    cells[ACCOUNT] = accountCell;
    cells[ID] = idCell;
    for (const writer of writers) {
      const known = checkField(writer, record, days);
      if (known !== undefined) writer.write(draft, known);
    }
    writeAddresses(cells, record);
    if (draft.extra) cells[EXTRA] = jsonCell(draft.extra);
    const head = lengthOf(cells, STAGED_COLUMNS);
    let told = lengthOf(cells, LINE_COLUMNS);
    const added = enrich?.(type, record);
    if (added) {
      cells[DIGEST] = digestOf(Buffer.from(rowOf(cells).slice(0, told), 'latin1'));
      told = 0;
      fillIn(draft, added, days);
      writeAddresses(cells, { ...record, ...added });
    }
    return { kind: 'report', accountId, key, deleted, row: rowOf(cells), head, told, month: draft.month };
  };
  const fillIn = (draft: Draft, added: object, days: ReportDays) => {
    for (const [name, value] of Object.entries(added)) {
      const writer = writers.find(known => known.name === name)!;
      writer.write(draft, writer.check(value, days));
    }
    if (draft.extra) draft.cells[EXTRA] = jsonCell(draft.extra);
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

type WriteAddresses = (cells: Cell[], record: Record<string, unknown>) => void;

function addressWriter({ type, fromBrowser, addresses }: ReportTypeDefinition): WriteAddresses {
  const { page, blocked, subresource } = addresses;
  const writers: WriteAddresses[] = [];
  if (fromBrowser) writers.push(addressOf(page, 'host_reversed', 'path'));
  else if (type === 'certificate_transparency') writers.push(hostsOf(page));
  else writers.push(hostOf(page));
  if (blocked) {
    writers.push(addressOf(blocked, 'blocked_host_reversed', 'blocked_path'));
    writers.push(type === 'csp' ? writeViolation : sourceClassOf(blocked, page));
  }
  if (type === 'dmarc') writers.push(writeSender);
  if (subresource) writers.push(addressOf(subresource, 'subresource_host_reversed', 'subresource_path'));
  return (cells, record) => {
    for (const write of writers) write(cells, record);
  };
}

function addressOf(
  field: string,
  host: 'host_reversed' | 'blocked_host_reversed' | 'subresource_host_reversed',
  path: 'path' | 'blocked_path' | 'subresource_path',
): WriteAddresses {
  const [hostIndex, pathIndex] = [columnIndex(host), columnIndex(path)];
  return (cells, record) => {
    const uri = record[field];
    const known = typeof uri === 'string' ? addressCells(uri) : undefined;
    if (!known) return;
    cells[hostIndex] = known.host;
    cells[pathIndex] = known.path;
  };
}

/** By both addresses up to their paths, which say nothing of it: there are few such pairs. */
const SOURCE_CLASS = columnIndex('source_class');
const ORIGIN = /^[^:/?#]*(?::\/\/[^/?#]*)?/;

function sourceClassOf(blocked: string, page: string): WriteAddresses {
  return (cells, record) => {
    const [target, from] = [record[blocked], record[page]];
    cells[SOURCE_CLASS] = textCell(classOfOrigins(originOf(target), originOf(from)));
  };
}

/** Reads the original as well. That the report was read shows by what it has in `extra`, though that be empty. */
function writeViolation(cells: Cell[], record: Record<string, unknown>): void {
  const violation = {
    uri: textOf(record.uri),
    directive: textOf(record.directive),
    blockedUri: textOf(record.blockedUri),
    policy: textOf(record.policy),
  };
  const read = readViolation(violation, textOf(record.raw), classOfAddresses);
  cells[SOURCE_CLASS] = textCell(read.sourceClass);
  cells[EXTRA] = jsonCell(read.context);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const SENDER = columnIndex('sender');

function writeSender(cells: Cell[], record: Record<string, unknown>): void {
  cells[SENDER] = textCell(senderOf(record));
}

function originOf(uri: unknown): string {
  return typeof uri === 'string' ? knownOrigin(uri) : '';
}

const knownOrigin = remembered(uri => ORIGIN.exec(uri)![0]);

/** By the blocked origin, then by the page's: a key put together of both would be hashed for each report. */
const rememberedClass = remembered(target => remembered(from => sourceClass(target, from), 100), 1000);
const classOfOrigins = (target: string, from: string): SourceClass => rememberedClass(target)(from);
const classOfAddresses = (blocked: string, page: string) => classOfOrigins(originOf(blocked), originOf(page));

const addressCells = remembered(uri => {
  const address = parseAddress(uri);
  return address && { host: hostCell(address.host), path: textCell(address.path) };
});

function hostOf(field: string): WriteAddresses {
  const index = columnIndex('host_reversed');
  return (cells, record) => {
    const name = record[field];
    if (typeof name === 'string') cells[index] = namedHostCell(name);
  };
}

function hostsOf(field: string): WriteAddresses {
  const index = columnIndex('hosts_reversed');
  return (cells, record) => {
    const names = record[field] as string[] | null | undefined;
    if (names && names.length > 0)
      cells[index] = textsCell(names.map(name => reverseHost(normalizeHost(name))));
  };
}

const namedHostCell = remembered(name => hostCell(normalizeHost(name)));

const LONGEST_HOST = 253;

/** No filter asks for a longer name, and an index could not hold it. */
function hostCell(host: string): Cell {
  return host === '' || host.length > LONGEST_HOST ? undefined : textCell(reverseHost(host));
}
