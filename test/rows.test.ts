import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { connect } from '../sql/client/guard.ts';
import type { OwnedRow } from '../sql/client.ts';
import { JsonRows } from '../sql/driver/json-rows.ts';
import { Wire } from '../sql/driver/wire.ts';
import { formatInstant } from '../sql/instants.ts';
import { createBareDatabase, type TestDatabase } from './support/database.ts';

/**
 * Rows are decoded by the service itself (`sql/driver/row-decoder.ts`), or written as JSON (`sql/driver/row-writer.ts`); the driver
 * alone is the reference.
 */

let database: TestDatabase;
let ours: ReturnType<typeof connect>;
let driver: ReturnType<typeof postgres>;

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
  driver = postgres(database.url, {
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

const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
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

test('rows are decoded as the driver decodes them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.boolean(), async (rows, prepare) => {
      const parameter = JSON.stringify(rows);
      const expected = await driver.unsafe(SELECT, [parameter]);
      expect(await ours.rows(SELECT, [parameter], { prepare })).toEqual([...expected]);
    }),
    { numRuns: 100 },
  );
});

test('an instant is read to its microsecond, from the first year to the last', async () => {
  const instants = [
    '0001-01-01 00:00:00+00',
    '1969-12-31 23:59:59.999999+00',
    '1999-12-31 23:59:59.000001+00',
    '2000-01-01 00:00:00+00',
    '2026-11-20 11:25:00.5+00',
    '9999-12-31 23:59:59.999999+00',
  ];
  const rows = await ours.rows('select instant from unnest($1::text[]::timestamptz[]) instant', [instants]);
  expect(rows).toEqual(instants.map(instant => ({ instant })));
});

test.each(['1.50::numeric', '1.5::float4', `'1 day'::interval`])(
  'a statement with %s fails and says which column cannot be read; the next one does not',
  async value => {
    for (const prepare of [true, true, false]) {
      const answers = await Promise.allSettled([
        ours.rows(`select n, ${value} as price from generate_series(1, 3) n`, [], { prepare }),
        ours.rows('select n from generate_series(1, 2) n', []),
      ]);
      expect(answers).toMatchObject([
        { reason: { message: expect.stringMatching(/^column "price" has type \d+ of PostgreSQL/) } },
        { value: [{ n: 1 }, { n: 2 }] },
      ]);
    }
  },
);

test('each of many statements at once gets its own rows', async () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  const answers = await Promise.all(
    numbers.map(number =>
      ours.rows(`select n, ${number % 7} as own from generate_series(1, $1::int) n`, [number], {
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

test('a statement that fails takes none of the rows of the next one', async () => {
  const answers = await Promise.allSettled([
    ours.rows('select 1 / (3 - n) as n from generate_series(1, 5) n', []),
    ours.rows('select n from generate_series(1, 2) n', []),
  ]);
  expect(answers).toMatchObject([{ status: 'rejected' }, { value: [{ n: 1 }, { n: 2 }] }]);
});

test('a statement that cannot be sent sends no part of itself', async () => {
  const sent = async (...statements: (readonly string[])[]) => {
    const pieces: Buffer[] = [];
    const wire = new Wire(bytes => pieces.push(bytes));
    const answers = statements.map(parameters => wire.run('select 1', parameters, false, undefined));
    const refused = Promise.allSettled(answers.slice(0, -1));
    await new Promise(setImmediate);
    wire.fail(new Error('enough'));
    await expect(answers.at(-1)).rejects.toThrow('enough');
    return { bytes: Buffer.concat(pieces).toString('hex'), refused: await refused };
  };
  // The protocol counts parameters in two bytes.
  const tooMany = Array(65_536).fill('x');
  const { bytes, refused } = await sent(tooMany, ['good']);
  expect(refused).toMatchObject([{ reason: { name: 'RangeError' } }]);
  expect(bytes).toBe((await sent(['good'])).bytes);
});

test('a prepared statement goes on answering when its table has changed', async () => {
  await driver.unsafe('create table shape (first int); insert into shape values (1)');
  const select = () => ours.rows('select * from shape where $1::int = 1', [1]);
  expect(await select()).toEqual([{ first: 1 }]);
  await driver.unsafe(`alter table shape add second text default 'two'`);
  expect(await Promise.all([select(), select()])).toEqual(Array(2).fill([{ first: 1, second: 'two' }]));
});

const OWNED = `select 'ada' as account_id, n, item.*, '2026-01-02 03:04:05.678+00'::timestamptz as "when", n as secret
  from (${SELECT}) with_no_order cross join lateral (select 1 as n) numbers, lateral (select with_no_order.*) item`;

const whole = { owner: 'ada', hidden: ['secret'], limit: 1000 };

/** What is written, as one text. */
async function written(
  statement: string,
  parameters: string[],
  writing = whole,
  options?: { prepare: boolean },
): Promise<JsonRows & { text: string }> {
  const rows = await ours.written<OwnedRow>(statement, parameters, writing, options);
  if (!(rows instanceof JsonRows)) throw new Error('the rows came as objects');
  return Object.assign(rows, { text: Buffer.concat(rows.within('', '')).toString() });
}

describe('rows as JSON', () => {
  it('are what JSON.stringify makes of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.boolean(), async (rows, prepare) => {
        const parameter = JSON.stringify(rows);
        const expected = (await ours.rows<Record<string, unknown>>(OWNED, [parameter])).map(
          ({ account_id, secret, instant, day, when, ...shown }) => ({
            ...shown,
            instant: instant && formatInstant(instant as string),
            day,
            when: formatInstant(when as string),
          }),
        );
        const { text, count } = await written(OWNED, [parameter], whole, { prepare });
        expect(`[${text}]`).toBe(JSON.stringify(expected));
        expect(count).toBe(rows.length);
      }),
      { numRuns: 100 },
    );
  });

  const NUMBERS = `select case n when 4 then $2 else 'ada' end as account_id, n, n as secret
    from generate_series(1, $1::int) n`;

  it('end at the limit, and say that there are more', async () => {
    const two = { ...whole, limit: 2 };
    expect(await written(NUMBERS, ['2', ''], two)).toMatchObject({
      text: '{"n":1},{"n":2}',
      isTruncated: false,
    });
    const rows = await written(NUMBERS, ['3', ''], two);
    expect(rows).toMatchObject({ text: '{"n":1},{"n":2}', isTruncated: true });
    expect(rows.last()).toEqual({ account_id: 'ada', n: 2, secret: 2 });
  });

  it('are none where there are none', async () => {
    const rows = await written(NUMBERS, ['0', '']);
    expect(rows).toMatchObject({ text: '', count: 0, isTruncated: false });
    expect(rows.last()).toBeUndefined();
  });

  it.each(['bob', 'ad', 'adam', ''])('are refused when one is of "%s"', async other => {
    await expect(written(NUMBERS, ['5', other])).rejects.toThrow('a row of another account');
  });

  it('are refused when they do not say whose they are', async () => {
    await expect(written('select 1 as n where $1::text is not null', [''])).rejects.toThrow(
      'a row of another account',
    );
    await expect(written('select null as account_id where $1::text is not null', [''])).rejects.toThrow(
      'a row of another account',
    );
  });

  it('of many statements at once go to their own', async () => {
    const sizes = Array.from({ length: 60 }, (_, size) => size * 40);
    const LONG = `select 'ada' as account_id, n, repeat('"', 300) as text from generate_series(1, $1::int) n`;
    const found = await Promise.all(
      sizes.map(size => written(LONG, [String(size)], { ...whole, limit: 1e6 })),
    );
    for (const [index, size] of sizes.entries()) {
      expect(JSON.parse(`[${found[index]!.text}]`)).toEqual(
        Array.from({ length: size }, (_, item) => ({ n: item + 1, text: '"'.repeat(300) })),
      );
    }
  });

  it.each([0, 1, 500])('stand between other texts, long and short: %i rows', async count => {
    const rows = await written(NUMBERS, [String(count), 'ada']);
    for (const [before, after] of [
      ['', ''],
      ['{"é":[', ']}'],
      ['x'.repeat(100), ''],
      ['', 'x'.repeat(100)],
    ] as const) {
      expect(Buffer.concat(rows.within(before, after)).toString()).toBe(before + rows.text + after);
    }
  });

  it('may be longer than all that is written at once', async () => {
    const text = '\u0001'.repeat(700_000);
    const rows = await written(`select 'ada' as account_id, $1::text as text from generate_series(1, 3)`, [
      text,
    ]);
    expect(JSON.parse(`[${rows.text}]`)).toEqual(Array(3).fill({ text }));
  });

  it('are used by others once they are released, and not before', async () => {
    const LETTERS = `select 'ada' as account_id, repeat($1, 1000) as text from generate_series(1, 100)`;
    const text = (letter: string) =>
      Array(100)
        .fill(`{"text":"${letter.repeat(1000)}"}`)
        .join(',');
    const kept = await written(LETTERS, ['a']);
    (await written(LETTERS, ['b'])).release();
    expect((await written(LETTERS, ['c'])).text).toBe(text('c'));
    expect(Buffer.concat(kept.within('', '')).toString()).toBe(text('a'));
  });
});
