/** The values of a record, or the names of a header. */
type Values = Readonly<Record<string, unknown>> | readonly unknown[];

/** The number of characters of a cell that are written at once, so that the event loop can run within a long cell. */
const PART = 32 * 1024;

/** Text that a spreadsheet would interpret as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Characters that control a terminal or the reading order of a text, except line breaks and tabs. */
const CONTROLS = /[^\P{Cc}\t\n\r]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** Characters that some readers take for the end of a cell or line. */
const SEPARATORS = /[",\t\r\n]/;

/**
 * Formats records as CSV (RFC 4180) in short parts. Control characters are escaped as in JSON, and formulas are turned
 * into text.
 */
export function* writeCsv(records: Iterable<Values>): Generator<string> {
  for (const record of records) {
    let separator = '';
    for (const value of Object.values(record)) {
      yield separator;
      yield* writeCell(value);
      separator = ',';
    }
    yield '\r\n';
  }
}

/** Formats lists and objects as JSON. */
function* writeCell(value: unknown): Generator<string> {
  if (typeof value !== 'string') return yield* writeText(toText(value));
  yield* writeText(FORMULA.test(value) ? `'${value}` : value);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function* writeText(text: string): Generator<string> {
  const quote = SEPARATORS.test(text) ? '"' : '';
  yield quote;
  for (const part of splitText(text)) yield part.replaceAll('"', '""').replace(CONTROLS, escapeCharacter);
  yield quote;
}

/** Keeps surrogate pairs together, because each part is encoded on its own. */
function* splitText(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + PART;
    if (HIGH_SURROGATE.test(text.charAt(end - 1))) end++;
    yield text.slice(start, end);
  }
}

/** Escapes a UTF-16 code unit as JSON does. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Formats records with a header, whose names are the fields of the first record. */
export function toCsv(records: readonly Values[]): string {
  return [...writeCsv([Object.keys(records[0] ?? {}), ...records])].join('');
}
