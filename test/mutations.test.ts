import { expect, it } from 'vitest';
import { pointsIn } from '../scripts/mutate/points.ts';
import { sourcesBelow, testsOf } from '../scripts/mutate/related.ts';

const changesOf = (text: string, file = 'src/a.ts') =>
  pointsIn(file, text).map(({ start, end, after }) => text.slice(0, start) + after + text.slice(end));

it.each([
  ['if (a < 1) b();', ['if (a <= 1) b();', 'if (a < 2) b();', 'if (a < 1) ;']],
  ['const a = b && !c;', ['const a = b || !c;', 'const a = b && c;']],
  [
    'const a = b ? true : 0;',
    ['const a = b ? 0 : true;', 'const a = b ? false : 0;', 'const a = b ? true : 1;'],
  ],
  ['if (a) b = c.min(1);', ['if (!(a)) b = c.min(1);', 'if (a) b = c.max(1);', 'if (a) b = c.min(2);']],
  ["const a = 'b' + c + 'd';", []],
  ["import { a } from 'b'; let c: 1 | true; throw new TypeError('no' && d);", []],
])('changes %s', (text, changes) => expect(changesOf(text)).toEqual(changes));

it('changes the words of statements, below sql/ alone', () => {
  const text = 'const a = `select least(b, 1) from c where d is null`;';
  expect(changesOf(text, 'sql/a.ts')).toEqual([
    'const a = `select greatest(b, 1) from c where d is null`;',
    'const a = `select least(b, 1) from c where d is not null`;',
  ]);
  expect(changesOf(text)).toEqual([]);
});

it('tries the tests first that are about the same', () => {
  expect(testsOf('src/http/slow-clients.ts')[0]).toBe('test/http/slow-clients.test.ts');
  expect(testsOf('sql/policies.ts')[0]).toBe('test/rest/policies.test.ts');
  expect(testsOf('schema/reported-violations.ts').slice(0, 4)).toContain(
    'test/graphql/policy-replay.test.ts',
  );
  expect(testsOf('packages/import/src/dmarc/dmarc.ts').slice(0, 3)).toContain(
    'packages/import/test/dmarc.test.ts',
  );
});

it('changes the sources of a package, and none of its tests', () => {
  const sources = sourcesBelow('packages/csp/');
  expect(sources).toContain('packages/csp/src/judge.ts');
  expect(sources.filter(file => !file.startsWith('packages/csp/src/'))).toEqual([]);
});

it('tries the tests of a package, and those that import it by its name', () => {
  expect(testsOf('packages/collect/src/intake.ts')[0]).toBe('packages/collect/test/collector.test.ts');
  expect(testsOf('packages/csp/src/judge.ts')[0]).toBe('packages/csp/test/judge.test.ts');
  const tests = testsOf('packages/postgres/src/driver/rows.ts');
  expect(tests[0]).toBe('packages/postgres/test/rows.test.ts');
  expect(tests).toContain('test/rest/reports.test.ts');
});
