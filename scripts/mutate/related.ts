import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** Words of paths that say nothing of what a file is about. */
const COMMON = new Set(['src', 'test', 'sql', 'schema', 'packages', 'ts', 'index', 'rest', 'graphql']);

const imports = new Map<string, readonly string[]>();

const PACKAGES = readdirSync('packages').map(name => `packages/${name}`);

/** The files of the packages by what they are imported as; the client is imported as it was built. */
const published = new Map<string, string>(
  PACKAGES.flatMap(folder => {
    const { name, exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return Object.entries(exports)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([path, file]): [string, string] => [join(name, path), join(folder, file)]);
  }),
);

function importsOf(file: string): readonly string[] {
  const known = imports.get(file);
  if (known) return known;
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  const own = importedFiles
    .map(({ fileName }) =>
      /^\..*\.ts$/.test(fileName) ? normalize(join(dirname(file), fileName)) : published.get(fileName),
    )
    .filter(name => name !== undefined);
  imports.set(file, own);
  return own;
}

/** Finds how many imports lead from a file to each other one. */
function distancesFrom(file: string): Map<string, number> {
  const found = new Map([[file, 0]]);
  for (const [known, distance] of found)
    for (const next of importsOf(known)) if (!found.has(next)) found.set(next, distance + 1);
  return found;
}

const wordsOf = (path: string) =>
  path
    .split(/[^a-z0-9]+/i)
    .map(word => word.toLowerCase().replace(/s$/, ''))
    .filter(word => word !== '' && !COMMON.has(word));

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => `${folder}/${file}`)
    .sort();

/** The sources that are changed of a file or folder: neither tests nor what is printed by a program. */
export function sourcesBelow(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  return filesBelow(place)
    .map(normalize)
    .filter(file => !/\.d\.ts$|generated|\/test\//.test(file));
}

const sources = ['src', 'sql', 'schema', 'packages'].flatMap(filesBelow);
const tests = ['test', 'packages'].flatMap(filesBelow).filter(file => file.endsWith('.test.ts'));
const reached = new Map(tests.map(test => [test, distancesFrom(test)]));

/** A shared word of the file's own counts as much as three of those that import it. */
const OWN = 3;

/**
 * Answers with the tests that reach a file, those first that are about the same, or about what imports it: a domain has
 * one word on all floors. Among equal ones the nearest comes first.
 */
export function testsOf(file: string): string[] {
  const words = new Set(wordsOf(file));
  const around = new Set(sources.filter(source => importsOf(source).includes(file)).flatMap(wordsOf));
  const weightOf = (word: string) => (words.has(word) ? OWN : around.has(word) ? 1 : 0);
  const rank = (test: string) => {
    const shared = wordsOf(test).reduce((sum, word) => sum + weightOf(word), 0);
    return [-shared, reached.get(test)!.get(file)!] as const;
  };
  return tests
    .filter(test => reached.get(test)!.has(file))
    .map(test => ({ test, rank: rank(test) }))
    .sort((one, other) => one.rank[0] - other.rank[0] || one.rank[1] - other.rank[1])
    .map(({ test }) => test);
}
