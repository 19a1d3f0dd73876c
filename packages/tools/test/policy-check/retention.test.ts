import { expect, it } from 'vitest';
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
