import { GraphQLError, parse } from 'graphql';
import { expect, it, onTestFinished, vi } from 'vitest';
import { graphSchema } from '../../schema/index.ts';
import { Documents } from '../../src/graphql/documents.ts';
import {
  checkBody,
  checkFields,
  checkLength,
  checkMeasure,
  checkText,
  checkVariables,
} from '../../src/graphql/limits.ts';
import { PreparedOperation } from '../../src/graphql/operation.ts';
import { toOutcome } from '../../src/graphql/outcome.ts';
import { run, runPlainly } from '../../src/graphql/run.ts';

const messageOf = (error: { message: string } | undefined) => error?.message;
const commas = (count: number) => ','.repeat(count);

it('a document can have 250000 characters', () => {
  expect(checkLength('a'.repeat(250_000))).toBeUndefined();
  expect(messageOf(checkLength('a'.repeat(250_001)))).toBe(
    'The query has 250001 characters; the limit is 250000.',
  );
});

it.each([
  ['commas', commas(10_000), commas(10_001)],
  ['lists', '['.repeat(10_000), '['.repeat(10_001)],
  ['objects', '{'.repeat(10_000), '{'.repeat(10_001)],
  ['commas beside a text', `"${commas(99)}"${commas(10_000)}`, `"${commas(99)}"${commas(10_001)}`],
  ['commas after a quote', `"\\"${commas(99)}"${commas(10_000)}`, `"\\""${commas(10_001)}`],
  ['commas after a backslash', `"\\\\"${commas(10_000)}`, `"\\\\"${commas(10_001)}`],
])('a body can have 10000 values, counted by %s', (_, most, tooMany) => {
  expect(checkBody(Buffer.from(most))).toBeUndefined();
  expect(messageOf(checkBody(Buffer.from(tooMany)))).toBe(
    'The query has more than 10000 values in its body; the limit is 10000.',
  );
});

it('a form can have 10000 fields', () => {
  expect(checkFields('&'.repeat(9999))).toBeUndefined();
  expect(messageOf(checkFields('&'.repeat(10_000)))).toBe(
    'The query has more than 10000 values in its body; the limit is 10000.',
  );
});

it.each([
  [{ list: Array(999).fill(1) }, { list: Array(1000).fill(1) }],
  [{ one: { list: Array(998).fill(null) } }, { one: { list: Array(999).fill('a') } }],
  [Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [index, 0])), { a: Array(1000).fill([]) }],
])('the variables can have 1000 values, including those within others', (most, tooMany) => {
  expect(checkVariables(most)).toBeUndefined();
  expect(messageOf(checkVariables(tooMany))).toBe(
    'The query has more than 1000 values in its variables; the limit is 1000.',
  );
});

const times = (count: number, text: string) => text.repeat(count);
const accounts = (values: number, more: string) =>
  `{ accounts(first: 59) { nodes { cspReports(unit: days, date: "2026-05-20") { reports { uri } } ${times(values, 'id ')} } } ${more} }`;
const HALVES = 'viewer { auditLog(limit: 15) { truncated } }';
const nested = (depth: number) =>
  `{ __type(name: "A") ${times(depth - 2, '{ ofType ')}{ name }${times(depth - 2, ' }')} }`;

it.each([
  ['a depth of 15', nested(15), nested(16), 'a depth of 16; the limit is 15.'],
  [
    'a breadth of 300 with its fragments',
    `{ ...A ...A } fragment A on Query { ${times(150, '__typename ')} }`,
    `{ ...A ...A __typename } fragment A on Query { ${times(150, '__typename ')} }`,
    'a breadth of 301; the limit is 300.',
  ],
  [
    'a complexity of 125000',
    accounts(16, times(56, '__typename ')),
    accounts(16, times(57, '__typename ')),
    'a complexity of 125001; the limit is 125000.',
  ],
  [
    'a complexity that is a fraction',
    accounts(15, HALVES + times(12, ' __typename')),
    accounts(15, HALVES + times(13, ' __typename')),
    'a complexity of 125001; the limit is 125000.',
  ],
])('an operation can have %s', (_, most, tooMuch, message) => {
  expect(messageOf(checkMeasure(parse(most)))).toBeUndefined();
  expect(messageOf(checkMeasure(parse(tooMuch)))).toBe(`The query has ${message}`);
});

it.each([
  ['fields', 300, (count: number) => `{ ${times(count, '__typename ')} }`, 'a breadth of 301'],
  ['aliases', 15, (count: number) => `{ ${times(count, 'a: __typename ')} }`, '16 aliases'],
  ['directives', 50, (count: number) => `{ a ${times(count, '@skip(if: true) ')} }`, '51 directives'],
])('a document can have the maximum of %s', (_, most, create, message) => {
  expect(messageOf(checkText(parse(create(most))))).toBeUndefined();
  expect(messageOf(checkText(parse(create(most + 1))))).toBe(
    `The query has ${message}; the limit is ${most}.`,
  );
});

it('a size in a variable counts once its value is known, and as the maximum before', () => {
  const [definition] = parse(
    'query($n: Int!) { accounts(first: $n) { nodes { cspReports(unit: days, date: "2026-05-20") { reports { uri } } } } }',
  ).definitions as [never];
  const operation = new PreparedOperation(definition, []);
  expect(operation.read({ n: 59 })).toEqual({ values: { n: 59 } });
  expect(operation.read({ n: 60 })).toMatchObject({ errors: [{ extensions: { limit: 'complexity' } }] });
  expect(operation.read({ n: 'a' })).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  expect(operation.read({})).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
});

it('an operation has a writer for each value of its directives, whatever its other variables', () => {
  const [definition] = parse(
    'query($id: ID!, $a: Boolean!, $b: Boolean!) { account(id: $id) { id @include(if: $a) type @skip(if: $b) } }',
  ).definitions as [never];
  const [one, other] = [1, 2].map(() => new PreparedOperation(definition, []));
  const writers = [true, false].flatMap(a => [true, false].map(b => one!.writer({ id: '1', a, b })));
  expect(new Set(writers).size).toBe(4);
  expect(one!.writer({ id: '2', a: true, b: true })).toBe(writers[0]);
  expect(other!.writer({ id: '1', a: true, b: true })).not.toBe(writers[0]);
});

it('at most ten errors of variables are listed, and a note', () => {
  const names = Array.from({ length: 12 }, (_, index) => `$v${index}: Int!`);
  const [definition] = parse(`query(${names.join()}) { __typename }`).definitions as [never];
  const read = new PreparedOperation(definition, []).read({}) as { errors: readonly GraphQLError[] };
  expect(read.errors).toHaveLength(11);
  expect(read.errors.at(-1)!.message).toContain('Too many errors');
});

it('an answer of graphql-js counts towards the length of a response', async () => {
  const [definition] = parse('{ __typename }').definitions as [never];
  const check = vi.fn();
  const context = { budget: { check }, database: {} } as never;
  const { body } = await runPlainly(new PreparedOperation(definition, []), {}, context, () => {});
  expect(body).toBe('{"data":{"__typename":"Query"}}');
  expect(check.mock.calls).toEqual([[31]]);
});

it('an answer of graphql-js reads again what a writer has consumed', async () => {
  const { viewer } = graphSchema.getQueryType()!.getFields();
  const { resolve } = viewer!;
  onTestFinished(() => void Object.assign(viewer!, { resolve }));
  let seen: { load?: unknown; now?: unknown } = {};
  viewer!.resolve = (_source, _args, context) => {
    seen = context as typeof seen;
    return null;
  };
  const [definition] = parse('{ viewer { id } }').definitions as [never];
  const consumed = {};
  const context = { database: {}, load: consumed, now: 'now' } as never;
  await runPlainly(new PreparedOperation(definition, []), {}, context, () => {});
  expect(seen).toEqual({ database: {}, load: expect.anything(), now: 'now' });
  expect(seen.load).not.toBe(consumed);
});

it('an answer is written in several turns if more than 128 KiB were read for it, or it has many items', async () => {
  /** An answer that is written in one turn checks each of its items; one that takes several turns does not. */
  const isInTurns = async (query: string, read: number, features: object) => {
    const [definition] = parse(query).definitions as [never];
    const check = vi.fn();
    const context = { budget: { read, check }, account: { plan: { features } } } as never;
    await run(new PreparedOperation(definition, []), {}, context, error => expect.unreachable(String(error)));
    return check.mock.calls.length === 1;
  };
  const few = '{ __type(name: "ReportTypeName") { enumValues { name } } }';
  const many = '{ __schema { types { name fields { name } } } }';
  const KIB = 1024;
  const texts = (characters: number) => ({ hosts: ['a', 'b'.repeat(characters - 1)], api: true, days: 30 });
  for (const [query, read, features, expected] of [
    [few, 128 * KIB, {}, false],
    [few, 128 * KIB + 1, {}, true],
    [few, 28 * KIB, texts(100 * KIB), false],
    [few, 28 * KIB, texts(100 * KIB + 1), true],
    [many, 0, {}, true],
  ] as const)
    expect([query, read, await isInTurns(query, read, features)]).toEqual([query, read, expected]);
});

it('documents of up to 16 KiB are cached, as long as they have 256 KiB together', () => {
  const documents = new Documents();
  const KIB = 1024;
  const text = (name: number, length = 16 * KIB) => `{ a${name}: __typename }`.padEnd(length);
  const tooLong = text(0, 16 * KIB + 1);
  expect(documents.get(tooLong)).not.toBe(documents.get(tooLong));
  const first = documents.get(text(0));
  const second = documents.get(text(1));
  for (let name = 2; name < 16; name++) documents.get(text(name));
  // Reading it again keeps the first one longer than the second one.
  expect(documents.get(text(0))).toBe(first);
  documents.get('{ __typename }');
  expect(documents.get(text(0))).toBe(first);
  expect(documents.get(text(1))).not.toBe(second);
});

it('the outcome of an operation has its name and the code and limit of its first error', () => {
  const [named, unnamed] = ['query A { __typename }', '{ __typename }'].map(text => {
    const [definition] = parse(text).definitions as [never];
    return new PreparedOperation(definition, []);
  });
  const fail = (extensions: Record<string, unknown>) => new GraphQLError('no', { extensions });
  const errors = [
    fail({ code: 'LIMIT_EXCEEDED', limit: 'depth' }),
    fail({ code: 'OTHER', limit: 'breadth' }),
  ];
  const none = { limit: undefined, unwritten: undefined };
  const outcomes = [
    toOutcome({ operation: named, errors: [], unwritten: 'value' }),
    toOutcome({ operation: unnamed, errors: [], unwritten: undefined }),
    toOutcome({ operation: named, errors, unwritten: 'operation' }),
    toOutcome({ operation: undefined, errors: [fail({})], unwritten: undefined }),
  ];
  expect(outcomes).toEqual([
    { ...none, operation: 'A', code: 'ok', unwritten: 'value' },
    { ...none, operation: undefined, code: 'ok' },
    { operation: 'A', code: 'LIMIT_EXCEEDED', limit: 'depth', unwritten: 'operation' },
    { ...none, operation: undefined, code: 'UNKNOWN' },
  ]);
});
