import fc from 'fast-check';
import { expect, it } from 'vitest';
import { measureReach, ReachSum, type ReportedViolation } from '../src/reach.ts';

const violations = fc.array(
  fc.record({
    page: fc.constantFrom('https://a.example/', 'https://a.example/b', 'https://b.example/'),
    directive: fc.constant('img-src'),
    blockedUri: fc.constant('https://cdn.example/'),
    count: fc.integer({ min: 1, max: 9 }),
    reports: fc.integer({ min: 1, max: 3 }),
    dayBits: fc.bigInt({ min: 1n, max: 63n }),
    firstSeen: fc.constantFrom('2026-05-01', '2026-05-02', '2026-05-03'),
    lastSeen: fc.constantFrom('2026-05-03', '2026-05-04', '2026-05-05'),
  }),
  { maxLength: 6 },
);

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Counts in lists, without the sums that are tested. */
function countPlainly(all: readonly ReportedViolation[]) {
  const days = [0, 1, 2, 3, 4, 5].filter(day =>
    all.some(({ dayBits }) => ((dayBits >> BigInt(day)) & 1n) === 1n),
  );
  return {
    count: sum(all.map(({ count }) => count)),
    reports: sum(all.map(({ reports }) => reports)),
    pages: new Set(all.map(({ page }) => page)).size,
    days: days.length,
    firstSeen: all.map(({ firstSeen }) => firstSeen).sort()[0] ?? null,
    lastSeen:
      all
        .map(({ lastSeen }) => lastSeen)
        .sort()
        .at(-1) ?? null,
  };
}

it('the reach of violations counts each page and day once', async () => {
  const property = fc.asyncProperty(violations, async all => {
    expect(await measureReach(all)).toEqual(countPlainly(all));
  });
  await fc.assert(property);
});

it('merged sums equal the sum of all their violations', () => {
  const property = fc.property(violations, violations, (some, others) => {
    const [one, other] = [some, others].map(list => {
      const sum = new ReachSum();
      for (const violation of list) sum.add(violation);
      return sum;
    });
    expect(one!.merge(other!).total()).toEqual(countPlainly([...some, ...others]));
  });
  fc.assert(property);
});
