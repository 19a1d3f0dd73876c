import type { ReportType } from '@sightline/reports';

/** The name of a type, and its records with all fields and with none, in order. */
export interface RecordExample {
  label: string;
  /** The feed's fields, besides account, type and date. */
  given: Record<string, unknown>;
  /** The complete record, in which `date` is inserted at its place. */
  whole: Record<string, unknown>;
  /** The record of a report with only the required fields. */
  unknown: Record<string, unknown>;
  /** Fields that the feed requires even so. */
  required?: Record<string, unknown>;
}

/** A point in time in the feed, and as it is shown. */
const GIVEN_TIME = '2026-05-19T01:30:15.987+02:00';
const SHOWN_TIME = '2026-05-18T23:30:15+00:00';
const DATE = '2026-05-20T14:30:00+00:00';

const BROWSER = { browser: 'Firefox', platform: 'Linux' };
const NO_BROWSER = { browser: '', platform: '' };
const RAW = '{"type":"x","body":{"é\\"":[1]}}';
const URI = 'https://www.example.com/a?b=c#d';
const PAGE = { id: 'r-1', date: DATE, uri: URI, raw: RAW, count: 7, ...BROWSER };
const NO_PAGE = { id: 'r-1', date: DATE, uri: '', raw: '', count: 1, ...NO_BROWSER };
const SERVER = { id: 'r-1', date: DATE, raw: RAW, count: 7 };
const NO_SERVER = { id: 'r-1', date: DATE, raw: '', count: 1 };

const FLAGS = {
  indicatorOfCompromise: 1,
  recentlyRegisteredDomain: 1,
  lowReputationDomain: 1,
  suspicious: 1,
};
const NO_FLAGS = {
  indicatorOfCompromise: 0,
  recentlyRegisteredDomain: 0,
  lowReputationDomain: 0,
  suspicious: 0,
};
const SOURCE = { sourceFile: 'https://www.example.com/a.js', lineNumber: 12, columnNumber: 34 };
const NO_SOURCE = { sourceFile: '', lineNumber: null, columnNumber: null };
const PERIOD = { beginDate: SHOWN_TIME, endDate: SHOWN_TIME };
const NO_PERIOD = { beginDate: null, endDate: null };

/** A type whose fields are shown as they were given, except for times. */
function example(
  fixed: Record<string, unknown>,
  label: string,
  existing: Record<string, unknown>,
  nothing: Record<string, unknown>,
  unknown: Record<string, unknown>,
  required?: Record<string, unknown>,
): RecordExample {
  const whole = { ...fixed, ...existing };
  return {
    label,
    given: asGiven(whole),
    whole,
    unknown: { ...nothing, ...unknown },
    ...(required && { required }),
  };
}

function asGiven(record: Record<string, unknown>): Record<string, unknown> {
  const { date: _date, ...rest } = record;
  return JSON.parse(JSON.stringify(rest).replaceAll(SHOWN_TIME, GIVEN_TIME));
}

const page = example.bind(undefined, PAGE);
const server = example.bind(undefined, SERVER);

const cspWhole = {
  action: 'reportOnly',
  date: DATE,
  uri: URI,
  directive: 'script-src-elem',
  blockedUri: 'https://cdn.example.net/x.js',
  raw: RAW,
  count: 7,
  ...BROWSER,
  generatedDomain: 1,
  indicatorOfCompromise: 1,
  recentlyRegisteredDomain: 1,
  lowReputationDomain: 1,
  policyIocHosts: ['evil.example', 'a,b "quoted" \\ {x}'],
  policyConcernHosts: ['odd.example'],
  suspicious: 1,
};

/** All types in the documented order, with the keys of their records in order. */
export const RECORDS: Readonly<Record<ReportType, RecordExample>> = {
  csp: {
    label: 'Content Security Policy',
    given: { id: 'r-1', ...asGiven(cspWhole) },
    whole: cspWhole,
    unknown: {
      action: '',
      date: DATE,
      uri: '',
      directive: '',
      blockedUri: '',
      raw: '',
      count: 1,
      ...NO_BROWSER,
      generatedDomain: 0,
      indicatorOfCompromise: 0,
      recentlyRegisteredDomain: 0,
      lowReputationDomain: 0,
      policyIocHosts: [],
      policyConcernHosts: [],
      suspicious: 0,
    },
  },
  csp_integrity: page(
    'CSP Integrity',
    {
      subresourceUri: 'https://cdn.example.net/x.js',
      hash: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      destination: 'script',
      resourceType: 'classic',
      ...FLAGS,
    },
    NO_PAGE,
    { subresourceUri: '', hash: '', destination: '', resourceType: '', ...NO_FLAGS },
  ),
  integrity_policy: page(
    'Integrity Policy',
    { action: 'enforced', blockedUri: 'https://cdn.example.net/x.js', destination: 'script', ...FLAGS },
    NO_PAGE,
    { action: '', blockedUri: '', destination: '', ...NO_FLAGS },
  ),
  permissions_policy: page(
    'Permissions Policy',
    {
      property: 'camera',
      disposition: 'enforce',
      message: 'Permissions policy violation: camera is not allowed.',
      ...SOURCE,
      allowAttribute: "camera 'none'",
      srcAttribute: '/frame',
      potential: true,
    },
    NO_PAGE,
    {
      property: '',
      disposition: '',
      message: '',
      ...NO_SOURCE,
      allowAttribute: '',
      srcAttribute: '',
      potential: false,
    },
    { potential: false },
  ),
  nel: page(
    'Network Error Logging',
    {
      nelType: 'http.error',
      phase: 'application',
      protocol: 'h2',
      method: 'GET',
      statusCode: 503,
      serverIp: '2001:db8::1',
      referrer: 'https://example.com/',
      elapsedTime: 1234,
      samplingFraction: 0.25,
      organisation: 'Example Networks',
    },
    NO_PAGE,
    {
      nelType: '',
      phase: '',
      protocol: '',
      method: '',
      statusCode: 0,
      serverIp: '',
      referrer: '',
      elapsedTime: null,
      samplingFraction: null,
      organisation: '',
    },
    { statusCode: 0 },
  ),
  deprecation: page(
    'Deprecation',
    {
      featureId: 'UnloadHandler',
      message: 'Unload event listeners are deprecated.',
      ...SOURCE,
      anticipatedRemoval: '2027-02-28',
    },
    NO_PAGE,
    { featureId: '', message: '', ...NO_SOURCE, anticipatedRemoval: null },
  ),
  intervention: page(
    'Intervention',
    { featureId: 'HeavyAd', message: 'Ad was removed.', ...SOURCE },
    NO_PAGE,
    {
      featureId: '',
      message: '',
      ...NO_SOURCE,
    },
  ),
  crash: page(
    'Crash',
    { reason: 'oom', isTopLevel: false, visibilityState: 'hidden', stack: 'at a\n  at b' },
    NO_PAGE,
    { reason: '', isTopLevel: null, visibilityState: '', stack: '' },
  ),
  coep: page(
    'Cross-Origin Embedder Policy',
    {
      violation: 'corp',
      disposition: 'reporting',
      blockedUri: 'https://cdn.example.net/x.png',
      destination: 'image',
    },
    NO_PAGE,
    { violation: '', disposition: '', blockedUri: '', destination: '' },
  ),
  coop: page(
    'Cross-Origin Opener Policy',
    {
      violation: 'access-from-coop-page-to-opener',
      disposition: 'enforce',
      effectivePolicy: 'same-origin',
      previousResponseUri: 'https://a.example/',
      nextResponseUri: 'https://b.example/',
      openerUri: 'https://c.example/',
      openeeUri: 'https://d.example/',
      otherDocumentUri: 'https://e.example/',
      initialPopupUri: 'https://f.example/',
      referrer: 'https://g.example/',
      accessedProperty: 'postMessage',
      ...SOURCE,
    },
    NO_PAGE,
    {
      violation: '',
      disposition: '',
      effectivePolicy: '',
      previousResponseUri: '',
      nextResponseUri: '',
      openerUri: '',
      openeeUri: '',
      otherDocumentUri: '',
      initialPopupUri: '',
      referrer: '',
      accessedProperty: '',
      ...NO_SOURCE,
    },
  ),
  connection_allowlist: page(
    'Connection Allowlist',
    {
      connection: 'https://cdn.example.net/x.png',
      disposition: 'enforce',
      allowlist: ['https://www.example.com', 'https://*.example.com/*'],
    },
    NO_PAGE,
    { connection: '', disposition: '', allowlist: [] },
  ),
  other: page('Other types', { wireType: 'soft-navigation' }, NO_PAGE, { wireType: '' }),
  dmarc: server(
    'DMARC',
    {
      domain: 'example.com',
      headerFrom: 'mail.example.com',
      envelopeFrom: 'bounce.example.com',
      envelopeTo: 'example.net',
      sourceIp: '192.0.2.7',
      sourceHostname: 'mx7.example.org',
      organisation: 'Example Mail',
      asn: 4_200_000_000,
      country: 'SE',
      disposition: 'quarantine',
      dkim: 'pass',
      spf: 'fail',
      aligned: true,
      overrideReasons: [{ type: 'forwarded', comment: 'known forwarder' }],
      dkimResults: [{ domain: 'example.com', selector: 's1', result: 'pass', humanResult: 'ok' }],
      spfResults: [{ domain: 'example.com', scope: 'mfrom', result: 'fail', humanResult: 'not listed' }],
      publishedPolicy: {
        p: 'reject',
        sp: 'quarantine',
        np: 'none',
        adkim: 'r',
        aspf: 's',
        fo: '1',
        pct: 50,
        testing: 'n',
        discoveryMethod: 'treewalk',
      },
      reporter: 'Example Reporter',
      reporterEmail: 'dmarc@example.net',
      reportId: '20260518.1',
      generator: 'opendmarc 1.4',
      ...PERIOD,
    },
    NO_SERVER,
    {
      domain: '',
      headerFrom: '',
      envelopeFrom: '',
      envelopeTo: '',
      sourceIp: '',
      sourceHostname: '',
      organisation: '',
      asn: null,
      country: '',
      disposition: '',
      dkim: '',
      spf: '',
      aligned: false,
      overrideReasons: [],
      dkimResults: [],
      spfResults: [],
      publishedPolicy: {
        p: '',
        sp: '',
        np: '',
        adkim: '',
        aspf: '',
        fo: '',
        pct: null,
        testing: '',
        discoveryMethod: '',
      },
      reporter: '',
      reporterEmail: '',
      reportId: '',
      generator: '',
      ...NO_PERIOD,
    },
    { aligned: false },
  ),
  tls_rpt: server(
    'SMTP TLS Reporting',
    {
      domain: 'example.com',
      policyType: 'sts',
      policyStrings: ['version: STSv1', 'mode: enforce'],
      mxHosts: ['*.mail.example.com'],
      successfulSessions: 5326,
      failedSessions: 303,
      failureDetails: [
        {
          resultType: 'certificate-expired',
          failedSessions: 100,
          sendingMtaIp: '2001:db8:abcd:12::1',
          receivingIp: '2001:db8:abcd:13::1',
          receivingMxHostname: 'mx1.mail.example.com',
          receivingMxHelo: 'mx1',
          failureReasonCode: '0x1',
          additionalInformation: 'https://reports.example/1',
        },
      ],
      reporter: 'Example Reporter',
      contactInfo: 'tls@example.net',
      reportId: '5065427c',
      ...PERIOD,
    },
    NO_SERVER,
    {
      domain: '',
      policyType: '',
      policyStrings: [],
      mxHosts: [],
      successfulSessions: 0,
      failedSessions: 0,
      failureDetails: [],
      reporter: '',
      contactInfo: '',
      reportId: '',
      ...NO_PERIOD,
    },
  ),
  certificate_transparency: server(
    'Certificate Transparency',
    {
      hostnames: ['example.com', '*.example.com'],
      commonName: 'example.com',
      certType: 'precertificate',
      issuer: "C=US, O=Let's Encrypt, CN=E7",
      serialNumber: '04ab',
      sha256: 'a'.repeat(64),
      sha256Spki: 'b'.repeat(64),
      sha256Tbs: 'c'.repeat(64),
      notBefore: SHOWN_TIME,
      notAfter: SHOWN_TIME,
      logs: [{ name: 'Argon 2026', logId: 'abc=', timestamp: SHOWN_TIME }],
    },
    NO_SERVER,
    {
      hostnames: [],
      commonName: '',
      certType: '',
      issuer: '',
      serialNumber: '',
      sha256: '',
      sha256Spki: '',
      sha256Tbs: '',
      notBefore: null,
      notAfter: null,
      logs: [],
    },
  ),
};
