// @module-tag slow
import { readdir } from 'node:fs/promises';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES } from '@sightline/reports';
import { isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { graphSchema } from '../schema/index.ts';
import { Announcer } from '../sql/changes/announcer.ts';
import { maintain } from '../sql/maintenance/maintain.ts';
import { countExpired, prune } from '../sql/maintenance/prune.ts';
import { blockKey, endKey, listKeys, lockKey } from '../sql/operator/key-administration.ts';
import { migrate } from '../sql/operator/migrate.ts';
import type { FilterKind } from '../sql/report/filter.ts';
import { listFilters } from '../sql/report/filters.ts';
import { loadFeed } from '../src/feed/load.ts';
import { issueKey } from '../src/keys/issue.ts';
import { createDatabase } from './support/database.ts';
import { NOW, plan, report, team } from './support/fixtures.ts';
import { data } from './support/graphql.ts';
import { connectOperator } from './support/operator.ts';
import { RecordedStatements } from './support/recorded-statements.ts';
import { belongings, everyRoute } from './support/routes.ts';
import { readAll } from './support/selections.ts';
import { type Line, startService, type TestService } from './support/service.ts';

/**
 * All statements that the service sends to PostgreSQL, with their parameters and callers, in one file per domain in
 * `test/statements`. A diff shows how the SQL changed; `npx vitest run test/sent-statements.test.ts --update` updates
 * the files.
 */
const recorded = new RecordedStatements();
let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({
    now: NOW,
    answerCacheSize: 0,
    through: database => recorded.through(database),
  });
  // Insights are only searched for in types with earlier reports.
  const earlier = REPORT_TYPES.map(type => report('acme', type, 'earlier', { date: '2026-05-20T14:00:00Z' }));
  await service.load(team('acme'), team('beside'), plan('beside'), ...belongings('acme'), ...earlier);
  key = await service.key('team', 'acme');
});
afterAll(() => service.close());

const PERIOD = 'unit: days, date: "2026-05-20"';

/** The fields of an account that have required arguments. */
const FIELDS: Record<string, string> = {
  reports: `reports(type: nel, ${PERIOD}) { reports { id } }`,
  report: 'report(type: nel, id: "nel-1") { date }',
  reportGroups: `reportGroups(type: csp, ${PERIOD}, by: [BLOCKED_HOST, DAY]) { groups { count days } totalCount }
    daily: reportGroups(type: csp, unit: months, date: "2026-05", by: [BLOCKED_HOST, DIRECTIVE], first: 2) { groups { dailyCounts } }`,
  policyReplay:
    'policyReplay(site: "www.example.com", policy: "img-src *", from: "2026-05-01") { allowed { count } }',
  policySuggestion:
    'policySuggestion(site: "www.example.com", baseline: "img-src a.example", from: "2026-05-01") { policy }',
  connectionAllowlistSuggestion:
    'connectionAllowlistSuggestion(site: "www.example.com", from: "2026-05-01") { header }',
  mailReadiness: 'mailReadiness(from: "2026-05-01") { domain }',
  dmarcReplay: 'dmarcReplay(domain: "example.com", policy: "p=reject", from: "2026-05-01") { rejected }',
  mtaStsReplay: 'mtaStsReplay(domain: "example.com", from: "2026-05-01") { refused }',
  graph: 'graph(type: csp, unit: months, amount: 3) { type }',
  dayTotals: 'dayTotals(from: "2026-05-01") { date csp }',
  certificate: `certificate(sha256: "${'0'.repeat(64)}") { pem }`,
};

function withArguments(name: string): string {
  const field = FIELDS[name];
  if (!field) throw new Error(`Account.${name} needs arguments: add it with some to FIELDS of this test`);
  return field;
}

/** A value for each kind of filter. */
const VALUES: Record<FilterKind, unknown> = {
  hosts: ['www.example.com', '*.example.org'],
  paths: ['/a', '/b/*'],
  hashes: ['sha256-AAAA'],
  equals: 'Some value',
  contains: 'part',
  policy: "default-src  'self'",
  flag: true,
  anyFlag: true,
  atMost: 30,
  boolean: false,
  classes: ['extension', 'inline'],
  details: 'certificate-expired',
};

/** Each filter once, with a value and a type that supports it. */
function everyFilter() {
  const all = REPORT_TYPE_DEFINITIONS.flatMap(({ type, fields }) =>
    listFilters(type).map(({ name, kind, field }) => {
      const existing = fields.find(one => one.name === field)?.values?.[0];
      return { type, name, value: existing ?? VALUES[kind] };
    }),
  );
  return new Map(all.reverse().map(filter => [filter.name, filter])).values();
}

/** The files that were compared. */
const reviewed = new Set<string>();

async function expectReviewed(sent: RecordedStatements): Promise<void> {
  for (const [domain, text] of sent.files()) {
    reviewed.add(`${domain}.sql`);
    // All files are compared before the test fails.
    await expect.soft(text).toMatchFileSnapshot(`statements/${domain}.sql`);
  }
}

async function ask(caller: string, selection: string, variables = {}): Promise<void> {
  recorded.caller = caller;
  const declared = 'where' in variables ? '($where: ReportFilter)' : '';
  await data(service, key, `query${declared} { viewer { ${selection} } }`, { variables });
}

it('the service sends only reviewed statements', async () => {
  for (const { path, target } of await everyRoute()) {
    recorded.caller = path;
    expect((await service.get(target, key)).status).toBe(200);
  }
  recorded.caller = '/v1/audit-log?cursor=';
  const { body } = await service.get('/v1/audit-log?limit=1', key);
  await service.get(`/v1/audit-log?limit=1&cursor=${body.nextCursor ?? ''}`, key);
  for (const resource of ['reports/csp', 'audit-log', 'findings']) {
    recorded.caller = `/export/${resource}?after=`;
    expect((await service.get(`/export/${resource}?after=`, key)).status).toBe(200);
  }
  recorded.caller = '/export/metrics';
  expect((await service.get('/export/metrics', key)).status).toBe(200);
  const account = graphSchema.getType('Account');
  if (!isObjectType(account)) throw new Error('there is no type Account');
  for (const { name, type, args } of Object.values(account.getFields())) {
    if (name.endsWith('Reports')) continue;
    const needsMore = args.some(argument => isNonNullType(argument.type));
    await ask(
      `Account.${name}`,
      needsMore ? withArguments(name) : `${name} ${readAll(String(type).replace(/[[\]!]/g, ''))}`,
    );
  }
  recorded.caller = 'Query.accounts';
  await data(service, await service.key('internal'), `{ accounts { nodes { ${FIELDS.graph} } } }`);
  for (const { type, name, value } of everyFilter()) {
    const where = { [name]: value };
    await ask(`filter ${name}`, `reports(type: ${type}, ${PERIOD}, where: $where) { truncated }`, { where });
  }
  await expectReviewed(recorded);
});

it('each command sends only reviewed statements', async context => {
  // A distributed database receives different statements.
  context.skip(inject('workerUrls').length > 0);
  const sent = new RecordedStatements();
  const database = await createDatabase();
  const [own, second] = [connectOperator(database.url), connectOperator(database.url)];
  const sql = sent.on(own);
  const announcer = new Announcer(second, 0);
  const now = new Date(NOW);
  const load = (...lines: Line[]) =>
    loadFeed(
      sql,
      announcer,
      [{ name: 'feed', content: [lines.map(line => `${JSON.stringify(line)}\n`).join('')] }],
      { now },
    );
  try {
    sent.caller = 'migrate';
    await migrate(sql);
    sent.caller = 'load';
    const old = report('late', 'csp', 'r-0', { date: '2026-04-01T00:00:00Z' });
    await load(team('acme'), ...belongings('acme'));
    await load(
      { kind: 'account', id: 'acme', deleted: true },
      team('late'),
      report('late', 'csp', 'r-1'),
      old,
    );
    sent.caller = 'keys';
    const { id } = await issueKey(sql, 'team', { accountId: 'late', name: null, expiresAt: null });
    await listKeys(sql, 'late');
    await sql.transaction(transaction => lockKey(transaction, id));
    await endKey(sql, id, 0);
    await blockKey(sql, id);
    sent.caller = 'prune';
    await countExpired(sql, '2026-05-20');
    await prune(sql, announcer, '2026-05-20');
    sent.caller = 'load again';
    await load(report('late', 'csp', 'r-1'), old, plan('late'));
    await load(
      report('late', 'csp', 'r-1', { count: 2 }),
      // Days with this many reports are candidates for rollups.
      ...(['csp', 'nel', 'dmarc'] as const).map(type => report('late', type, 'many', { count: 300 })),
      plan('late'),
    );
    sent.caller = 'maintain';
    await maintain(sql, second, { announcer, today: '2026-07-20', report: () => {} });
  } finally {
    await Promise.all([own.end(), second.end()]);
    await database.drop();
  }
  await expectReviewed(sent);
});

it('every file of statements belongs to a caller that sends them', async context => {
  context.skip(inject('workerUrls').length > 0);
  const files = await readdir(new URL('statements/', import.meta.url));
  expect(files.sort()).toEqual([...reviewed].sort());
});
