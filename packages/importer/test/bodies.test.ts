import { describe, expect, it } from 'vitest';
import { readBodies } from '../src/json/bodies.ts';
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
