import { expect, it } from 'vitest';
import { readUserAgent } from '../src/browser/user-agent.ts';
import { importBytes } from './reports.ts';

it.each([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
  ['yes', null],
  [1, null],
  [null, null],
  [undefined, null],
])('a crash with is_top_level %j is stored with %j', async (is_top_level, expected) => {
  const crash = {
    type: 'crash',
    age: 0,
    url: 'https://shop.example/',
    body: { reason: 'oom', is_top_level },
  };
  const { records } = await importBytes(JSON.stringify(crash), { format: 'browser' });
  expect(records.map(({ type, isTopLevel }) => [type, isTopLevel])).toEqual([['crash', expected]]);
});

it.each([
  ['its own', { url: 'https://a.example/x', body: { url: 'https://b.example/' } }, 'https://a.example/x'],
  ["its body's", { body: { url: 'https://b.example/' } }, 'https://b.example/'],
  ['no', { body: {} }, ''],
])('a network error with %s address is stored with it', async (_, { body, ...outer }, uri) => {
  const error = {
    type: 'network-error',
    age: 0,
    ...outer,
    body: { ...body, phase: 'dns', type: 'dns.failed' },
  };
  const { records } = await importBytes(JSON.stringify(error), { format: 'browser' });
  expect(records.map(({ type, uri, phase }) => [type, uri, phase])).toEqual([['nel', uri, 'dns']]);
});

it.each([
  ['https://a.example/x?y=1#z', 'https://a.example/x'],
  [
    'see https://a.example/?x, https://b.example/#y; https://c.example/',
    'see https://a.example/, https://b.example/; https://c.example/',
  ],
  ['is this one? #1', 'is this one? #1'],
])('a message is stored without the queries of its URLs: %j becomes %j', async (message, expected) => {
  const deprecation = {
    type: 'deprecation',
    age: 0,
    url: 'https://shop.example/',
    body: { id: 'x', message },
  };
  const { records } = await importBytes(JSON.stringify(deprecation), { format: 'browser', stripQuery: true });
  expect(records.map(record => [record.message, JSON.parse(record.raw).body.message])).toEqual([
    [expected, expected],
  ]);
});

const read = async (report: object) => {
  const { records, skipped } = await importBytes(JSON.stringify(report), { format: 'browser' });
  expect(skipped).toEqual([]);
  return records[0];
};

it.each(['', null, undefined])('the second of two equal fields is stored if the first is %j', async empty => {
  const body = { 'document-uri': empty, documentURI: 'https://a.example/', 'violated-directive': 'img-src' };
  expect(await read({ 'csp-report': body })).toMatchObject({ uri: 'https://a.example/' });
});

const A = 'https://a.example/';
it.each<[string, string, object, object]>([
  ['csp-hash', 'csp_integrity', { document_uri: A, subresource_uri: A }, { uri: A, subresourceUri: A }],
  ['integrity-violation', 'integrity_policy', { document_uri: A, blocked_uri: A }, { uri: A, blockedUri: A }],
  ['integrity-violation', 'integrity_policy', { report_only: false }, { action: 'enforced' }],
  ['permissions-policy-violation', 'permissions_policy', { document_url: A }, { uri: A }],
  ['permissions-policy-violation', 'permissions_policy', { document_uri: A }, { uri: A }],
  [
    'permissions-policy-violation',
    'permissions_policy',
    { message: 'm', source_file: A },
    { message: 'm', sourceFile: A },
  ],
  ['permissions-policy-violation', 'permissions_policy', { allow_attribute: 'x' }, { allowAttribute: 'x' }],
  ['permissions-policy-violation', 'permissions_policy', { src_attribute: 'x' }, { srcAttribute: 'x' }],
  ['deprecation', 'deprecation', { feature_id: 'X', line_number: 4 }, { featureId: 'X', lineNumber: 4 }],
  [
    'deprecation',
    'deprecation',
    { anticipated_removal: '2027-01-31T09:00Z' },
    { anticipatedRemoval: '2027-01-31' },
  ],
  ['deprecation', 'deprecation', { anticipated_removal: '13/1/2027' }, { anticipatedRemoval: null }],
  [
    'intervention',
    'intervention',
    { feature_id: 'X', column_number: 5 },
    { featureId: 'X', columnNumber: 5 },
  ],
  ['crash', 'crash', { visibility_state: 'hidden', stack: 's' }, { visibilityState: 'hidden', stack: 's' }],
  ['coep', 'coep', { violation: 'corp', blocked_uri: A }, { violation: 'corp', blockedUri: A }],
  ['coop', 'coop', { type: 'x', effective_policy: 'p' }, { violation: 'x', effectivePolicy: 'p' }],
  ['coop', 'coop', { previous_response_url: A }, { previousResponseUri: A }],
  ['coop', 'coop', { previous_response_uri: A }, { previousResponseUri: A }],
  ['coop', 'coop', { next_response_url: A, opener_url: A }, { nextResponseUri: A, openerUri: A }],
  ['coop', 'coop', { next_response_uri: A, opener_uri: A }, { nextResponseUri: A, openerUri: A }],
  ['coop', 'coop', { openee_uri: A, other_document_uri: A }, { openeeUri: A, otherDocumentUri: A }],
  ['coop', 'coop', { initial_popup_url: A, referrer: A }, { initialPopupUri: A, referrer: A }],
  ['coop', 'coop', { accessed_property: 'closed' }, { accessedProperty: 'closed' }],
  ...['enforce', 'enforced', ' Enforce '].map((disposition): [string, string, object, object] => [
    'coep',
    'coep',
    { disposition },
    { disposition: 'enforce' },
  ]),
  ...['report', 'reporting', 'Report-Only'].map((disposition): [string, string, object, object] => [
    'coep',
    'coep',
    { disposition },
    { disposition: 'reporting' },
  ]),
  ['coep', 'coep', { disposition: 'maybe' }, { disposition: '' }],
])('a report of the type %s is stored as %s: %j', async (type, stored, body, expected) => {
  expect(await read({ type, age: 0, body })).toMatchObject({ type: stored, ...expected });
});

it.each([
  ...['client_ip', 'client-address', 'IP', 'remote_addr', 'RemoteAddress', 'remote-ip', 'source_ip'],
  ...['X-Forwarded-For', 'x-real-ip'],
])('the address of the client is not stored: %s', async name => {
  const report = { type: 'crash', age: 0, url: A, body: { reason: 'oom' } };
  expect((await read({ ...report, [name]: '192.0.2.66' })).raw).toBe(JSON.stringify(report));
});

it.each(['time', 'level', 'msg', 'path', 'metadata'])(
  'a field that a collector adds to a violation is not stored: %s',
  async name => {
    const violation = { document_uri: A, violated_directive: 'img-src' };
    expect((await read({ [name]: 'x', ...violation })).raw).toBe(JSON.stringify(violation));
  },
);

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 SamsungBrowser/23.0 Chrome/115.0',
    'Samsung Internet',
    'Android',
  ],
  ['Invented/1.0 (Imagined)', '', ''],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S901B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  ['curious/1.0 (<b>Made Up</b>)', '', ''],
  ['', '', ''],
  [' ', '', ''],
])(
  'the browser of a user agent is stored only if its name is known: %s',
  async (user_agent, browser, platform) => {
    // Twice, because the browser of a user agent is remembered.
    for (let time = 0; time < 2; time++) expect(readUserAgent(user_agent)).toEqual({ browser, platform });
    const { browser: found = '', platform: system = '' } = await read({
      type: 'crash',
      age: 0,
      user_agent,
      body: {},
    });
    expect([found, system]).toEqual([browser, platform]);
  },
);
