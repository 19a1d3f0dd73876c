import {
  dayText,
  FIRST_ITEM_AT,
  itemEnd,
  LENGTH_BYTES,
  listLength,
  readInteger,
  readMicroseconds,
  readSeconds,
  SECONDS_PER_DAY,
} from './binary-values.ts';
import { completeField, type PackedColumn } from './packed.ts';
import type { Column, ValueKind } from './value-kind.ts';

/**
 * Converts a row to an object.
 * @param at start of the `DataRow` body
 * @param end end of the body
 * @param text the bytes as Latin-1, if many rows are read
 * @throws {Error} for a malformed row
 */
export type RowDecoder = (bytes: Buffer, at: number, end: number, text?: string) => object;

type ReadValue = (bytes: Buffer, at: number, end: number, text?: string) => unknown;

export const VALUES: Readonly<Record<ValueKind, ReadValue>> = {
  text: textAt,
  boolean: (bytes, at) => bytes[at] === 1,
  integer: readInteger,
  number: (bytes, at) => bytes.readDoubleBE(at),
  json: jsonAt,
  // The first byte is the version, which is always 1.
  jsonb: (bytes, at, end, text) => jsonAt(bytes, at + 1, end, text),
  list: listAt,
  day: (bytes, at) => dayText(bytes.readInt32BE(at)),
  instant: instantAt,
};

/** Reads a text. For ASCII, a substring of `text` is much faster than decoding the bytes. */
function textAt(bytes: Buffer, at: number, end: number, text?: string): string {
  if (end - at <= SHORT) return shortTextAt(bytes, at, end);
  if (text === undefined) return bytes.toString('utf8', at, end);
  for (let index = at; index < end; index++) {
    if (bytes[index]! > 0x7f) return bytes.toString('utf8', at, end);
  }
  return text.substring(at, end);
}

/** Maximum length of cached texts, in bytes. Short texts such as days, names and owners often repeat. */
const SHORT = 24;

/** A cache of recent short texts by hash, so that repeated texts are created only once. */
const recent: string[] = Array(1024).fill('');

function shortTextAt(bytes: Buffer, at: number, end: number): string {
  let hash = end - at;
  for (let index = at; index < end; index++) {
    const byte = bytes[index]!;
    if (byte > 0x7f) return bytes.toString('utf8', at, end);
    hash = (hash * 31 + byte) | 0;
  }
  const place = (hash ^ (hash >>> 15)) & (recent.length - 1);
  const existing = recent[place]!;
  if (isSame(bytes, at, end, existing)) return existing;
  // Copied because a substring would retain the entire text.
  const made = bytes.toString('latin1', at, end);
  recent[place] = made;
  return made;
}

function isSame(bytes: Buffer, at: number, end: number, text: string): boolean {
  if (text.length !== end - at) return false;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[at + index]) return false;
  }
  return true;
}

function jsonAt(bytes: Buffer, at: number, end: number, text?: string): unknown {
  return JSON.parse(textAt(bytes, at, end, text));
}

function listAt(bytes: Buffer, at: number, listEnd: number, text?: string): string[] {
  const list: string[] = [];
  let item = at + FIRST_ITEM_AT;
  for (let left = listLength(bytes, at, listEnd); left > 0; left--) {
    const end = itemEnd(bytes, item, listEnd);
    list.push(textAt(bytes, item + LENGTH_BYTES, end, text));
    item = end;
  }
  return list;
}

/** Formats an instant as PostgreSQL does in UTC: `2026-11-20 11:25:00.5+00`. */
function instantAt(bytes: Buffer, at: number): string {
  const seconds = readSeconds(bytes, at);
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  const time = seconds - day * SECONDS_PER_DAY;
  const [hours, minutes] = [Math.floor(time / 3600), Math.floor(time / 60) % 60];
  return `${dayText(day)} ${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(time % 60)}${fraction(readMicroseconds(bytes, at))}+00`;
}

const twoDigits = (number: number) => (number < 10 ? `0${number}` : number);

function fraction(microseconds: number): string {
  return microseconds === 0 ? '' : `.${String(microseconds).padStart(6, '0').replace(/0+$/, '')}`;
}

/**
 * Compiles a decoder of rows with these columns. An object literal with all properties is several times faster than
 * adding them one by one.
 * @param packed a column whose fields become fields of the row
 */
export function compileDecoder(columns: readonly Column[], packed?: PackedColumn): RowDecoder {
  const read = columns.map(({ kind }, index) => {
    return `
    length = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    at += 4;
    if (length > end - at) throw new Error('a row that does not end where it should');
    let value${index} = null;
    if (length >= 0) {
      value${index} = ${kind}At(bytes, at, at + length, text);
      at += length;
    }`;
  });
  // In an object literal, `__proto__` sets the prototype instead of creating a property.
  if (columns.some(({ name }) => name === '__proto__'))
    throw new Error('a column has a name that none may have');
  const properties = columns.flatMap(({ name }, index) =>
    name === packed?.column
      ? packed.fields.map(
          ({ name }, field) =>
            `${JSON.stringify(name)}: completed(fields[${field}], value${index}?.[${JSON.stringify(name)}])`,
        )
      : `${JSON.stringify(name)}: value${index}`,
  );
  const source = `return (bytes, at, end, text) => {
    let length = (bytes[at] << 8) | bytes[at + 1];
    at += 2;
    if (length !== ${columns.length}) throw new Error('a row whose columns differ from its description');${read.join('')}
    if (at !== end) throw new Error('a row that does not end where it should');
    return { ${properties.join(', ')} };
  };`;
  const readers = Object.entries(VALUES).map(([kind, read]) => [`${kind}At`, read]);
  const existing = { ...Object.fromEntries(readers), completed: completeField, fields: packed?.fields };
  return new Function(...Object.keys(existing), source)(...Object.values(existing)) as RowDecoder;
}
