const DAY = '2026-11-20';
const POLICY = "default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'";
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const PAGE = 'https://www.example.com/checkout/payment';
const SCRIPT = 'https://www.example.com/assets/main.js';

const browser = { uri: PAGE, browser: 'Chrome', platform: 'Windows', count: 3, samplingRate: 0.1 };
const position = { sourceFile: SCRIPT, lineNumber: 299, columnNumber: 32 };

/** The original report, in the form in which the Reporting API sends it. */
function raw(type: string, body: object): string {
  return JSON.stringify({ age: 4137, body, type, url: PAGE, user_agent: AGENT });
}

const id = (number: number) => `01a1f9d1-6b40-7c76-8b8f-${String(number).padStart(12, '0')}`;
const at = (time: string) => `${DAY}T${time}+00:00`;

/** One record of each type that browsers send. */
export const BROWSER_RECORDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  CspReport: {
    action: 'enforced',
    date: at('11:25:00'),
    ...browser,
    directive: 'script-src-elem',
    blockedUri: 'https://cdn.slider-update.example/tag.js',
    raw: raw('csp-violation', {
      blockedURL: 'https://cdn.slider-update.example/tag.js',
      disposition: 'enforce',
      documentURL: PAGE,
      effectiveDirective: 'script-src-elem',
      originalPolicy: POLICY,
      statusCode: 200,
    }),
    generatedDomain: 0,
    indicatorOfCompromise: 1,
    recentlyRegisteredDomain: 1,
    lowReputationDomain: 0,
    policyIocHosts: [],
    policyConcernHosts: ['js.adloom.example'],
    suspicious: 0,
    sourceFile: '',
    lineNumber: null,
    columnNumber: null,
    sample: '',
    statusCode: 200,
  },
  CspIntegrityReport: {
    id: id(2),
    date: at('11:21:40'),
    ...browser,
    raw: raw('csp-hash', {
      documentURL: PAGE,
      subresourceURL: 'https://js.adloom.example/v3/loader.js',
      hash: 'sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=',
      destination: 'script',
      type: 'subresource',
    }),
    subresourceUri: 'https://js.adloom.example/v3/loader.js',
    hash: 'sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c=',
    destination: 'script',
    resourceType: 'subresource',
  },
  IntegrityPolicyReport: {
    id: id(3),
    date: at('11:17:02'),
    ...browser,
    raw: raw('integrity-violation', {
      documentURL: PAGE,
      blockedURL: 'https://js.adloom.example/v3/loader.js',
      destination: 'script',
      reportOnly: true,
    }),
    action: 'reportOnly',
    blockedUri: 'https://js.adloom.example/v3/loader.js',
    destination: 'script',
  },
  PermissionsPolicyReport: {
    id: id(4),
    date: at('10:58:13'),
    ...browser,
    raw: raw('permissions-policy-violation', {
      featureId: 'geolocation',
      disposition: 'enforce',
      message: 'Permissions policy violation: geolocation is not allowed in this document.',
      ...position,
      allowAttribute: '',
      srcAttribute: '',
    }),
    property: 'geolocation',
    disposition: 'enforce',
    message: 'Permissions policy violation: geolocation is not allowed in this document.',
    ...position,
    allowAttribute: '',
    srcAttribute: '',
    potential: false,
  },
  NelReport: {
    id: id(5),
    date: at('10:41:55'),
    ...browser,
    raw: raw('network-error', {
      sampling_fraction: 0.5,
      referrer: 'https://www.example.com/',
      server_ip: '198.51.100.4',
      protocol: 'h2',
      method: 'GET',
      status_code: 0,
      elapsed_time: 30012,
      phase: 'connection',
      type: 'tcp.timed_out',
    }),
    nelType: 'tcp.timed_out',
    phase: 'connection',
    protocol: 'h2',
    method: 'GET',
    statusCode: 0,
    serverIp: '198.51.100.4',
    referrer: 'https://www.example.com/',
    elapsedTime: 30012,
    samplingFraction: 0.5,
    organisation: 'Meridian Edge Networks',
  },
  DeprecationReport: {
    id: id(6),
    date: at('10:30:00'),
    ...browser,
    raw: raw('deprecation', {
      id: 'UnloadHandler',
      message: 'Unload event listeners are deprecated and will be removed.',
      anticipatedRemoval: '2027-03-01',
      ...position,
    }),
    featureId: 'UnloadHandler',
    message: 'Unload event listeners are deprecated and will be removed.',
    ...position,
    anticipatedRemoval: '2027-03-01',
  },
  InterventionReport: {
    id: id(7),
    date: at('10:12:44'),
    ...browser,
    raw: raw('intervention', {
      id: 'AudioContextStartBlocked',
      message: 'The AudioContext was not allowed to start before a gesture of the user.',
      ...position,
    }),
    featureId: 'AudioContextStartBlocked',
    message: 'The AudioContext was not allowed to start before a gesture of the user.',
    ...position,
  },
  CrashReport: {
    id: id(8),
    date: at('09:47:31'),
    ...browser,
    raw: raw('crash', { reason: 'oom', is_top_level: true, visibility_state: 'visible' }),
    reason: 'oom',
    isTopLevel: true,
    visibilityState: 'visible',
    stack: '',
  },
  CoepReport: {
    id: id(9),
    date: at('09:30:24'),
    ...browser,
    raw: raw('coep', {
      type: 'corp',
      blockedURL: 'https://img.brightpath.example/logo.png',
      destination: 'image',
      disposition: 'reporting',
    }),
    violation: 'corp',
    disposition: 'reporting',
    blockedUri: 'https://img.brightpath.example/logo.png',
    destination: 'image',
  },
  CoopReport: {
    id: id(10),
    date: at('09:05:44'),
    ...browser,
    raw: raw('coop', {
      type: 'navigation-to-response',
      disposition: 'enforce',
      effectivePolicy: 'same-origin',
      previousResponseURL: 'https://www.example.com/',
      referrer: 'https://www.example.com/',
    }),
    violation: 'navigation-to-response',
    disposition: 'enforce',
    effectivePolicy: 'same-origin',
    previousResponseUri: 'https://www.example.com/',
    nextResponseUri: '',
    openerUri: '',
    openeeUri: '',
    otherDocumentUri: '',
    initialPopupUri: '',
    referrer: 'https://www.example.com/',
    accessedProperty: '',
    sourceFile: '',
    lineNumber: null,
    columnNumber: null,
  },
};
