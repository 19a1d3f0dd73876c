import { REPORT_TYPES } from '@sightline/reports';
import { isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphSchema } from '../../schema/index.ts';
import { CLIENTS, type Documents } from '../support/caching-clients.ts';
import { NOW, team } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { belongings } from '../support/routes.ts';
import { reportFields } from '../support/selections.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
let internal: string;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  for (const id of ['one', 'two'])
    await service.load(team(id), ...belongings(id).map(line => marked(line, id)));
  internal = await service.key('internal');
  key = await service.key('team', 'one');
});
afterAll(() => service.close());

/** Marks the texts of an account whose objects have the same ids as another account's. */
function marked(line: Line, mark: string): Line {
  const texts = ['raw', 'name', 'policy', 'message'];
  const existing = texts.filter(text => text in line && line.kind !== 'finding');
  return { ...line, ...Object.fromEntries(existing.map(text => [text, `${mark}: ${line[text]}`])) };
}

const REPORTS = reportFields()
  .map(({ field }) => `${field}(unit: days, date: "2026-05-20") { reports { id recordId type date raw } }`)
  .join(' ');
const POLICIES = 'policies { id policyId name policy }';
const EVERYTHING = `id teamName ${POLICIES} auditLog { events { id eventId message } } ${REPORTS}`;

const documents = {
  TogetherQuery: `query TogetherQuery {
    one: account(id: "one") { id ${POLICIES} }
    two: account(id: "two") { id ${POLICIES} }
  }`,
  OneQuery: `query OneQuery { account(id: "one") { ${EVERYTHING} } }`,
  TwoQuery: `query TwoQuery { account(id: "two") { ${EVERYTHING} } }`,
  NodeQuery: `query NodeQuery($id: ID!) { node(id: $id) {
    id
    ... on Account { teamName }
    ... on Report { recordId type date raw }
    ... on CspPolicy { policyId name policy }
    ... on AuditEvent { eventId message }
  } }`,
} satisfies Documents;
const IN_TURN = ['TogetherQuery', 'OneQuery', 'TwoQuery'] as const;

/** Returns the distinct ids in a result. */
function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'id') found.add(inner);
    else idsIn(inner, found);
  }
  return found;
}

/** Removes fields that clients add by themselves. */
function withoutTypeNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, inner) => (name === '__typename' ? undefined : inner)));
}

/** The service's answers, which are the same for each client. */
const wires = new Map<string, Promise<Record<string, unknown>>>();

function readWire(name: keyof typeof documents, variables = {}): Promise<Record<string, unknown>> {
  const question = `${name} ${JSON.stringify(variables)}`;
  const wire = wires.get(question) ?? data(service, internal, documents[name], { variables });
  wires.set(question, wire);
  return wire;
}

describe.each(Object.entries(CLIENTS))('%s', (_, open) => {
  it('caches two accounts that use the same ids without mixing their data', async () => {
    const client = await open(service, internal, documents);
    for (const name of IN_TURN) await client.ask(name);
    for (const name of IN_TURN) {
      const wire = await readWire(name);
      expect(withoutTypeNames(await client.cached(name)), name).toEqual(wire);
    }
  });

  it('caches each object under its own id', { tags: 'slow' }, async () => {
    const client = await open(service, internal, documents);
    const one = await readWire('OneQuery');
    const two = await readWire('TwoQuery');
    const both = JSON.stringify([one, two]);
    const ids = [...idsIn([one, two])];
    for (const id of ids) await client.ask('NodeQuery', { id });
    for (const id of ids) {
      const wire = await readWire('NodeQuery', { id });
      expect(withoutTypeNames(await client.cached('NodeQuery', { id })), id).toEqual(wire);
      expect(both).toContain(JSON.stringify(wire.node).slice(1, -1));
    }
  });
});

/** Types whose ids contain their account but are not found by `node`, because insights are computed. */
const COMPUTED = ['Insight'];

/** The object types that have an id. */
const NODES = Object.values(graphSchema.getTypeMap()).filter(
  type => isObjectType(type) && type.getFields().id !== undefined && !COMPUTED.includes(type.name),
);

describe('global ids', () => {
  it.each(NODES.map(type => [type.name, type]))('implement Node on %s', (_, type) => {
    expect(isObjectType(type) && type.getInterfaces().map(({ name }) => name)).toContain('Node');
  });

  it('are unique across accounts and types', async () => {
    const seen = [documents.OneQuery, documents.TwoQuery].map(query => data(service, internal, query));
    const [one, two] = (await Promise.all(seen)).map(wire => idsIn(wire));
    // An account, a policy, an event, a report of each type, and one further report.
    const size = 3 + REPORT_TYPES.length + 1;
    expect([one?.size, two?.size]).toEqual([size, size]);
    expect([...one!].filter(id => two!.has(id))).toEqual([]);
  });

  it('are the same for every token', async () => {
    const repeated = await data(service, key, documents.OneQuery);
    expect(repeated).toEqual(await data(service, internal, documents.OneQuery));
  });
});

describe('node', () => {
  const QUERY = 'query($id: ID!) { node(id: $id) { __typename id ... on Report { raw } } }';
  const askFor = (token: string, id: unknown) => ask(service, token, QUERY, { variables: { id } });

  it('returns objects of the account of the key, and null for other objects and unknown ids', async () => {
    const own = idsIn(await data(service, internal, documents.OneQuery));
    const others = idsIn(await data(service, internal, documents.TwoQuery));
    for (const id of own) expect((await askFor(key, id)).body.data.node).toMatchObject({ id });
    const nothing = (await askFor(key, 'nobody')).text;
    expect(nothing).toBe('{"data":{"node":null}}');
    for (const id of others) expect((await askFor(key, id)).text).toBe(nothing);
  });

  const made = (...parts: string[]) => Buffer.from(parts.join('\0')).toString('base64url');

  it.each([
    ['an empty id', ''],
    ['a number', 7],
    ['a NUL character', '\0'],
    ['an unknown account', 'nobody'],
    ['an unknown report', made('NelReport', 'one', 'nobody')],
    ['an unknown policy', made('CspPolicy', 'one', 'nobody')],
    ['an unknown event', made('AuditEvent', 'one', 'nobody')],
    ['a type that is not a Node', made('Query', 'one', 'nel-1')],
    ['a nested object', made('Plan', 'one', '')],
    ['the type __proto__', made('__proto__', 'one', 'nel-1')],
    ['a different report type', made('NelReport', 'one', 'csp-1')],
    ['an id in a different case', made('NelReport', 'one', 'NEL-1')],
    ['too many parts', made('NelReport', 'one', 'nel-1', '')],
    ['too few parts', made('NelReport', 'one')],
    ['a padded id', `${made('NelReport', 'one', 'nel-1')}=`],
    ['another Base64 alphabet', `${made('NelReport', 'one', 'nel-1')}+/`],
    ['invalid UTF-8', Buffer.from('NelReport\0one\0\xff', 'latin1').toString('base64url')],
    ['an id of 200,000 characters', 'x'.repeat(200_000)],
  ])('is null for %s', async (_, id) => {
    for (const token of [key, internal]) {
      expect((await askFor(token, id)).body).toEqual({ data: { node: null } });
    }
  });

  it('hides a report past the retention', async () => {
    await using other = await startService({ now: NOW });
    await other.load(team('one'), ...belongings('one'));
    const token = await other.key('internal');
    const variables = { id: made('NelReport', 'one', 'nel-1') };
    expect(await data(other, token, QUERY, { variables })).toMatchObject({ node: { raw: 'nel-1' } });
    other.setNow('2026-08-18T14:30:00Z');
    expect(await data(other, token, QUERY, { variables })).toMatchObject({ node: { raw: 'nel-1' } });
    other.setNow('2026-08-19T14:30:00Z');
    expect(await data(other, token, QUERY, { variables })).toEqual({ node: null });
  });
});

it('filters reports by both the global id and the record id', async () => {
  const query = `query($id: FilterText, $not: FilterText) { account(id: "one") {
    nelReports(unit: days, date: "2026-05-20", id: $id, not: { id: $not }) { reports { id recordId raw } } } }`;
  const found = async (id: string, not: string | null = null) => {
    const { account } = await data(service, internal, query, { variables: { id, not } });
    return account.nelReports.reports;
  };
  const [report, ...others] = await found('nel-1');
  expect([await found('nel-1', 'nel-1'), await found('nel-1', report.id)]).toEqual([[], []]);
  const [, ...rest] = Buffer.from(report.id, 'base64url').toString().split('\0');
  const ofAnotherType = Buffer.from(['CspReport', ...rest].join('\0')).toString('base64url');
  expect(await found(ofAnotherType)).toEqual([]);
  expect([report.recordId, others]).toEqual(['nel-1', []]);
  expect(await found(report.id)).toEqual([report]);
  const { account } = await data(service, internal, query.replace('"one"', '"two"'), {
    variables: { id: report.id },
  });
  expect(account.nelReports.reports).toEqual([]);
});
