import { REPORT_TYPE_DEFINITIONS, type ReportField } from '@sightline/reports';
import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';
import { report } from './fixtures.ts';
import type { Line } from './service.ts';

/** Untrusted texts: every control character, characters that JSON escapes, and characters of one to four bytes. */
const text = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    fc.constantFrom('"', '\\', '\u007f', '\u2028', '𝒳', 'é', '{}', '__proto__', 'null'),
  )
  .map(value => Buffer.from(value.replaceAll('\0', '')).toString());

const instant = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(date => date.toISOString());

function value(field: ReportField): fc.Arbitrary<unknown> {
  const { name, kind, values, fields = [] } = field;
  const arbitraries: Record<ReportField['kind'], () => fc.Arbitrary<unknown>> = {
    text: () => (values ? fc.constantFrom(...values) : text),
    texts: () => fc.array(text, { maxLength: 3 }),
    integer: () => fc.nat({ max: name === 'domainReputationScore' ? 100 : 1_000_000 }),
    number: () => fc.double({ min: 0, max: 1, noNaN: true }),
    boolean: () => fc.boolean(),
    flag: () => fc.constantFrom(0, 1),
    timestamp: () => instant,
    date: () => instant.map(text => text.slice(0, 10)),
    object: () =>
      fc.record(Object.fromEntries(fields.map(field => [field.name, value(field)])), { requiredKeys: [] }),
    objects: () => fc.array(arbitraries.object(), { maxLength: 3 }),
  };
  return arbitraries[kind]();
}

/**
 * This many reports of each type at 14:30 on 2026-05-20, each with some fields left out at random. The same seed
 * gives the same reports.
 */
export function randomReports(accountId: string, count: number, seed: number): Line[] {
  return REPORT_TYPE_DEFINITIONS.flatMap(({ type, fields }) => {
    const given = fields.filter(({ name, computed }) => !['id', 'date'].includes(name) && !computed);
    const record = fc.record(Object.fromEntries(given.map(field => [field.name, value(field)])), {
      requiredKeys: given.filter(field => REQUIRED.has(field.name)).map(({ name }) => name),
    });
    return fc
      .sample(record, { numRuns: count, seed })
      .map((fields, number) => report(accountId, type, `${type}-${number}`, fields));
  });
}

const REQUIRED = new Set(['aligned']);
