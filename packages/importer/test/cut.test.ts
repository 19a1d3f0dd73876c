import { describe, expect, it } from 'vitest';
import { cutText, storableText, TextFitter } from '../src/text/cut.ts';

describe('a text', () => {
  it.each([
    ['abc', 3, '', 'abc'],
    ['abcd', 3, '', 'abc'],
    ['aé', 3, '', 'aé'],
    ['aéb', 3, '', 'aé'],
    ['aaé', 3, '', 'aa'],
    ['€€', 5, '', '€'],
    ['a😀', 4, '', 'a'],
    ['abcdef', 5, '…', 'ab…'],
    ['abcde', 5, '…', 'abcde'],
    ['ab€€', 6, '…', 'ab…'],
  ])('%j of at most %i bytes and the mark %j is %j', (text, bytes, mark, cut) => {
    expect(cutText(text, bytes, mark)).toBe(cut);
  });

  it.each([
    ['a\0b\0', 'a\ufffdb\ufffd'],
    ['\ud83d', '\ufffd'],
    ['\udc00x', '\ufffdx'],
    ['😀', '😀'],
  ])('%j is stored as %j', (text, stored) => {
    expect(storableText(text)).toBe(stored);
  });

  it('fits the limits at any depth, and the value stays itself if it does', () => {
    const bounds = { fields: { list: { item: { most: 2 } }, text: { most: 3 } } };
    const fitter = new TextFitter();
    const short = { list: ['ab'], text: 'abc', other: 'long enough', number: 1, nothing: null };
    expect(fitter.fit(short, bounds)).toBe(short);
    expect(fitter.isCut).toBe(false);
    expect(fitter.fit({ ...short, other: 'a\0' }, bounds)).toEqual({ ...short, other: 'a\ufffd' });
    expect(fitter.isCut).toBe(false);
    expect(fitter.fit({ ...short, list: ['abc', 'a'] }, bounds)).toEqual({ ...short, list: ['ab', 'a'] });
    expect(fitter.isCut).toBe(true);
    expect(short.list).toEqual(['ab']);
  });
});
