import { describe, expect, it } from 'vitest';
import { groupOutcomes, type Outcome } from '../../../test/support/group-outcomes.ts';
import { importAsOf } from './recorded-imports.ts';

const TIME = '2026-11-20T10:00:00Z';
const crash = (changed: object = {}) => ({
  ...{ type: 'crash', age: 0, url: 'https://a.example/', user_agent: '', body: { reason: 'oom' } },
  ...changed,
});
const violation = { 'document-uri': 'https://a.example/', 'effective-directive': 'img-src' };
const toLine = (time: unknown, body: unknown, more: object = {}) =>
  JSON.stringify({ time, body: JSON.stringify(body), ...more });

const read = async (text: string, options: Parameters<typeof importAsOf>[1] = {}) => {
  const { records, skipped, unstored } = await importAsOf(text, options);
  return { records, found: [...skipped, ...unstored.map(type => `unstored ${type}`)] };
};
const describeImport = async (
  text: string,
  options: object,
  show: (record: { [name: string]: unknown }) => unknown,
) => {
  const { records, found } = await read(text, options);
  return [...records.map(record => String(show(record))), ...found].join('; ');
};

const AGES = [
  0,
  1500,
  1500.5,
  '1500',
  ' 1500 ',
  '1e3',
  -1,
  '-1',
  null,
  '',
  'x',
  true,
  [1],
  {},
  86_400_000,
  86_400_001,
  1e11,
  1e300,
];

describe('the time of a browser report', () => {
  it('is that of its arrival minus its age', async () => {
    const outcomes: Outcome[] = [];
    for (const age of AGES) {
      const report = crash({ age });
      const collected = JSON.stringify({ id: 'a', time: TIME, body: report });
      const show = ({ date }: { [name: string]: unknown }) => date;
      const forms: [string, string, object][] = [
        ['in a line', toLine(TIME, report), {}],
        ['collected', collected, { format: 'collected' }],
      ];
      for (const [form, text, options] of forms)
        outcomes.push([`${JSON.stringify(age)} ${form}`, await describeImport(text, options, show)]);
    }
    await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/ages.txt');
  });

  it.each<[string, object, object, string]>([
    ['the line', { time: TIME }, { received: 7e11 }, '2026-11-20T10:00:00.000Z'],
    ['the option', { time: 'x' }, { received: Date.UTC(2026, 10, 19) }, '2026-11-19T00:00:00.000Z'],
    ['the file', {}, {}, '2026-11-21T09:00:00.000Z'],
  ])('is that of %s', async (_, line, options, date) => {
    const { records } = await read(JSON.stringify({ ...line, body: JSON.stringify(crash()) }), options);
    expect(records).toMatchObject([{ date }]);
  });

  it('distinguishes reports only by its second', async () => {
    const idAt = async (time: string, age = 0) => (await read(toLine(time, crash({ age })))).records[0].id;
    const id = await idAt('2026-11-20T10:00:00.000Z');
    expect(await idAt('2026-11-20T10:00:00.999Z')).toBe(id);
    expect(await idAt('2026-11-20T10:00:01.000Z')).not.toBe(id);
    expect(await idAt('2026-11-20T09:59:59.999Z')).not.toBe(id);
    expect(await idAt('2026-11-20T10:00:05.000Z', 5000)).toBe(id);
    expect(await idAt('2026-11-20T10:00:05.000Z', 4000)).not.toBe(id);
  });

  it.each([
    ['type', crash({ type: 'intervention' })],
    ['address', crash({ url: 'https://a.example/2' })],
    ['user agent', crash({ user_agent: 'x' })],
    ['body', crash({ body: { reason: 'x' } })],
    ['fields of the body', crash({ body: { reason: 'oom', more: 1 } })],
  ])('does not make reports equal that differ in their %s', async (_, other) => {
    const { records } = await read(`${toLine(TIME, crash())}\n${toLine(TIME, other)}\n`);
    const single = (await read(toLine(TIME, other))).records[0];
    expect(records.map(({ id }) => id)[1]).toBe(single.id);
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
  });
});

it('the user agent of a report precedes that of its line', async () => {
  const [chrome, firefox] = ['Chrome/142.0', 'Firefox/145.0'].map(
    name => `Mozilla/5.0 (X11; Linux x86_64) ${name}`,
  );
  const browserOf = async (own: string, line: object) =>
    (await read(toLine(TIME, crash({ user_agent: own }), line))).records[0].browser;
  expect(await browserOf(chrome!, { user_agent: firefox })).toBe('Chrome');
  expect(await browserOf('', { user_agent: firefox })).toBe('Firefox');
  expect(await browserOf('', {})).toBe('');
});

it('lines of a collector have the recorded outcomes', async () => {
  const base = { id: 'a', time: TIME, body: { 'csp-report': violation } };
  const changes: object[] = [
    ...['enforce', 'report', 'wizard', 'Report', 'enforced', '', null, 7].map(kind => ({
      kind,
    })),
    ...['', ' ', 0, 7, null, {}, true].map(id => ({ id })),
    ...['2026-11-20', '2026-11-20T10:00:00', 1795168800, '1795168800', 'x', '', null, {}].map(time => ({
      time,
    })),
    ...[0.5, '0.5', 1, 0, -1, 2, 'x', '', null, true].map(rate => ({ rate })),
    ...[
      [],
      {},
      null,
      'x',
      7,
      [base.body, 7, base.body],
      [[base.body]],
      { type: 'unknown', url: 'https://a.example/', body: {} },
    ].map(body => ({ body })),
    ...[{}, [], 'x', null].map(usage => ({ usage })),
  ];
  const outcomes = await Promise.all(
    changes.map(async (changed): Promise<Outcome> => {
      const text = JSON.stringify({ ...base, ...changed });
      const show = ({ type, action, date, samplingRate }: { [name: string]: unknown }) =>
        `${type} ${action ?? ''} ${date} ${samplingRate ?? ''}`.replaceAll(/ +/g, ' ').trim();
      return [
        JSON.stringify(changed),
        await describeImport(text, { format: 'collected', action: 'reportOnly' }, show),
      ];
    }),
  );
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/collector-lines.txt');
});

it('texts of JSON in any layout have the recorded outcomes', async () => {
  const one = JSON.stringify(crash());
  const two = JSON.stringify(crash({ url: 'https://a.example/2' }));
  const [pretty, list] = [
    JSON.stringify(crash(), null, 2),
    JSON.stringify([crash(), crash({ url: 'https://a.example/2' })], null, 2),
  ];
  const layouts: [string, string][] = [
    ['one', one],
    ['one, indented', pretty],
    ['one, indented, broken', pretty.slice(0, -2)],
    ['one with a value in a line of its own', one.replace('0,', '\n0\n,')],
    ['two lines', `${one}\n${two}`],
    ['two lines with an empty one', `\n${one}\n\n${two}\n`],
    ['two lines, the first one broken', `${one.slice(0, -1)}\n${two}\n`],
    ['two lines, the last one broken', `${one}\n${two.slice(0, -1)}`],
    ['two lines, the last one another value', `${one}\n7\n`],
    ['two lines, both broken', `${one.slice(0, -1)}\n${two.slice(0, -1)}\n`],
    ['two in a line', `${one}${two}`],
    ['two in a line with a comma', `${one},${two}`],
    ['two, indented', `${pretty}\n${pretty.replace('example/', 'example/2')}`],
    ['a list', `[${one},${two}]`],
    ['a list, indented', list],
    ['a list of lines', `[\n${one},\n${two}\n]`],
    ['a list of lines, the first one broken', `[\n${one.slice(0, -1)},\n${two}\n]`],
    ['a list of lines, not closed', `[\n${one},\n${two}\n`],
    ['a list that begins with a line', `[${one},\n${two}]`],
    ['lists in lines', `[${one}]\n[${two}]\n`],
    ['lists in lines, the first one broken', `[${one}\n[${two}]\n`],
    ['a list in a list', `[[${one}],[${two}]]`],
    ['an empty list', '[]'],
    ['a list with other values', `[${one},7,null,"x",${two}]`],
    ['a sequence', `\u001e${one}\n\u001e${two}\n`],
    ['a number behind', `${one} 7`],
  ];
  const outcomes = await Promise.all(
    layouts.map(async ([name, text]): Promise<Outcome> => {
      const { items } = await importAsOf(text);
      return [name, `${await describeImport(text, {}, ({ uri }) => uri)}; ${items} items`];
    }),
  );
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/layouts.txt');
});

it('named fields of a line are found by their name or path', async () => {
  const body = JSON.stringify(crash());
  const lines: [string, object, { body: string; time?: string; userAgent?: string }][] = [
    ['a name', { x: body }, { body: 'x' }],
    ['a path', { x: { y: body } }, { body: 'x.y' }],
    ['a name with a dot, before the path', { 'x.y': body, x: { y: '-' } }, { body: 'x.y' }],
    ['a list', { x: [body] }, { body: 'x.0' }],
    ['no field', { x: body }, { body: 'y' }],
    ['an inherited field', { x: body }, { body: 'constructor' }],
    ['an inherited field of a path', { x: { y: body } }, { body: 'x.constructor' }],
    ['an object', { x: crash() }, { body: 'x' }],
    ['an empty body', { x: '' }, { body: 'x' }],
    ['null', { x: null }, { body: 'x' }],
    ['a time', { x: body, t: TIME, time: '2026-11-19' }, { body: 'x', time: 't' }],
    ['a missing time', { x: body, time: TIME }, { body: 'x', time: 't' }],
    ['the usual time', { x: body, time: TIME }, { body: 'x' }],
    ['a shipped line', { log: `{"x":${body}}`, time: TIME }, { body: 'x' }],
  ];
  const outcomes = await Promise.all(
    lines.map(
      async ([name, line, fields]): Promise<Outcome> => [
        name,
        await describeImport(JSON.stringify(line), { fields }, ({ date }) => date),
      ],
    ),
  );
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/named-fields.txt');
});
