import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import usual from '../vitest.config.ts';
import faults from '../vitest.faults.config.ts';
import pages from '../vitest.pages.config.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Returns the paths of all test files, whatever their runner. */
function testFiles(): string[] {
  const root = new URL('../', import.meta.url);
  const packages = readdirSync(new URL('packages', root)).map(name => `packages/${name}/test`);
  return ['test', ...packages].flatMap(folder => {
    try {
      const names = readdirSync(new URL(folder, root), { recursive: true }) as string[];
      return names.map(name => `${folder}/${name}`).filter(isTestFile);
    } catch {
      return [];
    }
  });
}

const isTestFile = (path: string) =>
  /\.(test|spec|faults|pages)\.ts$/.test(path) && !path.includes('node_modules');

/** In a pattern, `**` matches any folders and `*` any name. */
const matches = (pattern: string, path: string) =>
  new RegExp(
    `^${pattern
      .replaceAll('.', '\\.')
      .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`)
      .replaceAll('**/', '(.+/)?')
      .replace(/(?<!\))\*/g, '[^/]*')}$`,
  ).test(path);

/** Returns the arguments of `npm run test:faults` in scripts. Like Vitest, they match parts of paths. */
function faultFilters(): string[] {
  const scripts = Object.values<string>(JSON.parse(read('package.json')).scripts);
  const lines = [read('.ci/run'), read('.ci/measure'), ...scripts].join('\n').split('\n');
  return lines
    .filter(line => !line.startsWith('#'))
    .flatMap(line => /(?:test:faults --|vitest\.faults\.config\.ts) ([\w./ -]+)/.exec(line)?.[1] ?? [])
    .flatMap(filters => filters.split(' -t')[0]!.split(' '))
    .filter(Boolean);
}

it('every test file is run by npm test, test:pages or a script in .ci', () => {
  const files = testFiles();
  expect(files.length).toBeGreaterThan(100);
  const patterns = [usual, pages].flatMap(({ test }) => test?.include ?? []);
  const filters = faultFilters();
  const idle = files.filter(
    path =>
      !patterns.some(pattern => matches(pattern, path)) && !filters.some(filter => path.includes(filter)),
  );
  expect(idle, 'add each to .ci/run, or to .ci/measure where it holds times').toEqual([]);
});

it('every test with a scale for test:faults is run at that scale by a script in .ci', () => {
  const harder = testFiles().filter(
    path => !path.endsWith('.pages.ts') && /from '[^']*\/scale.ts'/.test(read(path)),
  );
  expect(harder.length).toBeGreaterThan(20);
  const patterns = faults.test?.include ?? [];
  const filters = faultFilters();
  const idle = harder.filter(
    path =>
      !patterns.some(pattern => matches(pattern, path)) || !filters.some(filter => path.includes(filter)),
  );
  expect(idle, 'add each to vitest.faults.config.ts, and to .ci/run or .ci/measure').toEqual([]);
});

it('the tests that npm test leaves out are run by test:slow, and that by a script in .ci', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect([scripts.test, scripts['test:slow']]).toEqual([
    'vitest run --tags-filter !slow',
    'vitest run --tags-filter slow',
  ]);
  expect(usual.test?.tags?.map(({ name }) => name)).toEqual(['slow']);
  expect(read('.ci/run').split('\n')).toEqual(expect.arrayContaining(['npm test', 'npm run test:slow']));
});
