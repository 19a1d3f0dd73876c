import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatInstant } from '@sightline/reports';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import type { AccountId } from '../../../sql/account-id.ts';
import { connect, type TenantRow } from '../../../sql/client.ts';
import { runs } from '../../../test/faults/scale.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { createBareDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { stockDriver } from '../../../test/support/stock-driver.ts';
import { ServerMessages } from '../src/driver/server-messages.ts';
import { LONGEST_ESCAPE } from '../src/driver/value-writers.ts';
import { Wire } from '../src/driver/wire.ts';
import {
  type JsonField,
  type JsonFields,
  Packed,
  Rows,
  TextWriter,
  type ValueKind,
  type WrittenText,
} from '../src/index.ts';

/** Decoded rows are compared with those of the `postgres` driver. */

let database: TestDatabase;
let ours: ReturnType<typeof connect>;
let driver: Sql;

beforeAll(async () => {
  database = await createBareDatabase();
  ours = connect({
    url: database.url,
    poolSize: 1,
    statementTimeout: 10_000,
    queueTimeout: 10_000,
    queueLimit: 1000,
    prepare: true,
    role: '',
  });
  driver = stockDriver(database.url, {
    max: 1,
    connection: { TimeZone: 'UTC' },
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      temporal: { to: 1184, from: [1082, 1184], parse: (text: string) => text, serialize: String },
    },
  });
  await driver.unsafe(`create type colour as enum ('red', 'grün')`);
});

afterAll(async () => {
  await ours.end();
  await driver.end();
  await database.drop();
});

/** Returns the rows of a statement as objects. */
async function read(...statement: Parameters<typeof ours.rows>): Promise<readonly object[]> {
  return (await ours.rows(...statement)).objects();
}

const text = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    fc.constantFrom(
      '',
      '\u007f',
      '\u0080',
      'ÿ',
      '𝒳',
      '"',
      '{}',
      'x'.repeat(200_000),
      `${'é'.repeat(70_000)}`,
    ),
  )
  .map(value => value.replaceAll('\0', ''));

const row = fc.record({
  text: fc.option(text),
  truth: fc.option(fc.boolean()),
  small: fc.option(fc.integer({ min: -32_768, max: 32_767 })),
  whole: fc.option(fc.integer()),
  large: fc.option(fc.maxSafeInteger()),
  real: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  json: fc.option(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), { maxKeys: 5 })),
  list: fc.option(fc.array(text, { maxLength: 5 })),
  colour: fc.option(fc.constantFrom('red', 'grün')),
  when: fc.option(
    fc
      .tuple(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        fc.constantFrom('', '0', '5', '05', '999', '000001', '100000'),
      )
      .map(([date, fraction]) => `${date.toISOString().slice(0, 19)}.${fraction}Z`),
  ),
});

const SELECT = `
  select item->>'text' as text, (item->>'truth')::bool as truth, (item->>'small')::int2 as small,
    (item->>'whole')::int4 as whole, (item->>'large')::int8 as large, (item->>'real')::float8 as real,
    nullif(item->'json', 'null') as json,
    case when item->'list' <> 'null' then array(select jsonb_array_elements_text(item->'list')) end as list,
    (item->>'json')::json as "a ""name""", (item->>'colour')::colour as colour,
    (item->>'when')::timestamptz as instant, ((item->>'when')::timestamptz at time zone 'UTC')::date as day
  from jsonb_array_elements($1::text::jsonb) item`;

test('rows are decoded in the same way as by the reference driver', { tags: 'slow' }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.boolean(), async (rows, prepare) => {
      const parameter = JSON.stringify(rows);
      const expected = await driver.unsafe(SELECT, [parameter]);
      expect(await read(SELECT, [parameter], { prepare })).toEqual([...expected]);
    }),
    runs(5, 400),
  );
});

const VALUES = {
  text: '"a\\b"\u0001\u007fé𝒳',
  truth: true,
  small: -32_768,
  whole: 10,
  large: -9_007_199_254_740_991,
  real: 0.5,
  json: { a: ['é'] },
  list: ['a', '', 'x'.repeat(30), 'é'.repeat(30)],
  'a "name"': { a: ['é'] },
  colour: 'grün',
  instant: '1999-12-31 23:59:09.05+00',
  day: '1999-12-31',
};

/** Rows whose columns are all filled, empty or null. */
const FILLED = [
  VALUES,
  {
    ...{ text: '', truth: false, small: 0, whole: 0, large: 3_000_000_000, real: -1e300, json: {}, list: [] },
    ...{ 'a "name"': {}, colour: 'red', instant: '2000-01-01 00:00:00+00', day: '2000-01-01' },
  },
  Object.fromEntries(Object.keys(VALUES).map(name => [name, null])),
] as Record<string, unknown>[];

const filled = JSON.stringify(FILLED.map(({ instant, ...row }) => ({ ...row, when: instant })));

test('each type of value is decoded', async () => {
  expect(await read(SELECT, [filled])).toEqual(FILLED);
});

test.each([
  ["array[['a'], ['b']]", 'an array of several dimensions'],
  ["array['a', null]", 'an array with a null'],
  ["'0001-12-31 BC'::date", 'a day outside the years 1 to 9999'],
  ["'10000-01-01'::date", 'a day outside the years 1 to 9999'],
])('the value %s is refused: %s', async (value, message) => {
  await expect(read(`select ${value} as value`, [])).rejects.toThrow(message);
});

test('timestamps keep their microseconds from year 1 to 9999', async () => {
  const instants = [
    '0001-01-01 00:00:00+00',
    '1969-12-31 23:59:59.999999+00',
    '1999-12-31 23:59:59.000001+00',
    '2000-01-01 00:00:00+00',
    '2026-11-20 11:25:00.5+00',
    '9999-12-31 23:59:59.999999+00',
  ];
  const rows = await read('select instant from unnest($1::text[]::timestamptz[]) instant', [instants]);
  expect(rows).toEqual(instants.map(instant => ({ instant })));
});

test.each(['1.50::numeric', '1.5::float4', `'1 day'::interval`])(
  'a statement with %s fails and names the unreadable column, and the next one succeeds',
  async value => {
    for (const prepare of [true, true, false]) {
      const answers = await Promise.allSettled([
        read(`select n, ${value} as price from generate_series(1, 3) n`, [], { prepare }),
        read('select n from generate_series(1, 2) n', []),
      ]);
      expect(answers).toMatchObject([
        { reason: { message: expect.stringMatching(/^column "price" has type \d+ of PostgreSQL/) } },
        { value: [{ n: 1 }, { n: 2 }] },
      ]);
    }
  },
);

test('each of many concurrent statements gets its own rows', async () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  const answers = await Promise.all(
    numbers.map(number =>
      read(`select n, ${number % 7} as own from generate_series(1, $1::int) n`, [number], {
        prepare: number % 3 > 0,
      }),
    ),
  );
  for (const number of numbers) {
    expect(answers[number]).toEqual(
      Array.from({ length: number }, (_, index) => ({ n: index + 1, own: number % 7 })),
    );
  }
});

test('a failed statement takes no rows of the next one', async () => {
  const answers = await Promise.allSettled([
    read('select 1 / (3 - n) as n from generate_series(1, 5) n', []),
    read('select n from generate_series(1, 2) n', []),
  ]);
  expect(answers).toMatchObject([{ status: 'rejected' }, { value: [{ n: 1 }, { n: 2 }] }]);
});

test('a statement that cannot be encoded sends no bytes at all', async () => {
  const sent = async (...statements: (readonly string[])[]) => {
    const pieces: Buffer[] = [];
    const wire = new Wire({ write: bytes => pieces.push(bytes) });
    const answers = statements.map(parameters => wire.run('select 1', parameters, false));
    const refused = Promise.allSettled(answers.slice(0, -1));
    await new Promise(setImmediate);
    wire.fail(new Error('enough'));
    await expect(answers.at(-1)).rejects.toThrow('enough');
    return { bytes: Buffer.concat(pieces).toString('hex'), refused: await refused };
  };
  // The protocol encodes the number of parameters in two bytes.
  const tooMany = Array(65_536).fill('x');
  const { bytes, refused } = await sent(tooMany, ['good']);
  expect(refused).toMatchObject([{ reason: { name: 'RangeError' } }]);
  expect(bytes).toBe((await sent(['good'])).bytes);
});

test('a prepared statement still works after its table has changed', async () => {
  await driver.unsafe('create table shape (first int); insert into shape values (1)');
  const select = () => read('select * from shape where $1::int = 1', [1]);
  expect(await select()).toEqual([{ first: 1 }]);
  await driver.unsafe(`alter table shape add second text default 'two'`);
  expect(await Promise.all([select(), select()])).toEqual(Array(2).fill([{ first: 1, second: 'two' }]));
});

const OWNED = `select 'ada' as account_id, n, item.*, '2026-01-02 03:04:05.678+00'::timestamptz as "when", n as secret
  from (${SELECT}) with_no_order cross join lateral (select 1 as n) numbers, lateral (select with_no_order.*) item`;

const ADA = 'ada' as AccountId;

/** Returns a field that formats its column like `JSON.stringify`. */
function field(name: string, kind?: ValueKind, column = name): JsonField {
  const text = (value: unknown) =>
    JSON.stringify(kind === 'instant' && value ? formatInstant(value as string) : value);
  return { name, columns: [column], kind, isNullable: true, text };
}

const KINDS: Record<string, ValueKind> = {
  text: 'text',
  truth: 'boolean',
  small: 'integer',
  whole: 'integer',
  large: 'integer',
  real: 'number',
  json: 'jsonb',
  list: 'list',
  'a "name"': 'json',
  colour: 'text',
  instant: 'instant',
  day: 'day',
};

const NUMBER: JsonFields = [field('n', 'integer')];

function written(rows: Rows, fields: JsonFields = NUMBER): WrittenText & { text: string } {
  const writer = new TextWriter();
  rows.write(writer, fields);
  const all = writer.end();
  return { ...all, text: Buffer.concat(all.pieces).toString() };
}

describe('rows as JSON', () => {
  /** The two ways to write a value. */
  const ways = ['their bytes', 'their values'];

  const fieldsOf = (names: readonly string[], way: string) =>
    names.map(name => field(name, way === 'their bytes' || name === 'instant' ? KINDS[name] : undefined));

  it.each(ways)('have each type of value in the order of the fields when written from %s', async way => {
    const names = Object.keys(KINDS).toReversed();
    const expected = FILLED.map(row => {
      const shown = { ...row, instant: row.instant && formatInstant(row.instant as string) };
      return Object.fromEntries(names.map(name => [name, shown[name as keyof typeof shown]]));
    });
    const rows = await ours.rows(SELECT, [filled]);
    expect(`[${written(rows, fieldsOf(names, way)).text}]`).toBe(JSON.stringify(expected));
    const other = await ours.rows('select 1 as n', []);
    expect(written(other, [field('n', 'number')]).text).toBe('{"n":1}');
    const without = await ours.rows(SELECT, [filled]);
    expect(written(without, []).text).toBe('{},{},{}');
  });

  it.each(ways)('equal the output of JSON.stringify when written from %s', { tags: 'slow' }, async way => {
    const named = (names: readonly string[]) => fieldsOf(names, way);
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.boolean(),
        fc.shuffledSubarray(Object.keys(KINDS)),
        async (rows, prepare, names) => {
          const parameter = JSON.stringify(rows);
          const decoded = (await ours.rows<Record<string, unknown>>(OWNED, [parameter])).objects();
          const expected = decoded.map(row => {
            const shown = { ...row, instant: row.instant && formatInstant(row.instant as string) };
            return Object.fromEntries(names.map(name => [name, shown[name as keyof typeof shown]]));
          });
          const found = await ours.queryTenant(ADA, OWNED, [parameter], { prepare });
          expect(found.length).toBe(rows.length);
          expect(`[${written(found, named(names)).text}]`).toBe(JSON.stringify(expected));
        },
      ),
      runs(5, 400),
    );
  });

  const NUMBERS = `select case n when 4 then $2 else 'ada' end as account_id, n, n as secret
    from generate_series(1, $1::int) n`;
  const numbers = (count: number, fourth = 'ada') => ours.queryTenant(ADA, NUMBERS, [String(count), fourth]);

  it('end at the limit and report whether more rows existed', async () => {
    const two = (await numbers(2)).upTo(2);
    expect(two.isTruncated).toBe(false);
    expect(written(two).text).toBe('{"n":1},{"n":2}');
    const rows = (await numbers(3)).upTo(2);
    expect(rows).toMatchObject({ length: 2, isTruncated: true });
    expect(rows.last()).toEqual({ account_id: 'ada', n: 2, secret: 2 });
    expect(written(rows).text).toBe('{"n":1},{"n":2}');
    expect((await numbers(3)).upTo(2).objects()).toHaveLength(2);
  });

  it('are empty for an empty result', async () => {
    const rows = await numbers(0);
    expect(rows.last()).toBeUndefined();
    expect(written(rows).text).toBe('');
  });

  it('are complete if the server sends notices between them', async () => {
    await driver.unsafe(`create function noisy(n int) returns int language plpgsql
      as $$ begin raise notice 'row %', n; return n; end $$`);
    const ask = () =>
      ours.queryTenant<TenantRow & { n: number }>(
        ADA,
        `select 'ada' as account_id, noisy(n) as n from generate_series(1, 3) n`,
        [],
      );
    expect(written(await ask()).text).toBe('{"n":1},{"n":2},{"n":3}');
    expect((await ask()).objects().map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('can be consumed only once', async () => {
    const rows = await numbers(3);
    written(rows);
    expect(() => written(rows)).toThrow('once');
    expect(() => rows.objects()).toThrow('once');
  });

  it.each(['bob', 'ad', 'adam', ''])('are rejected if one belongs to tenant "%s"', async other => {
    await expect(numbers(5, other)).rejects.toThrow('a row of another tenant');
    await expect(ours.queryTenant([ADA, 'carl' as AccountId], NUMBERS, ['5', other])).rejects.toThrow(
      'a row of another tenant',
    );
  });

  it('of a large result are complete, and rejected if any of them belongs to another tenant', async () => {
    const LARGE = `select case n when $1 then 'bob' else 'ada' end as account_id, n, repeat('x', 20000) as text
      from generate_series(1, 1000) n`;
    const large = (foreign: number) =>
      ours.queryTenant<{ account_id: AccountId; n: number }>(ADA, LARGE, [String(foreign)]);
    const rows = await large(0);
    expect(rows.objects().map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
    for (const foreign of [1, 500, 1000])
      await expect(large(foreign)).rejects.toThrow('a row of another tenant');
  });

  it('are rejected if they do not name their tenant', async () => {
    for (const columns of ['1 as n', 'null as account_id', 'null as n, null as account_id']) {
      await expect(ours.queryTenant(ADA, `select ${columns}`, [])).rejects.toThrow('a row of another tenant');
    }
  });

  it('are rejected if a field has no column or a required column is null', async () => {
    expect(() => written(Object.create(null), NUMBER)).toThrow();
    const rows = await ours.queryTenant(ADA, `select 'ada' as account_id, null::int as n`, []);
    expect(() => written(rows, [field('other')])).toThrow('other');
    expect(() => written(rows, [{ ...field('n', 'integer'), isNullable: false }])).toThrow('null for n');
  });

  it('can contain the same column under several names', async () => {
    const text = '\u0001'.repeat(1000);
    const rows = await ours.queryTenant(ADA, `select 'ada' as account_id, $1::text as text`, [text]);
    const names = ['a', 'b', 'c', 'd'];
    const { text: json } = written(
      rows,
      names.map(name => field(name, 'text', 'text')),
    );
    expect(JSON.parse(json)).toEqual(Object.fromEntries(names.map(name => [name, text])));
  });

  it('of many concurrent statements are not mixed up', { tags: 'slow' }, async () => {
    const sizes = Array.from({ length: 60 }, (_, size) => size * 40);
    const LONG = `select 'ada' as account_id, n, repeat('"', 300) as text from generate_series(1, $1::int) n`;
    const found = await Promise.all(sizes.map(size => ours.queryTenant(ADA, LONG, [String(size)])));
    const items = Array.from({ length: 60 * 40 }, (_, item) =>
      JSON.stringify({ n: item + 1, text: '"'.repeat(300) }),
    );
    for (const [index, size] of sizes.entries()) {
      const { text } = written(found[index]!, [field('n', 'integer'), field('text', 'text')]);
      expect(text).toBe(items.slice(0, size).join());
    }
  });

  it('can exceed the size of a single write', async () => {
    const text = '\u0001'.repeat(100_000);
    const LONG = `select 'ada' as account_id, $1::text as text from generate_series(1, 3)`;
    for (const kind of ['text', undefined] as const) {
      const found = written(await ours.queryTenant(ADA, LONG, [text]), [field('text', kind)]);
      expect(JSON.parse(`[${found.text}]`)).toEqual(Array(3).fill({ text }));
    }
  });

  it('need little more memory than their bytes if they are long', { tags: 'slow' }, async () => {
    const LENGTH = 1024 * 1024;
    const LONG = `select 'ada' as account_id, repeat('x', $1::int) as text from generate_series(1, 16)`;
    const taken = vi.spyOn(Buffer, 'allocUnsafeSlow');
    try {
      const { pieces } = written(await ours.queryTenant(ADA, LONG, [String(LENGTH)]), [
        field('text', 'text'),
      ]);
      const bytes = taken.mock.calls.reduce((sum, [size]) => sum + size, 0);
      expect(pieces).toHaveLength(16);
      // The limit allows for the wire format, the JSON, and one row in which every byte is escaped.
      expect(bytes).toBeLessThan(2.2 * 16 * LENGTH + 2 * LONGEST_ESCAPE * LENGTH);
    } finally {
      taken.mockRestore();
    }
  });

  it('reuse buffers only after their release', async () => {
    const LETTERS = `select 'ada' as account_id, repeat($1, 1000) as text from generate_series(1, 100)`;
    const ask = async (letter: string) =>
      written(await ours.queryTenant(ADA, LETTERS, [letter]), [field('text', 'text')]);
    const text = (letter: string) =>
      Array(100)
        .fill(`{"text":"${letter.repeat(1000)}"}`)
        .join(',');
    const rows = await ask('a');
    (await ask('b')).release();
    expect((await ask('c')).text).toBe(text('c'));
    expect(Buffer.concat(rows.pieces).toString()).toBe(text('a'));
  });
});

describe('a malicious server', () => {
  /** Returns the rows that a client reads from these server messages. */
  function readMessages(...messages: Buffer[]): Promise<Rows> {
    const wire = new Wire({ write() {} });
    const request = wire.run('select', [], false);
    const server = new ServerMessages({
      read: (...message) => wire.read(...message),
      flush: () => wire.flush(),
    });
    try {
      server.take(Buffer.concat(messages));
    } catch (error) {
      wire.fail(error as Error);
    }
    return request;
  }

  const int = (value: number, size = 4) => {
    const bytes = Buffer.alloc(size);
    bytes.writeIntBE(value, 0, size);
    return bytes;
  };
  const message = (type: string, ...body: Buffer[]) => {
    const content = Buffer.concat(body);
    return Buffer.concat([Buffer.from(type), int(content.length + 4), content]);
  };
  const TEXTS = 1009;
  const column = (type: number) =>
    Buffer.concat([Buffer.from('a\0'), int(0), int(0, 2), int(type), int(-1, 2), int(-1), int(1, 2)]);
  const [parsed, bound, complete, ready] = [
    message('1'),
    message('2'),
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
  ];
  const described = (type: number) => message('T', int(1, 2), column(type));
  const row = (length: number, ...value: Buffer[]) => message('D', int(1, 2), int(length), ...value);
  /** Encodes an array of texts: one dimension, no nulls, and this many items. */
  const list = (count: number, ...items: Buffer[]) =>
    Buffer.concat([int(1), int(0), int(25), int(count), int(1), ...items]);
  const item = (length: number, text = '') => Buffer.concat([int(length), Buffer.from(text)]);

  it('is accepted as long as its messages are valid', async () => {
    const value = list(2, item(1, 'x'), item(0));
    const rows = await readMessages(
      parsed,
      described(TEXTS),
      bound,
      row(value.length, value),
      complete,
      ready,
    );
    expect(rows.objects()).toEqual([{ a: ['x', ''] }]);
  });

  it.each([
    ['of items in a list', list(0x7fffffff)],
    ['of bytes in an item', list(1, item(0x7fffffff))],
    ['of items that are all empty', list(3, item(0), item(0))],
  ])('cannot declare a wrong number %s', async (_, value) => {
    const answer = () =>
      readMessages(parsed, described(TEXTS), bound, row(value.length, value), complete, ready);
    const read = await answer();
    expect(() => read.objects()).toThrow('does not end where it should');
    const shown = await answer();
    expect(() => written(shown, [field('a')])).toThrow('does not end where it should');
    expect(() => written(shown, [{ ...field('a'), kind: 'list' }])).toThrow();
  });

  it('cannot declare a wrong value length', async () => {
    const rows = await readMessages(
      parsed,
      described(25),
      bound,
      row(0x7fffffff, Buffer.from('x')),
      complete,
      ready,
    );
    expect(() => rows.objects()).toThrow('a row that does not end where it should');
  });

  it.each([
    ['ready before any response', [ready]],
    ['a row before the bind', [parsed, described(25), row(1, Buffer.from('x'))]],
    ['a bind before the description', [parsed, bound]],
    ['a second description', [parsed, described(25), described(TEXTS)]],
    ['a second bind', [parsed, described(25), bound, bound]],
    ['completion before the bind', [parsed, described(25), complete]],
    ['ready before completion', [parsed, described(25), bound, ready]],
  ])('cannot send messages in the wrong order: %s', async (_, messages) => {
    await expect(readMessages(...messages)).rejects.toThrow('an unexpected message');
  });
});

describe('fields that share a packed column', () => {
  const packed = new Packed('extra', [
    { name: 'text', unknown: '' },
    { name: 'number', unknown: null },
    { name: 'items', unknown: [], fields: [{ name: 'name', unknown: '' }] },
    { name: 'whole', unknown: undefined, fields: [{ name: 'a', unknown: null }] },
  ]);
  const storedFields = fc.record(
    {
      text,
      number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)),
      items: fc.array(fc.record({ name: text, other: fc.integer() }, { requiredKeys: [] }), { maxLength: 3 }),
      whole: fc.record({ a: fc.integer() }, { requiredKeys: [] }),
      other: text,
    },
    { requiredKeys: [] },
  );
  const SELECT = `select 'ada' as account_id, n::int as n, nullif(extra, 'null') as extra
    from jsonb_array_elements($1::text::jsonb) with ordinality as kept (extra, n)`;

  it('are unpacked both when decoded and when written, with defaults for omitted ones', {
    tags: 'slow',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(storedFields), { maxLength: 10 }), async all => {
        const select = async () =>
          (await ours.queryTenant(ADA, SELECT, [JSON.stringify(all)])).unpacking(packed);
        const expected = all.map((value, index) => {
          const { text = '', number = null, items = [], whole = {} } = value ?? {};
          return {
            text,
            n: index + 1,
            number: Object.is(number, -0) ? 0 : number,
            items: items.map(({ name = '' }) => ({ name })),
            whole: { a: whole.a ?? null },
          };
        });
        expect((await select()).objects()).toEqual(
          expected.map(fields => ({ account_id: 'ada', ...fields })),
        );
        const names = ['text', 'n', 'number', 'items', 'whole'] as const;
        const { text: json } = written(
          await select(),
          names.map(name => field(name)),
        );
        expect(JSON.parse(`[${json}]`)).toEqual(expected);
      }),
      runs(5, 400),
    );
  });

  it('have defaults if they are not stored', async () => {
    const stored = [
      null,
      {},
      { text: 'ada', number: 1, items: [{}, { name: 'b', other: 1 }], whole: { a: 2 } },
    ];
    const none = { text: '', number: null, items: [], whole: { a: null } };
    const full = { text: 'ada', number: 1, items: [{ name: '' }, { name: 'b' }], whole: { a: 2 } };
    const expected = [none, none, full].map((fields, index) => ({ ...fields, n: index + 1 }));
    const select = async () =>
      (await ours.queryTenant(ADA, SELECT, [JSON.stringify(stored)])).unpacking(packed).ofType('Stored');
    const decoded = expected.map(fields => ({ account_id: 'ada', ...fields, __typename: 'Stored' }));
    expect((await select()).objects()).toEqual(decoded);
    expect((await select()).last()).toMatchObject(expected[2]!);
    for (const bytes of [1, 1000]) {
      const parts: object[] = [];
      for (const part of (await select()).upTo(2).inParts(bytes)) parts.push(...part.objects());
      expect(parts).toEqual(decoded.slice(0, 2));
    }
    const names = ['text', 'number', 'items', 'whole', 'n'] as const;
    const { text: json } = written(
      await select(),
      names.map(name => field(name)),
    );
    expect(json).toBe(expected.map(row => JSON.stringify(row)).join());
    // A field can have another name than the one it is stored as.
    const renamed = { ...field('number'), name: 'text' };
    expect(written((await select()).upTo(1), [renamed, field('n')]).text).toBe('{"text":null,"n":1}');
  });

  it('are parsed only if one of them is written', async () => {
    const select = async () => (await ours.queryTenant(ADA, SELECT, ['[{"text":"ada"}]'])).unpacking(packed);
    const [without, one] = [await select(), await select()];
    using parse = vi.spyOn(JSON, 'parse');
    expect(written(without, [field('n')]).text).toBe('{"n":1}');
    expect(parse).not.toHaveBeenCalled();
    expect(written(one, [field('text')]).text).toBe('{"text":"ada"}');
    expect(parse).toHaveBeenCalledOnce();
  });
});

describe('rows with a byte limit and a packed column', () => {
  const itemFields = Array.from({ length: 30 }, (_, number) => ({ name: `field ${number}`, unknown: '' }));
  const packed = new Packed('extra', [
    {
      name: 'items',
      unknown: [],
      fields: [...itemFields, { name: 'inner', unknown: [], fields: itemFields }],
    },
    { name: 'policy', unknown: undefined, fields: itemFields },
  ]);
  const SELECT = `select 'ada' as account_id, nullif(extra, 'null') as extra
    from jsonb_array_elements($1::text::jsonb) as kept (extra)`;
  type PackedRow = TenantRow & { items: unknown; policy: unknown };
  const measureSize = (row: PackedRow) => JSON.stringify({ items: row.items, policy: row.policy }).length;

  async function select(values: readonly unknown[]): Promise<Rows<PackedRow>> {
    const rows = await ours.queryTenant<PackedRow>(ADA, SELECT, [JSON.stringify(values)]);
    return rows.unpacking(packed);
  }

  it('end at the limit, even if most of their text is added when they are written', async () => {
    const inner = fc.record({ 'field 1': fc.constant('a') }, { requiredKeys: [] });
    const item = fc.record({ 'field 2': fc.constant('é'), inner: fc.array(inner) }, { requiredKeys: [] });
    const stored = fc.record(
      { items: fc.array(item, { maxLength: 3 }), policy: inner },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(stored, { freq: 1 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 9000 }),
        async (all, most) => {
          const sizes = (await select(all)).objects().map(measureSize);
          let left = most;
          const beyond = sizes.findIndex((size, index) => {
            left -= size + (index > 0 ? 1 : 0);
            return left < 0 && index > 0;
          });
          const expected = beyond < 0 ? sizes.length : beyond;
          const rows = (await select(all)).limitBytes(most, measureSize);
          expect((await rows.measured(nextTurn)).length).toBe(expected);
          expect((await select(all)).limitBytes(most, measureSize).length).toBe(expected);
        },
      ),
      runs(20, 400),
    );
  });

  it('end at a limit that only their text and their objects exceed together', async () => {
    const row = { items: [{ 'field 1': 'a'.repeat(1000) }, ...Array(19).fill({})] };
    const size = (await select([row])).objects().map(measureSize)[0]!;
    for (const [most, length] of [
      [2 * size, 1],
      [2 * size + 1, 2],
    ] as const)
      expect((await select([row, row])).limitBytes(most, measureSize)).toHaveLength(length);
  });

  it('are measured only if their objects could exceed the limit', async () => {
    const long = [{ items: [{ 'field 1': 'a'.repeat(200) }] }];
    const many = [{ items: Array(100).fill({}) }];
    const measure = vi.fn(measureSize);
    expect((await select(long)).limitBytes(10_000, measure)).toHaveLength(1);
    expect(measure).not.toHaveBeenCalled();
    expect((await select(many)).limitBytes(10_000, measure)).toHaveLength(1);
    expect(measure).toHaveBeenCalledOnce();
  });
});

describe('rows that were decoded before', () => {
  const rows = () =>
    Rows.of<Record<string, unknown>>([
      { owner: 'ada', extra: { a: 1 } },
      { owner: 'bob', extra: null },
    ]);

  it('are limited, named and unpacked like others', () => {
    const packed = new Packed('extra', [{ name: 'a', unknown: 0 }]);
    const unpacked = rows().unpacking(packed).ofType('Owned');
    const expected = [
      { owner: 'ada', a: 1, __typename: 'Owned' },
      { owner: 'bob', a: 0, __typename: 'Owned' },
    ];
    expect([...unpacked]).toEqual(expected);
    expect([unpacked.last(), unpacked.isRaw]).toEqual([expected[1], false]);
    expect(rows().upTo(2)).toMatchObject({ length: 2, isTruncated: false });
    expect(rows().upTo(1)).toMatchObject({ length: 1, isTruncated: true });
    expect([...rows().upTo(1)]).toEqual([{ owner: 'ada', extra: { a: 1 } }]);
    expect(
      rows()
        .limitBytes(20, () => 10)
        .objects(),
    ).toHaveLength(1);
    expect(
      rows()
        .limitBytes(21, () => 10)
        .objects(),
    ).toHaveLength(2);
    expect([...rows().inParts(1)].map(({ length }) => length)).toEqual([2]);
  });

  it('name their tenants and nulls', async () => {
    for (const [owners, isForeign] of [
      ['ada', true],
      [['bob', 'ada'], false],
      [['bob', 'carl'], true],
    ] as const) {
      expect(rows().hasForeign(owners, 'owner')).toBe(isForeign);
      expect(await rows().hasForeignInTurns(owners, 'owner')).toBe(isForeign);
    }
    expect([rows().hasNull('extra'), rows().hasNull('owner')]).toEqual([true, false]);
    const read = await ours.rows(
      `select n, nullif(n, 2) as other, '' as empty from generate_series(1, 2) n`,
      [],
    );
    expect(['other', 'n', 'empty', 'absent'].map(name => read.hasNull(name))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('rows with a byte limit', () => {
  const LARGE = `select repeat('x', 20000) || n as text from generate_series(1, 200) as n order by n`;
  const bounded = async () => {
    const rows = await ours.rows<{ text: string }>(LARGE, []);
    return rows.limitBytes(1_000_000, row => JSON.stringify(row).length);
  };

  it('are cut at the same row when measured across turns', async () => {
    const [all, inTurns] = [await bounded(), await bounded()];
    expect([all.length, all.isTruncated]).toEqual([49, true]);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const [one, other] = await Promise.all([inTurns.measured(nextTurn), inTurns.measured(nextTurn)]);
    isDone = true;
    expect(one).toBe(other);
    expect([one.length, one.isTruncated, one.isRaw]).toEqual([49, true, true]);
    expect(turns).toBeGreaterThan(2);
    expect(one.objects()).toEqual(all.objects());
  });

  it('end at the limit when written, after at least one row', async () => {
    const LETTERS = `select repeat('x', 10) as text from generate_series(1, $1::int)`;
    const row = JSON.stringify({ text: 'x'.repeat(10) });
    const write = async (count: number, most: number) => {
      const rows = (await ours.rows(LETTERS, [String(count)])).limitBytes(most, () => row.length);
      const text = new TextWriter();
      text.write('before');
      rows.write(text, [field('text', 'text')]);
      text.write('behind');
      const { pieces, release } = text.end();
      const all = Buffer.concat(pieces).toString();
      release();
      return { all, isTruncated: rows.isTruncated, length: rows.length };
    };
    const list = (length: number) => `before${Array(length).fill(row).join()}behind`;
    for (const length of [1, 3]) {
      const exact = length * (row.length + 1) - 1;
      expect(await write(length, exact)).toEqual({ all: list(length), isTruncated: false, length });
      expect(await write(length + 1, exact)).toEqual({ all: list(length), isTruncated: true, length });
      expect(await write(length + 1, exact + row.length)).toMatchObject({ length });
    }
    expect(await write(2, 1)).toEqual({ all: list(1), isTruncated: true, length: 1 });
  });

  it('are as many before they are read or written', async () => {
    const rows = async (most: number) =>
      (await ours.rows('select n from generate_series(1, 3) n', [])).limitBytes(most, () => 10);
    for (const [most, length] of [
      [32, 3],
      [31, 2],
      [21, 2],
      [20, 1],
      [1, 1],
    ] as const) {
      expect(await rows(most)).toMatchObject({ length, isTruncated: length < 3 });
      expect((await (await rows(most)).measured(nextTurn)).length).toBe(length);
      expect((await rows(most)).objects()).toHaveLength(length);
      expect(await (await rows(most)).objectsInTurns(nextTurn)).toHaveLength(length);
      expect((await rows(most)).last()).toEqual({ n: length });
    }
  });

  it('are complete when read in parts', async () => {
    const whole = await ours.rows<{ text: string }>(LARGE, []);
    const parts: string[][] = [];
    for (const part of (await ours.rows<{ text: string }>(LARGE, [])).inParts(50_000))
      parts.push(part.objects().map(row => row.text));
    expect(parts.flat()).toEqual(whole.objects().map(row => row.text));
    expect(Math.max(...parts.map(part => part.length))).toBeLessThanOrEqual(3);
  });
});
