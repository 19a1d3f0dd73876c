import { describe, expect, it } from 'vitest';
import { groupOutcomes, type Outcome } from '../../../test/support/group-outcomes.ts';
import { recognizer } from '../src/browser/browser.ts';
import { Routes } from '../src/routes.ts';
import { importAsOf } from './recorded-imports.ts';

const MOST = 16 * 1024;
const URL = 'https://a.example/';
const toReport = (changed: object = {}) => ({
  age: 1,
  type: 'soft-lint',
  url: URL,
  body: { a: 1 },
  ...changed,
});

/** Returns a report whose JSON has this many bytes, of a letter and one `x` if it needs one. */
const ofSize = (bytes: number, letter = 'x') => {
  const rest = bytes - JSON.stringify(toReport({ body: { a: '' } })).length;
  const length = Buffer.byteLength(letter);
  return { ...toReport(), body: { a: letter.repeat(rest / length) + 'x'.repeat(rest % length) } };
};

describe('a report of an unknown type', () => {
  it('is recognized by a name and the address of a page', async () => {
    const recognize = recognizer(64);
    const changes: object[] = [
      ...['a', 'A-b_9', 'x'.repeat(64), 'x'.repeat(65), '9a', '-a', '_a', 'a b', 'a.b', 'ä', '', 7, null].map(
        type => ({ type }),
      ),
      ...[
        '',
        'a.example',
        'https://',
        'http://a.example',
        'data:,x',
        'about:blank',
        'blob:https://a.example/1',
        null,
        7,
      ].map(url => ({ url })),
      ...[null, 7, '', 'x', '1', '-1', '1.5', {}, undefined].map(age => ({ age })),
      ...[null, [], '', '{}', ' {"a":1}', '[{}]', '{', 7].map(body => ({ body })),
    ];
    const show = (text: string) => text.replace(/x{64,}/, letters => `x×${letters.length}`);
    const outcomes = await Promise.all(
      changes.map(async (changed): Promise<Outcome> => {
        const report = toReport(changed);
        const { records, skipped, unstored } = await importAsOf(JSON.stringify(report));
        const found = recognize(report);
        const type = typeof found === 'object' ? found.type : JSON.stringify(found);
        const stored = records.map(({ type, wireType }) => `${type} ${wireType}`);
        const outcome = [...stored, ...unstored, ...skipped].join('; ') || 'nothing';
        return [show(JSON.stringify(changed)), show(`${outcome}, collected as ${type}`)];
      }),
    );
    await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/other-reports.txt');
  });

  it.each([
    ['x', MOST, true],
    ['x', MOST + 1, false],
    ['é', MOST, true],
    ['é', MOST + 1, false],
  ])('is stored with up to 16 KiB: of %s and %i bytes', async (letter, bytes, isStored) => {
    const report = ofSize(bytes, letter);
    expect(Buffer.byteLength(JSON.stringify(report))).toBe(bytes);
    const { records, unstored } = await importAsOf(JSON.stringify(report));
    expect([records.length, unstored]).toEqual(isStored ? [1, []] : [0, ['soft-lint']]);
    const found = recognizer(64)(report);
    expect(found).toEqual(
      isStored ? { type: 'other', fields: { uri: URL, wireType: 'soft-lint' } } : 'soft-lint',
    );
  });

  it('has limits that do not apply to known types', async () => {
    const { body } = ofSize(MOST + 1);
    const csp = { documentURL: URL, effectiveDirective: 'img-src', originalPolicy: body.a };
    const report = toReport({ type: 'csp-violation', body: csp });
    expect((await importAsOf(JSON.stringify(report))).records).toMatchObject([{ type: 'csp' }]);
    expect(recognizer(64)(report)).toMatchObject({ type: 'csp' });
  });

  it('counts for the account of its page and the day of its event', async () => {
    const routes = new Routes([
      ['b.example', 'b'],
      ['d.example', 'a'],
    ]);
    const toText = (url: string, age: number, from: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        JSON.stringify(toReport({ type: `t${from + index}`, url, age })),
      ).join('\n');
    const importTypes = async (...texts: string[]) => {
      const { records } = await importAsOf(texts.join('\n'), { routes });
      return records.length;
    };
    const [a, b, day] = [URL, 'https://b.example/', 86_400_000];
    expect(await importTypes(toText(a, 0, 0, 60))).toBe(50);
    expect(await importTypes(toText(a, 0, 0, 60), toText(b, 0, 60, 60))).toBe(100);
    expect(await importTypes(toText(a, 0, 0, 60), toText(a, day, 60, 60))).toBe(100);
    expect(await importTypes(toText(a, 0, 0, 60), toText(a, 1, 0, 60))).toBe(100);
    expect(await importTypes(toText(a, 0, 0, 30), toText('https://d.example/', 0, 30, 30))).toBe(50);
    expect(await importTypes(toText('https://c.example/', 0, 0, 60), toText(a, 0, 60, 60))).toBe(50);
  });
});

describe('a collector recognizes', () => {
  it.each<[string, object, unknown]>([
    ['an obsolete type by its name', { 'expect-ct-report': {} }, 'expect-ct'],
    ['another obsolete type', { 'known-pins': [] }, 'hpkp'],
    ['no report in another object', { a: 1 }, undefined],
    ['no report in a body that is no JSON', toReport({ body: '{"a"' }), undefined],
    ['no report in a body that is nested too deeply', toReport({ body: '{"a":[[[]]]}' }), undefined],
  ])('%s', (_, report, found) => {
    expect(recognizer(3)(report as Record<string, unknown>)).toEqual(found);
  });

  it('a report whose body is JSON in a text, up to the depth of the limit', () => {
    expect(recognizer(3)(toReport({ body: '{"a":[[]]}' }))).toMatchObject({ type: 'other' });
  });

  it('the action of a report that contains none as enforced', () => {
    const report = { 'csp-report': { 'document-uri': URL, 'effective-directive': 'img-src' } };
    expect(recognizer(64)(report)).toMatchObject({ type: 'csp', fields: { action: 'enforced' } });
  });
});
