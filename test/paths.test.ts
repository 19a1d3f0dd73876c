import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, it } from 'vitest';

/** Folders of generated or installed files. Paths in them are valid and not checked. */
const MADE = /(^|\/)(node_modules|dist|results|\.cache)(\/|$)/;
/** Files that are written by a documented command or by the reader. */
const WRITTEN = ['first.mjs'];

const FOLDERS = [
  '.ci',
  'bench',
  'bin',
  'decisions',
  'docs',
  'packages',
  'packaging',
  'schema',
  'scripts',
  'sql',
  'src',
  'test',
];

const below = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    if (MADE.test(path)) return [];
    return entry.isDirectory() ? [path, ...below(path)] : [path];
  });

const ROOT = readdirSync('.').filter(name => !MADE.test(name));
const PATHS = [...ROOT, ...FOLDERS.flatMap(below)];
const KNOWN = new Set(PATHS);
const BASE_NAMES = new Set(PATHS.map(path => posix.basename(path)));
const TESTS = PATHS.filter(path => /^(test|packages)\/.*\.(test|faults|pages)\.ts$/.test(path)).join('\n');

interface Text {
  path: string;
  text: string;
}

const read = (path: string): Text => ({ path, text: readFileSync(path, 'utf8') });

/** The changelog names files by the paths they had at the time. */
const DOCUMENTS = PATHS.filter(path => path.endsWith('.md') && path !== 'CHANGELOG.md').map(read);

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;
const COMMENTS = PATHS.filter(path => /\.(tsx?|mjs)$/.test(path) && !path.includes('.generated.'))
  .map(read)
  .map(({ path, text }) => ({ path, text: (text.match(COMMENT) ?? []).join('\n') }));

const SCRIPTS = PATHS.filter(path => path.startsWith('.ci/') || path === 'Dockerfile').map(read);
const TEXTS = [...DOCUMENTS, ...COMMENTS, ...SCRIPTS];

/** Names in documents and comments that match no file, as `file: name`. */
const missing = (texts: readonly Text[], pattern: RegExp, isThere: (name: string) => boolean) =>
  texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)]
      .map(([, name]) => name!)
      .filter(name => !isThere(name))
      .map(name => `${path}: ${name}`),
  );

const alternatives = (names: readonly string[]) => names.map(name => name.replaceAll('.', '\\.')).join('|');

/** Checks whether a name is a file, a folder, a file without its extension, or a pattern that matches a file. */
function isPath(name: string): boolean {
  const path = name.replace(/\/$/, '');
  if (KNOWN.has(path) || MADE.test(path) || WRITTEN.includes(path)) return true;
  // Vitest accepts a prefix of a test's path.
  if (path.startsWith('test/') && TESTS.includes(path)) return true;
  if (!/[*{]/.test(path)) return PATHS.some(existing => existing.startsWith(`${path}.`));
  const source = path
    .replace(/[.+]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`)
    .replace(/\*+/g, '.*');
  return PATHS.some(existing => new RegExp(`^${source}$`).test(existing));
}

it('texts mention only existing paths', () => {
  const pattern = new RegExp(`(?<![\\w./@:-])((?:${alternatives(FOLDERS)})/[\\w./*{},@-]*[\\w/*}])`, 'g');
  expect(missing(TEXTS, pattern, isPath)).toEqual([]);
  expect(missing(TEXTS, pattern, () => false).length).toBeGreaterThan(250);
});

it('texts mention only existing file names', () => {
  const pattern = /`([\w.-]+\.(?:tsx?|mjs|md|sql|graphql))`/g;
  const texts = [...DOCUMENTS, ...COMMENTS];
  expect(missing(texts, pattern, name => BASE_NAMES.has(name) || WRITTEN.includes(name))).toEqual([]);
  expect(missing(texts, pattern, () => false)).not.toEqual([]);
});

it('texts mention only existing symbols of the named file', () => {
  const pattern = /`([\w.]+)`(?: \(| in |, in )`([\w./-]+\/[\w.-]+\.\w+)`/g;
  const pairs = TEXTS.flatMap(({ path, text }) =>
    [...text.replace(/\s+\*?\s*/g, ' ').matchAll(pattern)].map(([, name, file]) => ({ path, name, file })),
  ).filter(({ file }) => KNOWN.has(file!));
  const isThere = (name: string, file: string) =>
    new RegExp(`(const|function|class|interface|type) ${name}\\b|^\\s*"?${name}"?[(:?]`, 'm').test(
      readFileSync(file, 'utf8'),
    );
  expect(pairs.filter(({ name, file }) => !isThere(name!, file!))).toEqual([]);
  expect(pairs.length).toBeGreaterThan(0);
});

it('texts mention only existing npm scripts', () => {
  const packages = PATHS.filter(path => path.endsWith('package.json')).map(read);
  const scripts = new Set(
    packages.flatMap(({ text }) => Object.keys((JSON.parse(text) as { scripts?: object }).scripts ?? {})),
  );
  const pattern = /npm run (?:--?\w+ )*([\w:]+)/g;
  expect(missing(TEXTS, pattern, name => scripts.has(name))).toEqual([]);
  expect(missing(TEXTS, pattern, () => false)).not.toEqual([]);
});

it('texts mention only existing tests', () => {
  const runs = TEXTS.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:test:faults --|vitest run)((?:\s+(?!-)[\w./-]+)+)/g)].map(([, names]) => ({
      path,
      text: names!,
    })),
  );
  const pattern = /([\w-]+[./][\w./-]*\w)/g;
  expect(missing(runs, pattern, name => TESTS.includes(name))).toEqual([]);
  expect(missing(runs, pattern, () => false)).not.toEqual([]);
});

it('documents mention only existing entry points of packages', () => {
  const entries = readdirSync('packages').flatMap(folder => {
    const { name, exports } = JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8'));
    return Object.keys(exports).map(entry => posix.join(name, entry));
  });
  // The build of the client adds this file.
  const existing = new Set([...entries, '@sightline/client/schema.graphql']);
  const pattern = /(@sightline\/[\w-]+(?:\/[\w./-]*\w)?)/g;
  expect(missing(DOCUMENTS, pattern, name => existing.has(name))).toEqual([]);
  expect(missing(DOCUMENTS, pattern, () => false).length).toBeGreaterThan(30);
});

/** Returns the anchors of a document's headings, as GitHub generates them. */
function getAnchors(text: string): string[] {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').match(/^#+ .*/gm) ?? [];
  return headings.map(heading =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('links lead to existing documents and headings', () => {
  const anchors = new Map(DOCUMENTS.map(({ path, text }) => [path, getAnchors(text)]));
  // The guides link to pages that the service serves beside them.
  const documents = [...DOCUMENTS, read('CHANGELOG.md')].filter(({ path }) => !path.includes('/guides/'));
  const broken = documents.flatMap(({ path, text }) =>
    missing([{ path, text }], /\]\((?!\w+:|\/)([^)\s]+)\)/g, link => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : posix.join(dirname(path), file).replace(/\/$/, '');
      if (!KNOWN.has(target) && target !== '.') return false;
      return anchor === undefined || (anchors.get(target)?.includes(anchor) ?? true);
    }),
  );
  expect(broken).toEqual([]);
});
