import { FoundReports, type ImportedReport } from '../reports.ts';
import { Unreadable } from '../unreadable.ts';
import { isObject, toText } from '../values.ts';
import { toFields } from './fields.ts';
import { BROWSER_TYPES, type TypedRecord } from './types.ts';

/** Report readers, by the browser's name of the report type. */
export type KnownTypes = typeof BROWSER_TYPES;

/** A stored report whose type was unknown when it arrived. */
export interface StoredOther {
  account_id: string;
  id: string;
  /** The date of the report, in milliseconds since 1970. */
  date: number;
  count: number;
  raw: string;
  browser: string | null;
  platform: string | null;
  samplingRate: number | null;
}

/**
 * Reads a stored report again after its type has become known. Returns two lines of the feed: the report under its type
 * with the same id, and the removal of the stored report. Returns undefined if the type is still unknown.
 */
export function readAgain(stored: StoredOther, types: KnownTypes = BROWSER_TYPES): string | undefined {
  const record = toRecord(stored.raw, types);
  if (!record) return undefined;
  const { account_id: accountId, id, date, raw, count, browser, platform, samplingRate } = stored;
  const source = {
    ...(browser && { browser }),
    ...(platform && { platform }),
    ...(samplingRate && { samplingRate }),
  };
  const report: ImportedReport = {
    type: record.type,
    id,
    date,
    fields: { ...record.fields, count, ...source },
    raw,
  };
  try {
    const found = new FoundReports({ accountId }).line(report);
    if (found.kind !== 'line') return undefined;
    const removal = JSON.stringify({ kind: 'report', accountId, type: 'other', id, deleted: true });
    return `${removal}\n${found.text}\n`;
  } catch (error) {
    // The feed would refuse the report, so it is not changed.
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function toRecord(raw: string, types: KnownTypes): TypedRecord | undefined {
  const report = parse(raw);
  if (!isObject(report)) return undefined;
  const { type, url, body } = toFields(report);
  if (!isObject(body)) return undefined;
  const read = types[toText(type)];
  return read?.({ type: toText(type), url: toText(url), fields: toFields(body) }, 'enforced');
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
