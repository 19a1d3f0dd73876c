import { REPORT_TYPES, reportType } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEvent, CERTIFICATE, finding, NOW, personal, plan, team, watch } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { belongings } from '../support/routes.ts';
import { everythingOf, reportFields } from '../support/selections.ts';
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

/** `/v1` calls the own id of an object its id. */
function withOwnId({ id: _, recordId, policyId, type: _type, ...rest }: Body): Body {
  return { id: recordId ?? policyId, ...rest };
}

/** A field of an account, and the route with the same in it. */
const same: [part: string, query: string, path: string, asBody: (account: Body) => Body][] = [
  ['setup', `setup ${everythingOf('Setup')}`, '/setup', account => account.setup],
  ['quota', 'quota { used limit }', '/quota', account => account.quota],
  ['team', `team ${everythingOf('Team')}`, '/team', account => account.team],
  ['filters', `filters ${everythingOf('FilterConfiguration')}`, '/filters', account => account.filters],
  [
    'certificate',
    `certificate(sha256: "${SHA}") { pem }`,
    `/certificate-transparency/cert/${SHA}`,
    account => account.certificate,
  ],
  ['graph of csp', `${GRAPH} ${everythingOf('Graph')}`, '/graphs/csp/months/3', account => account.graph],
  [
    'graph of another type',
    `graph(type: nel, unit: weeks, amount: 1) ${everythingOf('Graph')}`,
    '/graphs/nel/weeks/1',
    account => account.graph,
  ],
  [
    'last seven days',
    `lastSevenDays ${everythingOf('DayTotals')}`,
    '/last-seven-days',
    account => ({ days: account.lastSevenDays }),
  ],
  [
    'breakdown',
    `breakdown ${everythingOf('ReportTypeTotals')}`,
    '/breakdown',
    account => ({ breakdown: account.breakdown }),
  ],
  [
    'usage metrics',
    `usageMetrics ${everythingOf('UsageMetric')}`,
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

describe('an account shows what /v1 shows of it', () => {
  it.each(same)('%s', async (_, query, path, asBody) => {
    const { viewer } = await data(service, key, `{ viewer { ${query} } }`);
    const { body } = await service.get(`/v1${path}`, key);
    expect(asBody(viewer)).toEqual(body);
    const { account } = await data(service, internal, `{ account(id: "acme") { ${query} } }`);
    expect(account).toEqual(viewer);
  });

  it('profile', async () => {
    const { viewer } = await data(service, key, '{ viewer { id type email teamName createdAt } }');
    const { body } = await service.get('/v1/me', key);
    expect(body).toEqual({ type: viewer.type, teamId: viewer.id, teamName: viewer.teamName });
    expect(viewer).toMatchObject({ email: null, createdAt: '2020-01-01T00:00:00+00:00' });
  });

  it('plan, with its tier', async () => {
    const { viewer } = await data(service, key, `{ viewer { plan ${everythingOf('Plan')} } }`);
    const { body } = await service.get('/v1/plan', key);
    expect(viewer.plan).toEqual({ ...body, tier: 'business' });
  });

  it.each(['script', 'data', 'frame', 'policy'])('watches of %s, with their findings', async product => {
    const fields = 'site emailAlertsEnabled webhookEnabled webhookTarget alertThreshold';
    const findings = everythingOf('AnyWatchFinding');
    const query = `{ viewer { watches(product: ${product}) { ${fields} findings ${findings} } } }`;
    const { viewer } = await data(service, key, query);
    const [{ findings: found, ...watch }] = viewer.watches;
    expect({ watches: [watch] }).toEqual((await service.get(`/v1/watches/${product}`, key)).body);
    const { body } = await service.get(`/v1/watches/${product}/own.example.com`, key);
    expect({ findings: found }).toEqual(body);
    expect(found).toHaveLength(1);
  });

  it('as many findings of a watch as are asked for: those that were seen last', async () => {
    const seen = (day: number) => ({ lastSeen: `2026-05-${day}T00:00:00Z` });
    await service.load(
      ...[10, 14, 12].map(day =>
        finding('first', 'script', 'one.example.com', `https://${day}.example/`, seen(day)),
      ),
      finding('first', 'data', 'one.example.com', 'https://data.example/', seen(11)),
      ...['script', 'data', 'frame'].map(product => watch('first', product, 'one.example.com')),
      personal('first'),
      plan('first'),
    );
    const own = await service.key('personal', 'first');
    const query = (first: number) =>
      `{ viewer { watches { product findings(first: ${first}) { ... on WatchFinding { uri } } } } }`;
    expect((await data(service, own, query(2))).viewer.watches).toEqual([
      { product: 'data', findings: [{ uri: 'https://data.example/' }] },
      { product: 'frame', findings: [] },
      { product: 'script', findings: [{ uri: 'https://14.example/' }, { uri: 'https://12.example/' }] },
    ]);
    const { body } = await ask(service, own, query(0));
    expect(body.errors[0].message).toBe('Invalid value for parameter: first. It takes 1 and more.');
  });

  it('a watch by its id, which is one however its site is written', async () => {
    const { viewer } = await data(service, key, '{ viewer { watches(product: script) { id site } } }');
    const [{ id, site }] = viewer.watches;
    expect(Buffer.from(id, 'base64url').toString()).toBe('Watch\0acme\0script own.example.com');
    const found = '{ node(id: "ID") { __typename id ... on Watch { site product } } }';
    const { node } = await data(service, key, found.replace('ID', id));
    expect(node).toEqual({ __typename: 'Watch', id, site, product: 'script' });
    const none = Buffer.from('Watch\0acme\0script none.example.com').toString('base64url');
    expect(await data(service, key, found.replace('ID', none))).toEqual({ node: null });
  });

  it('watches of all products', async () => {
    const { viewer } = await data(service, key, '{ viewer { watches { product } } }');
    expect(viewer.watches.map(({ product }: Body) => product).toSorted()).toEqual([
      'data',
      'frame',
      'policy',
      'script',
    ]);
  });

  it.each(reportFields().map(({ field, selection }, index) => [field, REPORT_TYPES[index]!, selection]))(
    '%s',
    async (field, type, selection) => {
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

  it('the audit trail, a page at a time', async () => {
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

  it('the audit trail of one event, and of one who caused it', async () => {
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

  it('the report types', async () => {
    const { reportTypeList } = await data(service, key, '{ reportTypeList { type label } }');
    expect({ types: reportTypeList }).toEqual((await service.get('/v1/report-types', key)).body);
  });
});

it('has everything that can be selected without an argument in one answer', async () => {
  const { viewer } = await data(service, key, `{ viewer ${everythingOf('Account')} }`);
  expect(viewer).toMatchObject({ id: 'acme', quota: { limit: 500_000 }, wizard: { active: false } });
});

it('leaves null what an account does not have', async () => {
  const { account } = await data(service, internal, '{ account(id: "acme") { email } }');
  expect(account).toEqual({ email: null });
  await service.load(team('bare'));
  const query = `{ account(id: "bare") { setup { dmarc } certificate(sha256: "${SHA}") { pem } plan { name } } }`;
  const bare = await data(service, internal, query);
  expect(bare.account).toEqual({ setup: null, certificate: null, plan: { name: 'Free' } });
});

it('finds reports by filters, given as lists and as single values', async () => {
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
