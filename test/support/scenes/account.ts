import { type Scene, toGroup, toRows } from '../page-data.ts';
import { click, type RenderedPage } from '../rendered-page.ts';

const event = (eventId: string, name: string, requestIp: string, message = 'Something happened.') => ({
  ...{ eventId, event: name, requestIp, message },
  ...{ timestamp: `2026-03-0${eventId}T10:00:00Z`, loggedByEmail: 'ann@acme.example' },
});

export function listAudit(): Scene[] {
  const events = [
    event('3', 'loginFailed', '192.0.2.1', 'x\u202ey'),
    event('2', 'accountChanged', ''),
    event('1', 'loginFailed', '2001:db8::1'),
  ];
  const audit = (nextCursor: string | null) => ({
    Audit: { account: { auditLog: { events, nextCursor } } },
  });
  return [
    { title: 'the only page', hash: '#/audit', data: audit(null) },
    { title: 'the first page', hash: '#/audit', data: audit('c2') },
    { title: 'the second page', hash: '#/audit?cursor=c2', data: audit('c3') },
    { title: 'the last page', hash: '#/audit?cursor=c3&actor=bob%40acme.example', data: audit(null) },
    {
      title: 'no events',
      hash: '#/audit?event=x%E2%80%AEy',
      data: { Audit: { account: { auditLog: { events: [], nextCursor: null } } } },
    },
    { title: 'no account', hash: '#/audit', data: {} },
  ];
}

/** The first instant of the week whose findings are new, and the last before it. */
const [NEW, OLD] = ['2026-03-05T00:00:00Z', '2026-03-04T23:59:59Z'] as const;

const finding = (uri: string, firstSeen: string, source = 'csp', count = 2) => ({
  ...{ uri, firstSeen, source, count },
  lastSeen: '2026-03-10T00:00:00Z',
});

const findingGroup = (watch: { product: string; site: string }, name: string, more: object = {}) => ({
  ...{ product: watch.product, site: watch.site, name, isDomain: false, source: 'csp', findings: 1 },
  ...{ count: 1000, firstSeen: OLD, lastSeen: NEW, browsers: 3, pages: 2, days: 1, isSensitive: false },
  ...more,
});

const watch = (site: string, product: string, findings: object[], more: object = {}) => ({
  ...{ site, product, findings, emailAlertsEnabled: false, webhookEnabled: false, webhookTarget: null },
  ...{ alertThreshold: 1, ...more },
});

export function listWatches(): Scene[] {
  const old = watch('old.example', 'script', [
    finding('https://b.example/b.js', OLD, 'csp_integrity'),
    finding('https://a.example/a.js', NEW),
    finding('https://b.example/b.js', '2026-01-01T00:00:00Z', 'csp', 1000),
    finding('data:', '2026-01-02T00:00:00Z'),
    finding('inline', '2026-01-03T00:00:00Z'),
    finding('https://c.example/', '2026-01-04T00:00:00Z', 'other'),
  ]);
  const late = watch('late.example', 'policy', [
    {
      policy: "default-src 'self'",
      enforced: true,
      count: 1,
      firstSeen: '2026-03-09T00:00:00Z',
      lastSeen: NEW,
    },
  ]);
  const middle = watch('middle.example', 'script', [finding('https://a.example/', '2026-02-01T00:00:00Z')]);
  const data = (watches: object[], groups: object[] = [], otherGroups = 0) => ({
    Watches: { account: { watches, findings: { groups, totalCount: groups.length, otherGroups } } },
  });
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) =>
    findingGroup(old, `${name}.example`, { firstSeen: at < 2 ? NEW : OLD, isDomain: at === 0 }),
  );
  const alerts = (more: object) => {
    const one = watch('shop.example', 'connect', [finding('wss://a.example', NEW)], more);
    return data([one], [findingGroup(one, 'a.example')]);
  };
  return [
    {
      title: 'two watches, of which one has six groups',
      hash: '#/watches',
      data: data(
        [middle, old, watch('quiet.example', 'script', []), late, watch('quiet.example', 'frame', [])],
        [
          ...six,
          findingGroup(late, "default-src 'self'", { source: null, browsers: null, pages: null, days: null }),
          findingGroup(watch('late.example', 'script', []), 'other-product.example'),
          findingGroup(watch('other.example', 'policy', []), 'other-site.example'),
        ],
        1,
      ),
    },
    {
      title: 'five groups',
      hash: '#/watches',
      data: data([old], [...six.slice(0, 4), { ...six[4]!, browsers: 0, pages: 0, days: 0, findings: 3 }], 2),
    },
    {
      title: 'six groups, expanded',
      hash: '#/watches',
      data: data([old], six),
      use: page => click(page, 'Show all 6'),
    },
    { title: 'e-mail', hash: '#/watches', data: alerts({ emailAlertsEnabled: true }) },
    {
      title: 'an unnamed webhook',
      hash: '#/watches',
      data: alerts({ webhookEnabled: true, alertThreshold: 2 }),
    },
    {
      title: 'e-mail and a webhook',
      hash: '#/watches',
      data: alerts({ emailAlertsEnabled: true, webhookEnabled: true, webhookTarget: 'hooks.example' }),
    },
    { title: 'no watches', hash: '#/watches', data: data([]) },
    { title: 'no account', hash: '#/watches', data: {} },
  ];
}

export function listPolicies(): Scene[] {
  const saved = [
    { policyId: 'p1', name: 'Shop', policy: "default-src 'self'; script-src a.example; img-src 'none'" },
    { policyId: 'p2', name: 'Shop', policy: "default-src 'none'; img-src data:" },
  ];
  const groups = [
    toGroup(['p1', 'script-src-attr'], 3),
    toGroup(['p1', 'script-src-elem'], 1000),
    toGroup(['p1', 'style-src-elem'], 5),
    toGroup(['p1', 'frame-ancestors'], 7),
    toGroup(['p2', 'script-src-elem'], 11),
    toGroup(['p2', 'img-src'], 13),
  ];
  const data = (policies: object[], rows: typeof groups, wizard: object) => ({
    Policies: { account: { policies, wizard, directives: toRows(rows) } },
    Blocked: {
      account: {
        reportGroups: toRows(
          [
            ['https://cdn.example', 'external'],
            ['https://cdn.example:8443', 'external'],
            ['https://shop.example', 'sameOrigin'],
            ['http://cdn.example', 'external'],
            ['https://cdn.example/path', 'external'],
            ['data', 'data'],
            ['blob', 'blob'],
            ['', 'inline'],
            ['https://cdn.example', 'eval'],
            ['chrome-extension', 'extension'],
            ['', 'browser'],
            ['', 'unknown'],
          ].map((values, at) => toGroup(values, 1000 + at)),
        ),
      },
    },
  });
  const openAll = (page: RenderedPage) => {
    for (const one of page.root.findAll(({ localName }) => localName === 'details')) {
      one.open = true;
      one.fire('toggle');
    }
  };
  const off = { active: false, policy: null };
  return [
    { title: 'all are of saved policies', hash: '#/policies', data: data(saved, groups, off) },
    {
      title: 'one is of another policy',
      hash: '#/policies',
      data: data(saved, [...groups, toGroup(['p3', 'img-src'], 1)], { active: true, policy: '' }),
    },
    {
      title: 'only the wizard has a policy',
      hash: '#/policies',
      data: data(
        [],
        [toGroup(['', 'img-src'], 1), toGroup(['p3', ''], 1), toGroup(['p3', 'img-src'], 1000)],
        {
          active: true,
          policy: 'img-src a.example',
        },
      ),
    },
    {
      title: 'what a fallback blocked',
      hash: '#/policies',
      data: data(saved.slice(1), [groups[4]!, toGroup(['p3', 'img-src'], 2)], off),
      use: openAll,
    },
    {
      title: 'what a directive blocked',
      hash: '#/policies',
      data: data(saved.slice(0, 1), groups.slice(1, 2), off),
      use: openAll,
    },
    { title: 'nothing', hash: '#/policies', data: data([], [], off) },
    { title: 'no account', hash: '#/policies', data: {} },
  ];
}

export function listAccounts(): Scene[] {
  const plan = { name: 'Team', status: 'past_due_for_long' };
  const nodes = [
    { id: 'a1', type: 'team', email: 'a@acme.example', teamName: 'Te\u202eam', plan },
    { id: 'a2', type: 'user', email: 'b@acme.example', teamName: null, plan },
    { id: 'a3', type: 'user', email: null, teamName: null, plan },
  ];
  const data = (hasNextPage: boolean, endCursor: string | null, list: object[] = nodes) => ({
    Accounts: { accounts: { nodes: list, pageInfo: { hasNextPage, endCursor } } },
  });
  const props = { viewer: null };
  return [
    { title: 'the only page', hash: '#/', data: data(false, 'c1'), props },
    { title: 'the first page', hash: '#/', data: data(true, 'c1'), props },
    { title: 'the last page', hash: '#/?after=c1', data: data(false, null), props },
    { title: 'no accounts', hash: '#/', data: data(false, null, []), props },
  ];
}

export function listSetup(): Scene[] {
  const uri = (name: string) => `https://collect.example/${name}`;
  const setup = (
    endpoints: string[],
    wizard: string | null,
    dmarc: string | null,
    tlsRpt: string | null,
  ) => ({
    reportUri: { enforce: uri('enforce'), reportOnly: uri('reportOnly'), wizard },
    reportingApi: { endpoints: endpoints.map(url => ({ url })) },
    dmarc,
    tlsRpt,
  });
  const none = { lastSevenDays: [], violations: null, mail: null, sessions: null };
  const data = (own: object | null, arrived: object = none) => ({
    Setup: { account: { ...arrived, setup: own } },
  });
  const full = setup([uri('first'), uri('second')], uri('wizard'), 'dmarc@acme.example', uri('tls'));
  const form = (value: string) => (page: RenderedPage) => {
    const [select] = page.root.findAll(({ localName }) => localName === 'select');
    select!.value = value;
    select!.fire('change');
  };
  const viewer = { id: "it's", type: 'team', email: null, teamName: null };
  return [
    { title: 'everything', hash: '#/setup', data: data(full) },
    { title: 'everything, for Apache', hash: '#/setup', data: data(full), use: form('Apache') },
    {
      title: 'no wizard and no address for TLS-RPT',
      hash: '#/setup',
      data: data(setup([uri('first')], null, 'mailto:dmarc@acme.example', null), {
        ...none,
        mail: { totalReports: 1 },
      }),
    },
    {
      title: 'only TLS-RPT, of an account whose name needs quotes',
      hash: '#/setup',
      data: data(setup([], uri('wizard'), null, 'tls@acme.example')),
      props: { viewer },
    },
    { title: 'nothing', hash: '#/setup', data: data(null, { ...none, mail: { totalReports: 0 } }) },
    { title: 'no account', hash: '#/setup', data: {} },
  ];
}
