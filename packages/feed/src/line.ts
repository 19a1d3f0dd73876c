import { isObject, readOriginal } from '@sightline/reports';
import { BadLine } from './bad-line.ts';
import { LONGEST_ACCEPTED_RAW, refuse, requireStorable } from './checks.ts';
import { NULL } from './copy/text.ts';
import { isShortest, measureJson, parseJson, requireSingleNames, stringsIn } from './json.ts';
import { LONGEST_LINE, type NumberedLine } from './read/lines.ts';
import { isRecordKind, RECORDS, type RecordKind } from './records.ts';
import { type ReportDays, reportDays } from './report-days.ts';
import { type EncodedReport, type Enrich, encodeReport } from './reports.ts';

/** A valid line, as a row for COPY. */
export type FeedLine = EncodedReport | FeedRecord;

export interface FeedRecord {
  kind: RecordKind;
  /** The account of the record: for an account, its own id; undefined for a certificate. */
  accountId: string | undefined;
  /** The cells of the table's key. */
  key: string;
  deleted: boolean;
  /** The row for the staging table, as COPY text. */
  row: string;
}

/** Parses a line of the feed; returns the error if the line is invalid. */
export function understand(
  { text, tooLong }: NumberedLine,
  days: ReportDays,
  enrich?: Enrich,
): FeedLine | BadLine {
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
 * Parses a line of the feed.
 * @param days the days whose reports are accepted; default: those accepted now
 * @param enrich see `encodeReport`
 * @throws {BadLine} if the line violates the format of the feed
 */
export function readLine(text: string, days: ReportDays = reportDays(new Date()), enrich?: Enrich): FeedLine {
  const value = parseJson(text);
  const original = getOriginal(value);
  if (!isShortest(text, value, 2 * stringsIn([original]))) {
    requireSingleNames(text, value);
    // Only an escape sequence can produce a character that cannot be stored.
    if (text.includes('\\u')) requireStorable(value);
  }
  const record = isObject(value) ? value : refuse('', 'is not a JSON object');
  const { kind } = record;
  const deleted = isDeleted(record.deleted);
  if (kind === 'report') {
    requireReportSize(text, record.raw);
    return encodeReport(record, original, deleted, days, enrich);
  }
  if (kind === undefined || kind === null) return refuse('kind', 'is missing');
  if (typeof kind !== 'string' || !isRecordKind(kind)) {
    return refuse('kind', `must be one of ${[...Object.keys(RECORDS), 'report'].join(', ')}`);
  }
  requireSize(text, record);
  return readRecord(kind, record, deleted);
}

/** Parses the original of a CSP report if it is JSON. */
function getOriginal(value: unknown): unknown {
  if (!isObject(value) || value.type !== 'csp') return undefined;
  const { raw } = value;
  // A longer original is refused later.
  return typeof raw === 'string' && raw.length <= LONGEST_ACCEPTED_RAW ? readOriginal(raw) : undefined;
}

/** Maximum size of a record in bytes, which limits the size of responses. It does not include the `raw` of a report. */
const LARGEST_RECORD = 1024 * 1024;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_OF_CHARACTER = 3;

function requireReportSize(text: string, raw: unknown): void {
  if (text.length * BYTES_OF_CHARACTER <= LARGEST_RECORD) return;
  const bytes = Buffer.byteLength(text) - Buffer.byteLength(JSON.stringify(raw ?? ''));
  if (bytes > LARGEST_RECORD) refuse('', 'is longer than 1 MiB without its raw');
}

/**
 * Checks the size of a record. Texts are measured without escapes, so that every field can be as long as its own limit.
 */
function requireSize(text: string, record: object): void {
  if (text.length * BYTES_OF_CHARACTER <= LARGEST_RECORD) return;
  if (measureJson(record) > LARGEST_RECORD) refuse('', 'is longer than 1 MiB');
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
    accountId: getTenant(kind, record),
    key: cells.slice(0, table.key.length).join('\t'),
    deleted,
    row: `${[...cells, ...nulls, deleted ? 't' : 'f'].join('\t')}\n`,
  };
}

/** Returns the account of a record. A deletion by key does not need to name it. */
function getTenant(kind: RecordKind, record: Record<string, unknown>): string | undefined {
  const owner = kind === 'account' ? record.id : record.accountId;
  return typeof owner === 'string' ? owner : undefined;
}
