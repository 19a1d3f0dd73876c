import { expect, it } from 'vitest';
import type { InsightCandidate } from '../../schema/insights/candidate.ts';
import { correlate } from '../../schema/insights/correlate.ts';

const MINUTE = 60;
const AT = Date.parse('2026-05-18T09:00:00Z') / 1000;

/** @param minutes the start, in minutes after 9:00 */
const candidate = (
  type: 'nel' | 'tls_rpt' | 'certificate_transparency' | 'csp',
  minutes: number,
  hosts: readonly string[] = ['a.example'],
  more: Partial<InsightCandidate> = {},
): InsightCandidate => ({
  ...{
    kind: 'networkError',
    severity: 'change',
    title: `${type} at ${minutes}`,
    detail: '',
    subject: hosts[0] ?? '',
  },
  ...{ first: AT + minutes * MINUTE, last: AT + (minutes + 5) * MINUTE, count: 3, baseline: 1, rank: 1 },
  ...{ reports: { type, filters: {} }, hosts },
  ...more,
});
const kinds = (drafts: readonly InsightCandidate[]) =>
  correlate(drafts).map(({ kind, subject }) => `${kind} ${subject}`);
const [TOGETHER, APART] = [['correlated a.example'], ['networkError a.example', 'networkError a.example']];

it.each([
  [60, TOGETHER],
  [60 + 1 / 60, APART],
  [61, APART],
  [-60, TOGETHER],
  [-61, APART],
])('insights of one host that start %s minutes apart result in %s', (minutes, expected) => {
  expect(kinds([candidate('nel', 0), candidate('tls_rpt', minutes)])).toEqual(expected);
});

it('insights are joined if each starts within an hour of any other, in any order', () => {
  const chain = [candidate('nel', 0), candidate('csp', 110), candidate('tls_rpt', 55)];
  for (const drafts of [chain, chain.toReversed()]) expect(kinds(drafts)).toEqual(TOGETHER);
  expect(kinds([chain[0]!, chain[1]!])).toEqual(APART);
});

it('an insight that names two hosts joins the insights of both, in any order', () => {
  const drafts = [
    candidate('nel', 0),
    candidate('csp', 10, ['b.example']),
    candidate('tls_rpt', 20, ['b.example', 'a.example']),
    candidate('nel', 30, ['c.example']),
  ];
  for (const given of [drafts, drafts.toReversed()])
    expect(kinds(given).sort()).toEqual(['correlated a.example', 'networkError c.example']);
});

it('insights of the same type or of different hosts are not joined', () => {
  expect(kinds([candidate('nel', 0), candidate('nel', 5)])).toEqual(APART);
  expect(kinds([candidate('nel', 0), candidate('csp', 5, ['b.example'])])).toEqual([
    'networkError a.example',
    'networkError b.example',
  ]);
  expect(kinds([candidate('nel', 0, []), candidate('csp', 5, [])])).toHaveLength(2);
});

it.each([
  ['*.a.example', 'x.a.example', true],
  ['x.a.example', '*.a.example', true],
  ['*.a.example', 'a.example', false],
  ['*.a.example', 'x.y.a.example', false],
  ['*.a.example', '*.a.example', true],
])('a certificate of %s matches the host %s: %s', (wide, narrow, isSame) => {
  const found = correlate([candidate('certificate_transparency', 0, [wide]), candidate('nel', 5, [narrow])]);
  expect(found.map(({ kind }) => kind === 'correlated')).toEqual(isSame ? [true] : [false, false]);
});

it('joined insights have the total count and time range, the most frequent host, and their parts in order', () => {
  const [only, ...rest] = correlate([
    candidate('tls_rpt', 30, ['mx.example', 'a.example'], { severity: 'incident', count: 5, baseline: 2 }),
    candidate('certificate_transparency', 0, ['*.example', 'mx.example']),
    candidate('nel', 10, ['www.example', 'mx.example'], { last: AT + 1000 * MINUTE }),
  ]);
  expect(rest).toEqual([]);
  expect(only).toMatchObject({
    kind: 'correlated',
    severity: 'incident',
    subject: 'mx.example',
    title: 'mx.example: Certificate Transparency, then Network Error Logging, then SMTP TLS Reporting',
    detail:
      '18 May 09:00 UTC: certificate_transparency at 0. 18 May 09:10 UTC: nel at 10. 18 May 09:30 UTC: tls_rpt at 30.',
    first: AT,
    last: AT + 1000 * MINUTE,
    count: 11,
    baseline: 4,
    reports: { type: 'certificate_transparency' },
  });
});

it.each([
  ['threat', 'threat'],
  ['incident', 'incident'],
  ['change', 'incident'],
  ['notice', 'incident'],
] as const)('joining a %s with a notice results in a %s', (severity, expected) => {
  const [only] = correlate([
    candidate('nel', 0, ['a.example'], { severity: 'notice' }),
    candidate('csp', 5, ['a.example'], { severity }),
  ]);
  expect(only!.severity).toBe(expected);
});

it('up to ten joined insights are listed, in the order in which they begin', () => {
  const [ten, eleven] = [10, 11].map(count => {
    const drafts = Array.from({ length: count }, (_, index) =>
      candidate(index % 2 === 0 ? 'nel' : 'csp', index, ['a.example'], { title: `no. ${index}` }),
    );
    return correlate(drafts.toReversed())[0]!;
  });
  const listed = (detail: string) => detail.match(/no\. \d+/g);
  const first = Array.from({ length: 10 }, (_, index) => `no. ${index}`);
  expect(listed(ten!.detail)).toEqual(first);
  expect(listed(eleven!.detail)).toEqual(first);
  expect([ten!.rank, eleven!.rank]).toEqual([10e12 + 30, 11e12 + 33]);
});

it('joined insights are named after the host of most of them, or the first one', () => {
  const find = (...hosts: string[][]) =>
    kinds(hosts.map((own, index) => candidate(index % 2 === 0 ? 'nel' : 'csp', index, own)));
  expect(find(['a.example', 'b.example'], ['c.example', 'b.example'])).toEqual(['correlated b.example']);
  expect(find(['a.example', 'b.example'], ['b.example', 'a.example'])).toEqual(['correlated a.example']);
  expect(find(['a.example', 'x.b.example'], ['*.b.example'])).toEqual(['correlated x.b.example']);
  expect(find(['*.b.example'], ['*.b.example'])).toEqual(['correlated *.b.example']);
});

it('an insight without reports is joined with one that has some, as another type', () => {
  const none = candidate('nel', 1, ['a.example'], { reports: undefined });
  const [only] = correlate([candidate('csp', 0), none]);
  expect(only!.title).toBe('a.example: Content Security Policy, then other');
});
