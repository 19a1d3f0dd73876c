import { expect, it } from 'vitest';
import { toEvidence } from '../../src/evidence/evidence.ts';
import { Inventory, matches } from '../../src/evidence/inventory.ts';
import type { EvidenceAnswer, Groups, ScriptVerdict } from '../../src/evidence/question.ts';

const scope = { site: 'Shop.example', paths: [], from: '2026-05-04T00:00:00Z', to: '2026-05-20T00:00:00Z' };
const NOW = new Date('2026-06-01T00:00:00Z');
const NONE = { groups: [], truncated: false };

const group = (keys: Record<string, string>, firstSeen = '2026-05-05', lastSeen = firstSeen, count = 1) => ({
  keys: Object.entries(keys).map(([by, value]) => ({ by, value })),
  ...{ count, firstSeen, lastSeen },
});
const groups = (...of: object[]) => ({ groups: of, truncated: false }) as unknown as NonNullable<Groups>;
const verdict = (subject: string, fields: object = {}) =>
  ({ subject, verdict: 'mine', hashes: [], expiresAt: null, ...fields }) as unknown as ScriptVerdict;

const compile = (fields: object, now = NOW) =>
  toEvidence(
    scope,
    {
      ...{
        loaded: NONE,
        element: NONE,
        attribute: NONE,
        script: NONE,
        loadedDays: NONE,
        violationDays: NONE,
      },
      ...{ verdicts: [], watches: [] },
      ...fields,
    } as unknown as EvidenceAnswer,
    now,
  );

it.each([
  [null, '2026-06-01T00:00:00Z', true],
  ['2026-05-20T00:00:00Z', '2026-06-01T00:00:00Z', true],
  ['2026-05-19T23:59:59Z', '2026-06-01T00:00:00Z', false],
  ['2026-05-10T00:00:00Z', '2026-05-10T00:00:00Z', true],
  ['2026-05-09T23:59:59Z', '2026-05-10T00:00:00Z', false],
])(
  'a verdict that expires at %s counts until the end of the period or now: %s, %s',
  (expiresAt, now, counts) => {
    const { gone } = compile({ verdicts: [verdict('a', { expiresAt })] }, new Date(now));
    expect(gone.map(({ subject }) => subject)).toEqual(counts ? ['a'] : []);
  },
);

it('a verdict that a script is foreign authorises nothing', () => {
  const { scripts, gone } = compile({
    loaded: groups(group({ SUBRESOURCE: 'https://a.example/' })),
    verdicts: [verdict('https://a.example/', { verdict: 'notMine' })],
  });
  expect([scripts.map(({ status }) => status), gone]).toEqual([['unauthorised'], []]);
});

it('policies of the site that were sent within the period are listed, the earliest first', () => {
  const policy = (name: string, firstSeen: string, lastSeen: string) => ({
    policy: name,
    firstSeen,
    lastSeen,
  });
  const { policies } = compile({
    watches: [
      {
        site: 'shop.EXAMPLE',
        findings: [
          policy('later', '2026-05-19T23:59:59Z', '2026-05-30T00:00:00Z'),
          policy('after', '2026-05-20T00:00:00Z', '2026-05-30T00:00:00Z'),
          policy('earlier', '2026-05-01T00:00:00Z', '2026-05-04T00:00:00Z'),
          policy('between', '2026-05-10T00:00:00Z', '2026-05-11T00:00:00Z'),
          policy('before', '2026-05-01T00:00:00Z', '2026-05-03T23:59:59Z'),
          { host: 'a host' },
        ],
      },
      { site: 'other.example', findings: [policy('other', '2026-05-10T00:00:00Z', '2026-05-11T00:00:00Z')] },
    ],
  });
  expect(policies.map(({ policy }) => policy)).toEqual(['earlier', 'between', 'later']);
});

it.each(['loaded', 'element', 'attribute', 'script'])('evidence is incomplete if "%s" is cut off', name => {
  expect(compile({ [name]: { groups: [], truncated: true } }).isCut).toBe(true);
  expect(compile({}).isCut).toBe(false);
});

it.each(['element', 'attribute', 'script'])('scripts in "%s" are violations', name => {
  const { scripts } = compile({ [name]: groups(group({ BLOCKED_URI: 'inline' })) });
  expect(scripts).toMatchObject([{ address: 'inline', isViolation: true, status: 'unauthorised' }]);
});

it('the reports of a script are added up, with its first and last time, its hashes and pages', () => {
  const inventory = new Inventory();
  inventory.add(
    groups(
      group({ SUBRESOURCE: 's', BLOCKED_URI: 'b', HASH: 'h2', PAGE: 'p2' }, '2026-05-06', '2026-05-07', 2),
      group({ SUBRESOURCE: 's', HASH: 'h1', PAGE: 'p1' }, '2026-05-05', '2026-05-06', 3),
      group({ SUBRESOURCE: 's', HASH: '', PAGE: 'p1' }, '2026-05-08', '2026-05-09', 4),
      group({ SUBRESOURCE: '', BLOCKED_URI: '', PAGE: 'p3' }),
    ),
    false,
  );
  inventory.add(groups(group({ BLOCKED_URI: 's', PAGE: 'p1' }, '2026-05-06', '2026-05-06', 5)), true);
  const last = { SUBRESOURCE: 's', HASH: 'h0', PAGE: 'p1' };
  inventory.add(groups(group(last, '2026-05-06', '2026-05-06', 1)), false);
  inventory.add(null as unknown as Groups, false);
  const one = verdict('s', { hashes: ['h1'] });
  expect(inventory.scripts([verdict('x'), one, verdict('*')])).toEqual([
    {
      ...{ address: 's', status: 'changed', verdict: one, isViolation: true, reports: 15 },
      ...{ hashes: ['h0', 'h1', 'h2'], foreignHashes: ['h0', 'h2'], pages: ['p1', 'p2'] },
      ...{ firstSeen: '2026-05-05', lastSeen: '2026-05-09' },
    },
  ]);
});

it('scripts are listed by status and then by address', () => {
  const inventory = new Inventory();
  for (const address of ['d', 'b', 'c', 'a', 'f', 'e'])
    inventory.add(groups(group({ SUBRESOURCE: address, HASH: 'h' })), false);
  const verdicts = [
    verdict('a', { hashes: ['h'] }),
    verdict('b'),
    verdict('c', { hashes: ['other'] }),
    verdict('d', { hashes: ['other'] }),
  ];
  expect(inventory.scripts(verdicts).map(({ address, status }) => `${address} ${status}`)).toEqual([
    ...['e unauthorised', 'f unauthorised', 'c changed', 'd changed', 'a authorised', 'b authorised'],
  ]);
});

it.each([
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['abc', 'ABC', false],
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['a*', 'a', true],
  ['a*', 'ba', false],
  ['*a', 'ba', true],
  ['*a', 'ab', false],
  ['ab*ba', 'aba', false],
  ['ab*ba', 'abba', true],
  ['a*b*c', 'aXbXc', true],
  ['a*b*c', 'acb', false],
  ['a*b*bc', 'abc', false],
  ['a*b*bc', 'abbc', true],
  ['a**c', 'ac', true],
  ['a.c', 'abc', false],
])('the pattern %j matches %j: %s', (pattern, address, expected) => {
  expect(matches(pattern, address)).toBe(expected);
});
