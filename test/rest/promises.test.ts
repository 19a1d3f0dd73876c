import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphSchema } from '../../schema/index.ts';
import { listFilters, REPORT_FILTERS } from '../../sql/report/filters.ts';
import { contract } from '../support/contract.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { belongings, everyRoute, type Route } from '../support/routes.ts';
import { readAll } from '../support/selections.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Rules for all routes, including future ones: the plan's entitlements, and the size of a response. */
let service: TestService;
let routes: Route[];
let [plain, granted] = ['', ''];

const MARK = 'known-to-threat-intelligence.example';
const TOLD_BY_PLAN = REPORT_TYPE_DEFINITIONS.map(({ type, fields }) => ({
  type,
  marked: fields.filter(field => field.threatIntelligence && field.kind === 'texts').map(({ name }) => name),
})).filter(({ marked }) => marked.length > 0);

/** The maximum size in bytes of the lists in a response, and of each text of the account. */
const BOUND = 32 * 1024;
const TEXT = 7.5 * 1024;

beforeAll(async () => {
  service = await startService({ now: NOW, longestAnswer: BOUND });
  routes = (await everyRoute()).filter(({ teamOnly }) => !teamOnly);
  const toKey = async (id: string, features: Record<string, boolean>) => {
    const key = await open(service, personal(id), plan(id, {}, features));
    await service.load(
      ...belongings(id).filter(({ kind }) => kind !== 'plan'),
      ...TOLD_BY_PLAN.map(({ type, marked }) =>
        report(id, type, `${type} marked`, Object.fromEntries(marked.map(name => [name, [MARK]]))),
      ),
    );
    return key;
  };
  plain = await toKey('plain', {});
  granted = await toKey('granted', THREAT_INTELLIGENCE);
});
afterAll(() => service?.close());

function listParameters({ path }: Route): string[] {
  const template = Object.keys(contract.paths).find(existing =>
    new RegExp(`^${existing.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  );
  const parameters = (contract.paths[template ?? '']?.get?.parameters ?? []) as { name: string }[];
  return parameters.map(({ name }) => name);
}

const ofPlan = new Map(
  REPORT_FILTERS.filter(({ threatIntelligence }) => threatIntelligence).map(({ name, kind }) => [name, kind]),
);

const isUsed = (type: string, name: string) =>
  (REPORT_TYPES as readonly string[]).includes(type) &&
  listFilters(type as ReportType).some(filter => filter.name === name);

describe('data that requires Threat Intelligence', () => {
  it('cannot be requested through any parameter without the feature', async () => {
    const requested = routes.flatMap(route =>
      listParameters(route)
        .filter(name => ofPlan.has(name) && isUsed(route.path.split('/').at(-1)!, name))
        .map(name => {
          const value = ofPlan.get(name) === 'atMost' ? '50' : 'true';
          return `${route.target}${route.target.includes('?') ? '&' : '?'}${name}=${value}`;
        }),
    );
    expect(requested.length).toBeGreaterThan(20);
    for (const path of requested) {
      expect([path, (await service.get(path, granted)).status]).toEqual([path, 200]);
      expect([path, (await service.get(path, plain)).status]).toEqual([path, 403]);
    }
  });

  it('is not returned by any route without the feature', { tags: 'slow' }, async () => {
    const showing: string[] = [];
    for (const { target } of routes) {
      const both = target.startsWith('/export') ? [target, `${target}?after=`] : [target];
      for (const path of both) {
        expect((await service.get(path, plain)).text, path).not.toContain(MARK);
        if ((await service.get(path, granted)).text.includes(MARK)) showing.push(path);
      }
    }
    expect(showing.length).toBeGreaterThanOrEqual(3 * TOLD_BY_PLAN.length);
  });

  it('is not returned by any field of an account without the feature', { tags: 'slow' }, async () => {
    const showing: string[] = [];
    for (const [name, query] of queriesOfFields()) {
      const { text, body } = await ask(service, plain, query);
      expect([name, body.errors]).toEqual([name, undefined]);
      expect(text, name).not.toContain(MARK);
      if ((await ask(service, granted, query)).text.includes(MARK)) showing.push(name);
    }
    expect(showing).toContain('cspReports');
  });
});

/** Values for required arguments and for periods. */
const ARGUMENTS: Readonly<Record<string, string>> = { unit: 'days', date: '"2026-05-20"' };

/** Makes a query for each account field that has no other required arguments, with all of its subfields. */
function queriesOfFields(): [string, string][] {
  const account = graphSchema.getType('Account');
  if (!isObjectType(account)) throw new Error('there is no type Account');
  return Object.values(account.getFields())
    .filter(({ args }) => !args.some(({ name, type }) => isNonNullType(type) && !ARGUMENTS[name]))
    .map(({ name, type, args }) => {
      const given = args.filter(arg => ARGUMENTS[arg.name]).map(arg => `${arg.name}: ${ARGUMENTS[arg.name]}`);
      const period = given.length > 0 ? `(${given.join(', ')})` : '';
      return [name, `{ viewer { ${name}${period} ${readAll(String(type).replace(/[[\]!]/g, ''))} } }`];
    });
}

/** Routes whose responses grow with the account's settings or with their `limit`. */
const GROWS: Readonly<Record<string, string>> = {
  '/v1/policies/csp': 'saved policies, of the account itself',
  '/v1/audit-log': '`limit`',
  '/v1/watches/script': 'findings, of watches that the account has set up',
  '/v1/watches/data': 'the same',
  '/v1/watches/frame': 'the same',
  '/v1/watches/policy': 'the same',
  '/v1/watches/script/:domain': 'the same',
  '/v1/watches/data/:domain': 'the same',
  '/v1/watches/frame/:domain': 'the same',
  '/v1/watches/policy/:domain': 'the same',
};

/** Copies a line under other ids, with long texts where the field accepts them. */
function makeMany(line: Line, count: number): Line[] {
  const long = 'x'.repeat(TEXT);
  const texts = ['raw', 'message', 'uri', 'policy', 'reason'].filter(name => name in line);
  return Array.from({ length: count }, (_, index) => ({
    ...line,
    ...('id' in line && { id: `${line.id}-${index}` }),
    ...('subject' in line && { subject: `https://${index}.example/` }),
    ...Object.fromEntries(texts.map(name => [name, `${index} ${long}`])),
  }));
}

it('no response exceeds the maximum length, regardless of the amount of data', { tags: 'slow' }, async () => {
  const key = await open(service, personal('much'), plan('much', {}, THREAT_INTELLIGENCE));
  const MANY = new Set(['report', 'finding', 'policy', 'auditEvent', 'verdict']);
  const lines = belongings('much').filter(({ kind }) => kind !== 'plan');
  await service.load(
    ...lines,
    ...lines.filter(({ kind }) => MANY.has(kind)).flatMap(line => makeMany(line, 8)),
  );

  const longer: string[] = [];
  for (const { path, target, isExport } of routes.filter(({ isExport }) => !isExport)) {
    const { status, text } = await service.get(target, key);
    expect([path, status, isExport]).toEqual([path, 200, false]);
    if (text.length > BOUND) longer.push(path);
  }
  expect(
    longer.filter(path => !(path in GROWS)),
    'limit their length like that of report lists, or give a reason in GROWS',
  ).toEqual([]);

  const longest: string[] = [];
  for (const [name, query] of queriesOfFields()) {
    const { text, body } = await ask(service, key, query);
    if (text.length > 2 * BOUND) longest.push(name);
    const codes =
      body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code) ?? [];
    expect([name, codes.filter((code: string) => code !== 'LIMIT_EXCEEDED')]).toEqual([name, []]);
  }
  expect(longest).toEqual([]);
});
