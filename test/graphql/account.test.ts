import { isReportType, isRestReportType, REPORT_TYPES, reportType } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auditEvent,
  CERTIFICATE,
  finding,
  NOW,
  open,
  personal,
  plan,
  team,
  watch,
} from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { belongings } from '../support/routes.ts';
import { readAll, reportFields } from '../support/selections.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
let internal: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('acme'), ...belongings('acme'), auditEvent('acme', 'event-2'));
  key = await service.key('team', 'acme');
  internal = await service.key('internal');
});
afterAll(() => service.close());

const SHA = CERTIFICATE.sha256;
const GRAPH = 'graph(type: csp, unit: months, amount: 3)';

// biome-ignore lint/suspicious/noExplicitAny: bodies of all shapes
type Body = any;

/** `/v1` shows an object's id within its account as `id`. */
function withOwnId({ id: _, recordId, policyId, type: _type, ...rest }: Body): Body {
  return { id: recordId ?? policyId, ...rest };
}

/** Removes the report types that `/v1` does not include. */
function withoutExportOnlyTypes(value: Body): Body {
  if (Array.isArray(value))
    return value
      .filter(item => !isReportType(item?.type) || isRestReportType(item.type))
      .map(withoutExportOnlyTypes);
  if (typeof value !== 'object' || value === null) return value;
  const existing = Object.entries(value).filter(([name]) => !isReportType(name) || isRestReportType(name));
  return Object.fromEntries(existing.map(([name, inner]) => [name, withoutExportOnlyTypes(inner)]));
}

/** Fields of an account, and the route that returns the same data. */
const same: [part: string, query: string, path: string, asBody: (account: Body) => Body][] = [
  ['setup', `setup ${readAll('Setup')}`, '/setup', account => account.setup],
  ['quota', 'quota { used limit }', '/quota', account => account.quota],
  ['team', `team ${readAll('Team')}`, '/team', account => account.team],
  ['filters', `filters ${readAll('FilterConfiguration')}`, '/filters', account => account.filters],
  [
    'certificate',
    `certificate(sha256: "${SHA}") { pem }`,
    `/certificate-transparency/cert/${SHA}`,
    account => account.certificate,
  ],
  ['csp graph', `${GRAPH} ${readAll('Graph')}`, '/graphs/csp/months/3', account => account.graph],
  [
    'graph of another report type',
    `graph(type: nel, unit: weeks, amount: 1) ${readAll('Graph')}`,
    '/graphs/nel/weeks/1',
    account => account.graph,
  ],
  [
    'last seven days',
    `lastSevenDays ${readAll('DayTotals')}`,
    '/last-seven-days',
    account => ({ days: account.lastSevenDays }),
  ],
  [
    'breakdown',
    `breakdown ${readAll('ReportTypeTotals')}`,
    '/breakdown',
    account => ({ breakdown: account.breakdown }),
  ],
  [
    'usage metrics',
    `usageMetrics ${readAll('UsageMetric')}`,
    '/usage-metrics',
    account => ({ metrics: account.usageMetrics }),
  ],
  [
    'policies',
    'policies { policyId name policy }',
    '/policies/csp',
    ({ policies }) => ({ policies: policies.map(withOwnId) }),
  ],
  ['wizard', 'wizard { active policy }', '/wizard/csp', account => account.wizard],
];

describe('an account in GraphQL and in /v1', () => {
  it.each(same)('returns the same %s as /v1', async (_, query, path, asBody) => {
    const { viewer } = await data(service, key, `{ viewer { ${query} } }`);
    const { body } = await service.get(`/v1${path}`, key);
    expect(withoutExportOnlyTypes(asBody(viewer))).toEqual(body);
    const { account } = await data(service, internal, `{ account(id: "acme") { ${query} } }`);
    expect(account).toEqual(viewer);
  });

  it('returns the same profile as /v1/me, with the email and creation date', async () => {
    const { viewer } = await data(service, key, '{ viewer { id type email teamName createdAt } }');
    const { body } = await service.get('/v1/me', key);
    expect(body).toEqual({ type: viewer.type, teamId: viewer.id, teamName: viewer.teamName });
    expect(viewer).toMatchObject({ email: null, createdAt: '2020-01-01T00:00:00+00:00' });
  });

  it('returns the plan of /v1/plan with its tier', async () => {
    const { viewer } = await data(service, key, `{ viewer { plan ${readAll('Plan')} } }`);
    const { body } = await service.get('/v1/plan', key);
    expect(viewer.plan).toEqual({ ...body, tier: 'business' });
  });

  it.each(['script', 'data', 'frame', 'policy'])(
    'returns the same %s watches and findings as /v1',
    async product => {
      const fields = 'site emailAlertsEnabled webhookEnabled webhookTarget alertThreshold';
      const findings = readAll('AnyWatchFinding');
      const query = `{ viewer { watches(product: ${product}) { ${fields} findings ${findings} } } }`;
      const { viewer } = await data(service, key, query);
      const [{ findings: found, ...watch }] = viewer.watches;
      expect({ watches: [watch] }).toEqual((await service.get(`/v1/watches/${product}`, key)).body);
      const { body } = await service.get(`/v1/watches/${product}/own.example.com`, key);
      expect({ findings: found }).toEqual(body);
      expect(found).toHaveLength(1);
    },
  );

  it('returns the most recently seen findings of each watch, up to the requested number', async () => {
    const seen = (day: number) => ({ lastSeen: `2026-05-${day}T00:00:00Z` });
    await service.load(
      ...[10, 14, 12].map(day =>
        finding('first', 'script', 'one.example.com', `https://${day}.example/`, seen(day)),
      ),
      finding('first', 'data', 'one.example.com', 'https://data.example/', seen(11)),
      ...['c', 'a', 'b'].map(name =>
        finding('first', 'frame', 'one.example.com', `https://${name}.example/`, seen(13)),
      ),
      ...['script', 'data', 'frame'].map(product => watch('first', product, 'one.example.com')),
      watch('first', 'script', 'all.example.com'),
      personal('first'),
      plan('first'),
    );
    const own = await service.key('personal', 'first');
    const query = (first: number) =>
      `{ viewer { watches { product findings(first: ${first}) { ... on WatchFinding { uri } } } } }`;
    expect((await data(service, own, query(2))).viewer.watches).toEqual([
      { product: 'script', findings: [] },
      { product: 'data', findings: [{ uri: 'https://data.example/' }] },
      { product: 'frame', findings: [{ uri: 'https://a.example/' }, { uri: 'https://b.example/' }] },
      { product: 'script', findings: [{ uri: 'https://14.example/' }, { uri: 'https://12.example/' }] },
    ]);
    const { body } = await ask(service, own, query(0));
    expect(body.errors[0].message).toBe('Invalid value for parameter: first. It must be 1 to 1000.');
  });

  it('returns only the findings of its own account for a site that others watch as well', async () => {
    const site = 'shared.example.com';
    for (const account of ['left', 'right'])
      await service.load(
        personal(account),
        plan(account),
        watch(account, 'script', site),
        finding(account, 'script', site, `https://${account}.example/a.js`),
      );
    for (const account of ['left', 'right']) {
      const own = await service.key('personal', account);
      for (const args of ['', '(first: 5)']) {
        const query = `{ viewer { watches { findings${args} { ... on WatchFinding { uri } } } } }`;
        expect((await data(service, own, query)).viewer.watches).toEqual([
          { findings: [{ uri: `https://${account}.example/a.js` }] },
        ]);
      }
    }
  });

  it('reports LIMIT_EXCEEDED when a watch has more than 1000 findings and no limit is given', async () => {
    await service.load(
      ...Array.from({ length: 1001 }, (_, index) =>
        finding('many', 'script', 'many.example.com', `https://${index}.example/`),
      ),
      watch('many', 'script', 'many.example.com'),
      personal('many'),
      plan('many'),
    );
    const own = await service.key('personal', 'many');
    const query = (args: string) => `{ viewer { watches { findings${args} { __typename } } } }`;
    const { body } = await ask(service, own, query(''));
    expect(body.errors[0]).toMatchObject({
      message:
        'The script watch of many.example.com has more than 1000 findings: request the first ones, or read all of them from /export/findings.',
      extensions: { code: 'LIMIT_EXCEEDED', limit: 'findings', max: 1000 },
    });
    const { viewer } = await data(service, own, query('(first: 1000)'));
    expect(viewer.watches[0].findings).toHaveLength(1000);
  });

  it('has totals of each day that a period includes, whose end is exclusive', async () => {
    const list = async (from: string, to: string) => {
      const query = `{ viewer { dayTotals(from: "${from}", to: "${to}") { date } } }`;
      return (await data(service, key, query)).viewer.dayTotals.map(({ date }: { date: string }) => date);
    };
    const days = ['2026-05-10', '2026-05-11', '2026-05-12'];
    expect(await list('2026-05-10', '2026-05-12T00:00:00Z')).toEqual(days.slice(0, 2));
    expect(await list('2026-05-10T23:59:59Z', '2026-05-12T00:00:00.001Z')).toEqual(days);
    expect(await list('2026-05-12T00:00:00Z', '2026-05-12T00:00:00Z')).toEqual([]);
  });

  it('has totals of at most 92 days, from the retention until today', async () => {
    const own = await open(service, personal('days'), plan('days', { dataRetentionDays: 30 }));
    const list = async (period: string) => {
      const { body } = await ask(service, own, `{ viewer { dayTotals(${period}) { date } } }`);
      return body.errors?.[0].message ?? body.data.viewer.dayTotals.map(({ date }: Body) => date);
    };
    const refusal = 'Invalid value for parameter: from. It takes a time at most 92 days before `to`.';
    expect(await list('from: "2026-02-01", to: "2026-05-04T00:00:00.000Z"')).toHaveLength(14);
    expect(await list('from: "2026-02-01", to: "2026-05-04T00:00:00.001Z"')).toBe(refusal);
    expect((await list('from: "2026-04-01"'))[0]).toBe('2026-04-20');
    expect(await list('from: "2026-05-19T12:00:00Z", to: "2026-09-01"')).toEqual([
      '2026-05-19',
      '2026-05-20',
    ]);
    expect(await list('from: "2026-05-21"')).toEqual([]);
  });

  it('finds a watch by its global id', async () => {
    const { viewer } = await data(service, key, '{ viewer { watches(product: script) { id site } } }');
    const [{ id, site }] = viewer.watches;
    expect(Buffer.from(id, 'base64url').toString()).toBe('Watch\0acme\0script own.example.com');
    const found = '{ node(id: "ID") { __typename id ... on Watch { site product } } }';
    const { node } = await data(service, key, found.replace('ID', id));
    expect(node).toEqual({ __typename: 'Watch', id, site, product: 'script' });
    const none = Buffer.from('Watch\0acme\0script none.example.com').toString('base64url');
    expect(await data(service, key, found.replace('ID', none))).toEqual({ node: null });
  });

  it('lists the watches of all products when no product is given', async () => {
    const { viewer } = await data(service, key, '{ viewer { watches { product } } }');
    expect(viewer.watches.map(({ product }: Body) => product).toSorted()).toEqual([
      'data',
      'frame',
      'policy',
      'script',
    ]);
  });

  const lists = reportFields().map(({ field, selection }, index) => ({
    field,
    type: REPORT_TYPES[index]!,
    selection,
  }));
  it.each(lists.filter(({ type }) => isRestReportType(type)))(
    'returns the same reports in $field as /v1',
    async ({ field, type, selection }) => {
      const query = `{ viewer { ${field}(unit: days, date: "2026-05-20") ${selection} } }`;
      const { viewer } = await data(service, key, query);
      const { body } = await service.get(`/v1/reports/${type}?unit=days&date=2026-05-20`, key);
      const { reports, truncated } = viewer[field];
      const shown = reports.map(withOwnId);
      // A CSP report has no id under /v1.
      if (type === 'csp') for (const report of shown) delete report.id;
      const graphOnly = reportType(type).fields.filter(field => field.graphOnly);
      for (const { name } of graphOnly) for (const report of shown) delete report[name];
      expect({ reports: shown, truncated }).toEqual(body);
      expect(body.reports.length).toBeGreaterThan(0);
    },
  );

  it('pages through the audit log like /v1', async () => {
    const page = `($limit: PageLimit, $cursor: Cursor) { viewer { auditLog(limit: $limit, cursor: $cursor) {
      events { timestamp event message loggedById loggedByEmail requestIp } nextCursor truncated } } }`;
    const first = await data(service, key, `query ${page}`, { variables: { limit: 1 } });
    const { body } = await service.get('/v1/audit-log?limit=1', key);
    expect(first.viewer.auditLog).toEqual(body);
    const cursor = first.viewer.auditLog.nextCursor;
    const second = await data(service, key, `query ${page}`, { variables: { limit: 1, cursor } });
    expect(second.viewer.auditLog).toEqual(
      (await service.get(`/v1/audit-log?limit=1&cursor=${cursor}`, key)).body,
    );
    expect(second.viewer.auditLog).toMatchObject({
      events: [{ message: 'Event event-1' }],
      truncated: false,
    });
  });

  it('filters the audit log by event and by actor', async () => {
    await service.load(
      auditEvent('acme', 'renamed', { event: 'teamRenamed' }),
      auditEvent('acme', 'by-bob', { loggedByEmail: 'bob@example.com' }),
    );
    const trail = async (query: string): Promise<string[]> => {
      const { viewer } = await data(service, key, `{ viewer { auditLog(${query}) { events { eventId } } } }`);
      return viewer.auditLog.events.map(({ eventId }: Body) => eventId);
    };
    expect(await trail('event: "teamRenamed"')).toEqual(['renamed']);
    expect(await trail('actor: "bob@example.com"')).toEqual(['by-bob']);
    expect(await trail('event: "teamRenamed", actor: "bob@example.com"')).toEqual([]);
    expect((await trail('limit: 1000')).sort()).toEqual(expect.arrayContaining(['by-bob', 'renamed']));
  });

  it('lists the report types of /v1 and their labels', async () => {
    const { reportTypeList } = await data(service, key, '{ reportTypeList { type label } }');
    expect({ types: withoutExportOnlyTypes(reportTypeList) }).toEqual(
      (await service.get('/v1/report-types', key)).body,
    );
  });
});

it('returns every field that takes no required arguments in one response', async () => {
  const { viewer } = await data(service, key, `{ viewer ${readAll('Account')} }`);
  expect(viewer).toMatchObject({ id: 'acme', quota: { limit: 500_000 }, wizard: { active: false } });
});

it('returns null for optional data that an account does not have', async () => {
  const { account } = await data(service, internal, '{ account(id: "acme") { email } }');
  expect(account).toEqual({ email: null });
  await service.load(team('bare'));
  const query = `{ account(id: "bare") { setup { dmarc } certificate(sha256: "${SHA}") { pem } plan { name } } }`;
  const bare = await data(service, internal, query);
  expect(bare.account).toEqual({ setup: null, certificate: null, plan: { name: 'Free' } });
});

it('filters reports by host names, given as a list or as a single value', async () => {
  const query = `query($hosts: [HostPattern!]) { viewer {
    hit: nelReports(unit: days, date: "2026-05-20", hostnames: $hosts, phase: null) { reports { recordId } }
    miss: nelReports(unit: days, date: "2026-05-20", hostnames: "nobody.example") { reports { recordId } } } }`;
  await service.load({
    kind: 'report',
    accountId: 'acme',
    type: 'nel',
    id: 'filtered',
    date: NOW,
    raw: '',
    uri: 'https://www.example.com/',
    statusCode: 0,
  });
  const { viewer } = await data(service, key, query, {
    variables: { hosts: ['*.example.com', 'x.example'] },
  });
  expect(viewer).toEqual({ hit: { reports: [{ recordId: 'filtered' }] }, miss: { reports: [] } });
});

it('returns the first policies by name if `first` is given', async () => {
  const list = async (args: string) =>
    (await data(service, key, `{ viewer { policies${args} { policyId } } }`)).viewer.policies;
  const all = await list('');
  expect(all.length).toBeGreaterThan(0);
  expect(await list('(first: 1)')).toEqual(all.slice(0, 1));
  expect(await list('(first: 1000)')).toEqual(all);
  const { body } = await ask(service, key, '{ viewer { policies(first: 0) { policyId } } }');
  expect(body.errors[0].message).toBe('Invalid value for parameter: first. It must be at least 1.');
});
