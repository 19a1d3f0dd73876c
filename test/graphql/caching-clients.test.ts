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

/** The same ids in both accounts, and other texts. */
function marked(line: Line, mark: string): Line {
  const texts = ['raw', 'name', 'policy', 'message'];
  const known = texts.filter(text => text in line && line.kind !== 'finding');
  return { ...line, ...Object.fromEntries(known.map(text => [text, `${mark}: ${line[text]}`])) };
}

const REPORTS = reportFields()
  .map(
    ({ field }) => `${field}(unit: days, date: "2026-05-20") { reports { id recordId type date count raw } }`,
  )
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
    ... on Report { recordId type date count raw }
    ... on CspPolicy { policyId name policy }
    ... on AuditEvent { eventId message }
  } }`,
} satisfies Documents;
const IN_TURN = ['TogetherQuery', 'OneQuery', 'TwoQuery'] as const;

/** The types of a document's objects that have ids, and each id once. */
function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'id') found.add(inner);
    else idsIn(inner, found);
  }
  return found;
}

/** Fields that clients add for themselves. */
function withoutTypeNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, inner) => (name === '__typename' ? undefined : inner)));
}

describe.each(Object.entries(CLIENTS))('%s', (_, open) => {
  it('shows of two accounts with the same ids what the service says of each', async () => {
    const client = await open(service, internal, documents);
    for (const name of IN_TURN) await client.ask(name);
    for (const name of IN_TURN) {
      const wire = await data(service, internal, documents[name]);
      expect(withoutTypeNames(await client.cached(name)), name).toEqual(wire);
    }
  });

  it('finds each object again by its id', async () => {
    const client = await open(service, internal, documents);
    const one = await data(service, internal, documents.OneQuery);
    const two = await data(service, internal, documents.TwoQuery);
    const ids = [...idsIn([one, two])];
    for (const id of ids) await client.ask('NodeQuery', { id });
    for (const id of ids) {
      const wire = await data(service, internal, documents.NodeQuery, { variables: { id } });
      expect(withoutTypeNames(await client.cached('NodeQuery', { id })), id).toEqual(wire);
      expect(JSON.stringify([one, two])).toContain(JSON.stringify(wire.node).slice(1, -1));
    }
  });
});

/** Types whose id is made of their account, though `node` does not find them: signs are computed. */
const COMPUTED = ['Sign'];

/** The object types with an id of their own. */
const NODES = Object.values(graphSchema.getTypeMap()).filter(
  type => isObjectType(type) && type.getFields().id !== undefined && !COMPUTED.includes(type.name),
);

describe('an id', () => {
  it.each(NODES.map(type => [type.name, type]))('of %s is that of a Node', (_, type) => {
    expect(isObjectType(type) && type.getInterfaces().map(({ name }) => name)).toContain('Node');
  });

  it('is that of one object alone, over all accounts and types', async () => {
    const seen = [documents.OneQuery, documents.TwoQuery].map(query => data(service, internal, query));
    const [one, two] = (await Promise.all(seen)).map(wire => idsIn(wire));
    // An account, a policy, an event, and a report of each type and one more.
    const size = 3 + REPORT_TYPES.length + 1;
    expect([one?.size, two?.size]).toEqual([size, size]);
    expect([...one!].filter(id => two!.has(id))).toEqual([]);
  });

  it('is the same in every answer', async () => {
    const again = await data(service, key, documents.OneQuery);
    expect(again).toEqual(await data(service, internal, documents.OneQuery));
  });
});

describe('node', () => {
  const QUERY = 'query($id: ID!) { node(id: $id) { __typename id ... on Report { raw } } }';
  const asked = (token: string, id: unknown) => ask(service, token, QUERY, { variables: { id } });

  it("shows an account's key what is its own, and of another's as little as of what is not there", async () => {
    const own = idsIn(await data(service, internal, documents.OneQuery));
    const others = idsIn(await data(service, internal, documents.TwoQuery));
    for (const id of own) expect((await asked(key, id)).body.data.node).toMatchObject({ id });
    const nothing = (await asked(key, 'nobody')).text;
    expect(nothing).toBe('{"data":{"node":null}}');
    for (const id of others) expect((await asked(key, id)).text).toBe(nothing);
  });

  const made = (...parts: string[]) => Buffer.from(parts.join('\0')).toString('base64url');

  it.each([
    ['nothing', ''],
    ['a number', 7],
    ['a NUL', '\0'],
    ['an account that is not there', 'nobody'],
    ['a report that is not there', made('NelReport', 'one', 'nobody')],
    ['a policy that is not there', made('CspPolicy', 'one', 'nobody')],
    ['an event that is not there', made('AuditEvent', 'one', 'nobody')],
    ['a type without nodes', made('Query', 'one', 'nel-1')],
    ['a part of an object', made('Plan', 'one', '')],
    ['a name that every object has', made('__proto__', 'one', 'nel-1')],
    ['another type', made('NelReport', 'one', 'csp-1')],
    ['another case', made('NelReport', 'one', 'NEL-1')],
    ['too many parts', made('NelReport', 'one', 'nel-1', '')],
    ['too few parts', made('NelReport', 'one')],
    ['padding', `${made('NelReport', 'one', 'nel-1')}=`],
    ['another alphabet', `${made('NelReport', 'one', 'nel-1')}+/`],
    ['no UTF-8', Buffer.from('NelReport\0one\0\xff', 'latin1').toString('base64url')],
    ['a length', 'x'.repeat(200_000)],
  ])('is null for %s', async (_, id) => {
    for (const token of [key, internal]) {
      expect((await asked(token, id)).body).toEqual({ data: { node: null } });
    }
  });

  it('shows no report that the retention hides', async () => {
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

it('the filter id of reports takes both ids', async () => {
  const query = `query($id: FilterText) { account(id: "one") {
    nelReports(unit: days, date: "2026-05-20", id: $id) { reports { id recordId raw } } } }`;
  const found = async (id: string) => {
    const { account } = await data(service, internal, query, { variables: { id } });
    return account.nelReports.reports;
  };
  const [report, ...others] = await found('nel-1');
  expect([report.recordId, others]).toEqual(['nel-1', []]);
  expect(await found(report.id)).toEqual([report]);
  const { account } = await data(service, internal, query.replace('"one"', '"two"'), {
    variables: { id: report.id },
  });
  expect(account.nelReports.reports).toEqual([]);
});
