import { MONTHS, reportType } from '@sightline/reports';
import { demoFeed } from '../feed.ts';
import { DEMO_DEFAULTS } from '../options.ts';
import type { DayStart, DemoFile } from './file.ts';

type Fields = Record<string, unknown>;

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const PAGE = 'https://shop.example/cart?step=2#top';
const POLICY = "default-src 'self'; script-src 'self'; report-uri /csp";

const envelope = (type: string, body: Fields, more: Fields = {}): Fields => ({
  type,
  age: 1500,
  url: PAGE,
  user_agent: CHROME,
  body,
  ...more,
});

const violation: Fields = {
  documentURL: PAGE,
  referrer: '',
  blockedURL: 'https://cdn.example/x.js?v=3',
  effectiveDirective: 'script-src-elem',
  originalPolicy: POLICY,
  sourceFile: PAGE,
  sample: '',
  disposition: 'enforce',
  statusCode: 200,
  lineNumber: 12,
  columnNumber: 4,
};

const kebab: Fields = {
  'document-uri': PAGE,
  referrer: '',
  'violated-directive': 'script-src-elem',
  'effective-directive': 'script-src-elem',
  'original-policy': POLICY,
  disposition: 'report',
  'blocked-uri': 'inline',
  'line-number': '7',
  'status-code': 200,
};

/**
 * Reports of all types that browsers send, through the Reporting API and what builds on it, with the variations that
 * occur.
 */
const ALL: readonly Fields[] = [
  envelope('csp-violation', violation),
  envelope('csp-hash', {
    documentURL: PAGE,
    subresourceURL: 'https://cdn.example/lib.js',
    hash: 'sha256-B2yPHKaXnvFWtRChIbabYmUBFZdVfKKXHbWtWidDVF8=',
    type: 'subresource',
    destination: 'script',
  }),
  envelope('integrity-violation', {
    documentURL: PAGE,
    blockedURL: 'https://cdn.example/no-integrity.js',
    destination: 'script',
    reportOnly: true,
  }),
  envelope('permissions-policy-violation', {
    policyId: 'camera',
    disposition: 'enforce',
    message: 'Denied.',
    lineNumber: 3.0,
  }),
  envelope('potential-permissions-policy-violation', {
    featureId: 'geolocation',
    disposition: 'report',
    allowAttribute: 'geolocation',
  }),
  envelope('network-error', {
    elapsed_time: 30076,
    method: 'GET',
    phase: 'application',
    protocol: 'h2',
    referrer: 'https://shop.example/',
    sampling_fraction: 0.5,
    server_ip: '192.0.2.80',
    status_code: 502,
    type: 'http.error',
  }),
  envelope('deprecation', {
    id: 'WebSQL',
    anticipatedRemoval: '1/31/2027',
    message: 'WebSQL goes.',
    lineNumber: -1,
  }),
  envelope('deprecation', {
    id: 'ShadowDOMV0',
    anticipatedRemoval: 1_801_353_600_000.5,
    message: 'Shadow DOM v0 goes.',
  }),
  envelope('intervention', { id: 'HeavyAdIntervention', message: 'The ad was removed.' }),
  envelope('crash', { reason: 'oom', is_top_level: true, page_visibility: 'hidden' }),
  envelope('coep', {
    type: 'corp',
    'blocked-url': '',
    blockedURL: 'https://cdn.example/a.png',
    destination: 'image',
    disposition: 'reporting',
  }),
  envelope('connection-allowlist', {
    url: PAGE,
    connection: 'https://collect.example/pixel',
    allowlist: ['https://shop.example'],
    disposition: 'report',
  }),
  envelope('document-policy-violation', { policyId: 'unsized-media', disposition: 'report' }),
  envelope('coop', {
    type: 'navigation-to-response',
    effectivePolicy: 'same-origin',
    disposition: 'enforce',
  }),
];

const snake = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name.replaceAll('-', '_'), value]));

const lines = (...values: unknown[]) => values.map(value => `${JSON.stringify(value)}\n`).join('');

/** Escapes a body as nginx does without `escape=json`. */
const escaped = (text: string) => text.replaceAll('\\', '\\x5C').replaceAll('"', '\\x22');

/** Browser reports in every envelope, log format and spelling. */
export function browserFiles(day: DayStart): DemoFile[] {
  const time = new Date(day + 36_000_000).toISOString();
  const common = `${time.slice(8, 10)}/${MONTHS[Number(time.slice(5, 7)) - 1]}/${time.slice(0, 4)}:${time.slice(11, 19)} +0000`;
  const body = JSON.stringify({ 'csp-report': kebab });
  const files: Record<string, string> = {
    'reporting-api.json': JSON.stringify(ALL, null, 1),
    'originals.ndjson': originals(time.slice(0, 10)),
    'one.json': JSON.stringify(envelope('csp-violation', { ...violation, lineNumber: 13 })),
    'csp-report.json': body,
    'safari.json': JSON.stringify({ type: 'csp-violation', url: PAGE, body: violation }),
    'old-firefox.json': JSON.stringify({
      'csp-report': {
        'document-uri': PAGE,
        'violated-directive': "script-src 'self'",
        'blocked-uri': 'self',
        'original-policy': POLICY,
      },
    }),
    'snake.json': JSON.stringify({ csp_report: snake({ ...kebab, 'line-number': '8' }) }),
    'without-envelope.json': JSON.stringify({ ...kebab, 'line-number': 9, disposition: 'reporting' }),
    'form.txt': `csp-report=${encodeURIComponent(JSON.stringify({ 'csp-report': { ...kebab, 'line-number': 10 } }))}`,
    'bodies.ndjson': lines(
      ...[...ALL.slice(0, 3), ...ALL.slice(5, 7)].map((report, index) => ({
        ...report,
        age: 90_000 + index,
      })),
    ),
    'nginx-json.log': lines(
      { time, user_agent: FIREFOX, body },
      {
        time,
        user_agent: FIREFOX,
        body: JSON.stringify([envelope('csp-violation', violation, { age: 0, user_agent: undefined })]),
      },
      { time, user_agent: FIREFOX, body: '' },
    ),
    'nginx-hex.log': `{"time":"${time}","user_agent":"${CHROME}","body":"${escaped(body)}"}\n`,
    'access.log':
      `192.0.2.1 - - [${common}] "POST /csp HTTP/2.0" 204 0 "${PAGE}" "${CHROME}" "${escaped(body)}"\n` +
      `192.0.2.1 - - [${common}] "GET / HTTP/2.0" 200 512 "-" "${CHROME}" "-"\n`,
    'go-csp-collector.json': lines({
      ...snake(kebab),
      report_only: true,
      client_ip: '192.0.2.66',
      level: 'info',
      msg: '',
      path: '/csp',
      time,
    }),
    'go-csp-collector.log':
      `time="${time}" level=info blocked_uri="https://cdn.example/y.js" client_ip=192.0.2.66 disposition=enforce ` +
      `document_uri="${PAGE}" effective_directive=img-src original_policy="img-src 'self'" violated_directive=img-src\n`,
    'not-kept.json': JSON.stringify([
      { 'expect-ct-report': { hostname: 'shop.example' } },
      { 'known-pins': [], 'validated-certificate-chain': [], hostname: 'shop.example' },
    ]),
  };
  const modified = day + 43_200_000;
  return Object.entries(files).map(([path, content]) => ({ path: `browsers/${path}`, content, modified }));
}

/** The original text of one demo report for each type that browsers send. */
function originals(today: string): string {
  const feed = [...demoFeed({ ...DEMO_DEFAULTS, today, auditEvents: 0, reports: 2000 })].join('');
  const ofBrowsers = feed
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(({ kind, type }) => kind === 'report' && reportType(type).fromBrowser);
  return [...new Map(ofBrowsers.map(({ type, raw }) => [type, raw])).values()]
    .map(raw => `${raw}\n`)
    .join('');
}
