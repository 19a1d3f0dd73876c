/**
 * PostgreSQL's binary format for COPY (its documentation of COPY, "Binary Format"): a row is the number of its cells, a
 * cell the number of its bytes and these. Reports come in it, since PostgreSQL takes it apart in half of the time that
 * text takes. All that is made here are strings of bytes, where a character stands for a byte.
 */

import { hash } from 'node:crypto';
import { remembered } from '../remembered.ts';

/** The bytes of a cell; undefined for null. */
export type Cell = string | undefined;

/** Nearly all are lengths of short texts. */
const SMALL = Array.from({ length: 1024 }, (_, value) => fourBytes(value));

/** A row that is not written yet. */
export interface BinaryRow {
  cells: readonly Cell[];
  /** Bytes of all of it. */
  length: number;
  /** The first cells, as many as are staged. */
  staged: number;
  /** The cells that a digest is made of, which becomes the last of those that are staged; 0 for none. */
  told: number;
}

/** A row of all the cells, up to 32,767. */
export function binaryRow(cells: readonly Cell[], staged: number, told = 0): BinaryRow {
  let length = COUNT + LENGTH * cells.length;
  for (const cell of cells) if (cell !== undefined) length += cell.length;
  return { cells, length, staged, told };
}

/** Bytes of the number of cells that a row begins with, and of the length of each. */
export const COUNT = 2;
const LENGTH = 4;
/** The digest of a row: the first bytes of the SHA-256 of what it is made of. */
const DIGEST = 8;

/** Writes the row, for which there has to be room. Answers with where its staged cells end. */
export function writeRow({ cells, staged, told }: BinaryRow, into: Buffer, begin: number): number {
  let at = begin;
  into[at++] = cells.length >> 8;
  into[at++] = cells.length;
  let stagedEnd = at;
  for (let index = 0; index < cells.length; index++) {
    at = writeCell(cells[index], into, at);
    if (index === staged - 1) stagedEnd = at;
    if (index === told - 1) into.write(digestOf(into.subarray(begin, at)), stagedEnd - DIGEST, 'latin1');
  }
  return stagedEnd;
}

/** Bytes for a row that goes nowhere. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The digest of the row's first cells, as a cell. */
export function digestCell(row: BinaryRow): Cell {
  if (scratch.length < row.length) scratch = Buffer.allocUnsafeSlow(2 * row.length);
  const end = writeRow(row, scratch, 0);
  return scratch.toString('latin1', end - DIGEST, end);
}

function digestOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'binary').slice(0, DIGEST);
}

/** Up to so many bytes, one by one is faster than a call. */
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
  // Only letters of ASCII are bytes already.
  return Buffer.byteLength(value) === value.length ? value : Buffer.from(value).toString('latin1');
}

export function booleanCell(value: boolean | number): string {
  return value ? '\x01' : '\0';
}

/** A cell of a column `smallint`. */
export function smallintCell(value: number): string {
  return String.fromCharCode((value >> 8) & 0xff, value & 0xff);
}

/** A cell of a column `bigint`. */
export function bigintCell(value: number): string {
  return eightBytes(Math.floor(value / 2 ** 32), value % 2 ** 32);
}

/** The first instant of 2000, which PostgreSQL counts from, in milliseconds since that of 1970. */
const EPOCH = Date.UTC(2000);

/**
 * A cell of a column `timestamptz`, which counts microseconds.
 * @param instant in UTC, `YYYY-MM-DDTHH:mm:ss[.ffffff]Z`, in the years 1970 to 2200
 */
export function instantCell(instant: string): string {
  const seconds = numberAt(instant, 11) * 3600 + numberAt(instant, 14) * 60 + numberAt(instant, 17);
  const microseconds = instant.length > 20 ? Number(instant.slice(20, -1).padEnd(6, '0')) : 0;
  return bigintCell((startOfDay(instant.slice(0, 10)) + seconds) * 1e6 + microseconds);
}

/** Seconds of PostgreSQL's count. */
const startOfDay = remembered(day => (Date.parse(day) - EPOCH) / 1000);

/** The number of two digits. */
function numberAt(text: string, position: number): number {
  return (text.charCodeAt(position) - ZERO) * 10 + text.charCodeAt(position + 1) - ZERO;
}

const ZERO = 0x30;

/** PostgreSQL's number for the type of an array's items. */
const TEXT = 25;

/** A cell of a column `text[]`: one dimension, no nulls, items of the type text, counted from 1. */
export function textsCell(values: readonly string[]): string {
  const head = [1, 0, TEXT, values.length, 1].map(int32);
  const items = values.map(textCell).flatMap(item => [int32(item.length), item]);
  return [...head, ...items].join('');
}

/** A cell of a column `jsonb`: the version of its format, and the text. */
export function jsonCell(value: unknown): string {
  return `\x01${textCell(JSON.stringify(value))}`;
}

/** A cell of `jsonb` with members of its own and further ones, which it does not have yet. */
export function joinedJsonCell(cell: Cell, further: object): string {
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
