import { describe, expect, it } from 'vitest';
import { LONGEST_VALUE } from '../src/bounds.ts';
import { readBodies } from '../src/json/bodies.ts';
import { JsonValues } from '../src/json/values.ts';
import { ids, importBytes } from './reports.ts';

const report = (blocked: string) => ({
  'csp-report': {
    'document-uri': 'https://shop.example/',
    'effective-directive': 'img-src',
    'blocked-uri': blocked,
  },
});
const [one, two] = ['a', 'b'].map(report);
const text = JSON.stringify(one);

describe('a request body', () => {
  it.each<[string, string | Buffer, unknown[]]>([
    ['an object', text, [one]],
    ['a list', JSON.stringify([one, two]), [one, two]],
    ['concatenated objects', `${text}${JSON.stringify(two)}`, [one, two]],
    ['one object per line', `${text}\r\n${JSON.stringify(two)}\n`, [one, two]],
    ['an object after a byte order mark', `\u{feff}${text}`, [one]],
    ['in UTF-16', Buffer.from(`\u{feff}${text}`, 'utf16le'), [one]],
    ['a form field', `report=${encodeURIComponent(text)}&x=1`, [one]],
    ['a list in a form field', `body=${encodeURIComponent(JSON.stringify([one, two]))}`, [one, two]],
  ])('has the same values as an import of it: %s', async (_, body, expected) => {
    const bytes = Buffer.from(body as string);
    expect(await readBodies(bytes)).toEqual(expected);
    const imported = await importBytes(bytes, { format: 'browser' });
    expect(imported.skipped).toEqual([]);
    const received = await importBytes(JSON.stringify(expected), { format: 'browser' });
    expect(ids(imported)).toEqual(ids(received));
  });

  it.each(['', 'x', '{', `${text}{`, `[${text}`, `${text}x`, '%7B', 'a=%7B%'])(
    'is rejected if it holds no complete JSON: %j',
    async body => {
      expect(await readBodies(Buffer.from(body))).toBeUndefined();
    },
  );
});

describe('a stream of JSON', () => {
  /** Splits the parts of a stream into its values. */
  const split = (...parts: string[]) => {
    const values = new JsonValues();
    return [...parts.flatMap(part => values.push(part)), ...values.end()];
  };

  it.each<[string, string[]]>([
    ['{"a":[1,{"b":"}\\"]"}]}', ['{"a":[1,{"b":"}\\"]"}]}']],
    [
      '[1, "a,]\\\\" , [2],{"c":"\\"\\\\\\""} ,null]',
      ['1', '"a,]\\\\"', '[2]', '{"c":"\\"\\\\\\""}', 'null'],
    ],
    ['{"a":1}{"b":2}\r\n"c d"\t7', ['{"a":1}', '{"b":2}', '"c d"', '7']],
    ['[1][2] {"a":[3]}', ['1', '2', '{"a":[3]}']],
    ['\u001e{"a":1}\n\u001e[2,[3]]\n', ['{"a":1}', '2', '[3]']],
    [' [ ]\n', []],
  ])('has the same values in parts of any length: %j', (whole, values) => {
    expect(split(whole)).toEqual(values);
    expect(split(...whole)).toEqual(values);
    for (let cut = 1; cut < whole.length; cut++)
      expect([cut, split(whole.slice(0, cut), whole.slice(cut))]).toEqual([cut, values]);
  });

  it.each(['{"a":1', '[1', '[1,', '[{"a":1}', '"a', '{"a":"}', '[7 "a]', '"\\"'])(
    'ends too early: %j',
    whole => {
      expect(() => split(whole)).toThrow('ends too early');
      expect(() => split(...whole)).toThrow('ends too early');
    },
  );

  it('can be longer than each of its values', () => {
    const long = `"${'x'.repeat(LONGEST_VALUE / 2)}`;
    const values = new JsonValues();
    expect(values.push(long)).toEqual([]);
    expect(values.push('" ').map(({ length }) => length)).toEqual([long.length + 1]);
    expect(values.push(long)).toEqual([]);
    expect(() => values.push(long.slice(1))).toThrow('has a value that is too long');
  });
});
