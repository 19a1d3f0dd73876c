import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../src/graphql/compile.ts';
import { NOW, personal, plan, team } from '../support/fixtures.ts';
import { type Asked, ask } from '../support/graphql.ts';
import { belongings } from '../support/routes.ts';
import { everythingOf } from '../support/selections.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
let internal: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('acme'), ...belongings('acme'), personal('bare'), personal('paid'), plan('paid'));
  key = await service.key('team', 'acme');
  internal = await service.key('internal');
});
afterAll(() => service.close());

const ALL = everythingOf('Account');
const REPORTS = 'nelReports(unit: days, date: $date)';

/** Documents that are compiled. */
const documents: [what: string, query: string, asked?: Asked][] = [
  ['everything of an account', `{ viewer ${ALL} }`],
  ['everything of all accounts', `{ accounts(first: 10) { nodes ${ALL} endCursor hasNextPage } }`],
  [
    'aliases',
    '{ a: viewer { x: id y: plan { z: name } } b: viewer { id } constructor: viewer { toString: id } }',
  ],
  ['a field selected twice', '{ viewer { plan { name } plan { tier } id } viewer { plan { status } } }'],
  [
    'fragments, twice and within each other',
    `{ viewer { ...a plan { ...p } } second: viewer { ...a } }
     fragment a on Account { id plan { ...p } ... on Account { type } ... { quota { used } } }
     fragment p on Plan { name features { teams } }`,
  ],
  [
    'a fragment of the root',
    '{ ...q } fragment q on Query { viewer { id } ... on Query { reportTypeList { type } } }',
  ],
  [
    'unions',
    `{ viewer { watches { __typename product findings { __typename ... on WatchFinding { uri count source }
       ... on PolicyWatchFinding { policy enforced count } } } } }`,
  ],
  [
    'the union of a graph',
    '{ viewer { graph(type: csp, unit: weeks, amount: 1) { periods { ... on CspGraphPeriod { directives } ... on TotalGraphPeriod { date } } } } }',
  ],
  [
    'a member of a union alone',
    '{ viewer { watches { findings { ... on PolicyWatchFinding { policy } } } } }',
  ],
  [
    'variables',
    `query($date: PeriodDate!) { viewer { ${REPORTS} { reports { id date count } truncated } } }`,
    { variables: { date: '2026-05-20' } },
  ],
  [
    'lists in variables',
    'query($d: PeriodDate!, $h: [HostPattern!]) { viewer { nelReports(unit: days, date: $d, hostnames: $h) { truncated } } }',
    { variables: { d: '2026-05-20', h: ['www.example.com', 'b'] } },
  ],
  [
    'a single value for a list',
    'query($d: PeriodDate!, $h: [HostPattern!]) { viewer { nelReports(unit: days, date: $d, hostnames: $h) { truncated } } }',
    { variables: { d: '2026-05-20', h: 'www.example.com' } },
  ],
  [
    'a variable within a list',
    'query($d: PeriodDate!, $h: HostPattern!) { viewer { nelReports(unit: days, date: $d, hostnames: [$h]) { truncated } } }',
    { variables: { d: '2026-05-20', h: 'www.example.com' } },
  ],
  [
    'a variable left out',
    'query($p: WatchProduct, $first: Int) { viewer { watches(product: $p) { site } } accounts(first: $first) { hasNextPage } }',
  ],
  [
    'a null for a variable',
    'query($p: WatchProduct, $first: Int) { viewer { watches(product: $p) { site } } accounts(first: $first) { hasNextPage } }',
    { variables: { p: null, first: null } },
  ],
  [
    'literals',
    '{ accounts(first: 2) { nodes { id watches(product: policy) { site } auditLog(limit: 1) { truncated } } } }',
  ],
  [
    'a null literal',
    '{ accounts(first: null, after: null) { nodes { id watches(product: null) { site } } } }',
  ],
  [
    'an enumeration in a variable',
    'query($t: ReportTypeName!) { viewer { graph(type: $t, unit: weeks, amount: 1) { type } } }',
    { variables: { t: 'tls_rpt' } },
  ],
  [
    'an error in a nullable field',
    'query($id: ID!) { account(id: $id) { id graph(type: nel, unit: months, amount: 3) { type } } reportTypeList { type } }',
    { variables: { id: 'bare' } },
  ],
  ['an error in a list', '{ accounts { nodes { id graph(type: nel, unit: months, amount: 3) { type } } } }'],
  [
    'errors in several nullable fields',
    'query($a: ID!, $b: ID!) { a: account(id: $a) { graph(type: nel, unit: weeks, amount: 12) { type } } b: account(id: $b) { id } }',
    { variables: { a: 'acme', b: 'paid' } },
  ],
  [
    'a root field that may not be null',
    'query($c: String) { viewer { id } accounts(after: $c) { hasNextPage } }',
    { variables: { c: '!' } },
  ],
  [
    'nothing there',
    'query($id: ID!) { account(id: $id) { plan { name } } }',
    { variables: { id: 'nobody' } },
  ],
  ['a number for an id', '{ account(id: 7) { id } }'],
  [
    'an operation among others',
    'query a { viewer { id } } query b { viewer { type ...f } } fragment f on Account { id }',
    { operationName: 'b' },
  ],
  [
    'introspection',
    '{ __schema { types { kind name fields { name args { name defaultValue type { kind name ofType { name } } } } } } viewer { __typename } }',
  ],
  ['the type of the root', '{ __typename }'],
];

/** By graphql-js the first two times, and compiled from the third on. */
async function asked(token: string, query: string, options?: Asked) {
  const runs = [];
  for (let run = 1; run <= 4; run++) {
    const { status, text } = await ask(service, token, query, options);
    runs.push([status, text]);
  }
  return runs;
}

describe('a compiled operation answers as graphql-js does', () => {
  it.each(documents)('%s', async (_, query, options) => {
    for (const token of [key, internal]) {
      const [first, ...others] = await asked(token, query, options);
      for (const other of others) expect(other).toEqual(first);
    }
  });

  it('and all of these are compiled', () => {
    const left = documents.filter(([, query]) => !compile(operationOf(query)));
    expect(left).toEqual([]);
  });
});

function operationOf(query: string) {
  const document = parse(query);
  const [first] = document.definitions;
  const fragments = document.definitions.filter(({ kind }) => kind === 'FragmentDefinition');
  return { ...document, definitions: [first!, ...fragments] };
}

/** Takes `new Date(…)` for a date, and what is in it for code. */
const CODE = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';

const uncompiled: [what: string, query: string, asked?: Asked][] = [
  ['text', '{ account(id: "acme") { id } }'],
  ['text that would become code', `{ account(id: "${CODE}(globalThis.broken = true)") { id } }`],
  ['text in a block', `{ account(id: """${CODE}(globalThis.broken = true)""") { id } }`],
  ['text in a list', '{ viewer { nelReports(unit: days, date: 2026, hostnames: ["a"]) { truncated } } }'],
  ['text as a default', `query($id: ID! = "${CODE}(globalThis.broken = true)") { account(id: $id) { id } }`],
  ['@skip', 'query($s: Boolean!) { viewer { id @skip(if: $s) type } }', { variables: { s: true } }],
  [
    '@include on one of two uses of a fragment',
    'query($s: Boolean!) { viewer { ...f @include(if: $s) plan { name } } b: viewer { ...f } } fragment f on Account { id }',
    { variables: { s: false } },
  ],
  ['a default', 'query($f: Int = 1) { accounts(first: $f) { nodes { id } } }', { variables: { f: null } }],
  [
    'a variable that is a prototype',
    'query($__proto__: PageLimit) { accounts(first: 5) { nodes { auditLog(limit: $__proto__) { truncated events { eventId } } } } }',
    { variables: JSON.parse('{"__proto__":1}') },
  ],
  [
    'a list in a variable that is a prototype',
    'query($__proto__: [HostPattern!], $d: PeriodDate!) { accounts(first: 5) { nodes { nelReports(unit: days, date: $d, hostnames: $__proto__) { reports { id } } } } }',
    { variables: JSON.parse('{"__proto__":["nobody.example"],"d":"2026-05-20"}') },
  ],
  [
    'variables with the names of what objects inherit',
    `query($constructor: PageLimit, $toString: Cursor, $hasOwnProperty: WatchProduct) {
       viewer { auditLog(limit: $constructor, cursor: $toString) { events { eventId } } watches(product: $hasOwnProperty) { site } }
       accounts { nodes { auditLog(limit: $constructor, cursor: $toString) { truncated } } } }`,
    { variables: { constructor: 1, toString: null, hasOwnProperty: 'script' } },
  ],
  [
    'a variable that is left out, with the name of what objects inherit',
    'query($hasOwnProperty: WatchProduct) { viewer { id } accounts { nodes { watches(product: $hasOwnProperty) { site } } } }',
  ],
  ['an alias that is a prototype', '{ __proto__: viewer { __proto__: id type } }'],
];

describe('is never compiled', () => {
  it.each(uncompiled)('%s', async (_, query, options) => {
    expect(compile(operationOf(query))).toBeUndefined();
    const [first, ...others] = await asked(internal, query, options);
    for (const other of others) expect(other).toEqual(first);
    expect(globalThis).not.toHaveProperty('broken');
  });

  it('and a variable that is a prototype keeps its value', async () => {
    const [, query, options] = uncompiled.find(
      ([what]) => what === 'a list in a variable that is a prototype',
    )!;
    const [[, text] = []] = await asked(internal, query, options);
    expect(text).toContain('"nelReports":{"reports":[]}');
    expect(text).not.toContain('"id"');
  });
});
