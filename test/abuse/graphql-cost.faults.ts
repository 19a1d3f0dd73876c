import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, team } from '../support/fixtures.ts';
import { belongings } from '../support/routes.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { slowness } from '../support/yardstick.ts';

/** Processor time in milliseconds, including that of the test itself. */
const MOST = 50;

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('ada'), ...belongings('ada'));
  key = await service.key('team', 'ada');
  for (let i = 0; i < 20; i++) await post(JSON.stringify({ query: `{ viewer { id } } #${i}` }));
});
afterAll(() => service.close());

function post(body: string): Promise<Answer> {
  return service.request('/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
}

const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const PERIOD = 'unit: months, date: "2026-05"';
const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Documents with their variables. Each is sent only once. */
const documents: [what: string, query: string, variables?: unknown][] = [
  ['a thousand trivial tokens', `{ ${times(998, () => '__typename')} }`],
  ['the maximum number of fields, all equal', `{ viewer { ${times(298, () => 'id')} } }`],
  [
    'the maximum number of fields with all of their subfields',
    `{ ${times(15, i => `a${i}: viewer { ${times(18, () => 'plan { name }')} }`)} }`,
  ],
  [
    'fifteen aliases of all reports',
    `{ viewer { ${times(15, i => `a${i}: cspReports(${PERIOD}) { reports { uri raw } }`)} } }`,
  ],
  ['fifteen aliases of introspection', `{ ${times(15, i => `a${i}: __schema { types { name } }`)} }`],
  [
    'conflicting fields',
    `{ viewer { ${times(140, i => `id: ${i % 2 ? 'email' : 'type'} plan { name }`)} } }`,
  ],
  [
    'the same field with different arguments each time',
    `{ viewer { ${times(60, i => `auditLog(limit: ${i + 1}) { truncated }`)} } }`,
  ],
  [
    'nested fragments',
    `{ viewer { ...f0 } } ${times(70, i => `fragment f${i} on Account { ...f${i + 1} ...f${i + 1} }`)} fragment f70 on Account { id }`,
  ],
  [
    'a hundred uses of a fragment',
    `{ viewer { ${times(200, () => '...f')} } } fragment f on Account { id email plan { name } }`,
  ],
  ['nested inline fragments', `{ viewer { ${deep('... on Account { ', '} ', 150)} } }`],
  ['deep introspection', `{ __schema { types { fields { type { ${deep('ofType { ', '} ', 100)} } } } } }`],
  ['a deep value', `{ account(id: ${deep('[', ']', 450)}) { id } }`],
  ['a deep object', `{ account(id: ${'{a: '.repeat(200)}1${'}'.repeat(200)}) { id } }`],
  ['unknown fields with suggested names', `{ viewer { ${times(290, i => `plam${i}`)} } }`],
  ['unknown arguments', `{ viewer { ${times(100, i => `plan(namee${i}: 1) { name }`)} } }`],
  ['a long name', `{ ${'a'.repeat(249_000)} }`],
  ['a name of one megabyte', `{ ${'a'.repeat(1_000_000)} }`],
  ['a string of one megabyte', `{ account(id: "${'x'.repeat(1_000_000)}") { id } }`],
  ['a number of one megabyte', `{ account(id: ${'1'.repeat(1_000_000)}) { id } }`],
  ['a comment of one megabyte', `{ viewer { id } } # ${'x'.repeat(1_000_000)}`],
  ['one megabyte of white space', `{ viewer { id } } ${' \n,'.repeat(330_000)}`],
  ['directives', `{ viewer ${times(300, () => '@include(if: true)')} { id } }`],
  ['unused variables', `query(${times(190, i => `$v${i}: Int,`)}) { __typename }`],
  ['operations', times(150, i => `query q${i} { __typename }`)],
  [
    'many values in variables',
    'query($v: [HostPattern!]) { viewer { id } }',
    { v: Array(100_000).fill('a') },
  ],
  ['deep variables', 'query($v: [HostPattern!]) { viewer { id } }', { v: 'DEEP' }],
  [
    'undeclared variables',
    '{ viewer { id } }',
    Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`v${i}`, i])),
  ],
  ['a variable of one megabyte', 'query($v: ID!) { account(id: $v) { id } }', { v: 'x'.repeat(1_000_000) }],
];

describe('a document with', () => {
  it.each(documents)('%s is refused or is cheap to process', async (_, query, variables) => {
    await expectCheap(run => body({ query: `${query} #${run}`, variables }));
  });
});

function body(parts: object): string {
  return JSON.stringify(parts).replace('"DEEP"', deep('[', ']', 400_000));
}

/** Bodies that are not GraphQL documents. */
const bodies: [what: string, body: string][] = [
  ['a batch', JSON.stringify(Array(1000).fill({ query: '{ viewer { id } }' }))],
  ['nested arrays', deep('[', ']', 500_000)],
  ['nested objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
  ['an unclosed array', '['.repeat(1_000_000)],
  [
    'unknown parameters',
    JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))),
  ],
  [
    'extensions of one megabyte',
    JSON.stringify({ query: '{ viewer { id } }', extensions: { a: 'x'.repeat(1_000_000) } }),
  ],
  [
    'the same name many times',
    `{${'"query":"{ viewer { id } }",'.repeat(30_000)}"query":"{ viewer { id } }"}`,
  ],
];

describe('a body with', () => {
  it.each(bodies)('%s is refused or is cheap to process', async (_, body) => {
    await expectCheap(() => body);
  });
});

/**
 * Returns the cheapest of several runs, because the others include garbage collection and other tests. One cheap run is
 * enough.
 */
async function expectCheap(body: (run: number) => string): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 6 && least >= MOST; run++) {
    const text = body(run);
    const before = process.cpuUsage();
    const answer = await post(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000 / slowness());
    expect(answer.status).toBeLessThan(500);
    if (answer.status >= 400) expect(answer.body.errors ?? [answer.body.error]).not.toEqual([]);
  }
  expect(least).toBeLessThan(MOST);
}
