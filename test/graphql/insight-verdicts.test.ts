import { afterAll, beforeAll, expect, it } from 'vitest';
import { matchesWildcards } from '../../schema/insights/verdict.ts';
import { open, personal, plan, report, verdict } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { stamp } from '../support/planted.ts';
import { startService, type TestService } from '../support/service.ts';

const END = Date.parse('2026-05-20');
const DAY = 86_400_000;

let service: TestService;
let key: string;

const blocked = (name: string, at: number, host: string, browser = 'Chrome') =>
  report('a', 'csp', name, {
    date: stamp(at),
    uri: 'https://www.example.com/about',
    directive: 'script-src-elem',
    blockedUri: `https://${host}/a.js`,
    browser,
  });
const several = (name: string, host: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    blocked(`${name}-${index}`, END - DAY + index * 60_000, host, ['Chrome', 'Firefox'][index % 2]!),
  );

beforeAll(async () => {
  service = await startService({ now: '2026-05-20T01:00:00Z' });
  key = await open(service, personal('a'), plan('a'));
  await service.load(
    ...Array.from({ length: 40 }, (_, day) => blocked(`usual-${day}`, END - (40 - day) * DAY, 'usual.test')),
    ...several('translate', 'www.translate.test', 6),
    ...several('other', 'other.test', 6),
  );
});
afterAll(() => service?.close());

const ask = async () => {
  const { viewer } = await data(
    service,
    key,
    '{ viewer { insights { id subject verdict { verdict reason } } } }',
  );
  return viewer.insights as { id: string; subject: string; verdict: { verdict: string } | null }[];
};

it("returns the team's verdict on the subject of an insight until the verdict expires", async () => {
  await service.load(
    verdict('a', 'blockedSource', '*.translate.test', { expiresAt: '2026-06-01T00:00:00Z' }),
  );
  expect(await ask()).toMatchObject([
    { subject: 'other.test', verdict: null },
    { subject: 'www.translate.test', verdict: { verdict: 'accepted', reason: 'We know it' } },
  ]);
  await service.load(
    verdict('a', 'blockedSource', '*.translate.test', { expiresAt: '2026-05-01T00:00:00Z' }),
  );
  expect((await ask()).map(insight => insight.verdict)).toEqual([null, null]);
});

it('returns the verdict on a single insight until the count of the insight has doubled', async () => {
  const { id } = (await ask()).find(({ subject }) => subject === 'other.test')!;
  const decided = async () => (await ask()).find(insight => insight.id === id)!.verdict?.verdict;
  await service.load(verdict('a', 'insight', id, { count: 6 }));
  expect(await decided()).toBe('accepted');
  await service.load(...several('more', 'other.test', 6));
  expect(await decided()).toBeUndefined();
});

it.each([
  ['www.a.test', '*.a.test', true],
  ['a.test', '*.a.test', false],
  ['WWW.a.test', 'www.A.test', true],
  ['ab', 'a*b*', true],
  ['a', 'a*a', false],
  ['x-mid-y', 'x*mid*y', true],
  ['x-y', 'x*mid*y', false],
  ['www.a.test', '*.tes', false],
  ['aba', 'ab*ba', false],
  ['abba', 'ab*ba', true],
  ['one.two', '*two*one*', false],
  ['one.two', '*one*one*', false],
  ['oneone', '*one*one*', true],
  ['xbbx', 'x*bb*bx', false],
])('matches %s against the pattern %s: %s', (text, pattern, expected) => {
  expect(matchesWildcards(text, pattern)).toBe(expected);
});
