/**
 * PostgreSQL's binary format for COPY: a row is its number of cells, and each cell is its length followed by its bytes.
 * Reports use it because PostgreSQL parses it twice as fast as text. The results are binary strings.
 */

import { hash } from 'node:crypto';
import { memoize } from '../memoize.ts';

/** The bytes of a cell; undefined for null. */
export type Cell = string | undefined;

/** The encoded lengths of short cells, precomputed because nearly all cells are short. */
const SMALL = Array.from({ length: 1024 }, (_, value) => fourBytes(value));

/** A row before it is written. */
export interface BinaryRow {
  cells: readonly Cell[];
  /** The size in bytes. */
  length: number;
  /** The number of leading cells that are staged. */
  staged: number;
  /** The number of leading cells whose digest becomes the last staged cell; 0 for no digest. */
  alreadyStaged: number;
}

/** Creates a row of these cells, at most 32,767. */
export function binaryRow(cells: readonly Cell[], staged: number, alreadyStaged = 0): BinaryRow {
  let length = COUNT + LENGTH * cells.length;
  for (const cell of cells) if (cell !== undefined) length += cell.length;
  return { cells, length, staged, alreadyStaged: alreadyStaged };
}

/** Size in bytes of the cell count at the start of a row, and of the length before each cell. */
export const COUNT = 2;
const LENGTH = 4;
/** Size of a row's digest in bytes: the first bytes of its SHA-256. */
const DIGEST = 8;

/** Writes the row into a sufficiently large buffer. Returns where its staged cells end. */
export function writeRow({ cells, staged, alreadyStaged }: BinaryRow, into: Buffer, begin: number): number {
  let at = begin;
  into[at++] = cells.length >> 8;
  into[at++] = cells.length;
  let stagedEnd = at;
  for (let index = 0; index < cells.length; index++) {
    at = writeCell(cells[index], into, at);
    if (index === staged - 1) stagedEnd = at;
    if (index === alreadyStaged - 1)
      into.write(computeDigest(into.subarray(begin, at)), stagedEnd - DIGEST, 'latin1');
  }
  return stagedEnd;
}

/** A scratch buffer for rows that are only hashed. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Returns the digest of the row's first cells, as a cell. */
export function digestCell(row: BinaryRow): Cell {
  if (scratch.length < row.length) scratch = Buffer.allocUnsafeSlow(2 * row.length);
  const end = writeRow(row, scratch, 0);
  return scratch.toString('latin1', end - DIGEST, end);
}

function computeDigest(bytes: Buffer): string {
  return hash('sha256', bytes, 'binary').slice(0, DIGEST);
}

/** Maximum number of bytes for which a loop is faster than a call of `Buffer.write`. */
const SHORT = 24;

function writeCell(cell: Cell, into: Buffer, begin: number): number {
  let at = begin;
  const length = cell === undefined ? -1 : cell.length;
  into[at++] = length >> 24;
  into[at++] = length >> 16;
  into[at++] = length >> 8;
  into[at++] = length;
  if (cell === undefined) return at;
  if (length > SHORT) return at + into.write(cell, at, length, 'latin1');
  for (let index = 0; index < length; index++) into[at++] = cell.charCodeAt(index);
  return at;
}

export function textCell(value: string): string {
  // An ASCII text already is a binary string.
  return Buffer.byteLength(value) === value.length ? value : Buffer.from(value).toString('latin1');
}

export function booleanCell(value: boolean | number): string {
  return value ? '\x01' : '\0';
}

/** Encodes a cell of a `smallint` column. */
export function smallintCell(value: number): string {
  return String.fromCharCode((value >> 8) & 0xff, value & 0xff);
}

/** Encodes a cell of a `bigint` column. */
export function bigintCell(value: number): string {
  return eightBytes(Math.floor(value / 2 ** 32), value % 2 ** 32);
}

/** The start of 2000, PostgreSQL's epoch, in milliseconds since 1970. */
const EPOCH = Date.UTC(2000);

/**
 * Encodes a cell of a `timestamptz` column.
 * @param instant in UTC, `YYYY-MM-DDTHH:mm:ss[.ffffff]Z`, in the years 1970 to 2200
 */
export function instantCell(instant: string): string {
  const seconds = numberAt(instant, 11) * 3600 + numberAt(instant, 14) * 60 + numberAt(instant, 17);
  const microseconds = instant.length > 20 ? Number(instant.slice(20, -1).padEnd(6, '0')) : 0;
  return bigintCell((startOfDay(instant.slice(0, 10)) + seconds) * 1e6 + microseconds);
}

/** Returns the start of a day in seconds since PostgreSQL's epoch. */
const startOfDay = memoize(day => (Date.parse(day) - EPOCH) / 1000);

/** Parses the two digits at a position. */
function numberAt(text: string, position: number): number {
  return (text.charCodeAt(position) - ZERO) * 10 + text.charCodeAt(position + 1) - ZERO;
}

const ZERO = 0x30;

/** The object id of PostgreSQL's type `text`. */
const TEXT = 25;

/** Encodes a cell of a `text[]` column: one dimension, no nulls, items of type text, lower bound 1. */
export function textsCell(values: readonly string[]): string {
  const head = [1, 0, TEXT, values.length, 1].map(int32);
  const items = values.map(textCell).flatMap(item => [int32(item.length), item]);
  return [...head, ...items].join('');
}

/** Encodes a cell of a `jsonb` column: the format version, then the text. */
export function jsonCell(value: unknown): string {
  return `\x01${textCell(JSON.stringify(value))}`;
}

/** Adds further members to a `jsonb` cell. */
export function joinJsonCell(cell: Cell, further: object): string {
  const added = jsonCell(further);
  return cell === undefined || cell === EMPTY_OBJECT ? added : `${cell.slice(0, -1)},${added.slice(2)}`;
}

const EMPTY_OBJECT = jsonCell({});

function int32(value: number): string {
  return value < SMALL.length ? SMALL[value]! : fourBytes(value);
}

function fourBytes(value: number): string {
  return String.fromCharCode((value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff);
}

function eightBytes(high: number, low: number): string {
  return String.fromCharCode(
    (high >> 24) & 0xff,
    (high >> 16) & 0xff,
    (high >> 8) & 0xff,
    high & 0xff,
    (low >> 24) & 0xff,
    (low >> 16) & 0xff,
    (low >> 8) & 0xff,
    low & 0xff,
  );
}
