import { expect, it } from 'vitest';
import type { Script } from '../../src/evidence/inventory.ts';
import type { Groups, SentPolicy } from '../../src/evidence/question.ts';
import { listWeeks } from '../../src/evidence/weeks.ts';

const script = (address: string, firstSeen: string, status: Script['status'] = 'authorised') =>
  ({ address, firstSeen, status }) as Script;
const policy = (firstSeen: string) => ({ firstSeen }) as SentPolicy;
const day = (date: string, count: number) => ({ keys: [{ by: 'DAY', value: date }], count });
const days = (...groups: readonly object[]) => [{ groups }] as unknown as readonly Groups[];

/** Returns the scope of a period. In these tests, 2026-05-18 is a Monday. */
const scope = (from: string, to: string) => ({ site: 'a.example', paths: [], from, to });
const list = (from: string, to: string, now: string) =>
  listWeeks(scope(from, to), [], [], [], new Date(now)).map(({ from, isAhead }) => [from, isAhead]);

it('entries belong to weeks that begin on Monday at midnight UTC', () => {
  const weeks = listWeeks(
    scope('2026-05-11T00:00:00Z', '2026-05-25T00:00:00Z'),
    [
      script('sunday', '2026-05-17T23:59:59.999Z'),
      script('monday', '2026-05-18T00:00:00Z', 'unauthorised'),
      script('changed', '2026-05-11T00:00:00Z', 'changed'),
    ],
    [policy('2026-05-17T23:59:59Z'), policy('2026-05-18T00:00:00Z'), policy('2026-05-10T23:59:59Z')],
    days(day('2026-05-10', 1), day('2026-05-17', 2), day('2026-05-18', 4), day('2026-05-25', 8)),
    new Date('2026-05-25T00:00:00Z'),
  );
  expect(weeks).toEqual([
    {
      from: '2026-05-11',
      reports: 2,
      isAhead: false,
      newScripts: ['sunday', 'changed'],
      unauthorised: ['changed'],
      newPolicies: 1,
    },
    {
      from: '2026-05-18',
      reports: 4,
      isAhead: false,
      newScripts: ['monday'],
      unauthorised: ['monday'],
      newPolicies: 1,
    },
  ]);
});

it.each([
  ['2026-05-18T00:00:00Z', '2026-05-24T23:59:59Z', ['2026-05-18']],
  ['2026-05-17T23:59:59Z', '2026-05-18T00:00:00Z', ['2026-05-11']],
  ['2026-05-17T23:59:59Z', '2026-05-18T00:00:01Z', ['2026-05-11', '2026-05-18']],
  ['2026-05-20T00:00:00Z', '2026-05-20T00:00:00Z', ['2026-05-18']],
  ['2026-05-20T00:00:00Z', '2026-05-01T00:00:00Z', []],
  ['1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z', ['1969-12-29']],
])('the period from %s to %s has the weeks %s', (from, to, weeks) => {
  expect(list(from, to, '2026-06-01T00:00:00Z').map(([week]) => week)).toEqual(weeks);
});

it('only weeks that begin later than now are marked as future', () => {
  const of = (now: string) => list('2026-05-11T00:00:00Z', '2026-05-25T00:00:00Z', now);
  expect(of('2026-05-18T00:00:00Z')).toEqual([
    ['2026-05-11', false],
    ['2026-05-18', false],
  ]);
  expect(of('2026-05-17T23:59:59.999Z')).toEqual([
    ['2026-05-11', false],
    ['2026-05-18', true],
  ]);
});
