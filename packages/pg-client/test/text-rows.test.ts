import { expect, it } from 'vitest';
import { readTextRow, textColumns } from '../src/command/text-rows.ts';

/** The body of a `RowDescription` (PostgreSQL manual, 53.7). */
function description(...columns: [name: string, type: number][]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(columns.length);
  const parts = columns.map(([name, type]) => {
    const tail = Buffer.alloc(18);
    tail.writeUInt32BE(type, 6);
    return Buffer.concat([Buffer.from(`${name}\0`), tail]);
  });
  return Buffer.concat([count, ...parts]);
}

/** The body of a `DataRow`. */
function row(...texts: (string | null)[]): Buffer {
  const parts = texts.map(text => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text ?? '')]);
  });
  return Buffer.concat([Buffer.from([0, texts.length]), ...parts]);
}

it.each<[type: string, oid: number, text: string, value: unknown]>([
  ['bool', 16, 't', true],
  ['bool', 16, 'f', false],
  ['bytea', 17, '\\x00ff', Buffer.from([0, 255])],
  ['bigint', 20, '9007199254740993', '9007199254740993'],
  ['smallint', 21, '-7', -7],
  ['integer', 23, '7', 7],
  ['text', 25, '7', '7'],
  ['oid', 26, '4294967295', 4_294_967_295],
  ['json', 114, '{"a":1}', { a: 1 }],
  ['real', 700, '0.5', 0.5],
  ['double precision', 701, '-0.25', -0.25],
  ['date', 1082, '2026-05-20', new Date('2026-05-20T00:00:00Z')],
  ['timestamptz', 1184, '2026-05-20 12:00:00+02', new Date('2026-05-20T10:00:00Z')],
  ['numeric', 1700, '1.50', '1.50'],
  ['jsonb', 3802, '[null]', [null]],
])('a value of the type %s (%i) is read from text: %j', (_, oid, text, value) => {
  const columns = textColumns(description(['one', oid], ['two', oid]));
  expect(readTextRow(columns, row(text, null), 0)).toEqual({ one: value, two: null });
});

it('a row is read at its place, with nulls, empty texts and characters of several bytes', () => {
  const columns = textColumns(description(['é', 25], ['none', 23], ['empty', 25], ['last', 25]));
  const bytes = Buffer.concat([Buffer.from('before'), row('木', null, '', 'x'), Buffer.from('after')]);
  expect(readTextRow(columns, bytes, 6)).toEqual({ é: '木', none: null, empty: '', last: 'x' });
});
