import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allowlistText, findConnections, isPattern, RESPONSE_ORIGIN } from '../src/suggestions.ts';

/** Reads an inner list of strings and tokens by the algorithm of RFC 9651, section 4.2.1.2. */
function readInnerList(header: string): { items: string[]; parameters: string } {
  const items: string[] = [];
  let at = 1;
  if (header[0] !== '(') throw new Error('no list');
  while (header[at] !== ')') {
    while (header[at] === ' ') at++;
    if (header[at] === '"') {
      let text = '';
      for (at++; header[at] !== '"'; at++) {
        if (header[at] === undefined) throw new Error('no end of a string');
        if (header[at] === '\\') at++;
        if (!/^[\x20-\x7e]$/.test(header[at] ?? '')) throw new Error('no character of a string');
        text += header[at];
      }
      at++;
      items.push(text);
    } else {
      const token = /^[a-z*][a-z0-9!#$%&'*+.^_`|~:/-]*/i.exec(header.slice(at))?.[0];
      if (!token) throw new Error('no item');
      items.push(token);
      at += token.length;
    }
    if (!/^[ )]$/.test(header[at] ?? '')) throw new Error('no space between items');
  }
  return { items, parameters: header.slice(at + 1) };
}

const patterns = fc.oneof(
  fc.constantFrom(
    RESPONSE_ORIGIN,
    'https://*.a.example',
    'https://*.site.([a-z\\-]+)',
    '\\',
    '"',
    '")',
    '" "',
  ),
  fc.string({ minLength: 1, maxLength: 20, unit: 'binary-ascii' }),
);

it('an allowlist header parses to exactly the given patterns', () => {
  fc.assert(
    fc.property(fc.array(patterns, { maxLength: 8 }), all => {
      const meant = all.filter(isPattern);
      expect(readInnerList(allowlistText(meant, 'default'))).toEqual({
        items: meant,
        parameters: ';report-to=default',
      });
    }),
    { numRuns: 2000 },
  );
});

it('keeps the connections of the most days, then of the most pages', async () => {
  const connection = (host: string, dayBits: bigint, page: string) => ({
    ...{ directive: '', blockedUri: `https://${host}/a`, page: `https://shop.example/${page}`, dayBits },
    ...{ count: 1, reports: 1, firstSeen: '2026-01-01', lastSeen: '2026-01-02' },
  });
  const many = Array.from({ length: 249 }, (_, n) => connection(`h${n}.example`, 1n, ''));
  const { candidates, others } = await findConnections([
    ...many,
    connection('dropped.example', 1n, ''),
    connection('pages.example', 1n, '1'),
    connection('pages.example', 1n, '2'),
    connection('days.example', 3n, ''),
  ]);
  expect(candidates.slice(0, 2).map(({ source }) => source)).toEqual([
    'https://days.example',
    'https://pages.example',
  ]);
  expect([candidates.length, others]).toEqual([250, 2]);
});

it.each([
  [RESPONSE_ORIGIN, true],
  ['https://*.a.example', true],
  [' ~', true],
  ['\x1f', false],
  ['\x7f', false],
  ['é', false],
  ['', false],
])('that %j can be in the header is %s', (text, isIt) => {
  expect(isPattern(text)).toBe(isIt);
});

it('sums up connections by origin, including hosts that were only resolved', async () => {
  const connections = [
    'cdn.example',
    'https://cdn.example/a',
    'wss://a.example:8443/x',
    'https://shop.example/b',
    'localhost',
    'stun:x.example',
    '',
  ].map(blockedUri => ({
    ...{ directive: '', blockedUri, page: 'https://shop.example/', dayBits: 1n, count: 2, reports: 1 },
    ...{ firstSeen: '2026-01-01', lastSeen: '2026-01-02' },
  }));
  const { candidates, others, unlisted } = await findConnections(connections);
  expect(candidates.map(({ source, hosts, reach }) => [source, [...hosts], reach.reports])).toEqual([
    ['https://cdn.example', ['cdn.example'], 2],
    ['wss://a.example:8443', ['a.example'], 1],
    [RESPONSE_ORIGIN, ['shop.example'], 1],
  ]);
  expect([others, unlisted.reports, unlisted.count]).toEqual([0, 3, 6]);
});
