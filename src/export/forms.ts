import { type JsonFields, NEWLINE, type Rows, TextWriter, type WrittenText } from '@sightline/pg-client';
import { type FormName, MEDIA_TYPES } from '@sightline/tools';
import { invalidParameter } from '../../schema/errors.ts';
import { preferredType } from '../http/negotiate.ts';
import { escapeCharacter, writeCsv } from './csv.ts';

/** A format for exported rows. Rows are always serialized as JSON first, because there is only one serializer. */
export interface ExportForm {
  name: FormName;
  mediaType: string;
  /** The text before and after all rows. */
  start(fields: JsonFields): string;
  end: string;
  /** @param isFirst true if no rows have been written before */
  write(rows: Rows, fields: JsonFields, isFirst: boolean): ExportedText;
}

/** A text in short chunks, each of which is created on demand. */
export interface ExportedText {
  readonly pieces: Iterable<Buffer>;
  release(): void;
}

const ndjson: ExportForm = {
  name: 'ndjson',
  mediaType: `${MEDIA_TYPES.ndjson}; charset=utf-8`,
  start: () => '',
  end: '',
  write(rows, fields) {
    const { pieces, ...text } = writeLines(rows, fields);
    return { ...text, pieces: escapeLineEnds(pieces) };
  },
};

function writeLines(rows: Rows, fields: JsonFields): WrittenText {
  const text = new TextWriter();
  rows.write(text, fields, NEWLINE);
  text.write('\n');
  return text.end();
}

/** Characters that JSON can contain unescaped but that some readers treat as line breaks. */
const LINE_ENDS = ['\u0085', '\u2028', '\u2029'].map(character => ({
  character,
  bytes: Buffer.from(character),
  escaped: escapeCharacter(character),
}));

/**
 * Keeps each record on one line, even for readers such as `requests` and `httpx` that recognise other line breaks than
 * a line feed.
 */
function* escapeLineEnds(pieces: Iterable<Buffer>): Generator<Buffer> {
  for (const piece of pieces) {
    const found = LINE_ENDS.filter(({ bytes }) => piece.includes(bytes));
    if (found.length === 0) yield piece;
    else for (const part of splitText(piece)) yield Buffer.from(escapeAll(part.toString(), found));
  }
}

/** Bytes that are escaped before other requests can have their turn. */
const ESCAPED_AT_ONCE = 64 * 1024;

/** Splits UTF-8 between characters. */
function* splitText(text: Buffer): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + ESCAPED_AT_ONCE, text.length);
    while (end < text.length && isContinuation(text[end]!)) end--;
    yield text.subarray(start, end);
    start = end;
  }
}

/** Checks for a byte of UTF-8 that is not the first one of a character (RFC 3629, section 3). */
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

function escapeAll(text: string, ends: typeof LINE_ENDS): string {
  return ends.reduce((escaped, end) => escaped.replaceAll(end.character, end.escaped), text);
}

const json: ExportForm = {
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

const csv: ExportForm = {
  name: 'csv',
  mediaType: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
  start: fields => [...writeCsv([fields.map(({ name }) => name)])].join(''),
  end: '',
  write(rows, fields) {
    const text = writeLines(rows, fields);
    const lines = Buffer.concat(text.pieces).toString().split('\n').slice(0, -1);
    text.release();
    return { pieces: joinParts(writeCsv(parseLines(lines))), release() {} };
  },
};

function* parseLines(lines: Iterable<string>): Generator<Readonly<Record<string, unknown>>> {
  for (const line of lines) yield JSON.parse(line);
}

/** The number of characters after which a chunk ends. */
const PIECE = 32 * 1024;

function* joinParts(parts: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

const FORMS: readonly ExportForm[] = [ndjson, csv, json];
/** Other names for the media types. */
const ALIASES: readonly [type: string, form: ExportForm][] = [
  ['application/ndjson', ndjson],
  ['application/jsonl', ndjson],
  ['application/x-jsonlines', ndjson],
  ['application/csv', csv],
];

const OFFERS = new Map([...FORMS.map((form): [string, ExportForm] => [form.mediaType, form]), ...ALIASES]);

/**
 * Returns the format that a client names or prefers (RFC 9110, section 12.5.1), and NDJSON if it accepts any or none of
 * them.
 * @throws {PublicError} INVALID for an unknown name
 */
export function detectForm(name: string | undefined, accept: string | string[] | undefined): ExportForm {
  if (name !== undefined) {
    const named = FORMS.find(form => form.name === name);
    if (!named) throw invalidParameter('format');
    return named;
  }
  return OFFERS.get(preferredType(accept, [...OFFERS.keys()]) ?? '') ?? ndjson;
}
