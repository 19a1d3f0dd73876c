import { readOriginal } from '@sightline/reports/csp-context';
import { BadLine } from './bad-line.ts';
import { isObject, LONGEST_RAW, refuse, requireStorable } from './checks.ts';
import { NULL } from './copy/text.ts';
import { isShortest, parseJson, requireSingleNames, stringsIn } from './json.ts';
import { type Line, LONGEST_LINE } from './read/lines.ts';
import { isRecordKind, RECORDS, type RecordKind } from './records.ts';
import { type ReportDays, reportDays } from './report-days.ts';
import { type EncodedReport, type Enrich, encodeReport } from './reports.ts';

/** A line that was understood, as a row for COPY. */
export type FeedLine = EncodedReport | FeedRecord;

export interface FeedRecord {
  kind: RecordKind;
  /** The account that owns it. An account owns itself; a certificate has no owner. */
  accountId: string | undefined;
  /** The cells of the table's key. */
  key: string;
  deleted: boolean;
  /** Its row for the staging table, as COPY text. */
  row: string;
}

/** Reads a line of the feed as it came, and answers with what is wrong with a bad one. */
export function understand({ text, tooLong }: Line, days: ReportDays, enrich?: Enrich): FeedLine | BadLine {
  if (tooLong) return new BadLine('', `is longer than ${LONGEST_LINE / 1024 / 1024} MiB`);
  if (text === undefined) return new BadLine('', 'is not UTF-8');
  try {
    return readLine(text, days, enrich);
  } catch (error) {
    if (error instanceof BadLine) return error;
    throw error;
  }
}

/**
 * Reads a line of the feed.
 * @param days from which reports are taken; those that are taken now unless others are given
 * @param enrich as `encodeReport` takes it
 * @throws {BadLine} when it is not as the feed has it
 */
export function readLine(text: string, days: ReportDays = reportDays(new Date()), enrich?: Enrich): FeedLine {
  const value = parseJson(text);
  const original = originalOf(value);
  if (!isShortest(text, value, 2 * stringsIn([original]))) {
    requireSingleNames(text, value);
    // Nothing else can bring in what cannot be stored.
    if (text.includes('\\u')) requireStorable(value);
  }
  const record = isObject(value) ? value : refuse('', 'is not a JSON object');
  const { kind } = record;
  const deleted = isDeleted(record.deleted);
  if (kind === 'report') {
    requireSize(text, record.raw);
    return encodeReport(record, original, deleted, days, enrich);
  }
  if (kind === undefined || kind === null) return refuse('kind', 'is missing');
  if (typeof kind !== 'string' || !isRecordKind(kind)) {
    return refuse('kind', `must be one of ${[...Object.keys(RECORDS), 'report'].join(', ')}`);
  }
  return readRecord(kind, record, deleted);
}

/** The report that a line of CSP was made of, where it is JSON: its quotes are half of those of the line. */
function originalOf(value: unknown): unknown {
  if (!isObject(value) || value.type !== 'csp') return undefined;
  const { raw } = value;
  // A longer one is refused.
  return typeof raw === 'string' && raw.length <= LONGEST_RAW ? readOriginal(raw) : undefined;
}

/** Bytes of a report's line without those of its `raw`: so many records fit into one answer. */
const LONGEST_REPORT = 1024 * 1024;

function requireSize(text: string, raw: unknown): void {
  if (text.length * 3 <= LONGEST_REPORT) return;
  const bytes = Buffer.byteLength(text) - Buffer.byteLength(JSON.stringify(raw ?? ''));
  if (bytes > LONGEST_REPORT) refuse('', 'is longer than 1 MiB without its raw');
}

function isDeleted(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  return value === true || refuse('deleted', 'must be true or false');
}

function readRecord(kind: RecordKind, record: Record<string, unknown>, deleted: boolean): FeedRecord {
  const { table, read, readKey } = RECORDS[kind];
  const cells = deleted ? readKey(record) : read(record);
  const nulls = table.columns.slice(cells.length).map(() => NULL);
  return {
    kind,
    accountId: ownerOf(kind, record),
    key: cells.slice(0, table.key.length).join('\t'),
    deleted,
    row: `${[...cells, ...nulls, deleted ? 't' : 'f'].join('\t')}\n`,
  };
}

/** The key that is deleted need not say whose it is. */
function ownerOf(kind: RecordKind, record: Record<string, unknown>): string | undefined {
  const owner = kind === 'account' ? record.id : record.accountId;
  return typeof owner === 'string' ? owner : undefined;
}
