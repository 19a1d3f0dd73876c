import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const documentsIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}/${name}`);

/** What users and contributors read. */
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...documentsIn('docs'),
  ...documentsIn('src/docs/guides'),
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
