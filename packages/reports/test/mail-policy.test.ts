import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  DMARC_ACTIONS,
  formatDmarcPolicy,
  formatSeenPolicy,
  parseDmarcPolicy,
  parseSeenPolicy,
} from '../src/mail/index.ts';

const action = fc.constantFrom(...DMARC_ACTIONS);
const mode = fc.constantFrom('r' as const, 's' as const);
const value = fc.stringMatching(/^[!-:<-~]([ -:<-~]{0,20}[!-:<-~])?$/);

const policies = fc.record({
  ...{ p: action, sp: action, np: action, adkim: mode, aspf: mode, isTest: fc.boolean() },
  percentage: fc.constant(undefined),
  further: fc.record({ rua: value, ruf: value, fo: value, psd: value }, { requiredKeys: [] }),
  ignored: fc.constant<string[]>([]),
});

it('a formatted DMARC record parses to the same policy', () => {
  fc.assert(
    fc.property(policies, policy => {
      expect(parseDmarcPolicy(formatDmarcPolicy(policy))).toEqual(policy);
    }),
    { numRuns: 1000 },
  );
});

const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('', 'none', 'quarantine', 'reject', 'r', 's', 'y', 'n') },
  { weight: 2, arbitrary: fc.constantFrom('none; rua=mailto:a@evil.example', 'r; fo=1', 'n;x=y') },
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const seen = fc.record({ p: text, sp: text, adkim: text, testing: text });

it('a policy from a report keeps its values or is rejected, and gains no tags', () => {
  fc.assert(
    fc.property(seen, found => {
      const policy = parseSeenPolicy(found);
      if (!policy) return;
      expect([policy.further, policy.ignored, policy.percentage]).toEqual([{}, [], undefined]);
      expect(policy.p).toBe(found.p.toLowerCase());
      expect(parseDmarcPolicy(formatSeenPolicy(found)!)).toEqual(policy);
    }),
    { numRuns: 5000 },
  );
});
