import { expect, it } from 'vitest';
import { policyCommand } from '../../src/policy-check/command.ts';
import { readHeaderName } from '../../src/policy-check/policies.ts';
import { findRetentionGaps } from '../../src/policy-check/retention.ts';

const NOW = new Date('2026-05-20T23:59:59Z');

it.each([
  ['2026-05-13T00:00:00Z', 7, []],
  ['2026-05-12T23:59:59Z', 7, ['The plan keeps reports for 7 days only. Use --since 7d.']],
  ['2020-01-01T00:00:00Z', undefined, []],
])('a period from %s with a plan of %s days has the gaps %j', (from, days, gaps) => {
  expect(findRetentionGaps(from, days, NOW)).toEqual(gaps);
});

it.each([
  ['Content-Security-Policy', { isEnforced: true }],
  [' content-security-policy ', { isEnforced: true }],
  ['CONTENT-SECURITY-POLICY-REPORT-ONLY', { isEnforced: false }],
  ['X-Content-Security-Policy', undefined],
  ['Content-Security-Policy-Report', undefined],
])('the policy of the header %j is enforced or not: %j', (name, expected) => {
  expect(readHeaderName(name)).toEqual(expected);
});

it.each([
  ['2026-02-28', '2026-02-28T00:00:00Z'],
  // Days are whole, and today is one of them.
  ['1d', '2026-05-20T00:00:00Z'],
  ['30d', '2026-04-21T00:00:00Z'],
  ['12h', '2026-05-20T11:59:59.999Z'],
  ['90m', '2026-05-20T22:29:59.999Z'],
])('at the last moment of a day, --since %s begins at %s', (text, expected) => {
  const [check] = policyCommand(() => '').commands;
  const since = check!.options.find(({ long }) => long === '--since')!;
  const from = since.parseArg!<unknown>(text, undefined) as (now: Date) => string;
  expect(from(new Date('2026-05-20T23:59:59.999Z'))).toBe(expected);
  const usual = since.defaultValue as typeof from;
  expect(usual(new Date('2026-05-20T00:00:00Z'))).toBe('2026-04-21T00:00:00Z');
});
