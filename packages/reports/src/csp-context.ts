import { isObject } from './json.ts';

/** Values of an original CSP report that its record lacks. They are stored in `extra` if known. */
export interface CspContext {
  /** Without query and fragment. */
  sourceFile?: string;
  lineNumber?: number;
  columnNumber?: number;
  /** The start of inline code, if the policy has 'report-sample'. */
  sample?: string;
  /** 0 if there was no response. */
  statusCode?: number;
}

/** Maximum stored lengths in characters. Browsers send 40 characters of a sample, but addresses of any length. */
const LONGEST_FILE = 2048;
const LONGEST_SAMPLE = 256;

type Fields = Readonly<Record<string, unknown>>;

/** The names of each field in the Reporting API, in `report-uri` reports, and in collectors. */
const NAMES = {
  sourceFile: ['sourceFile', 'source-file', 'source_file'],
  lineNumber: ['lineNumber', 'line-number', 'line_number'],
  columnNumber: ['columnNumber', 'column-number', 'column_number'],
  sample: ['sample', 'script-sample', 'script_sample'],
  statusCode: ['statusCode', 'status-code', 'status_code'],
} as const;

/** Parses an original report. Returns undefined if it is not JSON. */
export function readOriginal(raw: string): unknown {
  if (!raw.includes('{')) return undefined;
  try {
    return JSON.parse(raw);
  } catch {
    // Originals can be truncated, or not be JSON.
    return undefined;
  }
}

/**
 * Extracts the context from a parsed original, with or without an envelope. Returns an empty object for anything else.
 */
export function cspContextOfReport(report: unknown): CspContext {
  if (!isObject(report)) return {};
  const fields =
    [report['csp-report'], report.cspReport, report.csp_report, report.body].find(isObject) ?? report;
  const context: CspContext = {};
  const sourceFile = toText(fields, NAMES.sourceFile, LONGEST_FILE).replace(/[?#].*/s, '');
  if (sourceFile !== '') context.sourceFile = sourceFile;
  for (const name of ['lineNumber', 'columnNumber'] as const) {
    const count = countFor(fields, NAMES[name]);
    if (count !== undefined) context[name] = count;
  }
  const sample = toText(fields, NAMES.sample, LONGEST_SAMPLE);
  if (sample !== '') context.sample = sample;
  const statusCode = countFor(fields, NAMES.statusCode);
  if (statusCode !== undefined) context.statusCode = statusCode;
  return context;
}

/** Without the characters that `jsonb` cannot store. */
function toText(fields: Fields, names: readonly string[], longest: number): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '')
      return value.slice(0, longest).toWellFormed().replaceAll('\0', '\u{fffd}');
  }
  return '';
}

function countFor(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name];
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (Number.isSafeInteger(number) && (number as number) >= 0) return number as number;
  }
  return undefined;
}
