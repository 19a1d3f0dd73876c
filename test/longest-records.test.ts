import { RECORDS } from '@sightline/feed';
import { parse } from 'csv-parse/sync';
import { isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphSchema } from '../schema/index.ts';
import { IN_EARNEST } from './faults/scale.ts';
import { bases, getAccount, toLines } from './support/extreme-records.ts';
import { ALPHABETS, type Alphabet } from './support/extremes.ts';
import { NOW } from './support/fixtures.ts';
import { data } from './support/graphql.ts';
import { pageDocuments } from './support/page-documents.ts';
import { restoreToNewDatabase } from './support/restored.ts';
import { everyRoute } from './support/routes.ts';
import { readAll } from './support/selections.ts';
import { type Line, startService, type TestService } from './support/service.ts';

/**
 * Every endpoint returns everything that the feed accepts. This covers the fields of every kind of line except
 * `report`, at their maximum lengths, with text that could be misread as syntax. `longest-values.test.ts` covers the
 * fields of reports.
 */

/** In test:faults, all of them; in npm test, only the text that fills indexes. */
const alphabets = (Object.keys(ALPHABETS) as Alphabet[]).filter(name => IN_EARNEST || ALPHABETS[name] === '');

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service?.close());

type Answers = Record<string, string>;

/** Returns the responses of every route for the two accounts of these lines, with their values as parameters. */
async function collectAnswers(
  asked: TestService,
  alphabet: Alphabet,
  lines: readonly Line[],
): Promise<Answers> {
  const answers: Answers = {};
  const named = (kind: string, name: string) =>
    encodeURIComponent(String(lines.find(line => line.kind === kind)![name]));
  const [policy, site] = [named('policy', 'id'), named('watch', 'site')];
  for (const kind of ['personal', 'team'] as const) {
    const key = await asked.key(kind, getAccount(alphabet) + (kind === 'team' ? 't' : ''));
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

/** Returns the texts in all responses, whatever their format. */
function shownBy(answers: Answers): Set<string> {
  const bodies = Object.entries(answers).map(([path, text]) =>
    path.startsWith('/export') ? recordsIn(text) : JSON.parse(text),
  );
  return new Set(textsIn(bodies));
}

/** Kinds of lines that no route returns in the format of the feed. */
const NOT_SHOWN = new Set(['apiKey', 'usage', 'verdict']);

/** Returns, by field, the long texts of these lines that no response contains. */
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

it('the tests cover every field of every kind', () => {
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

describe.each(alphabets)(
  'records with values of maximum length, consisting of %s',
  { tags: 'slow' },
  alphabet => {
    const accountId = getAccount(alphabet);
    const lines = toLines(alphabet);
    let key: string;
    let answers: Answers;
    beforeAll(async () => {
      for (let times = 0; times < 2; times++) await service.load(...lines);
      key = await service.key('personal', accountId);
      answers = await collectAnswers(service, alphabet, lines);
    });

    it('are returned unchanged by the routes', () => {
      expect(missingIn(shownBy(answers), lines)).toEqual([]);
    });

    it.each(['audit-log', 'findings'])('are unchanged in the CSV of %s', async resource => {
      const { text } = await service.get(`/export/${resource}?format=csv`, key);
      const rows: Line[] = parse(text, { columns: true, bom: true });
      const records = recordsIn(answers[`/export/${resource}`]!);
      expect(rows.length).toBe(records.length);
      const plain = (value: unknown) =>
        String(value ?? '')
          .replace(/^'/, '')
          // In table cells, control characters of terminals are escaped as in JSON.
          .replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
      for (const [index, record] of records.entries()) {
        for (const [name, value] of Object.entries(record))
          expect(plain(rows[index]![name]), name).toBe(plain(value));
      }
    });

    it('are returned by every field of an account and found by their ids', async () => {
      const account = graphSchema.getType('Account');
      if (!isObjectType(account)) throw new Error('there is no type Account');
      const texts: string[] = [];
      for (const { name, type, args } of Object.values(account.getFields())) {
        if (name.endsWith('Reports') || args.some(argument => isNonNullType(argument.type))) continue;
        const selection = readAll(String(type).replace(/[[\]!]/g, ''));
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

    it('are returned to an internal token, by id and in the list', async () => {
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

    it('are returned to the page', async () => {
      for (const { query, variables } of pageDocuments(accountId, NOW))
        expect(Object.values(await data(service, key, query, { variables }))).not.toContain(null);
    });

    it('are matched by the filters of the audit log', async () => {
      const { event, loggedByEmail, id } = lines.find(({ kind }) => kind === 'auditEvent')!;
      for (const where of [{ event }, { actor: loggedByEmail }]) {
        const query = `query($event: String, $actor: String) {
        viewer { auditLog(event: $event, actor: $actor) { events { eventId } } } }`;
        const { viewer } = await data(service, key, query, { variables: where });
        expect(viewer.auditLog.events).toEqual([{ eventId: id }]);
      }
    });

    it('are the same after a restore into a new database', async () => {
      const restored = await restoreToNewDatabase(service);
      if (!restored) return;
      try {
        await using other = await startService({ now: NOW, databaseUrl: restored.url });
        expect(await collectAnswers(other, alphabet, lines)).toEqual(answers);
      } finally {
        await restored.drop();
      }
    });
  },
);
