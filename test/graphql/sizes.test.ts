import { expect, it } from 'vitest';
import { checkBody, checkFields, checkLength, checkVariables } from '../../src/graphql/limits.ts';

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
