import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  type DocumentedOperation,
  questionAt,
  toCall,
  withCurrentDay,
} from '../src/docs/browser/operation.ts';
import { samples } from '../src/docs/browser/samples.ts';

const field = (name: string, place: 'path' | 'query', more: object = {}) => ({
  ...{ name, in: place, kind: 'text' as const, isRequired: false, example: `an ${name}` },
  ...more,
});
const REPORTS: DocumentedOperation = {
  path: '/v1/policies/{type}/{id}',
  fields: [
    field('type', 'path', { isRequired: true, example: 'csp' }),
    field('id', 'path', { isRequired: true, example: 'p-1' }),
    field('hostnames', 'query', { kind: 'list' }),
    field('date', 'query'),
  ],
};

describe('a request of the documentation', () => {
  it.each([
    [{}, '/v1/policies/csp/p-1'],
    [{ id: "../a b'?" }, '/v1/policies/csp/..%2Fa%20b%27%3F'],
    [
      { hostnames: 'a.example,*.b.example:1/x', date: "a&b'" },
      '/v1/policies/csp/p-1?hostnames=a.example,*.b.example:1/x&date=a%26b%27',
    ],
    [{ date: '' }, '/v1/policies/csp/p-1?date='],
    [{ other: 'x' }, '/v1/policies/csp/p-1'],
  ])('with %j has the target %s', (values, target) => {
    const question = questionAt({ operation: 'policy', values }, { policy: REPORTS });
    expect(toCall(question)).toEqual({ target });
  });

  it('of an unknown operation is refused', () => {
    expect(() => questionAt({ operation: 'toast' }, { policy: REPORTS })).toThrow(
      'There is no operation toast.',
    );
  });

  it.each([
    ['2026-11-20', '2027-01-02'],
    ['2026-11', '2027-01'],
    ['2026', '2027'],
    ['2026-11-21', '2026-11-21'],
    ['2026-1', '2027-0'],
  ])('with the example date %s has the date %s', (date, current) => {
    const question = withCurrentDay({ operation: REPORTS, values: { date, type: 'csp' } }, '2027-01-02');
    expect(question).toMatchObject({ values: { date: current, type: 'csp' } });
  });

  it('with the example month in a document has the current month', () => {
    const document = '{ a(date: "2026-11") b(date: "2026-11-20") c(date: "2026-11") }';
    expect(withCurrentDay({ document }, '2027-01-02')).toEqual({
      document: '{ a(date: "2027-01") b(date: "2026-11-20") c(date: "2027-01") }',
    });
  });

  it('can be run by a shell and by JavaScript, whatever quotes it has', () => {
    const document = `{ a(name: "it's Ken's \\"quoted\\" $HOME \`x\`") }`;
    const { curl, JavaScript } = samples({ document }, "https://api.example/o'brien");
    // A shell function prints the arguments instead.
    const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${curl}`], {
      encoding: 'utf8',
    });
    const lines = printed.trimEnd().split('\n');
    expect(JSON.parse(lines[lines.indexOf('-d') + 1]!)).toEqual({ query: document });
    expect(lines.at(-1)).toBe('https://api.example/o%27brien/graphql');
    const [, text] = /query: (.*) \}\),/.exec(JavaScript)!;
    expect(new Function(`return ${text}`)()).toBe(document);
  });
});

describe('the code of a request with the client', () => {
  const EXPORT: DocumentedOperation = {
    path: '/export/reports/csp',
    fields: [
      field('after', 'query'),
      field('limit', 'query', { kind: 'number' }),
      field('hostnames', 'query', { kind: 'list' }),
      field('suspicious', 'query', { kind: 'boolean' }),
      field('not.browser', 'query'),
    ],
  };
  const call = (values: Record<string, string>) =>
    samples({ operation: EXPORT, values }, 'https://a.example').JavaScript.split('\n').slice(4).join('\n');

  it.each<[Record<string, string>, string]>([
    [{}, "client.export('/export/reports/csp', {})"],
    [{ hostnames: 'a,b' }, "client.export('/export/reports/csp', { hostnames: ['a', 'b'] })"],
    [{ suspicious: 'true' }, "client.export('/export/reports/csp', { suspicious: true })"],
    [{ suspicious: 'yes' }, "client.export('/export/reports/csp', { suspicious: 'yes' })"],
    [{ 'not.browser': "a'b" }, "client.export('/export/reports/csp', { 'not.browser': 'a\\'b' })"],
    [{ after: '' }, "client.arrivals('/export/reports/csp', {})"],
    [{ after: 'c', limit: '5' }, "client.arrivals('/export/reports/csp', {}, { after: 'c', pageSize: 5 })"],
    [{ limit: '5' }, "client.export('/export/reports/csp', {})"],
  ])('with %j is %s', (values, expected) => {
    expect(call(values)).toContain(`${expected}${'after' in values ? ';\n' : ')'}`);
  });

  it.each<[Record<string, string>, string]>([
    [{}, "client.get('/v1/audit-log');"],
    [{ limit: '5' }, "client.get('/v1/audit-log', { limit: 5 });"],
    [{ limit: '-5' }, "client.get('/v1/audit-log', { limit: -5 });"],
    [{ limit: '5x', cursor: '7' }, "client.get('/v1/audit-log', { limit: '5x', cursor: '7' });"],
    [{ cursor: '', other: 'x' }, "client.get('/v1/audit-log', { cursor: '' });"],
  ])('for an answer with %j is %s', (values, expected) => {
    const fields = [field('limit', 'query', { kind: 'number' }), field('cursor', 'query')];
    const { JavaScript } = samples({ operation: { path: '/v1/audit-log', fields }, values }, '');
    expect(JavaScript.split('\n').slice(-2)).toEqual([
      `const answer = await ${expected}`,
      'console.log(answer);',
    ]);
  });

  it.each([
    [44, "{ hostnames: ['"],
    [45, "{\n  hostnames: ['"],
  ])('breaks the line of parameters with 60 or more characters: %i', (length, begin) => {
    expect(call({ hostnames: 'a'.repeat(length) })).toContain(`, ${begin}a`);
  });
});
