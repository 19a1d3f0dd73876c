import { expect, it } from 'vitest';
import { type Insight, KINDS } from '../../schema/insight.ts';
import { findVerdict } from '../../schema/insights/verdict.ts';
import type { VerdictRow } from '../../sql/team-verdicts.ts';

const NOW = '2026-05-20T14:30:00Z';

/** Finds the verdicts that apply to an insight, each of which is given alone. */
function find(insight: Partial<Insight>, verdicts: readonly Partial<VerdictRow>[]): boolean[] {
  const given = { id: 'growth-1', kind: 'growth', subject: 'www.a.test', count: 10, ...insight } as Insight;
  return verdicts.map(
    more =>
      findVerdict(
        given,
        [
          {
            subjectKind: 'insight',
            subject: 'growth-1',
            siteKey: '',
            count: null,
            expiresAt: null,
            ...more,
          } as VerdictRow,
        ],
        new Date(NOW),
      ) !== undefined,
  );
}

it('a verdict on an insight applies to its id until its count has doubled', () => {
  expect(find({}, [{}, { subject: 'growth-2' }, { subject: 'www.a.test' }, { subject: '*' }])).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const counts = [4, 5, 6].map(count => ({ count }));
  expect(find({ count: 11 }, counts)).toEqual([false, false, true]);
  expect(find({ count: 10 }, counts)).toEqual([false, false, true]);
  expect(find({ count: 9 }, counts)).toEqual([false, true, true]);
  // A count of 0 is like one of 1.
  expect([find({ count: 1 }, [{ count: 0 }]), find({ count: 2 }, [{ count: 0 }])]).toEqual([[true], [false]]);
});

it('a verdict applies before its end', () => {
  const ends = ['2026-05-20 14:30:00+00', '2026-05-20 14:30:01+00', '2026-05-20 14:29:59+00'];
  expect(
    find(
      {},
      ends.map(expiresAt => ({ expiresAt })),
    ),
  ).toEqual([false, true, false]);
});

it('a verdict on a subject applies to its kinds of insights on all sites', () => {
  const verdicts = ['sender', 'blockedSource', 'issuer', 'script'].map(subjectKind => ({
    subjectKind,
    subject: '*.A.test',
  })) as Partial<VerdictRow>[];
  const found = Object.keys(KINDS).flatMap(kind => {
    const own = find({ kind: kind as Insight['kind'], id: '' }, verdicts);
    const names = verdicts.flatMap(({ subjectKind }, index) => (own[index] ? subjectKind : []));
    return names.length > 0 ? [[kind, names.join()]] : [];
  });
  expect(Object.fromEntries(found)).toEqual({
    ...{ newBlockedHost: 'blockedSource', lookAlikeHost: 'blockedSource', growth: 'blockedSource' },
    ...{ manyNewHosts: 'blockedSource', senderFails: 'sender', newSender: 'sender', newIssuer: 'issuer' },
  });
  expect(
    find({ id: '' }, [
      { subjectKind: 'blockedSource', subject: 'www.a.test' },
      { subjectKind: 'blockedSource', subject: 'www.a.test', siteKey: 'shop.example' },
      { subjectKind: 'blockedSource', subject: 'www.b.test' },
      { subjectKind: 'blockedSource', subject: 'www.a.test', count: 1 },
    ]),
  ).toEqual([true, false, false, true]);
});

it('a verdict on the insight comes before one on its subject', () => {
  const rows = [
    { subjectKind: 'blockedSource', subject: '*', siteKey: '', count: null, expiresAt: null },
    { subjectKind: 'insight', subject: 'i-1', siteKey: '', count: 5, expiresAt: null },
  ] as unknown as VerdictRow[];
  const of = (count: number) =>
    findVerdict({ id: 'i-1', kind: 'growth', subject: 'x', count } as Insight, rows, new Date(NOW))
      ?.subjectKind;
  expect([of(9), of(10)]).toEqual(['insight', 'blockedSource']);
});
