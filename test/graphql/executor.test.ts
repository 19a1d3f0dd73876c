import fc from 'fast-check';
import { type GraphQLObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../schema/context.ts';
import { graphSchema } from '../../schema/index.ts';
import { gatheringLoaders } from '../../schema/loaders.ts';
import { callersByDigest } from '../../sql/keys.ts';
import { Documents } from '../../src/graphql/documents.ts';
import { chooseOperation, PreparedOperation } from '../../src/graphql/operation.ts';
import { run, runPlainly, type WrittenAnswer } from '../../src/graphql/run.ts';
import { computeDigest } from '../../src/keys/format.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { auditEvent, NOW, personal, plan, team } from '../support/fixtures.ts';
import { ask, type GraphqlOptions } from '../support/graphql.ts';
import { connectOperator } from '../support/operator.ts';
import { randomDocument } from '../support/random-documents.ts';
import { randomReports } from '../support/random-reports.ts';
import { belongings } from '../support/routes.ts';
import { readAll } from '../support/selections.ts';
import { startService, type TestService } from '../support/service.ts';

const DOCUMENTS = IN_EARNEST ? 5000 : 30;

/** Compares the executor of `/graphql` with that of graphql-js. */
let service: TestService;
let keys: string[];
let ids: string[];

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  await service.load(
    team('acme'),
    ...belongings('acme'),
    ...randomReports('acme', 5, 1),
    auditEvent('acme', 'event-1'),
    personal('bare'),
    personal('paid'),
    plan('paid'),
  );
  keys = [await service.key('team', 'acme'), await service.key('internal')];
  const { nodes } = await everyId();
  ids = ['acme', 'bare', 'nobody', ...nodes];
});
afterAll(() => service.close());

/** Returns the global ids of an account's policy, audit event and report. */
async function everyId() {
  const query = `{ viewer { policies { id } auditLog { events { id } } ${RECORDS} { reports { id } } } }`;
  const { body } = await ask(service, keys[0]!, query);
  const { policies, auditLog, cspReports } = body.data.viewer;
  return { nodes: [policies, auditLog.events, cspReports.reports].map(([{ id }]) => id as string) };
}

const RECORDS = 'cspReports(unit: days, date: "2026-05-20")';

const ALL = readAll('Account');
const REPORTS = 'nelReports(unit: days, date: $date)';

const documents: [what: string, query: string, asked?: GraphqlOptions][] = [
  ['every field of an account', `{ viewer ${ALL} }`],
  ['every field of all accounts', `{ accounts(first: 5) { nodes ${ALL} endCursor hasNextPage } }`],
  [
    'aliases',
    '{ a: viewer { x: id y: plan { z: name } } b: viewer { id } constructor: viewer { toString: id } }',
  ],
  ['a field selected twice', '{ viewer { plan { name } plan { tier } id } viewer { plan { status } } }'],
  [
    'fragments that are nested and used twice',
    `{ viewer { ...a plan { ...p } } second: viewer { ...a } }
     fragment a on Account { id plan { ...p } ... on Account { type } ... { quota { used } } }
     fragment p on Plan { name features { teams } }`,
  ],
  [
    'a fragment on the root type',
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
    'only one member of a union',
    '{ viewer { watches { findings { ... on PolicyWatchFinding { policy } } } } }',
  ],
  [
    'variables',
    `query($date: PeriodDate!) { viewer { ${REPORTS} { reports { id date count } truncated } } }`,
    { variables: { date: '2026-05-20' } },
  ],
  [
    'a list in a variable',
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
    'an omitted variable',
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
    'an error in a non-null root field',
    'query($c: String) { viewer { id } accounts(after: $c) { hasNextPage } }',
    { variables: { c: '!' } },
  ],
  [
    'an unknown account',
    'query($id: ID!) { account(id: $id) { plan { name } } }',
    { variables: { id: 'nobody' } },
  ],
  ['a number for an id', '{ account(id: 7) { id } }'],
  [
    'one of several operations',
    'query a { viewer { id } } query b { viewer { type ...f } } fragment f on Account { id }',
    { operationName: 'b' },
  ],
  [
    'introspection',
    '{ __schema { types { kind name fields { name args { name defaultValue type { kind name ofType { name } } } } } } viewer { __typename } }',
  ],
  ['the type of the root', '{ __typename }'],
  ['a string', '{ account(id: "acme") { id } }'],
  ['a string that looks like code', `{ account(id: "new Date(globalThis.broken = true)") { id } }`],
  ['a block string', `{ account(id: """new Date(globalThis.broken = true)""") { id } }`],
  [
    'a string in a list',
    '{ viewer { nelReports(unit: days, date: "2026-05-20", hostnames: ["a"]) { truncated } } }',
  ],
  [
    'a string as a default',
    `query($id: ID! = "new Date(globalThis.broken = true)") { account(id: $id) { id } }`,
  ],
  ['@skip', 'query($s: Boolean!) { viewer { id @skip(if: $s) type } }', { variables: { s: true } }],
  [
    '@include on one of two uses of a fragment',
    'query($s: Boolean!) { viewer { ...f @include(if: $s) plan { name } } b: viewer { ...f } } fragment f on Account { id }',
    { variables: { s: false } },
  ],
  ['a default', 'query($f: Int = 1) { accounts(first: $f) { nodes { id } } }', { variables: { f: null } }],
  [
    'a variable named __proto__',
    'query($__proto__: PageLimit) { accounts(first: 5) { nodes { auditLog(limit: $__proto__) { truncated events { eventId } } } } }',
    { variables: JSON.parse('{"__proto__":1}') },
  ],
  [
    'a list in a variable named __proto__',
    'query($__proto__: [HostPattern!], $d: PeriodDate!) { accounts(first: 5) { nodes { nelReports(unit: days, date: $d, hostnames: $__proto__) { reports { id } } } } }',
    { variables: JSON.parse('{"__proto__":["nobody.example"],"d":"2026-05-20"}') },
  ],
  [
    'variables named like inherited properties of objects',
    `query($constructor: PageLimit, $toString: Cursor, $hasOwnProperty: WatchProduct) {
       viewer { auditLog(limit: $constructor, cursor: $toString) { events { eventId } } watches(product: $hasOwnProperty) { site } }
       accounts { nodes { auditLog(limit: $constructor, cursor: $toString) { truncated } } } }`,
    { variables: { constructor: 1, toString: null, hasOwnProperty: 'script' } },
  ],
  [
    'an omitted variable named like an inherited property',
    'query($hasOwnProperty: WatchProduct) { viewer { id } accounts { nodes { watches(product: $hasOwnProperty) { site } } } }',
  ],
  ['an alias named __proto__', '{ __proto__: viewer { __proto__: id type } }'],
  [
    'an object without any selected field',
    'query($s: Boolean!) { viewer { id @skip(if: $s) } }',
    { variables: { s: true } },
  ],
  [
    'a list whose items have no selected field',
    'query($s: Boolean!) { accounts { nodes { id @include(if: $s) } } }',
    { variables: { s: false } },
  ],
  ['report rows', `{ viewer { ${RECORDS} { truncated reports { raw count date } } } }`],
  [
    'report rows with aliases',
    `{ viewer { a: ${RECORDS} { x: reports { a: raw b: raw __typename } z: truncated } } }`,
  ],
  [
    'report rows that are selected repeatedly',
    `{ viewer { ${RECORDS} { a: reports { raw } b: reports { count raw } c: reports { id } } } }`,
  ],
  [
    'report rows with global ids',
    `{ viewer { ${RECORDS} { reports { id recordId type } } auditLog { events { id eventId } } } }`,
  ],
  [
    'report rows without any selected field',
    `query($s: Boolean!) { viewer { ${RECORDS} { reports { raw @skip(if: $s) } } } }`,
    { variables: { s: true } },
  ],
  [
    'report rows whose fields share a column',
    '{ viewer { nelReports(unit: days, date: "2026-05-20") { reports { nelType phase uri __typename } } dmarcReports(unit: days, date: "2026-05-20") { reports { dkimResults { domain result } publishedPolicy { p } } } } }',
  ],
  [
    'report rows of several accounts',
    `{ accounts(first: 2) { nodes { id ${RECORDS} { reports { raw } truncated } } } }`,
  ],
  [
    'report rows next to a failing field',
    `{ viewer { ${RECORDS} { reports { raw } } graph(type: csp, unit: weeks, amount: 12) { type } } }`,
  ],
  [
    'report rows whose parent becomes null',
    `{ viewer { ${RECORDS} { reports { raw } } wizard { active } } }`,
  ],
  [
    'an interface',
    '{ viewer { reports(type: nel, from: "2026-05-01") { reports { __typename id recordId type date ... on NelReport { nelType } ... on CspReport { directive } ... on Node { id } } } } }',
  ],
  [
    'report rows of an interface, selected twice, whose fields share a column',
    `{ viewer { reports(type: dmarc, unit: days, date: "2026-05-20") { truncated a: reports { ...r } b: reports { ...r } } } }
     fragment r on Report { raw type ... on DmarcReport { dkimResults { __typename domain } } ... on NelReport { phase } }`,
  ],
  [
    'report rows of an interface in several accounts',
    '{ accounts(first: 2) { nodes { reports(type: csp, unit: days, date: "2026-05-20") { reports { id count } truncated } } } }',
  ],
  ['a node', `{ node(id: "acme") { __typename id ... on Account { type } ... on CspPolicy { name } } }`],
  ['an unknown node', '{ node(id: "nobody") { id } }'],
];

async function toContext(key: string): Promise<Context> {
  const { database } = service;
  const digest = computeDigest(key).toString('hex');
  const { account } = (await callersByDigest(database, [digest], new Date(NOW), 60_000)).get(digest)!;
  return { account, database, load: gatheringLoaders(database), now: new Date(NOW), reportsResultCap: 1000 };
}

/** Validating the document takes longer than executing it. */
const prepared = new Documents();

function findOperation(query: string, name?: string): PreparedOperation | undefined {
  const document = prepared.get(query);
  const found = 'errors' in document ? undefined : chooseOperation(document.operations, name);
  return found instanceof PreparedOperation ? found : undefined;
}

const toText = ({ body }: WrittenAnswer) =>
  typeof body === 'string' ? body : Buffer.concat(body.pieces).toString();
const ignore = () => {};

/** The order of several errors depends on timing. */
function settled(text: string) {
  const { data, errors = [] } = JSON.parse(text);
  const messages = errors.map((error: object) => JSON.stringify(error)).sort();
  return { data: JSON.stringify(data), errors: messages };
}

/** With several errors, timing decides which one explains a null. */
function countNulls({ data, errors }: ReturnType<typeof settled>) {
  const places = errors.map((text: string) => {
    const { path, extensions } = JSON.parse(text);
    let value = JSON.parse(data);
    const depth = path.findIndex((key: string | number) => {
      value = value?.[key];
      return value === undefined;
    });
    return JSON.stringify([path.slice(0, depth), extensions.code]);
  });
  return { data, places: places.sort() };
}

/** True for results with the same nulls but different errors. */
function differInCodes(given: Nulls, expected: Nulls): boolean {
  const listPaths = ({ data, places }: Nulls) =>
    JSON.stringify([data, places.map((place: string) => JSON.parse(place)[0])]);
  return listPaths(given) === listPaths(expected) && JSON.stringify(given) !== JSON.stringify(expected);
}

type Nulls = ReturnType<typeof countNulls>;

async function ours(key: string, query: string, { variables = {}, operationName }: GraphqlOptions) {
  const { status, text } = await ask(service, key, query, {
    variables,
    ...(operationName && { operationName }),
  });
  expect(status).toBe(200);
  return settled(text);
}

async function graphqlJs(key: string, query: string, { variables = {}, operationName }: GraphqlOptions) {
  const operation = findOperation(query, operationName)!;
  return settled(toText(await runPlainly(operation, variables, await toContext(key), ignore)));
}

/** Runs an operation in the executor. Returns false if the document or its variables are invalid. */
async function runs(
  key: string,
  query: string,
  { variables = {}, operationName }: GraphqlOptions,
): Promise<boolean> {
  const operation = findOperation(query, operationName);
  const read = operation?.read(variables);
  if (!operation || !read || 'errors' in read) return false;
  await run(operation, read.values, await toContext(key), ignore);
  return true;
}

describe('the executor', () => {
  it.each(documents)('returns the same result as graphql-js for %s', async (_, query, options = {}) => {
    for (const key of keys) {
      expect(await runs(key, query, options)).toBe(true);
      expect(await ours(key, query, options)).toEqual(await graphqlJs(key, query, options));
    }
    expect(globalThis).not.toHaveProperty('broken');
  });

  const whateverItIs = async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.gen(), fc.nat({ max: 1 }), async (g, which) => {
        const { query, ...options } = randomDocument(g, ids);
        const key = keys[which]!;
        if (!(await runs(key, query, options))) return;
        const both = async () =>
          [
            countNulls(await ours(key, query, options)),
            countNulls(await graphqlJs(key, query, options)),
          ] as const;
        let [given, expected] = await both();
        // A difference due to timing disappears when the request is repeated.
        for (let more = 0; more < 10 && differInCodes(given, expected); more++)
          [given, expected] = await both();
        expect(given).toEqual(expected);
        count++;
      }),
      { numRuns: DOCUMENTS, endOnFailure: true },
    );
    // All other documents are rejected.
    expect(count).toBeGreaterThan(DOCUMENTS / 4);
  };

  it('returns the same results as graphql-js for random documents', { tags: 'slow' }, whateverItIs);

  const DIRECTIVE = 'query($s: Boolean = true) { viewer { id @skip(if: $s) type } }';
  const ANY =
    '{ account(id: "acme") { team { teamName members { email } } } accounts { nodes { teamName plan { name } } } }';
  const wrong = new Error('wrong');
  const unusual: [what: string, type: string, field: string, resolve: () => unknown][] = [
    ['undefined for a non-null field', 'Team', 'teamName', () => undefined],
    ['an object for a string', 'Account', 'teamName', () => ({})],
    ['a promise', 'Account', 'teamName', async () => 'later'],
    ['a rejected promise', 'Account', 'teamName', () => Promise.reject(wrong)],
    ['an error', 'Account', 'teamName', () => wrong],
    ['an error for a list', 'Team', 'members', () => wrong],
    ['an object for a list', 'Team', 'members', () => ({})],
    ['a list that contains null', 'Team', 'members', () => [null]],
    ['an error in a list', 'Team', 'members', () => [wrong]],
    ['promises in a list', 'Team', 'members', () => [Promise.resolve({ email: 'a@example.com' })]],
    ['null for an object', 'Account', 'plan', () => null],
    [
      'a thrown string',
      'Account',
      'plan',
      () => {
        throw 'text';
      },
    ],
  ];

  it.each(unusual)(
    'returns the same result as graphql-js when a resolver returns %s',
    async (what, type, name, resolve) => {
      // A document that has not been cached yet.
      const query = `# ${what}\n${ANY}`;
      const field = (graphSchema.getType(type) as GraphQLObjectType).getFields()[name]!;
      const usual = { resolve: field.resolve, extensions: field.extensions };
      Object.assign(field, { resolve, extensions: {} });
      try {
        expect(await ours(keys[1]!, query, {})).toEqual(await graphqlJs(keys[1]!, query, {}));
      } finally {
        Object.assign(field, usual);
      }
    },
  );

  it('returns the same result as graphql-js when the condition of a directive is null', async () => {
    const options = { variables: { s: null } };
    for (const key of keys)
      expect(await ours(key, DIRECTIVE, options)).toEqual(await graphqlJs(key, DIRECTIVE, options));
  });

  it('returns the same results as graphql-js for random documents when the database fails', {
    tags: 'slow',
  }, async () => {
    const operator = connectOperator(service.databaseUrl);
    await operator`drop table csp_wizard, watch_finding cascade`;
    await operator.end();
    await whateverItIs();
  });
});

it('no object type of the schema defines isTypeOf, which the executor does not support', () => {
  const types = Object.values(graphSchema.getTypeMap()).filter(isObjectType);
  expect(types.filter(({ isTypeOf }) => isTypeOf)).toEqual([]);
});
