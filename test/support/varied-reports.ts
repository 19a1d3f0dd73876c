import { REPORT_TYPE_DEFINITIONS, type ReportField, type ReportType } from '@sightline/reports';
import { report } from './fixtures.ts';
import type { Line } from './service.ts';

/** Reports of each type that differ in all of their fields, so that every condition and expression tells some apart. */

const LONG = 'x'.repeat(63);

/** Addresses of pages and resources, of which one has an indexed path that is too long. */
const ADDRESSES = [
  'https://example.com/',
  'https://www.example.com/a/b?x=/y#z',
  'https://a.b.example.com:8443/A/b',
  'https://www.example.com.test/a%20b',
  'http://ex_ample.com/a_b#f?q',
  'https://wwwexample.com/a*b',
  'https://[2001:db8::1]/?',
  'https://bücher.example/ä',
  'inline',
  'chrome-extension://abc/i.js',
  '',
  `https://www.example.com/${'long/'.repeat(60)}`,
];

/** Texts that differ in their case, in their ends, or only after the indexed length. */
const TEXTS = [
  ...['Alpha', 'ALPHA', 'alpha beta', `${LONG}A`, `${LONG}B`, `${LONG}xA`, `${LONG}xB`],
  ...['Östanbul ß', '50%_\\*', ' alpha', '', 'x'.repeat(31)],
];

const DOMAINS = [
  ...[
    'example.com',
    'www.example.com',
    'EXAMPLE.com.',
    'a.b.example.com',
    'example.com.test',
    'ex_ample.com',
  ],
  ...['bücher.example', 'com', 'wwwexample.com', 'example.net', '', 'xn--bcher-kva.example'],
];

const IPS = [
  ...['192.0.2.7', '192.0.20.7', '192.0.2.255', '1.2.3.4.5', '2001:db8:abcd:12::1', '2001:DB8:ABCD:ff::2'],
  ...['2001:0db8:0000:1::', '::1', '::ffff:192.0.2.1', 'fe80::1%eth0', '', 'mail.example'],
];

/** A list of two details, so that any of them can match. */
const DETAILS = [
  ['certificate-expired', 'starttls'],
  ['Starttls'],
  [],
  ['certificate'],
  [''],
  ['starttls-not'],
];

/** The values of fields with a form of their own, in the order of the reports. */
const SPECIAL: Readonly<Record<string, (n: number) => unknown>> = {
  uri: n => ADDRESSES[n],
  // Another order than that of pages, so that both differ in most reports.
  blockedUri: n => ADDRESSES[(n * 5) % 12],
  connection: n => ADDRESSES[(n * 5) % 12],
  subresourceUri: n => ADDRESSES[(n * 5) % 12],
  sourceFile: n => ADDRESSES[(n * 7) % 12],
  domain: n => DOMAINS[n],
  headerFrom: n => DOMAINS[(n * 5) % 12],
  sourceIp: n => IPS[n],
  serverIp: n => IPS[n],
  hostnames: n => (n === 10 ? [] : [DOMAINS[n]!, DOMAINS[(n * 5) % 12]!].filter(Boolean)),
  hash: n => ['sha256-aB', 'sha256-ab', `sha256-${LONG.repeat(4)}`, `sha256-${LONG.repeat(4)}A`, ''][n % 5],
  policy: n =>
    ["default-src 'self'", "DEFAULT-SRC  'self'", "script-src 'nonce-Abc'", '', `img-src ${LONG}`][n % 5],
  domainReputationScore: n => [0, 49, 50, 51, 100, null][n % 6],
  failedSessions: n => n % 3,
  sha256Spki: n => n.toString(16).repeat(64),
  failureDetails: n => DETAILS[n % 6]!.map(resultType => ({ resultType, failedSessions: 1 })),
  raw: n =>
    JSON.stringify({
      sourceFile: ADDRESSES[(n * 7) % 12],
      sample: TEXTS[(n * 5) % 12],
      lineNumber: n || undefined,
    }),
};

export const VARIANTS = 12;

function createValue(
  { name, kind, values, nullable, fields = [] }: ReportField,
  place: number,
  n: number,
): unknown {
  if (SPECIAL[name]) return SPECIAL[name](n);
  switch (kind) {
    case 'text':
      return values ? (n === 10 ? '' : values[(n + place) % values.length]) : TEXTS[(n + place) % VARIANTS];
    case 'texts':
      return n % 4 === 1 ? [DOMAINS[n]!] : [];
    case 'integer':
      return nullable === false || n !== 10 ? n : null;
    case 'number':
      return n === 10 ? null : n / 16;
    case 'boolean':
      return nullable && n === 10 ? null : n % 2 === 0;
    case 'flag':
      return (n >> (place % 4)) & 1;
    case 'objects':
      return n === 10 ? [] : [createObject(fields, n)];
    case 'object':
      return createObject(fields, n);
    default:
      return null;
  }
}

function createObject(fields: readonly ReportField[], n: number): Record<string, unknown> {
  return Object.fromEntries(fields.map((field, place) => [field.name, createValue(field, place, n)]));
}

/** Returns the reports of a type: the first at the beginning of the day, the last at its end, and one without values. */
export function varyReports(accountId: string, type: ReportType, day: string): Line[] {
  const { fields, filterOnly } = REPORT_TYPE_DEFINITIONS.find(one => one.type === type)!;
  const given = [...fields, ...filterOnly].filter(
    ({ name, computed }) => !['id', 'date', 'count'].includes(name) && !computed,
  );
  return Array.from({ length: VARIANTS }, (_, n) =>
    report(accountId, type, `R${n}`, {
      ...createObject(given, n),
      date: `${day}T${n === 11 ? '23:59:59.999' : `${String(n).padStart(2, '0')}:00:00`}Z`,
      count: n + 1,
    }),
  );
}

/** Values to compare with, by the kind of the filter. Texts are also compared with those of the reports. */
export const COMPARED = {
  hosts: [
    ...[
      ['example.com'],
      ['EXAMPLE.com.:443'],
      ['*.example.com'],
      ['*example.com'],
      ['example.*'],
      ['ex*le.com'],
    ],
    ...[
      ['w*.example.com'],
      ['www*.example.com'],
      ['*.b.*'],
      ['*'],
      ['*_*'],
      ['com'],
      ['*com'],
      ['b*er.example'],
    ],
    ...[['bücher.*', '*.test'], ['example.com', 'www.example.com', 'none.example'], ['2001:db8::1'], ['abc']],
  ],
  paths: [
    ...[
      ['/'],
      ['/a'],
      ['/a/b'],
      ['/A/b'],
      ['/a*'],
      ['*b'],
      ['/a*b'],
      ['/a_b'],
      ['*_*'],
      ['/a b'],
      ['/ä'],
      ['*'],
    ],
    ...[['/a/*', '/i.js'], ['/', '/ä', '/none'], ['/long/*'], ['*/long/'], [`/${'long/'.repeat(60)}`]],
    ...[[`/${'long/'.repeat(51)}`], ['/a*/b']],
  ],
  hashes: [
    ...[['sha256-aB'], ['sha256-AB'], ['sha256-ab', 'sha256-aB'], ['sha256-*'], ['sha256']],
    ...['', 'A', 'B'].map(end => [`sha256-${LONG.repeat(4)}${end}`]),
    [`sha256-${LONG.repeat(4)}`, `sha256-${LONG.repeat(4)}A`],
  ],
  contains: ['alpha', 'ALPHA ', ' ', '%', '_', '\\', 'SS', 'ß', 'i', `${LONG}x`, 'xxA', '*'],
  equals: [
    ...['alpha', 'ALPHA', 'alpha ', ' ALPHA', '%', LONG, 'X'.repeat(31), 'X'.repeat(30), 'östanbul ß'],
    ...[`${LONG}a`, `${LONG}b`, `${LONG}Xa`, `${LONG}Xb`, `${LONG}x`],
  ],
  policy: [
    ...["default-src   'SELF'", "default-src 'self' ", "SCRIPT-SRC 'nonce-Abc'", "script-src 'nonce-Abd'"],
    ...[`img-src ${LONG}`, `img-src ${LONG.slice(1)}`],
  ],
  details: ['STARTTLS', 'certificate', 'certificate-expired', 'starttls-no'],
  classes: [
    ['inline'],
    ['external', 'sameSite'],
    ['unknown'],
    ['extension'],
    ['sameOrigin', 'browser', 'data'],
    [],
  ],
  flag: [true, false],
  anyFlag: [true, false],
  boolean: [true, false],
  atMost: [0, 49, 50, 99, 100],
} as const;

/** Values of filters that only some reports of these forms have. */
export const FURTHER_COMPARED: Readonly<Record<string, readonly string[]>> = {
  sourceIp: [...IPS.filter(Boolean), '2001:DB8:ABCD:12::1', 'MAIL.example', '192.0.2'],
  serverIp: [...IPS.filter(Boolean), '2001:DB8:ABCD:12::1', '192.0.2'],
  sourceNetwork: [
    ...[
      '192.0.2.0/24',
      '192.0.20.0/24',
      '2001:db8:abcd::/48',
      '2001:DB8:ABCD::/48',
      '2001:db8::/48',
      '::/48',
    ],
    ...['fe80::/48', '1.2.3.0/24', '192.0.2.0/25'],
  ],
  sha256Spki: ['a'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), '1'.repeat(64)],
  id: ['R1', 'r1', 'R10', 'R', 'R1 ', 'R_'],
};
