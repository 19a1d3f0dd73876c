import { describe, expect, it } from 'vitest';
import { aggregateOfRows, tlsOfRows } from '../src/parsedmarc-rows.ts';

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
