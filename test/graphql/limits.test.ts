import { readFile } from 'node:fs/promises';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/graphql/limits.ts';
import { auditEvent, NOW, open, personal, plan, report, savedPolicy } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { readAll } from '../support/selections.ts';
import { startService, type TestService } from '../support/service.ts';
import { slowness } from '../support/yardstick.ts';

let service: TestService;
let key: string;
let internal: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('a-1'), plan('a-1'));
  internal = await service.key('internal');
});
afterAll(() => service.close());

const times = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const PERIOD = 'unit: months, date: "2026-05"';
const HOSTS = `query($hosts: [HostPattern!]) { viewer { cspReports(${PERIOD}, hostnames: $hosts) { truncated } } }`;
const RECORDS = `reports ${readAll('CspReport')}`;

const INTROSPECTION_FRAGMENTS = getIntrospectionQuery().replace(/^[\s\S]*?(?=fragment)/, '');

const chain = (length: number) =>
  `{ viewer { ...f0 } } ${times(length, i => `fragment f${i} on Account { ...f${i + 1} ...f${i + 1} }`)}
   fragment f${length} on Account { id }`;

/** Rejected documents, with their errors. */
const refused: [what: string, query: string, message: string, variables?: Record<string, unknown>][] = [
  [
    'too many tokens',
    `{ ${times(1001, () => '__typename')} }`,
    'has more than 1000 tokens; the limit is 1000',
  ],
  [
    'too many aliases',
    `{ ${times(16, i => `a${i}: reportTypeList { type }`)} }`,
    'has 16 aliases; the limit is 15',
  ],
  ['a flood of aliased __typename', `{ ${times(300, i => `a${i}: __typename`)} }`, 'the limit is 15'],
  ['a flood of __typename', `{ ${times(301, () => '__typename')} }`, 'a breadth of 301; the limit is 300'],
  [
    'a field that is selected many times',
    `{ viewer { ${times(300, () => 'id')} } }`,
    'a breadth of 301; the limit is 300',
  ],
  [
    'too many directives',
    `{ ${times(51, () => '__typename @skip(if: false)')} }`,
    '51 directives; the limit is 50',
  ],
  ['fragments that grow exponentially', chain(60), 'a breadth of 1152921504606847000; the limit is 300'],
  [
    'fragments that form a cycle',
    '{ viewer { ...a } } fragment a on Account { ...b } fragment b on Account { ...a }',
    'within itself',
  ],
  [
    'a deep introspection',
    `{ __type(name: "Query") ${'{ ofType '.repeat(15)} { name } ${'}'.repeat(15)} }`,
    'depth of 17; the limit is 15',
  ],
  [
    'a circular introspection',
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    'Maximum introspection depth exceeded',
  ],
  [
    'several introspections',
    `{ ${times(3, i => `s${i}: __schema { types { ...FullType } }`)} } ${INTROSPECTION_FRAGMENTS}`,
    'a breadth of 519; the limit is 300',
  ],
  [
    'reports of every account',
    `{ accounts { nodes { cspReports(${PERIOD}) { reports { uri } } } } }`,
    'the limit is 125000',
  ],
  [
    'all reports, selected several times',
    `{ viewer { ${times(8, i => `a${i}: cspReports(${PERIOD}) { ${RECORDS} }`)} } }`,
    'the limit is 125000',
  ],
  [
    'too many values in variables',
    HOSTS,
    'more than 1000 values in its variables',
    { hosts: Array(1001).fill('a') },
  ],
  [
    'nested lists in variables',
    HOSTS,
    'more than 1000 values',
    { hosts: Array(40).fill(Array(40).fill('a')) },
  ],
  ['a mutation', 'mutation { a }', 'Only queries are supported'],
  ['a subscription', 'subscription { a }', 'Only queries are supported'],
  ['a mutation after a query', 'query A { __typename } mutation B { a }', 'Only queries are supported'],
];

describe('a query that exceeds a limit', () => {
  it.each(refused)('is rejected: %s', async (_, query, message, variables) => {
    const { status, body } = await ask(service, internal, query, {
      ...(variables && { variables }),
      headers: { accept: 'application/graphql-response+json' },
    });
    expect(status).toBe(400);
    expect(body).not.toHaveProperty('data');
    expect(body.errors[0].message).toContain(message);
    expect(body.errors[0].extensions.code).toMatch(/^(LIMIT_EXCEEDED|GRAPHQL_(PARSE|VALIDATION)_FAILED)$/);
  });

  it.each(refused)('is rejected within 50 ms of CPU time: %s', async (_, query, _message, variables) => {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 5 && least >= 50; run++) {
      const before = process.cpuUsage();
      // Every document is different, because a cached document is rejected immediately.
      await ask(service, internal, `${query} #${run}`, variables && { variables });
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1000 / slowness());
    }
    expect(least).toBeLessThan(50);
  });

  it.each([
    [9997, 200],
    [9998, 400],
  ])(
    'is rejected because of values that it does not use: %d of them and 3 others',
    async (count, expected) => {
      const { status, body } = await ask(service, internal, '{ __typename }', {
        extensions: { list: Array(count).fill(1) },
        headers: { accept: 'application/graphql-response+json' },
      });
      const message = 'The query has more than 10000 values in its body; the limit is 10000.';
      expect([status, body.errors?.[0].message]).toEqual([expected, expected === 200 ? undefined : message]);
    },
  );

  it('is rejected without a database query beyond the authentication', async () => {
    const before = service.statements;
    await ask(service, internal, refused[0]![1]);
    // The caller has to be looked up.
    expect(service.statements - before).toBe(1);
  });
});

describe('a query within the limits', () => {
  it.each([
    [
      'the introspection query of tools',
      getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true }),
    ],
    [
      'accounts with their plans, quotas and watches with findings',
      `{ accounts(first: 100) { nodes { plan ${readAll('Plan')} quota { used limit } watches ${readAll('Watch')} } } }`,
    ],
    [
      'complete reports',
      `{ account(id: "a-1") { dmarcReports(${PERIOD}) { reports ${readAll('DmarcReport')} truncated } } }`,
    ],
    [
      'the longest graphs of all accounts',
      '{ accounts { nodes { graph(type: nel, unit: months, amount: 12) { periods { ... on TotalGraphPeriod { date total } } } } } }',
    ],
    [
      'a page of the audit log',
      '{ account(id: "a-1") { auditLog { events { timestamp event message requestIp } } } }',
    ],
    ['fifteen aliases', `{ ${times(15, i => `a${i}: account(id: "a-1") { id }`)} }`],
  ])('is answered: %s', async (_, query) => {
    expect(await data(service, internal, query)).toBeTypeOf('object');
  });

  it('can request a small page of reports, whose size in a variable counts towards the complexity', async () => {
    const query = `query($first: Int!) { accounts(first: $first) { nodes { cspReports(${PERIOD}) { reports { uri } } } } }`;
    expect(await data(service, internal, query, { variables: { first: 10 } })).toHaveProperty('accounts');
    const { body } = await ask(service, internal, query, { variables: { first: 90 } });
    expect(body.errors[0].message).toMatch(/^The query has a complexity of \d+; the limit is 125000\.$/);
    expect(body.errors[0].extensions).toEqual({ code: 'LIMIT_EXCEEDED', limit: 'complexity', max: 125_000 });
  });

  it('can pass as many values in variables as a filter accepts', async () => {
    const hosts = Array.from({ length: 50 }, (_, i) => `h${i}.example.com`);
    expect(await data(service, key, HOSTS, { variables: { hosts } })).toHaveProperty('viewer.cspReports');
  });
});

describe('the size of a response', () => {
  const MIB = 1024 * 1024;
  /** Allows 1 MiB for all lists of a response together, and 2 MiB for the whole response. */
  let short: TestService;
  let large: string;

  beforeAll(async () => {
    short = await startService({ now: NOW, longestAnswer: MIB, databaseUrl: service.databaseUrl });
    large = await open(service, personal('large'), plan('large'));
    const many = <Made>(count: number, make: (i: number) => Made) =>
      Array.from({ length: count }, (_, i) => make(i));
    await service.load(
      ...many(9, i => report('large', 'csp', `c${i}`, { raw: 'x'.repeat(60_000) })),
      ...many(9, i => report('large', 'nel', `n${i}`, { raw: 'x'.repeat(60_000) })),
      report('large', 'coep', 'whole', { raw: 'x'.repeat(900_000) }),
      ...many(20, i => auditEvent('large', `e${i}`, { message: 'x'.repeat(60_000) })),
      ...many(4, i => savedPolicy('large', `p${i}`, 'long', `script-src ${'x'.repeat(50_000)}`)),
    );
  });
  afterAll(() => short.close());

  const exceeds = (max: number) => ({ code: 'LIMIT_EXCEEDED', limit: 'bytes', max });

  it('is limited for all lists of reports together, truncating one list and omitting the rest', async () => {
    const lists = times(
      7,
      i => `a${i}: ${i % 2 ? 'nel' : 'csp'}Reports(${PERIOD}) { reports { raw } truncated }`,
    );
    const { status, text, body } = await ask(short, large, `{ viewer { ${lists} } }`);
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(1.1 * MIB);
    const shown = Object.values<{ reports: unknown[]; truncated: boolean } | null>(body.data.viewer);
    // In document order: complete, truncated, and empty.
    expect(shown.map(list => list && [list.reports.length, list.truncated])).toEqual([
      [9, false],
      [8, true],
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(body.errors[0]).toMatchObject({
      message: 'The lists of the answer are longer than 1 MiB: ask for less at once.',
      path: ['viewer', 'a2'],
      extensions: exceeds(MIB),
    });
  });

  it('is limited for pages of the audit log, without reading further pages', async () => {
    const pages = times(5, i => `a${i}: auditLog(limit: ${20 - i}) { events { message } }`);
    const { body, text } = await ask(short, large, `{ viewer { ${pages} } }`);
    expect(text.length).toBeLessThan(1.5 * MIB);
    expect(body.data.viewer.a0.events).toHaveLength(20);
    expect(body.data.viewer.a4).toBeNull();
    expect(body.errors.at(-1).extensions).toEqual(exceeds(MIB));
  });

  it('is limited to 2 MiB when it consists of single reports', async () => {
    const reports = times(5, i => `a${i}: report(type: coep, id: "whole") { raw }`);
    const { body, text } = await ask(short, large, `{ viewer { ${reports} } }`);
    expect(text.length).toBeLessThan(2 * MIB);
    expect(body.errors[0].message).toBe('The answer is longer than 2 MiB: ask for less at once.');
    expect(body.errors[0].extensions).toEqual(exceeds(2 * MIB));
  });

  it.each([
    ['with the executor', ''],
    ['with graphql-js, which handles a directive without a value', 'viewer { id @skip(if: $no) }'],
  ])('is limited when the same data is repeated many times: %s', async (_, more) => {
    const shown = times(15, i => `a${i}: viewer { policies { policy } }`);
    const { body } = await ask(
      short,
      large,
      `query($no: Boolean = true) { ${shown} ${more || '__typename @skip(if: $no)'} }`,
      {
        ...(more && { variables: { no: null } }),
        headers: { accept: 'application/graphql-response+json' },
      },
    );
    expect(body.errors[0].extensions).toEqual(exceeds(2 * MIB));
    expect(body).not.toHaveProperty('data');
  });
});

it('returns 413 for a body over 1 MiB', async () => {
  const { status, body } = await ask(service, key, `{ __typename } #${'x'.repeat(1024 * 1024)}`);
  expect(status).toBe(413);
  expect(body).toHaveProperty('error');
});

it('docs/graphql.md documents all limits', async () => {
  const page = await readFile(new URL('../../docs/graphql.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Limits\n');
  const rows = [...section.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)];
  const documented = Object.fromEntries(
    rows.map(([, name, most]) => [name, Number(most!.replaceAll(',', ''))]),
  );
  expect(documented).toEqual(LIMITS);
});
