import { REST_REPORT_TYPES } from '@sightline/reports';
import fc, { type Arbitrary } from 'fast-check';
import { REPORT_FILTERS } from '../../sql/report/filters.ts';
import { anyCharacter } from '../support/any-character.ts';
import { graphqlDocument } from './fuzz-documents.ts';

/** A request in wire format. `KEY` is a placeholder for the key. */
export interface Input {
  kind: 'rest' | 'graphql' | 'bytes';
  /** Latin-1: each character is one byte. */
  request: string;
  /** True for a single complete request, which must get exactly one response. */
  isWhole: boolean;
}

/** Texts that caused errors in the past. */
const NASTY = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1e999',
  '0x10',
  '1.5',
  '9'.repeat(30),
  'null',
  'undefined',
  'NaN',
  'true',
  'false',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "'",
  "' or 1=1 --",
  '"',
  '\\',
  '$1',
  '$$',
  '%',
  '%s',
  '_',
  '*',
  '**',
  '*'.repeat(200),
  '*a'.repeat(100),
  '*.example.com',
  '(a+)+$',
  '[',
  '..',
  '../../etc/passwd',
  '/',
  '//',
  '\0',
  '\r\n',
  'a\nb',
  '\u202e',
  '\ufeff',
  'ﬀ',
  'İ',
  'ß',
  '💥',
  '\ud800',
  '\udfff',
  'é'.repeat(200),
  'xn--',
  'xn--a',
  'a.'.repeat(130),
  'a'.repeat(254),
  'a'.repeat(2049),
  'a'.repeat(9000),
  ','.repeat(60),
  'a,b,,c',
  '2026-05-20',
  '2026-05-20T14',
  '2026-05',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '-000001-01-01',
  '2026-05-20T24',
  'hours',
  'days',
  'months',
  'weeks',
  'csp',
  'nel',
  '__MAGIC_DATE__',
  '{{7*7}}',
  '<script>',
];

export const text: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...NASTY), fc.constantFrom(...NASTY)).map(([a, b]) => a + b),
  },
);

const UNRESERVED = /[\w.~!$'()*,;:@-]/;

/** Percent-encoded correctly, incompletely or incorrectly. */
const encoded: Arbitrary<string> = fc
  .tuple(text, fc.constantFrom('right', 'right', 'right', 'double', 'broken', 'bare'))
  .map(([value, how]) => {
    const right = [...Buffer.from(value)]
      .map(byte =>
        byte < 128 && UNRESERVED.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte),
      )
      .join('');
    if (how === 'double') return right.replaceAll('%', '%25');
    if (how === 'broken') return right.replace(/%(.)./, '%$1');
    return how === 'bare' ? value.replace(/[^!-~]|[#?&]/g, '') : right;
  });

function hex(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}

const TYPES = fc.constantFrom(...REST_REPORT_TYPES);
const PATHS: Arbitrary<string> = fc.oneof(
  TYPES.map(type => `/v1/reports/${type}`),
  fc.tuple(TYPES, encoded, encoded).map(parts => `/v1/graphs/${parts.join('/')}`),
  TYPES.map(type => `/v1/graphs/${type}/weeks/1`),
  encoded.map(id => `/v1/policies/csp/${id}`),
  encoded.map(sha256 => `/v1/certificate-transparency/cert/${sha256}`),
  fc
    .tuple(fc.constantFrom('script', 'data', 'frame', 'policy'), encoded)
    .map(parts => `/v1/watches/${parts.join('/')}`),
  fc.constantFrom(
    '/v1/audit-log',
    '/v1/me',
    '/v1/team',
    '/v1/filters',
    '/v1/last-seven-days',
    '/v1',
    '/healthz',
    '/docs',
  ),
  fc.array(encoded, { maxLength: 6 }).map(parts => `/${parts.join('/')}`),
  fc.array(encoded, { maxLength: 4 }).map(parts => `/v1/${parts.join('/')}`),
);

const NAMES = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...REPORT_FILTERS.map(({ name }) => name), 'unit', 'date', 'limit', 'cursor'),
  },
  { weight: 1, arbitrary: encoded },
);
/** Half of the requests have a valid period, so they reach the filters. */
const PERIODS = fc.constantFrom(
  '',
  '',
  'unit=days&date=2026-05-20',
  'unit=months&date=2026-05',
  'unit=hours&date=2026-05-20T14',
);
const QUERIES = fc
  .tuple(PERIODS, fc.array(fc.tuple(NAMES, encoded), { maxLength: 5 }))
  .map(([period, pairs]) =>
    [period, ...pairs.map(pair => pair.join('='))].filter(part => part !== '').join('&'),
  )
  .map(query => (query ? `?${query}` : ''));

/** A header value must not contain line breaks. */
const headerText = text.map(value =>
  Buffer.from(value.replace(/[^\t\x20-\x7e\x80-\xff]/gu, 'x'), 'latin1').toString('latin1'),
);
const HEADERS = fc.array(
  fc.tuple(
    fc.constantFrom(
      'If-None-Match',
      'Accept',
      'Accept-Encoding',
      'X-Request-Id',
      'Cookie',
      'Range',
      'If-Modified-Since',
      'Expect',
      'Origin',
      'Content-Language',
      'traceparent',
      'X-Forwarded-For',
      'X-HTTP-Method-Override',
    ),
    fc.oneof(
      headerText,
      fc.constantFrom('*', '"a"', 'W/"a", "b"', 'gzip', 'br;q=0, gzip;q=x', 'text/html', '*/*;q=0'),
    ),
  ),
  { maxLength: 4 },
);
const AUTHORIZATION = fc.oneof(
  { weight: 12, arbitrary: fc.constant('Bearer KEY') },
  { weight: 1, arbitrary: headerText },
  { weight: 1, arbitrary: headerText.map(value => `Bearer ${value}`) },
);
const METHODS = fc.oneof(
  { weight: 10, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom('POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND') },
);

interface Parts {
  method: string;
  target: string;
  authorization: string;
  headers: [string, string][];
  body?: string;
}

function write({ method, target, authorization, headers, body }: Parts): string {
  const bytes = body === undefined ? undefined : Buffer.from(body).toString('latin1');
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${bytes ?? ''}`;
}

const rest: Arbitrary<Input> = fc
  .record({
    method: METHODS,
    target: fc.tuple(PATHS, QUERIES).map(([path, query]) => path + query),
    authorization: AUTHORIZATION,
    headers: HEADERS,
  })
  .map(parts => ({ kind: 'rest', request: write(parts), isWhole: true }));

const JSON_VALUES = fc.oneof(
  fc.json({ maxDepth: 4 }),
  text,
  fc.constant(`${'['.repeat(5000)}`),
  fc.constant(`{"query":"{a}","variables":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`),
);
const BODIES = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        query: graphqlDocument(text),
        variables: fc.oneof(fc.constant(undefined), fc.dictionary(text, text)),
        operationName: fc.oneof(fc.constant(undefined), text),
      })
      .map(body => JSON.stringify(body)),
  },
  { weight: 1, arbitrary: JSON_VALUES },
);
const CONTENT_TYPES = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  { weight: 1, arbitrary: headerText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/graphql',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
    ),
  },
);

const byPost: Arbitrary<Input> = fc
  .record({ authorization: AUTHORIZATION, headers: HEADERS, type: CONTENT_TYPES, body: BODIES })
  .map(({ authorization, headers, type, body }) => ({
    kind: 'graphql',
    request: write({
      method: 'POST',
      target: '/graphql',
      authorization,
      headers: [['Content-Type', type], ...headers],
      body,
    }),
    isWhole: true,
  }));

const byGet: Arbitrary<Input> = fc
  .record({ authorization: AUTHORIZATION, headers: HEADERS, document: graphqlDocument(text), more: QUERIES })
  .map(({ authorization, headers, document, more }) => ({
    kind: 'graphql',
    request: write({
      method: 'GET',
      target: `/graphql?query=${[...Buffer.from(document)].map(hex).join('')}&${more.slice(1)}`,
      authorization,
      headers,
    }),
    isWhole: true,
  }));

/** A valid request with some bytes removed, inserted or changed. */
const damaged: Arbitrary<Input> = fc
  .tuple(
    fc.oneof(rest, byPost),
    fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat({ max: 2 }),
        fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 4 }),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([{ request }, changes]) => ({
    kind: 'bytes',
    request: changes.reduce((text, [place, taken, put]) => {
      const at = Math.floor(place * text.length);
      return text.slice(0, at) + put + text.slice(at + taken);
    }, request),
    isWhole: false,
  }));

export const input: Arbitrary<Input> = fc.oneof(
  { weight: 60, arbitrary: rest },
  { weight: 30, arbitrary: byPost },
  { weight: 5, arbitrary: byGet },
  { weight: 5, arbitrary: damaged },
);
