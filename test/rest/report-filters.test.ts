import { REST_REPORT_TYPES, type ReportType, reportType } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitting } from '../../sql/report/filter.ts';
import { REPORT_FILTERS } from '../../sql/report/filters.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { NOW, names, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

const BROWSER = REST_REPORT_TYPES.filter(type => reportType(type).fromBrowser);
const THREATENED: ReportType[] = ['csp', 'csp_integrity', 'integrity_policy'];

interface Filter {
  types: readonly ReportType[];
  /** Values that find report A, but not B. */
  hits: readonly string[];
  /** Values that find neither. */
  misses: readonly string[];
  /** Values that find both. */
  both?: readonly string[];
}

/** The documented filters, with values for the two reports below. */
const FILTERS: Readonly<Record<string, Filter>> = {
  action: { types: ['csp', 'integrity_policy'], hits: ['enforced', 'ENFORCED'], misses: [] },
  hostnames: {
    types: REST_REPORT_TYPES,
    hits: ['www.example.com', 'WWW.Example.COM', '*.example.com', 'no.example,www.example.com'],
    misses: ['example.com', 'www.example.co', 'ww.example.com', '*.example.co'],
    both: ['*', 'www.example.com,other.example.net', '*.example.*'],
  },
  paths: {
    types: BROWSER,
    hits: ['/shop/cart', '/shop/*', '*cart', '/no,/shop/cart'],
    misses: ['/shop', '/shop/cart/', '/Shop/cart', 'cart'],
    both: ['*', '/*', '/shop/cart,/home'],
  },
  effectiveDirective: {
    types: ['csp'],
    hits: ['script-src', 'Script-SRC'],
    misses: ['script', 'script-src*'],
  },
  blockedHostnames: {
    types: ['csp', 'integrity_policy', 'coep'],
    hits: ['cdn.example.org', '*.example.org', 'CDN.example.org'],
    misses: ['example.org', 'www.example.com'],
    both: ['*'],
  },
  blockedPaths: {
    types: ['csp', 'integrity_policy', 'coep'],
    hits: ['/lib/a.js', '/lib/*', '*.js'],
    misses: ['/lib', '/shop/cart'],
    both: ['*'],
  },
  subresourceHostnames: {
    types: ['csp_integrity'],
    hits: ['cdn.example.org', '*.example.org'],
    misses: ['example.org', 'www.example.com'],
    both: ['*'],
  },
  subresourcePaths: {
    types: ['csp_integrity'],
    hits: ['/lib/a.js', '/lib/*'],
    misses: ['/lib', '/shop/cart'],
    both: ['*'],
  },
  subresourceHashes: {
    types: ['csp_integrity'],
    hits: ['sha256-AbC+/=', 'sha256-no=,sha256-AbC+/='],
    misses: ['sha256-abc+/=', 'sha256-*', '*', 'AbC+/='],
    both: ['sha256-AbC+/=,sha384-other'],
  },
  browser: { types: BROWSER, hits: ['Firefox', 'firefox'], misses: ['Fire', 'Fire*', 'Linux'] },
  platform: { types: BROWSER, hits: ['Linux', 'LINUX'], misses: ['Lin', 'Firefox'] },
  nelType: { types: ['nel'], hits: ['tcp.timed_out', 'TCP.timed_out'], misses: ['tcp', 'tcp.timed-out'] },
  phase: { types: ['nel'], hits: ['connection', 'Connection'], misses: ['application'] },
  disposition: { types: ['permissions_policy', 'coep', 'coop'], hits: ['enforce', 'ENFORCE'], misses: [] },
  organisation: {
    types: ['nel', 'dmarc'],
    hits: ['Example Networks', 'networks', 'ple Net', '%'],
    misses: ['Example  Networks', 'Networks Ltd', '_'],
    both: ['exam', 'e'],
  },
  id: { types: REST_REPORT_TYPES, hits: ['A', 'a'], misses: ['AB', '*', 'A*', '%'] },
  certType: {
    types: ['certificate_transparency'],
    hits: ['precertificate', 'preCertificate'],
    misses: [],
  },
  issuer: {
    types: ['certificate_transparency'],
    hits: ['C=US, O=Example Trust', 'example trust', 'o=example t'],
    misses: ['Example  Trust', 'Trustworthy'],
    both: ['O='],
  },
  sha256Spki: {
    types: ['certificate_transparency'],
    hits: ['ab'.repeat(32), 'AB'.repeat(32)],
    misses: ['ab', 'ac'.repeat(32)],
  },
  policyId: { types: ['csp'], hits: ['pol-1', 'POL-1'], misses: ['pol', 'pol-*'] },
  message: {
    types: ['deprecation', 'intervention'],
    hits: ['unload', 'Unload event', '100%', '_x_', '\\'],
    misses: ['unload  event', 'events'],
    both: ['event'],
  },
  policy: {
    types: ['csp'],
    hits: [
      "default-src 'self'; script-src 'none'",
      "  default-src\n\t'self';  script-src 'none' ",
      "DEFAULT-SRC 'self'; script-src 'none'",
    ],
    misses: ["default-src 'self'", "default-src 'self';script-src 'none'", '*'],
  },
  property: { types: ['permissions_policy'], hits: ['camera', 'Camera'], misses: ['cam', 'camera*'] },
  destination: {
    types: ['integrity_policy', 'csp_integrity', 'coep'],
    hits: ['script', 'SCRIPT'],
    misses: ['scrip', 'style'],
  },
  ioc: { types: THREATENED, hits: ['true'], misses: [], both: ['false'] },
  generatedDomain: { types: ['csp'], hits: ['true'], misses: [], both: ['false'] },
  suspicious: { types: THREATENED, hits: ['true'], misses: [], both: ['false'] },
  newlyRegisteredDomain: { types: THREATENED, hits: ['true'], misses: [], both: ['false'] },
  domainReputationScore: { types: THREATENED, hits: ['20', '79'], misses: ['0', '19'], both: ['80', '100'] },
  anyThreatIntel: { types: THREATENED, hits: ['true'], misses: [], both: ['false'] },
};

const FLAGS = { indicatorOfCompromise: 1, recentlyRegisteredDomain: 1, suspicious: 1 };
const BLOCKED = { blockedUri: 'https://cdn.example.org/lib/a.js?v=1#x' };
const OTHER_BLOCKED = { blockedUri: 'https://static.example.net:8443/home' };

/** The type's fields in reports A and B, if the type has filters of its own. */
const OF_TYPE: Readonly<Partial<Record<ReportType, readonly [a: object, b: object]>>> = {
  csp: [
    {
      ...BLOCKED,
      ...FLAGS,
      action: 'enforced',
      directive: 'script-src',
      generatedDomain: 1,
      policyId: 'pol-1',
      policy: "default-src  'self';\r\n\tscript-src 'none' ",
      domainReputationScore: 20,
    },
    {
      ...OTHER_BLOCKED,
      action: 'reportOnly',
      directive: 'img-src',
      policyId: 'pol-2',
      policy: "default-src 'none'",
      domainReputationScore: 80,
    },
  ],
  csp_integrity: [
    {
      ...FLAGS,
      subresourceUri: BLOCKED.blockedUri,
      hash: 'sha256-AbC+/=',
      destination: 'script',
      domainReputationScore: 20,
    },
    {
      subresourceUri: OTHER_BLOCKED.blockedUri,
      hash: 'sha384-other',
      destination: 'image',
      domainReputationScore: 80,
    },
  ],
  integrity_policy: [
    { ...BLOCKED, ...FLAGS, action: 'enforced', destination: 'script', domainReputationScore: 20 },
    { ...OTHER_BLOCKED, action: 'reportOnly', destination: 'image', domainReputationScore: 80 },
  ],
  permissions_policy: [
    { property: 'camera', disposition: 'enforce' },
    { property: 'geolocation', disposition: 'report' },
  ],
  nel: [
    { nelType: 'tcp.timed_out', phase: 'connection', organisation: '100% Example Networks' },
    { nelType: 'dns.unreachable', phase: 'dns', organisation: 'Example Hosting' },
  ],
  deprecation: [{ message: '100% Unload event \\ _x_' }, { message: 'Another event' }],
  intervention: [{ message: '100% Unload event \\ _x_' }, { message: 'Another event' }],
  crash: [{}, {}],
  coep: [
    { ...BLOCKED, disposition: 'enforce', destination: 'script' },
    { ...OTHER_BLOCKED, disposition: 'reporting', destination: 'image' },
  ],
  coop: [{ disposition: 'enforce' }, { disposition: 'reporting' }],
  dmarc: [
    { headerFrom: 'www.example.com', domain: 'no.example', organisation: '100% Example Networks' },
    { headerFrom: 'other.example.net', domain: 'www.example.com', organisation: 'Example Hosting' },
  ],
  tls_rpt: [{ domain: 'www.example.com' }, { domain: 'other.example.net' }],
  certificate_transparency: [
    {
      hostnames: ['first.example.org', 'www.example.com'],
      commonName: 'no.example',
      certType: 'precertificate',
      issuer: 'C=US, O=Example Trust',
      sha256Spki: 'ab'.repeat(32),
    },
    {
      hostnames: ['other.example.net'],
      commonName: 'www.example.com',
      certType: 'certificate',
      issuer: 'C=SE, O=Other',
      sha256Spki: 'cd'.repeat(32),
    },
  ],
};

const PAGES = [
  { uri: 'https://www.example.com/shop/cart?a=/home', browser: 'Firefox', platform: 'Linux' },
  { uri: 'https://other.example.net:8080/home#/shop/cart', browser: 'Chrome', platform: 'Windows' },
];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', {}, THREAT_INTELLIGENCE));
  for (const type of REST_REPORT_TYPES) {
    const lines = ['A', 'B'].map((name, index) => {
      const page = BROWSER.includes(type) ? PAGES[index] : {};
      return report('ada', type, name, { ...page, ...OF_TYPE[type]?.[index] });
    });
    // A report without values, which no filter should find.
    await service.load(...lines, report('ada', type, 'unknown'));
  }
});
afterAll(() => service.close());

const get = (type: ReportType, query: string) =>
  service.get(`/v1/reports/${type}?unit=days&date=2026-05-20&${query}`, key);
const find = async (type: ReportType, name: string, value: string) =>
  names(await get(type, `${name}=${encodeURIComponent(value)}`)).sort();

it('covers the documented filters', () => {
  expect(REPORT_FILTERS.map(({ name }) => name).sort()).toEqual(Object.keys(FILTERS).sort());
});

it('rejects a filter whose field does not exist for one of its report types', () => {
  const phase = REPORT_FILTERS.find(({ name }) => name === 'phase')!;
  expect(() => fitting([{ ...phase, types: ['nel', 'csp'] }])).toThrow(
    'the filter phase reads phase, which no csp report has',
  );
  const reporter = { ...phase, column: `(extra->>'reporter')`, reads: 'reporter' };
  expect(() => fitting([{ ...reporter, types: ['dmarc', 'nel'] }])).toThrow('which no nel report has');
  expect(fitting([{ ...reporter, types: ['dmarc', 'tls_rpt'] }])).toHaveLength(1);
});

/**
 * `npm test` tries all values for the first type of a filter, and one of each kind for the others, which are compared
 * in the same way.
 */
describe.each(Object.entries(FILTERS))('the filter %s', (name, { types, hits, misses, both = [] }) => {
  it.each(types)('finds reports of the type %s', async type => {
    // Only A has the flags, which shows that "false" does not exclude reports.
    const everything = name === 'domainReputationScore' || both[0] !== 'false' ? [] : ['unknown'];
    const tried = (values: readonly string[]) =>
      IN_EARNEST || type === types[0] ? values : values.slice(0, 1);
    for (const value of tried(hits)) expect(await find(type, name, value), value).toEqual(['A']);
    for (const value of tried(misses)) expect(await find(type, name, value), value).toEqual([]);
    for (const value of tried(both))
      expect(await find(type, name, value), value).toEqual(['A', 'B', ...everything]);
  });

  const others = REST_REPORT_TYPES.filter(type => !types.includes(type));
  if (others.length > 0)
    it('is rejected for other types, regardless of its value', async () => {
      for (const type of others) {
        for (const value of IN_EARNEST || type === others[0] ? [hits[0]!, '%00'] : ['%00']) {
          const { status, text } = await get(type, `${name}=${value}`);
          expect([status, text]).toEqual([
            400,
            JSON.stringify({ error: `Parameter ${name} does not apply to report type ${type}` }),
          ]);
        }
      }
    });
});

describe('combined filters', () => {
  it('must all match', async () => {
    expect(names(await get('csp', 'browser=firefox&platform=linux&hostnames=*.example.com'))).toEqual(['A']);
    expect(names(await get('csp', 'browser=firefox&platform=windows'))).toEqual([]);
    expect(names(await get('coep', 'blockedHostnames=*.example.net&destination=image'))).toEqual(['B']);
  });

  it('for threat intelligence need no feature if they do not filter', async () => {
    const other = await open(service, personal('basic'), plan('basic'));
    await service.load(report('basic', 'csp', 'own'));
    const path = '/v1/reports/csp?unit=days&date=2026-05-20';
    const off = await service.get(`${path}&ioc=false&anyThreatIntel=false`, other);
    expect(names(off)).toEqual(['own']);
    for (const given of ['ioc=true', 'domainReputationScore=0', 'ioc=false&suspicious=true'])
      expect((await service.get(`${path}&${given}`, other)).status).toBe(403);
  });

  it('for threat intelligence are ignored with anyThreatIntel, unlike other filters', async () => {
    const weak = 'domainReputationScore=0&generatedDomain=true&ioc=true&suspicious=true';
    expect(names(await get('csp', weak))).toEqual([]);
    expect(names(await get('csp', `${weak}&newlyRegisteredDomain=true&anyThreatIntel=true`))).toEqual(['A']);
    expect(names(await get('csp', `${weak}&anyThreatIntel=false`))).toEqual([]);
    expect(names(await get('csp', 'anyThreatIntel=true&browser=chrome'))).toEqual([]);
  });
});

describe('anyThreatIntel', () => {
  it('matches each signal separately, but no reputation score', async () => {
    const other = await open(service, personal('eve'), plan('eve', {}, THREAT_INTELLIGENCE));
    const signals: Record<string, unknown> = {
      generatedDomain: 1,
      indicatorOfCompromise: 1,
      recentlyRegisteredDomain: 1,
      lowReputationDomain: 1,
      suspicious: 1,
      policyIocHosts: ['evil.example'],
      policyConcernHosts: ['odd.example'],
    };
    const lines = Object.entries(signals).map(([name, value]) =>
      report('eve', 'csp', name, { [name]: value }),
    );
    const none = { policyIocHosts: [], suspicious: 0, domainReputationScore: 0 };
    await service.load(...lines, report('eve', 'csp', 'none', none));
    const path = '/v1/reports/csp?unit=days&date=2026-05-20&anyThreatIntel=true';
    expect(names(await service.get(path, other)).sort()).toEqual(Object.keys(signals).sort());
  });
});
