import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** Words in paths that do not describe the content of a file. */
const COMMON = new Set(['src', 'test', 'sql', 'schema', 'packages', 'ts', 'index', 'rest', 'graphql']);

const imports = new Map<string, readonly string[]>();

const PACKAGES = readdirSync('packages').map(name => `packages/${name}`);

/** Files by the name under which packages export them. The client is imported in its built form. */
const published = new Map<string, string>(
  PACKAGES.flatMap(folder => {
    const { name, exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return Object.entries(exports)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([path, file]): [string, string] => [join(name, path), join(folder, file)]);
  }),
);

function listImports(file: string): readonly string[] {
  const existing = imports.get(file);
  if (existing) return existing;
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  const own = importedFiles
    .map(({ fileName }) =>
      /^\..*\.ts$/.test(fileName) ? normalize(join(dirname(file), fileName)) : published.get(fileName),
    )
    .filter(name => name !== undefined);
  imports.set(file, own);
  return own;
}

/** Returns how many imports are between a file and every other file. */
function distancesFrom(file: string): Map<string, number> {
  const found = new Map([[file, 0]]);
  for (const [existing, distance] of found)
    for (const next of listImports(existing)) if (!found.has(next)) found.set(next, distance + 1);
  return found;
}

const splitWords = (path: string) =>
  path
    .split(/[^a-z0-9]+/i)
    .map(word => word.toLowerCase().replace(/s$/, ''))
    .filter(word => word !== '' && !COMMON.has(word));

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => `${folder}/${file}`)
    .sort();

/** Lists the sources to mutate in a file or folder, without tests and generated files. */
export function sourcesBelow(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  return filesBelow(place)
    .map(normalize)
    .filter(file => !/\.d\.ts$|generated|\/test\//.test(file));
}

const sources = ['src', 'sql', 'schema', 'packages'].flatMap(filesBelow);
const tests = ['test', 'packages'].flatMap(filesBelow).filter(file => file.endsWith('.test.ts'));
const reached = new Map(tests.map(test => [test, distancesFrom(test)]));

/** The weight of a word that the file itself shares, relative to words shared by files that import it. */
const OWN = 3;

/**
 * Returns the tests that reach a file. Tests that share words with the file or its importers come first, since a domain
 * has the same name in all layers. Ties are ordered by distance.
 */
export function listTests(file: string): string[] {
  const words = new Set(splitWords(file));
  const around = new Set(sources.filter(source => listImports(source).includes(file)).flatMap(splitWords));
  const estimateWeight = (word: string) => (words.has(word) ? OWN : around.has(word) ? 1 : 0);
  const rank = (test: string) => {
    const shared = splitWords(test).reduce((sum, word) => sum + estimateWeight(word), 0);
    return [-shared, reached.get(test)!.get(file)!] as const;
  };
  return tests
    .filter(test => reached.get(test)!.has(file))
    .map(test => ({ test, rank: rank(test) }))
    .sort((one, other) => one.rank[0] - other.rank[0] || one.rank[1] - other.rank[1])
    .map(({ test }) => test);
}
