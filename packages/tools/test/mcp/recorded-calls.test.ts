import { SightlineError } from '@sightline/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { changeJson } from '../../../../test/support/changed-inputs.ts';
import { describeAsyncCall, describeCall, groupOutcomes } from '../../../../test/support/group-outcomes.ts';
import { checkVersion, readLine, readMessages } from '../../src/mcp/messages.ts';
import { checkNames } from '../../src/mcp/names.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { markUntrusted } from '../../src/mcp/untrusted.ts';
import type { ServiceConnection } from '../../src/service/service.ts';

/** Replacements that a check of one kind of value distinguishes. */
const FEW = [null, 7, '', []] as const;

const MESSAGES: [string, Parameters<typeof changeJson>[0]][] = [
  ['call', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'quota', arguments: { a: 1 } } }],
  [
    'initialize',
    {
      jsonrpc: '2.0',
      id: 'i',
      method: 'initialize',
      params: { protocolVersion: 'v', capabilities: {}, clientInfo: { name: 'n', version: '1' } },
    },
  ],
  [
    'batch',
    [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'note' },
      { jsonrpc: '2.0', id: 2, result: {} },
    ],
  ],
];
const TEXTS: [string, string][] = [
  ['nothing', ''],
  ['no JSON', '{'],
  ['a byte order mark', '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ...[0, 1, 100, 101].map((count): [string, string] => [
    `${count} messages`,
    JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
  ]),
  ['equal ids', '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":1,"method":"b"}]'],
  ['ids 1 and "1"', '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":"1","method":"b"}]'],
  [
    'initialize in a batch',
    '[{"jsonrpc":"2.0","id":1,"method":"initialize"},{"jsonrpc":"2.0","id":2,"method":"b"}]',
  ],
  ['initialize alone in a batch', '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]'],
  [
    'arguments as text',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quota","arguments":"{\\"a\\":1}"}}',
  ],
  [
    'arguments as a list in text',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quota","arguments":"[]"}}',
  ],
  ['a call without an id', '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}'],
  ['a long name', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${'n'.repeat(101)}"}}`],
];

/** Abbreviates the outcome for a text that is accepted as it is. */
function describeMessages(text: string): string {
  const outcome = describeCall(() => readMessages(text));
  return outcome === `{"message":${text},"refusals":[]}` ? 'accepted unchanged' : outcome;
}

it('each message is accepted or refused as recorded', async () => {
  const texts = [
    ...TEXTS,
    ...MESSAGES.flatMap(([name, message]) => [
      [name, JSON.stringify(message)] as [string, string],
      ...[...changeJson(message, FEW)].map(({ change, input }): [string, string] => [
        `${name} ${change}`,
        JSON.stringify(input),
      ]),
    ]),
  ];
  const shorten = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}… ${text.length}` : text);
  const outcomes = texts.map(([name, text]) => [name, shorten(describeMessages(text))] as const);
  const lines = texts.map(([name, text]) => {
    const [one, many] = [describeCall(() => readLine(text)), describeCall(() => readMessages(text))];
    return [name, one === many.replace(',"refusals":[]', '') ? 'as in a request' : shorten(one)] as const;
  });
  const versions = [null, '', '2025-06-18', '2024-11-05', '2026-01-01', 'x'.repeat(101)].flatMap(version =>
    [{ id: 1, params: {} }, { id: 1, params: { _meta: {} } }, { id: null }].map(
      message =>
        [
          `${JSON.stringify(version)} ${JSON.stringify(message)}`,
          describeCall(() => checkVersion(version, message)),
        ] as const,
    ),
  );
  const all = [
    groupOutcomes(outcomes),
    'On standard input:',
    groupOutcomes(lines),
    'Versions:',
    groupOutcomes(versions),
  ];
  await expect(all.join('\n')).toMatchFileSnapshot('./recorded/messages.txt');
});

/** Answers each query with its variables. */
function fakeService(answer: Record<string, unknown>): ServiceConnection {
  const asked: unknown[] = [];
  const service = {
    client: {
      async *export(path: string, parameters: object) {
        asked.push(path, parameters);
        yield* (answer.exported ?? []) as unknown[];
      },
    },
    ask: async (document: object, variables: unknown) => {
      asked.push(/(?:query|mutation) (\w+)/.exec(String(document))?.[1] ?? 'a query', variables);
      return { ...answer, asked };
    },
    now: () => new Date(),
    link: (place: string, params: Record<string, string> = {}) => `#/${place}?${new URLSearchParams(params)}`,
    asked,
  };
  return service as unknown as ServiceConnection;
}

const ARGUMENTS: Record<string, unknown[]> = {
  period: ['1d', '30d', '90d', '2d'],
  limit: [0, 50, 51],
  type: ['csp', 'nel', 'dmarc', 'CSP', 7],
  by: [
    ['DAY'],
    [],
    ['A', 'B', 'C'],
    ['A', 'B', 'C', 'D'],
    'A,B',
    ['x'.repeat(64)],
    ['x'.repeat(65)],
    'BLOCKED_HOST',
    'DAY',
  ],
  where: [
    {},
    { a: 'b' },
    { a: ['b'] },
    { a: true, b: 1, c: null },
    { a: {} },
    '{"a":"b"}',
    'x',
    { a: 'x'.repeat(2048) },
    { a: 'x'.repeat(2049) },
  ],
  not: [{ a: 'b' }, []],
  extensions: [true, 'false', 'yes', 0],
  id: ['a/b', '', 'x'.repeat(255), 'x'.repeat(256), 12],
  other: [1],
  action: ['x'],
};

beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T01:02:03Z') }));
afterAll(() => void vi.useRealTimers());

it('each tool asks and answers each set of arguments as recorded', async () => {
  const parts: string[] = [];
  const answer = {
    ...{ insights: [1, 2, 3], groups: ['g'], reports: { reports: ['r'] }, newFindings: 'f' },
    ...{ auditLog: { events: ['e'] }, exported: ['one', 'two'] },
  };
  for (const tool of TOOLS) {
    const valid: Record<string, unknown> = {};
    const names = Object.keys((tool.input as unknown as { shape: object }).shape);
    for (const name of names) if (['type', 'by', 'id'].includes(name)) valid[name] = ARGUMENTS[name]![0];
    if (tool.name === 'most_blocked') delete valid.by;
    const sets: object[] = [valid, {}];
    for (const name of [...names, 'other', 'action'])
      for (const value of ARGUMENTS[name] ?? []) sets.push({ ...valid, [name]: value });
    const outcomes: [string, string][] = [];
    for (const given of sets) {
      const outcome = await describeAsyncCall(async () => {
        const result = await tool.input['~standard'].validate(given);
        if ('issues' in result && result.issues)
          return result.issues.map(({ message, path }) => `${path?.join('.') ?? ''}: ${message}`).join('; ');
        const service = fakeService(answer);
        const { data, link } = await tool.answer(service, (result as { value: never }).value);
        const { asked } = service as unknown as { asked: unknown };
        const whole = (data as { exported?: unknown }).exported ? 'everything' : undefined;
        return `${JSON.stringify(asked)} -> ${whole ?? JSON.stringify(data)} ${link}`;
      });
      const changed = Object.entries(given).filter(([name, value]) => valid[name] !== value);
      const name =
        given === valid
          ? 'valid'
          : changed.length > 0
            ? JSON.stringify(Object.fromEntries(changed))
            : 'nothing';
      outcomes.push([name, outcome]);
    }
    const shorten = (text: string) => text.replace(/x{9,}/g, run => `x{${run.length}}`);
    parts.push(`${tool.name}: ${tool.title}\n${tool.description}\n${shorten(groupOutcomes(outcomes))}`);
  }
  await expect(parts.join('\n')).toMatchFileSnapshot('./recorded/tools.txt');
});

it('a tool describes an answer without insights or reports as recorded', async () => {
  const asked = async (name: string, given: object) => {
    const { data, link } = await TOOLS.find(tool => tool.name === name)!.answer(
      fakeService({ insights: [], exported: [] }),
      given as never,
    );
    return [JSON.stringify(data), link];
  };
  expect([
    await asked('insights', { period: '1d', limit: 1 }),
    await asked('get_report', { type: 'csp', id: 'a b/ä' }),
  ]).toEqual([
    ['{"insights":[],"total":0}', '#/?'],
    ['"There is no such report, or its retention has passed."', '#/csp/reports/a%20b%2F%C3%A4?'],
  ]);
});

it('a tool reports that insights were not found in time', async () => {
  const insights = TOOLS.find(tool => tool.name === 'insights')!;
  const call = insights.answer(fakeService({ insights: null }), { period: '1d', limit: 1 } as never);
  await expect(call).rejects.toMatchObject({
    name: 'SightlineError',
    message: 'The service took too long to find insights. Run "sightline maintain" there, or wait',
  });
});

it('each value is shortened and escaped as recorded', async () => {
  const write = (data: unknown, longest?: number) =>
    describeCall(() => markUntrusted(data, longest).split('\n').slice(2, -1).join('\n'))
      .replace(/(.)\1{20,}/gs, (run, one) => `${one}{${run.length}}`)
      .replace(/(\n \d+,)+/g, run => `[${run.split(',').length - 1} items]`);
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
  const long = (count: number, length: number) => numbers(count).map(() => ({ text: 'a'.repeat(length) }));
  const characters = [
    '<',
    '>',
    '\u200b',
    '\u202e',
    '\u0085',
    '\u2028',
    '\ufe0f',
    '\u{e0100}',
    '\u007f',
    'ä',
    '\u0000',
  ];
  const outcomes = [
    ...characters.map(one => [`U+${one.codePointAt(0)!.toString(16)}`, write(one)] as const),
    ...[499, 500, 501].map(length => [`${length} characters`, write('a'.repeat(length))] as const),
    ...[5, 6].map(length => [`${length} characters of 5`, write('a'.repeat(length), 5)] as const),
    ...[256, 257].map(count => [`${count} items`, write(numbers(count))] as const),
    ...[
      [60, 500],
      [64, 500],
      [65, 500],
      [300, 400],
    ].map(
      ([count, length]) =>
        [
          `${count} texts of ${length}`,
          `${write(long(count!, length!)).match(/text/g)?.length} ${write(long(count!, length!)).slice(-60)}`,
        ] as const,
    ),
    ...[10_000, 33_000].map(
      size =>
        [
          `an object of ${size} texts`,
          String(write(Object.fromEntries(numbers(size / 50).map(at => [`k${at}`, 'b'.repeat(50)]))).length),
        ] as const,
    ),
    ['null', write(null)],
    ['nested', write({ a: [{ b: '<', c: [true, null] }] })],
  ] as const;
  const names = { groupings: () => ['DAY', 'HOST'], filters: () => ['hosts'] };
  const chosen = [
    {},
    { by: ['DAY'] },
    { by: ['HOST', 'day'] },
    { where: { hosts: 1 } },
    { where: { x: 1 } },
    { not: { y: 1 } },
  ];
  const checked = chosen.map(
    one => [JSON.stringify(one), describeCall(() => checkNames({ type: 'csp', ...one }, names))] as const,
  );
  expect(() => checkNames({ type: 'csp', by: ['x'] }, names)).toThrow(SightlineError);
  await expect(groupOutcomes([...outcomes, ...checked])).toMatchFileSnapshot('./recorded/untrusted.txt');
});
