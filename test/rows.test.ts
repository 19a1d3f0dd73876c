import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../sql/guard.ts';
import { createBareDatabase, type TestDatabase } from './support/database.ts';

/** Rows are decoded by the service itself (`sql/row-decoder.ts`); the driver alone is the reference. */

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
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
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
});

const SELECT = `
  select item->>'text' as text, (item->>'truth')::bool as truth, (item->>'small')::int2 as small,
    (item->>'whole')::int4 as whole, (item->>'large')::int8 as large, (item->>'real')::float8 as real,
    nullif(item->'json', 'null') as json,
    case when item->'list' <> 'null' then array(select jsonb_array_elements_text(item->'list')) end as list,
    '2026-01-02'::date::text as "a ""name""", 1.50::numeric as numeric
  from jsonb_array_elements($1::text::jsonb) item`;

test('rows are decoded as the driver decodes them', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.boolean(), async (rows, prepare) => {
      const parameter = JSON.stringify(rows);
      const expected = await driver.unsafe(SELECT, [parameter]);
      expect(await ours.rows(SELECT, [parameter], { prepare })).toEqual([...expected]);
    }),
    { numRuns: 100 },
  );
});

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

test('a prepared statement goes on answering when its table has changed', async () => {
  await driver.unsafe('create table shape (first int); insert into shape values (1)');
  const select = () => ours.rows('select * from shape where $1::int = 1', [1]);
  expect(await select()).toEqual([{ first: 1 }]);
  await driver.unsafe(`alter table shape add second text default 'two'`);
  expect(await Promise.all([select(), select()])).toEqual(Array(2).fill([{ first: 1, second: 'two' }]));
});
