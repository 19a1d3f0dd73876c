import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { describe, expect, it } from 'vitest';

const documentsIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`);

/** The documents of users and contributors. */
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...documentsIn('docs'),
  ...documentsIn('packages/pages/src/docs/guides'),
  ...documentsIn('decisions'),
];

const LONGEST_SENTENCE = 28;
const LONGEST_LINE = 120;
const HARD = /\b(nobody|whoever|for want of|that comes along|in earnest|of its own accord)\b/i;

interface Line {
  number: number;
  text: string;
}

/** The lines of a document outside its blocks of code. */
function linesOf(document: string): Line[] {
  let isCode = false;
  return readFileSync(document, 'utf8')
    .split('\n')
    .map((text, index) => ({ number: index + 1, text }))
    .filter(({ text }) => {
      const isFence = /^\s*```/.test(text);
      if (isFence) isCode = !isCode;
      return !isFence && !isCode;
    });
}

const isRow = ({ text }: Line) => /^\s*\|/.test(text);

/** Sentences, or their parts at colons and semicolons; a cell of a table, an item and a heading end one, too. */
function sentencesOf(document: string): string[] {
  const lines = linesOf(document);
  const cells = lines.filter(isRow).flatMap(({ text }) => text.split('|'));
  const prose = lines.map(line => (isRow(line) ? '' : line.text)).join('\n');
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s|#)/);
  return [...cells, ...blocks]
    .map(text => text.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    .flatMap(text => text.replace(/`[^`]*`/g, 'code').split(/(?<=[.:;!?][*"')]*)\s+/));
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter(word => /\w/.test(word)).length;

/** The sentences in comments, log lines and helps that still break a rule, by room. A number may only shrink. */
const STILL_HARD: Record<string, number> = JSON.parse(readFileSync('test/words.still-hard.json', 'utf8'));

const ROOTS = ['src', 'sql', 'schema', 'packages', 'bench', 'scripts', 'test', 'bin', 'packaging'];

const SQL = /(?:^[ \t]*--.*\n?)+/gm;
const SHELL = /(?:^[ \t]*#(?!!).*\n?)+/gm;
const SCRIPT = /(?<=^|\s)\/\*\*?\s[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[\s;,{(])\/\/ .*/gm;
const COMMENTS: Record<string, RegExp> = {
  '.sql': SQL,
  '.sh': SHELL,
  '.ts': SCRIPT,
  '.tsx': SCRIPT,
  '.js': SCRIPT,
};

/** Texts for operators: lines of the log, and what `--help` prints. */
const TOLD = [
  /\.(?:info|warn|error|fatal)\((?:[^'"`\n(]|\([^)\n]*\))*(['"`])(?<text>.+?)\1\)/g,
  /\.(?:description|summary|argument)\(\s*(['"`])(?<text>.+?)\1/g,
  /\.(?:option|requiredOption)\(\s*'[^']*',\s*(['"`])(?<text>.+?)\1/g,
];

/** "Where it fails, the next one does it" is no subject, nor is a question. */
const HARD_BEGINNINGS =
  /^["'(]?(?:What|Who|Whose|Which|How|Of|By)(?:ever)?\b(?! (?:course|default)\b)|^Where(?:ver)?\b(?!.*,)/;
const PARTICIPLES = /\b(?:the asked|the told|the kept|what is (?:asked|told|known|held|kept|given|taken))\b/i;

const isHard = (sentence: string) =>
  !sentence.endsWith('?') &&
  (HARD_BEGINNINGS.test(sentence) ||
    /^Whether\b/.test(sentence) ||
    PARTICIPLES.test(sentence) ||
    wordsOf(sentence) > LONGEST_SENTENCE);

const MARKS = /^\s*(?:\/\*\*?|\*\/|\*|\/\/+|--|#)[ \t]?|\*\/\s*$/gm;

/** Sentences of comments; a tag such as `@throws` begins one, too. */
const commentsOf = (text: string, form: RegExp) =>
  [...text.matchAll(form)]
    .map(([comment]) => comment.replace(MARKS, '').replace(/\s+/g, ' ').trim())
    .flatMap(comment => comment.split(/(?<=[.;!?][*"')]*)\s+(?=[A-Z`"])|\s@\w+\s/));

function toldIn(text: string): string[] {
  return TOLD.flatMap(form => [...text.matchAll(form)].map(({ groups }) => groups?.text ?? ''));
}

const isGenerated = (file: string) =>
  /generated|node_modules|\/dist\/|^test\/(statements|generators\/out)\//.test(file);

const sourcesIn = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(file => `${root}/${file}`)
    .filter(file => COMMENTS[extname(file)] && !isGenerated(file));

const hardIn = (file: string) => {
  const text = readFileSync(file, 'utf8');
  const form = COMMENTS[extname(file)];
  const told = /^(?:src|packages)\//.test(file) ? toldIn(text) : [];
  return form ? [...commentsOf(text, form), ...told].filter(isHard) : [];
};

/** The folder of a file: at most two names, such as `src/http`. */
const roomOf = (file: string) => file.split('/').slice(0, -1).slice(0, 2).join('/');

function hardByRoom(): Map<string, string[]> {
  const rooms = new Map<string, string[]>();
  for (const file of ROOTS.flatMap(sourcesIn)) {
    const hard = hardIn(file).map(sentence => `${file}: ${sentence}`);
    rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), ...hard]);
  }
  return rooms;
}

describe('Comments, lines of the log, and helps', () => {
  const rooms = hardByRoom();

  it('has plain sentences in every room, but for as many as are listed', () => {
    const worse = [...rooms].filter(([room, hard]) => hard.length > (STILL_HARD[room] ?? 0));
    expect(
      worse.map(([room, hard]) => ({ room, listed: STILL_HARD[room] ?? 0, has: hard.length, hard })),
    ).toEqual([]);
  });

  it('lists no more of them than there are', () => {
    const better = Object.entries(STILL_HARD).filter(
      ([room, listed]) => (rooms.get(room) ?? []).length < listed,
    );
    expect(better.map(([room]) => `"${room}": ${(rooms.get(room) ?? []).length}`)).toEqual([]);
  });

  it.each([
    'What a day holds.',
    'Whether it is there.',
    'Of a key that is not there: 0.',
    'Where the service is.',
    'Holds what is kept of it.',
    `Takes ${'one more '.repeat(14)}word.`,
  ])('sees that this is hard: %s', sentence => expect(isHard(sentence)).toBe(true));

  it.each(['Where this fails, the next command does it.', 'Of course.', 'By default, none.', 'Whose is it?'])(
    'leaves this alone: %s',
    sentence => expect(isHard(sentence)).toBe(false),
  );

  it('reads every form of comment, and what operators are told', () => {
    expect(commentsOf('/** Holds one. It ends. */\nconst a = 1; // Two.', SCRIPT)).toEqual([
      'Holds one.',
      'It ends.',
      'Two.',
    ]);
    expect(commentsOf('-- One,\n-- and two.\nselect 1;', SQL)).toEqual(['One, and two.']);
    expect(commentsOf('#!/bin/sh\n# One.\nset -e', SHELL)).toEqual(['One.']);
    expect(toldIn("log.warn({ server: of(a) }, 'is away')\n.option('--to <file>', 'the file')")).toEqual([
      'is away',
      'the file',
    ]);
  });
});

describe.each(DOCUMENTS)('%s', document => {
  it(`has no sentence of more than ${LONGEST_SENTENCE} words`, () => {
    expect(sentencesOf(document).filter(sentence => wordsOf(sentence) > LONGEST_SENTENCE)).toEqual([]);
  });

  it('has no words that are harder than what they say', () => {
    expect(sentencesOf(document).filter(sentence => HARD.test(sentence))).toEqual([]);
  });

  it(`has no line of more than ${LONGEST_LINE} characters, but for tables and code`, () => {
    const long = linesOf(document).filter(line => line.text.length > LONGEST_LINE && !isRow(line));
    expect(long.map(({ number, text }) => `${document}:${number} has ${text.length}`)).toEqual([]);
  });
});

it('sees a long sentence over several lines, and leaves code alone', () => {
  expect(sentencesOf('README.md').length).toBeGreaterThan(50);
  expect(linesOf('README.md').some(({ text }) => text.includes('npm ci && npm start'))).toBe(false);
});
