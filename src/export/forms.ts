import { type FormName, MEDIA_TYPES } from '@sightline/export/path';
import { type JsonFields, NEWLINE, type Rows, TextWriter, type WrittenText } from '@sightline/postgres';
import { type Options, stringify } from 'csv-stringify/sync';
import Negotiator from 'negotiator';
import { invalidParameter } from '../../schema/errors.ts';
import { preference } from '../http/preference.ts';

/** A form in which rows are exported. Rows become JSON in every form, since that is the one way in which they are written. */
export interface Form {
  name: FormName;
  mediaType: string;
  /** Before all rows, and behind them. */
  start(fields: JsonFields): string;
  end: string;
  /** @param isFirst whether no rows were written before these */
  write(rows: Rows, fields: JsonFields, isFirst: boolean): WrittenText;
}

const ndjson: Form = {
  name: 'ndjson',
  mediaType: MEDIA_TYPES.ndjson,
  start: () => '',
  end: '',
  write(rows, fields) {
    const text = new TextWriter();
    rows.write(text, fields, NEWLINE);
    text.write('\n');
    return text.end();
  },
};

const json: Form = {
  name: 'json',
  mediaType: `${MEDIA_TYPES.json}; charset=utf-8`,
  start: () => '[',
  end: ']\n',
  write(rows, fields, isFirst) {
    const text = new TextWriter();
    text.write(isFirst ? '\n' : ',\n');
    rows.write(text, fields);
    return text.end();
  },
};

/**
 * RFC 4180. Makes text of values that a spreadsheet would take for a formula (OWASP, "CSV Injection"): the library
 * leaves out those behind a line feed. Quotes go around whatever ends a line for some reader, whatever ends a record here.
 */
const CSV: Options = {
  record_delimiter: 'windows',
  quoted_match: /[\p{Cc}\p{Zl}\p{Zp}]/u,
  escape_formulas: true,
  cast: { boolean: String, string: text => (text.startsWith('\n') ? `'${text}` : text) },
};

const csv: Form = {
  name: 'csv',
  mediaType: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
  start: fields => stringify([fields.map(({ name }) => name)], CSV),
  end: '',
  write(rows, fields) {
    const written = ndjson.write(rows, fields, false);
    const lines = Buffer.concat(written.pieces).toString().split('\n').slice(0, -1);
    written.release();
    const records = lines.map(line => cells(JSON.parse(line)));
    return { pieces: [Buffer.from(stringify(records, CSV))], release() {} };
  },
};

/** Records with their header, which is the names of the first one's fields. */
export function csvOf(records: readonly Readonly<Record<string, unknown>>[]): string {
  return stringify([Object.keys(records[0] ?? {}), ...records.map(cells)], CSV);
}

/** Lists and objects as JSON. */
function cells(record: Readonly<Record<string, unknown>>): unknown[] {
  return Object.values(record).map(value =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  );
}

const FORMS: readonly Form[] = [ndjson, csv, json];
const TYPES = new Map(FORMS.map(form => [form.mediaType.split(';')[0]!, form]));

/**
 * The form that a client names, or accepts best (RFC 9110, section 12.5.1); NDJSON where it takes any or none of them.
 * @throws {PublicError} INVALID for a name that there is not
 */
export function formOf(name: string | undefined, accept: string | string[] | undefined): Form {
  if (name !== undefined) {
    const named = FORMS.find(form => form.name === name);
    if (!named) throw invalidParameter('format');
    return named;
  }
  const wanted = preference(accept);
  if (wanted === undefined) return ndjson;
  const [best] = new Negotiator({ headers: { accept: wanted } }).mediaTypes([...TYPES.keys()]);
  return (best && TYPES.get(best)) || ndjson;
}
