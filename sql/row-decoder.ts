import type { Column } from './row-format.ts';
import { kindOf, type ValueKind } from './value-kind.ts';

/**
 * Makes an object of a row.
 * @param text the bytes as Latin-1
 * @param at where the body of its `DataRow` begins
 * @param end where it ends
 * @throws {Error} where there is no such row
 */
export type RowDecoder = (bytes: Buffer, text: string, at: number, end: number) => object;

type ReadValue = (bytes: Buffer, text: string, at: number, end: number) => unknown;

/** How a value of each kind is read. An instant is passed on as PostgreSQL's own text. */
const VALUES = { textAt, booleanAt, integerAt, numberAt, jsonAt, listAt, instantAt: textAt } satisfies Record<
  `${ValueKind}At`,
  ReadValue
>;

const LETTER_T = 't'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

/** Most texts are plain ASCII, and a piece of a string costs a tenth of a string that is made from bytes. */
function textAt(bytes: Buffer, text: string, at: number, end: number): string {
  if (end - at <= SHORT) return shortTextAt(bytes, at, end);
  for (let index = at; index < end; index++) {
    if (bytes[index]! > 0x7f) return bytes.toString('utf8', at, end);
  }
  return text.substring(at, end);
}

/** Characters of what often comes again: days, names, the account. */
const SHORT = 24;

/** Some of the short texts that were read last, by a hash: nothing need be made, or collected, of one that is there. */
const recent: string[] = Array(1024).fill('');

function shortTextAt(bytes: Buffer, at: number, end: number): string {
  let hash = end - at;
  for (let index = at; index < end; index++) {
    const byte = bytes[index]!;
    if (byte > 0x7f) return bytes.toString('utf8', at, end);
    hash = (hash * 31 + byte) | 0;
  }
  const place = (hash ^ (hash >>> 15)) & (recent.length - 1);
  const known = recent[place]!;
  if (isSame(bytes, at, end, known)) return known;
  // A string of its own: a piece would hold on to all that it is a piece of.
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

function integerAt(bytes: Buffer, _text: string, at: number, end: number): number {
  const isNegative = bytes[at] === MINUS;
  let value = 0;
  for (let index = isNegative ? at + 1 : at; index < end; index++)
    value = value * 10 + (bytes[index]! - ZERO);
  return isNegative ? -value : value;
}

function booleanAt(bytes: Buffer, _text: string, at: number): boolean {
  return bytes[at] === LETTER_T;
}

function numberAt(bytes: Buffer, text: string, at: number, end: number): number {
  return Number(textAt(bytes, text, at, end));
}

function jsonAt(bytes: Buffer, text: string, at: number, end: number): unknown {
  return JSON.parse(textAt(bytes, text, at, end));
}

function listAt(bytes: Buffer, text: string, at: number, end: number): string[] {
  return parseArray(textAt(bytes, text, at, end));
}

/** Arrays of one dimension, and without nulls: others are not stored. */
export function parseArray(text: string): string[] {
  if (text === '{}') return [];
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^{},]+/gs)].map(([item, quoted]) =>
    quoted === undefined ? item : quoted.replace(/\\(.)/gs, '$1'),
  );
}

/**
 * The decoder of rows with these columns. It is compiled, since an object that is written down whole is made several
 * times faster than one to which a property after the other is added.
 */
export function compileDecoder(columns: readonly Column[]): RowDecoder {
  const read = columns.map(({ type }, index) => {
    return `
    length = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    at += 4;
    let value${index} = null;
    if (length >= 0) {
      value${index} = ${kindOf(type)}At(bytes, text, at, at + length);
      at += length;
    }`;
  });
  // `__proto__` would be no property, and names in brackets would cost ten times as much.
  if (columns.some(({ name }) => name === '__proto__'))
    throw new Error('a column has a name that none may have');
  const properties = columns.map(({ name }, index) => `${JSON.stringify(name)}: value${index}`);
  const source = `return (bytes, text, at, end) => {
    let length = (bytes[at] << 8) | bytes[at + 1];
    at += 2;
    if (length !== ${columns.length}) throw new Error('a row with other columns than were described');${read.join('')}
    if (at !== end) throw new Error('a row that does not end where it should');
    return { ${properties.join(', ')} };
  };`;
  return new Function(...Object.keys(VALUES), source)(...Object.values(VALUES)) as RowDecoder;
}
