import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  bigintCell,
  binaryRow,
  booleanCell,
  type Cell,
  digestCell,
  instantCell,
  joinJsonCell,
  jsonCell,
  smallintCell,
  textCell,
  textsCell,
  writeRow,
} from '../../packages/feed/src/copy/binary.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { connectOperator, type Operator } from '../support/operator.ts';

/** Compares encoded cells with the bytes that PostgreSQL sends for the same values. */

let database: TestDatabase;
let sql: Operator;
beforeAll(async () => {
  database = await createDatabase();
  sql = connectOperator(database.directUrl);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const toHex = (cell: Cell) => Buffer.from(cell!, 'latin1').toString('hex');
/** @param type which has a send function, as `timestamptz` has `timestamptz_send` */
async function sent(send: string, type: string, values: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ hex: string }>(
    `select encode(${send}(value::${type}), 'hex') as hex
       from json_array_elements_text($1::json) with ordinality as given (value, place) order by place`,
    [JSON.stringify(values)],
  );
  return rows.map(({ hex }) => hex);
}

const INSTANTS = [
  '1970-01-01T00:00:00Z',
  '1999-12-31T23:59:59.999999Z',
  '2000-01-01T00:00:00Z',
  '2000-01-01T00:00:00.000001Z',
  '2024-02-29T12:34:56.7Z',
  '2026-05-20T09:08:07.123Z',
  '2026-05-20T10:20:30.123456Z',
  '2100-03-01T19:59:01Z',
  '2199-12-31T23:59:59.1Z',
];
const BIGINTS = [0, 1, -1, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER];
const TEXTS = ['', 'a', 'é', '木\u{1f4a9}', 'x'.repeat(1024), 'y'.repeat(5000), 'z'.repeat(70_000)];

it('encodes timestamps, numbers, texts and booleans with the same bytes as PostgreSQL', async () => {
  expect(INSTANTS.map(instantCell).map(toHex)).toEqual(
    await sent('timestamptz_send', 'timestamptz', INSTANTS),
  );
  expect(BIGINTS.map(bigintCell).map(toHex)).toEqual(await sent('int8send', 'bigint', BIGINTS.map(String)));
  const small = [0, 1, -1, 255, 256, 32_767, -32_768];
  expect(small.map(smallintCell).map(toHex)).toEqual(await sent('int2send', 'smallint', small.map(String)));
  expect(TEXTS.map(textCell).map(toHex)).toEqual(await sent('textsend', 'text', TEXTS));
  const booleans = [true, false, 1, 0];
  expect(booleans.map(booleanCell).map(toHex)).toEqual(
    await sent('boolsend', 'boolean', ['true', 'false', 'true', 'false']),
  );
});

it('encodes lists and objects with the same bytes as PostgreSQL', async () => {
  const lists = [['a'], ['', 'é'], TEXTS, Array.from({ length: 1030 }, (_, index) => String(index))];
  const rows = await sql.query<{ hex: string }>(
    `select encode(array_send(array(select json_array_elements_text(list))), 'hex') as hex
       from json_array_elements($1::json) with ordinality as given (list, place) order by place`,
    [JSON.stringify(lists)],
  );
  expect(lists.map(textsCell).map(toHex)).toEqual(rows.map(({ hex }) => hex));
  const own = { a: 'é"\\', b: [1, null, { c: true }] };
  const read = async (cell: Cell) => {
    expect(cell!.charCodeAt(0)).toBe(1);
    const text = Buffer.from(cell!.slice(1), 'latin1').toString();
    return JSON.parse(text);
  };
  expect(await read(jsonCell(own))).toEqual(own);
  expect(await read(joinJsonCell(jsonCell(own), { d: '木' }))).toEqual({ ...own, d: '木' });
  expect(await read(joinJsonCell(jsonCell({}), { d: 1 }))).toEqual({ d: 1 });
  expect(await read(joinJsonCell(undefined, { d: 1 }))).toEqual({ d: 1 });
});

/** Parses the cells of a row in COPY format. */
function read(bytes: Buffer): { cells: Cell[]; end: number } {
  let at = 2;
  const cells = Array.from({ length: bytes.readInt16BE(0) }, () => {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) return undefined;
    at += length;
    return bytes.toString('latin1', at - length, at);
  });
  return { cells, end: at };
}

it('writes rows in the format of COPY, within the reserved bytes', () => {
  const long = 'x'.repeat(70_000);
  const rows: Cell[][] = [
    [],
    [undefined],
    [''],
    ['a'.repeat(24), 'b'.repeat(25), undefined, long],
    Array.from({ length: 300 }, () => 'c'),
  ];
  for (const cells of rows)
    for (const staged of [0, 1, cells.length].filter(number => number <= cells.length)) {
      const row = binaryRow(cells, staged);
      const into = Buffer.alloc(row.length + 12, 0xee);
      const end = writeRow(row, into, 5);
      const found = read(into.subarray(5));
      expect(found.cells).toEqual(cells);
      expect(found.end).toBe(row.length);
      // Nothing is written outside of the row.
      expect([...into.subarray(0, 5), ...into.subarray(5 + row.length)].every(byte => byte === 0xee)).toBe(
        true,
      );
      const staging = cells.slice(0, staged).reduce((sum, cell) => sum + 4 + (cell?.length ?? 0), 0);
      expect(end).toBe(5 + 2 + staging);
    }
});

it('computes the digest of a row from the cells of its line, ignoring the cells after them', () => {
  const zeros = '\0'.repeat(8);
  const row = ([one, other, last]: readonly Cell[], behind = 'behind') =>
    binaryRow([one, other, zeros, last, behind], 3, 4);
  const digest = (cells: readonly Cell[], behind?: string) => digestCell(row(cells, behind));
  const first = digest(['a', 'b', 'c']);
  expect(first).toHaveLength(8);
  expect([digest(['a', 'b', 'c']), digest(['a', 'b', 'c'], 'other')]).toEqual([first, first]);
  for (const cells of [
    ['a', 'c', 'c'],
    ['ab', '', 'c'],
    ['', 'ab', 'c'],
    ['a', undefined, 'c'],
    ['a', 'b', 'd'],
  ])
    expect(digest(cells)).not.toBe(first);
  // The digest is the last staged cell.
  const into = Buffer.alloc(1000);
  writeRow(row(['a', 'b', 'c']), into, 0);
  expect(read(into).cells).toEqual(['a', 'b', first, 'c', 'behind']);
  // Long rows are digested as well.
  const long = 'x'.repeat(200_000);
  expect(digest([long, 'b', 'c'])).not.toBe(digest([long, 'b', 'd']));
});
