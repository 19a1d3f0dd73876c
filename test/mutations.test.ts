import { expect, it } from 'vitest';
import { pointsIn } from '../scripts/mutate/points.ts';
import { listTests, sourcesBelow } from '../scripts/mutate/related.ts';

const listChanges = (text: string, file = 'src/a.ts') =>
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
])('the expected mutations are generated for %s', (text, changes) =>
  expect(listChanges(text)).toEqual(changes),
);

it('keywords of statements are mutated only below sql/', () => {
  const text = 'const a = `select least(b, 1) from c where d is null`;';
  expect(listChanges(text, 'sql/a.ts')).toEqual([
    'const a = `select greatest(b, 1) from c where d is null`;',
    'const a = `select least(b, 1) from c where d is not null`;',
  ]);
  expect(listChanges(text)).toEqual([]);
});

it('a mutated file is first checked with the tests of the same subject', () => {
  expect(listTests('src/http/slow-clients.ts')[0]).toBe('test/http/slow-clients.test.ts');
  expect(listTests('sql/policies.ts')[0]).toBe('test/rest/policies.test.ts');
  expect(listTests('schema/reported-violations.ts').slice(0, 4)).toContain(
    'test/graphql/policy-replay.test.ts',
  );
  expect(listTests('packages/importer/src/dmarc/dmarc.ts').slice(0, 3)).toContain(
    'packages/importer/test/dmarc.test.ts',
  );
});

it('the sources of a package are mutated but not its tests', () => {
  const sources = sourcesBelow('packages/csp/');
  expect(sources).toContain('packages/csp/src/judge.ts');
  expect(sources.filter(file => !file.startsWith('packages/csp/src/'))).toEqual([]);
});

it('a mutated package is checked with its own tests, followed by those that import it', () => {
  expect(listTests('packages/collector/src/intake.ts')[0]).toBe('packages/collector/test/collector.test.ts');
  expect(listTests('packages/csp/src/judge.ts')[0]).toBe('packages/csp/test/judge.test.ts');
  const tests = listTests('packages/pg-client/src/driver/rows.ts');
  expect(tests[0]).toBe('packages/pg-client/test/rows.test.ts');
  expect(tests).toContain('test/rest/reports.test.ts');
});
