import { describe, expect, it } from 'vitest';
import { importAsOf } from './recorded-imports.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';
const report = {
  'csp-report': {
    'document-uri': 'https://shop.example/',
    'effective-directive': 'img-src',
    'blocked-uri': 'https://cdn.example/é',
  },
};
const body = JSON.stringify(report);

describe('a value of a JSON file', () => {
  it('that is a text without an end is reported as incomplete, and the values before it are read', async () => {
    const { records, skipped } = await importAsOf(`${body} "abc`);
    expect([records.length, skipped]).toEqual([1, ['file ends too early']]);
  });

  it('is named with each part that is no report, even if there are more than 1000', async () => {
    const { skipped } = await importAsOf(`[[${Array(1001).fill(7)}]]`);
    expect(skipped).toHaveLength(1001);
    expect(skipped.at(-1)).toBe('file, report 1001 is not a known report');
    const nested = await importAsOf('[[[7,7],[7]]]');
    expect(nested.skipped).toEqual(
      ['report 1, report 1', 'report 1, report 2', 'report 2'].map(
        place => `file, ${place} is not a known report`,
      ),
    );
  });

  it.each<[string, object, string[], number]>([
    ['an unreadable sample', { parsed_sample: null }, ['dmarc-failure'], 0],
    ['a type of feedback', { feedback_type: 'auth-failure' }, ['dmarc-failure'], 0],
    ['an empty type of feedback', { feedback_type: '' }, [], 1],
  ])('is a failure report of DMARC if it has %s', async (_, value, unstored, skipped) => {
    const found = await importAsOf(JSON.stringify(value));
    expect([found.unstored, found.skipped.length]).toEqual([unstored, skipped]);
  });

  it('is named with the policy that is refused if its TLS report has several', async () => {
    const skipped = async (...domains: string[]) => {
      const policies = domains.map(domain => ({ policy: { 'policy-domain': domain, 'policy-type': 'sts' } }));
      const range = { 'start-datetime': '2010-01-01T00:00:00Z', 'end-datetime': '2010-01-01T23:59:59Z' };
      const found = await importAsOf(JSON.stringify({ 'report-id': '1', 'date-range': range, policies }));
      return found.skipped.map(text => text.split(' is refused')[0]);
    };
    expect(await skipped('a.example')).toEqual(['file']);
    expect(await skipped('a.example', 'b.example')).toEqual(['file, policy 1', 'file, policy 2']);
  });
});

describe('the request inside a line', () => {
  const inner = { msec: '1795168800.000', user_agent: FIREFOX };
  const quoted = `192.0.2.1 [20/Nov/2026:10:00:00 +0000] ${JSON.stringify(body)} "${FIREFOX}"`;
  it.each<[string, unknown]>([
    ['as JSON', { ...inner, body }],
    ['as a text in a field of a log shipper', { log: quoted }],
    ['as JSON in a field of a log shipper', { log: JSON.stringify({ ...inner, body }) }],
    [
      'as JSON after a space in a field of a log shipper',
      { log: ` { ${JSON.stringify({ ...inner, body }).slice(1)}` },
    ],
  ])('has a more precise time and user agent than the line: %s', async (_, line) => {
    const outer = { time: '2026-11-20T11:00:00Z', user_agent: SAFARI, body: line };
    const { records, skipped } = await importAsOf(`${JSON.stringify(outer)}\n`);
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([{ date: '2026-11-20T10:00:00.000Z', browser: 'Firefox' }]);
  });

  it.each<[string, unknown]>([
    ['as JSON', { body }],
    ['as a text in a field of a log shipper', { log: `192.0.2.1 ${JSON.stringify(body)}` }],
  ])('has the time and the user agent of the line if it has none: %s', async (_, line) => {
    const outer = { time: '2026-11-20T11:00:00Z', user_agent: SAFARI, body: line };
    const { records } = await importAsOf(`${JSON.stringify(outer)}\n`);
    expect(records).toMatchObject([{ date: '2026-11-20T11:00:00.000Z', browser: 'Safari' }]);
  });

  it.each(['upper', 'lower'])('can have hexadecimal escapes in %s case', async letters => {
    const bytes = [...Buffer.from(body)].map(byte => {
      const hex = byte.toString(16);
      return byte > 0x7f || byte === 0x22 ? `\\x${letters === 'upper' ? hex.toUpperCase() : hex}` : '';
    });
    const escaped = [...Buffer.from(body)].map((byte, at) => bytes[at] || String.fromCharCode(byte)).join('');
    const { records, skipped } = await importAsOf(`{"time":"2026-11-20T10:00:00Z","body":"${escaped}"}\n`);
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([{ blockedUri: 'https://cdn.example/é' }]);
  });
});

it.each([
  ['9,000 requests, which are not counted', 9000, 0, 300],
  ['10,500 requests, of which those above 10,000 are counted', 10_500, 500, 800],
])('a log can begin without a body: %s', async (_, count, least, most) => {
  const text = `${'192.0.2.1 [-] GET /\n'.repeat(count)}192.0.2.1 ${JSON.stringify(body)}\n`;
  const { records, skipped, unstored } = await importAsOf(text);
  expect([records.length, skipped]).toEqual([1, []]);
  expect(unstored.length).toBeGreaterThanOrEqual(least);
  // Lines that arrive together with the 10,000th or with the body also count.
  expect(unstored.length).toBeLessThan(most);
});

it.each([
  [4, []],
  [5, ['file is nested too deeply: over 4 lists and bodies']],
])('reports are read in %i lists or lines of log shippers', async (depth, skipped) => {
  const lists = `{"body":${'['.repeat(depth - 1)}${body}${']'.repeat(depth - 1)}}`;
  for (const text of [lists, `${'{"log":'.repeat(depth)}${body}${'}'.repeat(depth)}`]) {
    const found = await importAsOf(text);
    expect([found.skipped, found.records.length]).toEqual([skipped, 1 - skipped.length]);
  }
});

// 4 MB are free, and each part costs at least 400 bytes.
it.each<[string, (count: number) => string, Parameters<typeof importAsOf>[1]]>([
  ['values of a list', count => `[[${'{},'.repeat(count - 2)}{}]]`, {}],
  ['rows of a table', count => `feedback_type,arrival_date\n${'a,b\n'.repeat(count)}`, {}],
  [
    'reports of a collected line',
    count => `{"id":"a","time":"2026-11-20T10:00:00Z","body":[${'0,'.repeat(count - 2)}0]}\n`,
    { format: 'collected' },
  ],
])(
  'an item has at most 10,000 parts without a report if it must not grow: %s',
  { tags: 'slow' },
  async (_, toText, options) => {
    const isExceeded = async (count: number) => {
      const { skipped } = await importAsOf(toText(count), { ...options, bounds: { growth: 0 } });
      return skipped.some(text => text.startsWith('file contains too many records for its size'));
    };
    expect([await isExceeded(10_000), await isExceeded(10_001)]).toEqual([false, true]);
  },
);
