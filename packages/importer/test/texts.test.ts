import { describe, expect, it } from 'vitest';
import { readUserAgent } from '../src/browser/user-agent.ts';
import { aggregateOfRows, tlsOfRows } from '../src/parsedmarc-rows.ts';
import { csvRows } from '../src/text/csv.ts';
import { cutText, storableText, TextFitter } from '../src/text/cut.ts';

describe('a text', () => {
  it.each([
    ['abc', 3, '', 'abc'],
    ['abcd', 3, '', 'abc'],
    ['aé', 3, '', 'aé'],
    ['aéb', 3, '', 'aé'],
    ['aaé', 3, '', 'aa'],
    ['€€', 5, '', '€'],
    ['a😀', 4, '', 'a'],
    ['abcdef', 5, '…', 'ab…'],
    ['abcde', 5, '…', 'abcde'],
    ['ab€€', 6, '…', 'ab…'],
  ])('%j of at most %i bytes and the mark %j is %j', (text, bytes, mark, cut) => {
    expect(cutText(text, bytes, mark)).toBe(cut);
  });

  it.each([
    ['a\0b\0', 'a\ufffdb\ufffd'],
    ['\ud83d', '\ufffd'],
    ['\udc00x', '\ufffdx'],
    ['😀', '😀'],
  ])('%j is stored as %j', (text, stored) => {
    expect(storableText(text)).toBe(stored);
  });

  it('fits the limits at any depth, and the value stays itself if it does', () => {
    const bounds = { fields: { list: { item: { most: 2 } }, text: { most: 3 } } };
    const fitter = new TextFitter();
    const short = { list: ['ab'], text: 'abc', other: 'long enough', number: 1, nothing: null };
    expect(fitter.fit(short, bounds)).toBe(short);
    expect(fitter.isCut).toBe(false);
    expect(fitter.fit({ ...short, other: 'a\0' }, bounds)).toEqual({ ...short, other: 'a\ufffd' });
    expect(fitter.isCut).toBe(false);
    expect(fitter.fit({ ...short, list: ['abc', 'a'] }, bounds)).toEqual({ ...short, list: ['ab', 'a'] });
    expect(fitter.isCut).toBe(true);
    expect(short.list).toEqual(['ab']);
  });
});

describe('the rows of a CSV file', () => {
  async function read(...texts: string[]) {
    const rows: [number, readonly string[] | undefined][] = [];
    const content = (async function* () {
      yield* texts;
    })();
    for await (const batch of csvRows(content))
      for (const { number, cells } of batch) rows.push([number, cells]);
    return rows;
  }

  it.each([
    [
      'plain cells',
      'a,,c\r\n,\n',
      [
        [1, ['a', '', 'c']],
        [2, ['', '']],
      ],
    ],
    ['quoted cells', '"a,""b""",c\n', [[1, ['a,"b"', 'c']]]],
    [
      'line breaks within quotes',
      '"a\r\nb",c\nd\n',
      [
        [2, ['a\r\nb', 'c']],
        [3, ['d']],
      ],
    ],
    ['an empty quoted cell', '"",x\n', [[1, ['', 'x']]]],
    [
      'no final line break',
      'a\n"b"',
      [
        [1, ['a']],
        [2, ['b']],
      ],
    ],
    [
      'text behind a quoted cell',
      '"a"b,c\nd\n',
      [
        [1, undefined],
        [2, ['d']],
      ],
    ],
    [
      'a quotation mark that is not closed',
      'a\n"b\nc\n',
      [
        [1, ['a']],
        [3, undefined],
      ],
    ],
  ])('with %s have their numbers', async (_, text, rows) => {
    expect(await read(text)).toEqual(rows);
    expect(await read(...text)).toEqual(rows);
  });
});

describe('the rows of parsedmarc', () => {
  const reasons = (types: string, comments: string) => {
    const row = { policy_override_reasons: types, policy_override_comments: comments };
    const { records } = aggregateOfRows([row]) as {
      records: { policy_evaluated: { policy_override_reasons: { type: string; comment: string }[] } }[];
    };
    return records[0]!.policy_evaluated.policy_override_reasons.map(({ type, comment }) => [type, comment]);
  };

  it.each([
    ['forwarded', 'one', [['forwarded', 'one']]],
    ['forwarded', 'one|two|three', [['forwarded', 'one|two|three']]],
    [
      'forwarded,other',
      'one|two|three',
      [
        ['forwarded', 'one'],
        ['other', 'two|three'],
      ],
    ],
    [
      'forwarded,other',
      'one',
      [
        ['forwarded', 'one'],
        ['other', ''],
      ],
    ],
    ['none', 'none', [['', '']]],
    [
      'local_policy,none',
      'none|x',
      [
        ['local_policy', ''],
        ['', 'x'],
      ],
    ],
    ['', 'x', []],
  ])('with the reasons %j and the comments %j have each of them', (types, comments, pairs) => {
    expect(reasons(types, comments)).toEqual(pairs);
  });

  it.each([
    [
      'a.example,b.example',
      's1,s2',
      'pass,fail',
      [
        { domain: 'a.example', selector: 's1', result: 'pass' },
        { domain: 'b.example', selector: 's2', result: 'fail' },
      ],
    ],
    [
      'a.example,b.example',
      's1',
      'pass,fail',
      [
        { domain: 'a.example', result: 'pass' },
        { domain: 'b.example', result: 'fail' },
      ],
    ],
    ['', 's1', 'pass', []],
  ])(
    'with the signatures of %j, selectors %j and results %j combine them',
    (domains, selectors, results, dkim) => {
      const row = { dkim_domains: domains, dkim_selectors: selectors, dkim_results: results };
      expect(aggregateOfRows([row]).records).toMatchObject([{ auth_results: { dkim, spf: [] } }]);
    },
  );

  it.each([
    ['True', 'pass'],
    ['true', 'pass'],
    ['t', 'pass'],
    ['pass', 'pass'],
    ['False', 'fail'],
    ['f', 'fail'],
    ['tr', 'fail'],
    ['', 'fail'],
  ])('with the alignment %j have the result %j', (aligned, result) => {
    expect(aggregateOfRows([{ dkim_aligned: aligned, spf_alignment: aligned }]).records).toMatchObject([
      { policy_evaluated: { dkim: result, spf: result } },
    ]);
  });

  it('cover the time from the first to the last, in any order', () => {
    const rows = [
      { begin_date: '2026-03-02', end_date: '2026-03-03' },
      { begin_date: '2026-03-01', end_date: '2026-03-02' },
    ];
    expect(aggregateOfRows(rows).report_metadata).toMatchObject({
      begin_date: '2026-03-01',
      end_date: '2026-03-03',
    });
  });

  it('of TLS failures belong to the policy above them', () => {
    const [one, two] = [
      { policy_domain: 'a.example', policy_strings: 'x|y' },
      { policy_domain: 'b.example' },
    ];
    const [first, second] = [{ result_type: 'first' }, { result_type: 'second' }];
    expect(tlsOfRows([one, first, second, two]).policies).toMatchObject([
      { policy_domain: 'a.example', policy_strings: ['x', 'y'], failure_details: [first, second] },
      { policy_domain: 'b.example', policy_strings: [], failure_details: [] },
    ]);
    expect(() => tlsOfRows([first, one])).toThrow('is a failure without a policy above it');
  });
});

describe('a user agent', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S901B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android',
    ],
    ['curious/1.0 (<b>Made Up</b>)', '', ''],
    ['', '', ''],
    [' ', '', ''],
  ])('%j is a known browser and platform, or nothing', (text, browser, platform) => {
    for (let time = 0; time < 2; time++) expect(readUserAgent(text)).toEqual({ browser, platform });
  });
});
