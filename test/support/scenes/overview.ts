import { REPORT_TYPES } from '../../../packages/web/src/app/browser/report-types.ts';
import { type Scene, toGroup, toRows } from '../page-data.ts';
import { click } from '../rendered-page.ts';

/** Days of reports with counts by type; other types have none. */
const toDays = (...days: object[]) =>
  days.map((counts, at) => ({
    ...Object.fromEntries(REPORT_TYPES.map(({ type }) => [type, 0])),
    ...{ date: `2026-03-0${at + 1}`, ...counts },
  }));

const insight = (id: string, more: object = {}) => ({
  ...{ id, kind: 'spike', severity: 'change', state: 'ongoing', title: `Title ${id}`, detail: 'Detail' },
  ...{ subject: '', firstSeen: '2026-03-01T10:00:00Z', lastSeen: '2026-03-02T10:00:00Z', count: 3 },
  ...{ link: '/app#/csp?period=7d', verdict: null, ...more },
});

const verdict = (name: string, expiresAt: string | null = null) => ({
  ...{ verdict: name, reason: 'We use it.', decidedBy: 'x\u202ey', expiresAt },
});

const findings = (groups: object[] = [], totalCount = groups.length) => ({
  groups,
  totalCount,
  otherGroups: 0,
});

const overview = (more: object = {}) => ({
  ...{ plan: { name: 'Team', dataRetentionDays: 30 }, quota: { used: 1, limit: 10 }, insights: [] },
  ...{ insightCoverage: { types: [] }, days: toDays({ csp: 1 }), usageMetrics: [], watches: [] },
  ...{ findings: findings(), sources: null, newHosts: null, threats: null, mail: null, sendersNow: null },
  ...{ senders: null, issuers: null, ...more },
});

const scene = (title: string, more: object = {}, others: object = {}): Scene => ({
  title,
  hash: '#/?period=7d',
  data: { Overview: { account: overview(more) }, ...others },
});

const EARLIER = { firstSeen: '2026-03-01T00:00:00Z' };
const LATER = { firstSeen: '2026-03-10T00:00:00Z' };

const toHosts = (length: number, more: object = LATER) =>
  Array.from({ length }, (_, at) => toGroup(`h${at}.example`, 1000 - at, more));

const many = (length: number, more: object = {}) =>
  Array.from({ length }, (_, at) => insight(`i${at}`, more));

export function listInsights(): Scene[] {
  const type = (name: string, reports: number, learningUntil: string | null = null) => ({
    ...{ type: name, reports, learningUntil },
  });
  const covered = (...types: object[]) => ({ insightCoverage: { types } });
  return [
    { title: 'no account', hash: '#/', data: {} },
    scene('no reports', { days: toDays({}), sources: toRows([]), mail: toRows([]) }),
    scene('only earlier mail', { days: toDays({}), mail: toRows([toGroup(['2026-02-20', 'true'], 1)]) }),
    scene('only earlier CSP reports', { days: toDays({}), sources: toRows([toGroup('external', 1)]) }),
    scene('only earlier certificates', { days: toDays({}), issuers: toRows([toGroup('CN=R3', 1)]) }),
    scene('insights that could not be loaded', { insights: null, insightCoverage: null }),
    scene('one report', covered(type('csp', 1), type('nel', 0))),
    scene('reports of an unknown type', covered(type('csp', 1000), type('new_type', 2))),
    scene(
      'young reports',
      covered(type('csp', 1, '2026-03-15T00:00:00Z'), type('nel', 1, '2026-03-14T00:00:00Z')),
    ),
    scene('some young reports', covered(type('csp', 1, '2026-03-14T00:00:00Z'), type('nel', 1))),
    scene('insights of each kind', {
      insights: [
        insight('a', {
          severity: 'threat',
          link: '/app#/dmarc/reports',
          title: 'x\u202ey',
          detail: 'x\u202ey',
        }),
        insight('b', { severity: 'incident', state: 'new', kind: 'manyNewHosts', subject: 'ads.example' }),
        insight('c', { kind: 'manyNewHosts', subject: '', link: '/app#/setup' }),
        insight('d', { kind: 'spike', subject: 'ads.example' }),
        insight('e', { verdict: verdict('notMine', '2026-04-05T00:00:00Z') }),
      ],
    }),
    scene('one dismissed insight', {
      insights: [insight('a'), insight('b', { verdict: verdict('accepted') })],
    }),
    scene('as many insights as are shown', { insights: many(12) }),
    scene('one more insight', { insights: many(13) }),
    {
      ...scene('all insights', { insights: [...many(2, { verdict: verdict('mine') }), insight('late')] }),
      use: page => click(page, 'Show 2 more'),
    },
    scene('no noise', { sources: toRows([toGroup('external', 3)]) }),
    scene('noise', {
      sources: toRows([toGroup('extension', 1), toGroup('external', 6), toGroup('browser', 1)]),
    }),
  ];
}

export function listDays(): Scene[] {
  const types = REPORT_TYPES.map(({ type }) => type);
  const counts = (length: number) =>
    Object.fromEntries(types.slice(0, length).map((type, at) => [type, 1000 + at]));
  const eight = Array.from({ length: 8 }, (_, at) => ({ csp: at }));
  return [
    scene('as many types as have a colour', { days: toDays(counts(7), { nel: 1 }) }),
    scene('two more types', { days: toDays(counts(9)) }),
    scene('eight days', { days: toDays(...eight) }),
    scene('marks', {
      days: toDays({ csp: 1 }, { csp: 2 }),
      insights: [
        insight('a', { severity: 'threat' }),
        insight('b', { severity: 'incident', firstSeen: '2026-03-02T00:00:00Z' }),
        insight('c', { firstSeen: '2026-03-01T23:59:59Z' }),
        insight('d', { verdict: verdict('accepted') }),
        insight('e', { firstSeen: '2026-02-28T23:59:59Z' }),
      ],
    }),
  ];
}

export function listNews(): Scene[] {
  const sources = (more: object) => toRows([toGroup('external', 1, more)]);
  const group = (isSensitive: boolean) => ({
    ...{ product: 'script', site: 'x\u202ey', name: 'a.example', isDomain: true, source: 'csp', findings: 1 },
    ...{
      count: 1,
      ...EARLIER,
      lastSeen: '2026-03-10T00:00:00Z',
      browsers: 1,
      pages: 1,
      days: 1,
      isSensitive,
    },
  });
  const watched = (...sites: string[]) => ({ watches: sites.map(site => ({ site })) });
  return [
    scene('no watches, no earlier reports', { sources: sources(LATER), newHosts: toRows(toHosts(1)) }),
    scene('a watch that found nothing, and no new host', {
      ...watched('a.example'),
      ...{ sources: sources(EARLIER), newHosts: toRows([toGroup('', 9)]) },
      ...{ threats: toRows([]), plan: { name: 'Team', dataRetentionDays: 1 } },
    }),
    scene('two watches of one site', { ...watched('a.example', 'a.example'), sources: sources(EARLIER) }),
    scene('two watches of two sites, one finding, one host', {
      ...watched('a.example', 'b.example', 'b.example'),
      ...{ findings: findings([group(true)], 1000), sources: sources(EARLIER), newHosts: toRows(toHosts(1)) },
      ...{ threats: toRows(toHosts(1, EARLIER), 1), issuers: toRows([toGroup('C=US, CN=R3', 1000, LATER)]) },
    }),
    scene('as many hosts as are shown', {
      ...{ findings: findings([group(false)]), sources: sources(EARLIER), newHosts: toRows(toHosts(5)) },
      ...{ threats: toRows(toHosts(2), 2), issuers: toRows(toHosts(6)) },
    }),
    scene('one more host', { sources: sources(EARLIER), newHosts: toRows(toHosts(5), 1) }),
  ];
}

export function listOverviewMail(): Scene[] {
  const sender = (name: string, aligned: number, not: number) => [
    toGroup([name, 'true'], aligned),
    toGroup([name, 'false'], not),
  ];
  const mail = toRows([toGroup(['2026-03-10', 'true'], 3), toGroup(['2026-03-10', 'false'], 1)]);
  const domain = (state: string, isEnforced: boolean, sendersToRepair = 0) => ({
    ...{ domain: `${state}.example`, isEnforced, policy: 'v=DMARC1; p=reject' },
    readiness: { state, sendersToRepair },
  });
  const six = ['b', 'c', 'd', 'e', 'f'].flatMap(name => sender(`${name}.example`, 1, 0));
  return [
    scene('no messages in the period', { mail }),
    scene(
      'senders whose messages are aligned by half, and less',
      {
        mail,
        sendersNow: toRows([...sender('x\u202ey', 2, 2), ...sender('', 1, 2)]),
        senders: toRows([...sender('x\u202ey', 5, 3)]),
      },
      {
        MailReadiness: {
          account: {
            mailReadiness: [
              domain('repair', true, 1),
              domain('repair', false, 2),
              domain('ready', true),
              domain('ready', false),
              domain('wait', false),
              domain('wait', true),
            ].map((one, at) => ({ ...one, domain: `${at}.${one.domain}` })),
          },
        },
      },
    ),
    scene('as many senders as are shown', {
      mail,
      sendersNow: toRows([...six, ...sender('g.example', 5, 0)]),
    }),
    scene('one more sender', {
      mail,
      sendersNow: toRows([...six, ...sender('g', 5, 0), ...sender('h', 1, 0)]),
    }),
  ];
}

export function listSites(): Scene[] {
  const sites = (title: string, totals: object): Scene =>
    scene(
      title,
      {},
      { SiteTotals: { account: { csp: null, cspBefore: null, nel: null, nelBefore: null, ...totals } } },
    );
  const seen = (lastSeen: string) => ({ lastSeen: `2026-03-${lastSeen}T00:00:00Z` });
  return [
    sites('no sites', {}),
    sites('a report without a site', { csp: toRows([toGroup('', 1)]) }),
    sites('sites with reports of each type', {
      csp: toRows([
        toGroup('late-csp.example', 5, seen('10')),
        toGroup('late-nel.example', 6, seen('08')),
        toGroup('x\u202ey', 1000, seen('09')),
      ]),
      nel: toRows([
        toGroup('late-csp.example', 1, seen('09')),
        toGroup('late-nel.example', 7, seen('09')),
        toGroup('only-nel.example', 2000, seen('07')),
      ]),
      cspBefore: toRows([toGroup('late-csp.example', 3), toGroup('gone.example', 9)]),
      nelBefore: toRows([toGroup('late-csp.example', 1), toGroup('only-nel.example', 4000)]),
    }),
    sites('as many sites as are shown', { csp: toRows(toHosts(10), 1) }),
    sites('one more site', { csp: toRows(toHosts(11)) }),
    sites('two more sites', { nel: toRows(toHosts(12)) }),
    sites('more than one more site', { csp: toRows(toHosts(11)), nel: toRows([], 1) }),
  ];
}
