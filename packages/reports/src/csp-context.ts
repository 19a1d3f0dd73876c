/** Values of a CSP report that its record lacks, as `extra` keeps them. Unknown ones are left out. */
export interface CspContext {
  /** Without query and fragment. */
  sourceFile?: string;
  lineNumber?: number;
  columnNumber?: number;
  /** The first characters of inline code, where the policy asked for them. */
  sample?: string;
  /** 0 where there was none. */
  statusCode?: number;
}

/** Characters that are kept. Browsers send 40 of a sample; an address can be as long as its writer likes. */
const LONGEST_FILE = 2048;
const LONGEST_SAMPLE = 256;

type Fields = Readonly<Record<string, unknown>>;

/** The names of each field: with the Reporting API, with `report-uri`, and of collectors. */
const NAMES = {
  sourceFile: ['sourceFile', 'source-file', 'source_file'],
  lineNumber: ['lineNumber', 'line-number', 'line_number'],
  columnNumber: ['columnNumber', 'column-number', 'column_number'],
  sample: ['sample', 'script-sample', 'script_sample'],
  statusCode: ['statusCode', 'status-code', 'status_code'],
} as const;

/** Reads an original report; undefined for what is none. */
export function readOriginal(raw: string): unknown {
  if (!raw.includes('{')) return undefined;
  try {
    return JSON.parse(raw);
  } catch {
    // It may have been cut, or was never JSON.
    return undefined;
  }
}

/** Finds it in an original that was read: in a body in any envelope, or alone. Empty for what is none. */
export function cspContextOfReport(report: unknown): CspContext {
  if (!isObject(report)) return {};
  const fields =
    [report['csp-report'], report.cspReport, report.csp_report, report.body].find(isObject) ?? report;
  const context: CspContext = {};
  const sourceFile = textOf(fields, NAMES.sourceFile, LONGEST_FILE).replace(/[?#].*/s, '');
  if (sourceFile !== '') context.sourceFile = sourceFile;
  for (const name of ['lineNumber', 'columnNumber'] as const) {
    const count = countOf(fields, NAMES[name]);
    if (count !== undefined) context[name] = count;
  }
  const sample = textOf(fields, NAMES.sample, LONGEST_SAMPLE);
  if (sample !== '') context.sample = sample;
  const statusCode = countOf(fields, NAMES.statusCode);
  if (statusCode !== undefined) context.statusCode = statusCode;
  return context;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As PostgreSQL's `jsonb` takes it. */
function textOf(fields: Fields, names: readonly string[], longest: number): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '')
      return value.slice(0, longest).toWellFormed().replaceAll('\0', '\u{fffd}');
  }
  return '';
}

function countOf(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name];
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (Number.isSafeInteger(number) && (number as number) >= 0) return number as number;
  }
  return undefined;
}
