import { RECORDS } from '@sightline/feed/records';
import * as documents from '@sightline/pages/app/documents/documents.generated';
import { parse } from 'csv-parse/sync';
import { isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphSchema } from '../schema/index.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { accountOf, bases, linesOf } from './support/extreme-records.ts';
import { ALPHABETS, type Alphabet } from './support/extremes.ts';
import { NOW } from './support/fixtures.ts';
import { data } from './support/graphql.ts';
import { restoredInto } from './support/restored.ts';
import { everyRoute } from './support/routes.ts';
import { everythingOf } from './support/selections.ts';
import { type Line, startService, type TestService } from './support/service.ts';

/**
 * Every door shows all that the feed takes. These are the fields of every kind but `report` at their bounds, in texts
 * that could be taken for something else. `longest-values.test.ts` has the fields of reports.
 */

/** All in test:faults; in npm test the one that fills indexes. */
const alphabets = (Object.keys(ALPHABETS) as Alphabet[]).filter(name => IN_EARNEST || ALPHABETS[name] === '');

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service?.close());

type Answers = Record<string, string>;

/** The answers of every route to the two accounts of these lines, with their names in its parameters. */
async function answersOf(asked: TestService, alphabet: Alphabet, lines: readonly Line[]): Promise<Answers> {
  const answers: Answers = {};
  const named = (kind: string, name: string) =>
    encodeURIComponent(String(lines.find(line => line.kind === kind)![name]));
  const [policy, site] = [named('policy', 'id'), named('watch', 'site')];
  for (const kind of ['personal', 'team'] as const) {
    const key = await asked.key(kind, accountOf(alphabet) + (kind === 'team' ? 't' : ''));
    for (const { target, teamOnly = false } of await everyRoute()) {
      if (teamOnly !== (kind === 'team')) continue;
      const path = target.replace('pol_own', policy).replace('own.example.com', site);
      const { status, text } = await asked.get(path, key);
      expect([target, status]).toEqual([target, 200]);
      answers[path] = text;
    }
  }
  return answers;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const recordsIn = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));

/** The texts of all answers, whichever form they have. */
function shownBy(answers: Answers): Set<string> {
  const bodies = Object.entries(answers).map(([path, text]) =>
    path.startsWith('/export') ? recordsIn(text) : JSON.parse(text),
  );
  return new Set(textsIn(bodies));
}

/** Kinds that no route shows as the feed has them. */
const NOT_SHOWN = new Set(['apiKey', 'usage', 'authorisation']);

/** The long texts of the lines that no answer has, by their fields. */
function missingIn(shown: ReadonlySet<string>, lines: readonly Line[]): string[] {
  return lines
    .filter(({ kind }) => !NOT_SHOWN.has(kind))
    .flatMap(({ accountId: _account, id: _id, ...line }) =>
      Object.entries(line).flatMap(([name, value]) =>
        textsIn(value)
          .filter(text => text.length > 64 && !shown.has(text))
          .map(() => `${line.kind}.${name}`),
      ),
    );
}

/** Values of the variables that the page's documents have. */
const VARIABLES = (accountId: string): Record<string, unknown> => ({
  account: accountId,
  type: 'csp',
  id: 'none',
  unit: 'days',
  date: '2026-05-20',
  from: '2026-05-01T00:00:00Z',
  week: '2026-05-13T00:00:00Z',
  site: 'own.example.com',
  policy: "default-src 'self'",
  hasNoise: false,
  page: { hostnames: ['*e*'] },
  blocked: { blockedHostnames: ['*e*'] },
  resource: { subresourceHostnames: ['*e*'] },
  source: { sourceIp: '192.0.2.1' },
  server: { serverIp: '192.0.2.1' },
  hash: { subresourceHashes: ['*'] },
  report: { id: 'none' },
});
/** Those that ask for groups of reports alone, which \`longest-values.test.ts\` has. */
const OF_REPORTS = new Set(['Groups', 'Past', 'ReportType', 'Blocked', 'Sites']);

function documentsOfPage(accountId: string): { text: string; variables: Record<string, unknown> }[] {
  return Object.entries(documents)
    .map(([name, document]) => ({ name: /^(\w+)Document$/.exec(name)?.[1] ?? '', text: String(document) }))
    .filter(({ name }) => name !== '' && name !== 'Accounts' && !OF_REPORTS.has(name))
    .map(({ text }) => ({ text, variables: pick(VARIABLES(accountId), text) }));
}

function pick(values: Record<string, unknown>, text: string): Record<string, unknown> {
  const period = text.includes('$unit') ? ['from'] : ['unit', 'date'];
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => text.includes(`$${name}:`) && !period.includes(name)),
  );
}

it('every field of every kind is tried', () => {
  const tried = new Set(
    bases('a').flatMap(([base]) => Object.keys(base).map(name => `${base.kind}.${name}`)),
  );
  const all = Object.entries(RECORDS).flatMap(([kind, { fields }]) =>
    Object.keys(fields).map(name => `${kind}.${name}`),
  );
  expect(
    all.filter(field => !tried.has(field)),
    'add these to bases()',
  ).toEqual([]);
});

describe.each(alphabets)('records at their bounds, of %s', alphabet => {
  const accountId = accountOf(alphabet);
  const lines = linesOf(alphabet);
  let key: string;
  let answers: Answers;
  beforeAll(async () => {
    for (let times = 0; times < 2; times++) await service.load(...lines);
    key = await service.key('personal', accountId);
    answers = await answersOf(service, alphabet, lines);
  });

  it('are shown by the routes as they came', () => {
    expect(missingIn(shownBy(answers), lines)).toEqual([]);
  });

  it.each(['audit-log', 'findings'])('are read from the CSV of %s as they came', async resource => {
    const { text } = await service.get(`/export/${resource}?format=csv`, key);
    const rows: Line[] = parse(text, { columns: true, bom: true });
    const records = recordsIn(answers[`/export/${resource}`]!);
    expect(rows.length).toBe(records.length);
    const plain = (value: unknown) => String(value ?? '').replace(/^'/, '');
    for (const [index, record] of records.entries()) {
      for (const [name, value] of Object.entries(record))
        expect(plain(rows[index]![name]), name).toBe(plain(value));
    }
  });

  it('are answered by every field of an account, and found by the ids of these', async () => {
    const account = graphSchema.getType('Account');
    if (!isObjectType(account)) throw new Error('there is no type Account');
    const texts: string[] = [];
    for (const { name, type, args } of Object.values(account.getFields())) {
      if (name.endsWith('Reports') || args.some(argument => isNonNullType(argument.type))) continue;
      const selection = everythingOf(String(type).replace(/[[\]!]/g, ''));
      const { viewer } = await data(service, key, `{ viewer { id ${name} ${selection} } }`);
      expect(viewer.id).toBe(accountId);
      texts.push(...textsIn(viewer));
    }
    const ofTeam = lines.filter(line => line.kind !== 'account' && !String(line.accountId).endsWith('t'));
    expect(missingIn(new Set([...texts, ...shownBy(answers)]), ofTeam)).toEqual([]);
    const { viewer } = await data(service, key, '{ viewer { policies { id policyId } } }');
    const { node } = await data(
      service,
      key,
      'query($id: ID!) { node(id: $id) { ... on CspPolicy { policyId } } }',
      {
        variables: { id: viewer.policies[0].id },
      },
    );
    expect(node.policyId).toBe(viewer.policies[0].policyId);
  });

  it('are answered to an internal token, by id and in the list', async () => {
    const token = await service.key('internal');
    const { account, accounts } = await data(
      service,
      token,
      'query($id: ID!) { account(id: $id) { email } accounts { nodes { id } } }',
      { variables: { id: accountId } },
    );
    expect(account.email).toBe(lines[0]!.email);
    expect(accounts.nodes).toContainEqual({ id: accountId });
  });

  it('are answered to the page', async () => {
    for (const { text, variables } of documentsOfPage(accountId))
      await data(service, key, text, { variables });
  });

  it('are found by the filters of the audit log', async () => {
    const { event, loggedByEmail, id } = lines.find(({ kind }) => kind === 'auditEvent')!;
    for (const where of [{ event }, { actor: loggedByEmail }]) {
      const query = `query($event: String, $actor: String) {
        viewer { auditLog(event: $event, actor: $actor) { events { eventId } } } }`;
      const { viewer } = await data(service, key, query, { variables: where });
      expect(viewer.auditLog.events).toEqual([{ eventId: id }]);
    }
  });

  it.each(IN_EARNEST ? (['0001', 'today'] as const) : (['0001'] as const))(
    'are the same after their tables were copied into the form of %s',
    async form => {
      const restored = await restoredInto(service, form);
      if (!restored) return;
      try {
        await using other = await startService({ now: NOW, databaseUrl: restored.url });
        const inBoth = ([path]: [string, string]) => form === 'today' || path.startsWith('/v1');
        const there = await answersOf(other, alphabet, lines);
        expect(Object.entries(there).filter(inBoth)).toEqual(Object.entries(answers).filter(inBoth));
      } finally {
        await restored.drop();
      }
    },
  );
});
