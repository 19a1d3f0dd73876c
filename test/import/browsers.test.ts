import { describe, expect, it } from 'vitest';
import { ids, importBytes } from '../../packages/import/test/reports.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const RECEIVED = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const received = { received: RECEIVED };
const violation = {
  documentURL: 'https://shop.example/cart?id=7#top',
  blockedURL: 'https://cdn.example/x.js?v=1',
  effectiveDirective: 'script-src-elem',
  originalPolicy: "default-src 'self'; report-uri https://r.example/csp?key=1",
  disposition: 'enforce',
};
const envelope = (type: string, body: object, more: object = {}) => ({
  type,
  age: 0,
  url: 'https://shop.example/',
  user_agent: CHROME,
  body,
  ...more,
});
const read = async (value: unknown, options = {}) =>
  importBytes(JSON.stringify(value), { ...received, ...options });

describe('a report of a browser', () => {
  it('is a record with what the browser said, and when', async () => {
    const report = envelope('csp-violation', violation, { age: 90_500 });
    const { records, skipped } = await read([report]);
    expect(skipped).toEqual([]);
    expect(records).toEqual([
      {
        kind: 'report',
        accountId: 'a',
        type: 'csp',
        id: expect.stringMatching(/^[\w-]{43}$/),
        date: new Date(RECEIVED - 90_500).toISOString(),
        uri: violation.documentURL,
        directive: 'script-src-elem',
        blockedUri: violation.blockedURL,
        policy: violation.originalPolicy,
        action: 'enforced',
        browser: 'Chrome',
        platform: 'Windows',
        raw: JSON.stringify(report),
      },
    ]);
  });

  it.each<[string, object, object, object]>([
    [
      'csp-hash',
      {
        documentURL: 'https://p.example/',
        subresourceURL: 'https://c.example/l.js',
        hash: 'sha256-x',
        type: 'subresource',
        destination: 'script',
      },
      {
        type: 'csp_integrity',
        uri: 'https://p.example/',
        subresourceUri: 'https://c.example/l.js',
        hash: 'sha256-x',
        resourceType: 'subresource',
        destination: 'script',
      },
      {},
    ],
    [
      'integrity-violation',
      {
        documentURL: 'https://p.example/',
        blockedURL: 'https://c.example/l.js',
        destination: 'script',
        reportOnly: true,
      },
      { type: 'integrity_policy', action: 'reportOnly', blockedUri: 'https://c.example/l.js' },
      {},
    ],
    [
      'permissions-policy-violation',
      { featureId: 'camera', disposition: 'report', lineNumber: '4', columnNumber: 2.5 },
      {
        type: 'permissions_policy',
        property: 'camera',
        disposition: 'report',
        lineNumber: 4,
        columnNumber: null,
        potential: false,
      },
      {},
    ],
    [
      'potential-permissions-policy-violation',
      { policyId: 'usb', disposition: 'enforce' },
      { property: 'usb', disposition: 'enforce', potential: true },
      {},
    ],
    [
      'network-error',
      {
        type: 'dns.name_not_resolved',
        phase: 'DNS',
        status_code: '0',
        elapsed_time: -5,
        sampling_fraction: '0.25',
        server_ip: '',
      },
      {
        type: 'nel',
        nelType: 'dns.name_not_resolved',
        phase: 'dns',
        statusCode: 0,
        elapsedTime: null,
        samplingFraction: 0.25,
      },
      {},
    ],
    ['network-error', { type: 'http.error', phase: 'teleport' }, { phase: '' }, {}],
    [
      'deprecation',
      { id: 'WebSQL', anticipatedRemoval: '1/31/2027', message: 'm' },
      { type: 'deprecation', featureId: 'WebSQL', anticipatedRemoval: '2027-01-31' },
      {},
    ],
    [
      'deprecation',
      { id: 'X', anticipatedRemoval: 1_801_353_600_000.5 },
      { anticipatedRemoval: '2027-01-31' },
      {},
    ],
    ['deprecation', { id: 'X', anticipatedRemoval: '2027-01-31' }, { anticipatedRemoval: '2027-01-31' }, {}],
    ['deprecation', { id: 'X', anticipatedRemoval: '2/31/2027' }, { anticipatedRemoval: null }, {}],
    [
      'intervention',
      { id: 'HeavyAd', message: 'removed' },
      { type: 'intervention', featureId: 'HeavyAd', message: 'removed' },
      {},
    ],
    [
      'crash',
      { reason: 'oom', is_top_level: true, page_visibility: 'hidden' },
      { type: 'crash', reason: 'oom', isTopLevel: true, visibilityState: 'hidden' },
      {},
    ],
    [
      'coep',
      {
        type: 'corp',
        'blocked-url': '',
        blockedURL: 'https://c.example/a.png',
        disposition: 'reporting',
        destination: 'image',
      },
      { type: 'coep', violation: 'corp', disposition: 'reporting', blockedUri: 'https://c.example/a.png' },
      {},
    ],
    [
      'coop',
      {
        violation: 'access-from-coop-page-to-openee',
        property: 'closed',
        openeeURL: 'https://o.example/',
        disposition: 'report',
      },
      { type: 'coop', accessedProperty: 'closed', openeeUri: 'https://o.example/', disposition: 'reporting' },
      {},
    ],
    [
      'csp-violation',
      { ...violation, disposition: undefined },
      { action: 'reportOnly' },
      { action: 'reportOnly' },
    ],
  ])('of type %s is read: %#', async (type, body, expected, options) => {
    const { records, skipped } = await read(envelope(type, body), options);
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([expected]);
  });

  const kebab = {
    'document-uri': 'https://shop.example/',
    'violated-directive': "script-src 'self'",
    'blocked-uri': 'self',
  };
  it.each<[string, string, object]>([
    [
      "old Firefox's",
      JSON.stringify({ 'csp-report': kebab }),
      { directive: 'script-src', blockedUri: 'self', action: 'enforced' },
    ],
    [
      "Safari's",
      JSON.stringify({ type: 'csp-violation', url: 'https://s.example/', body: violation }),
      { directive: 'script-src-elem' },
    ],
    ['without an envelope', JSON.stringify({ ...kebab, disposition: 'reporting' }), { action: 'reportOnly' }],
    [
      'in snake-case',
      JSON.stringify({ csp_report: { document_uri: 'https://x.example/', effective_directive: 'img-src' } }),
      { uri: 'https://x.example/', directive: 'img-src' },
    ],
    [
      'as a body that is a text',
      JSON.stringify({ type: 'csp-violation', body: JSON.stringify(violation) }),
      { directive: 'script-src-elem' },
    ],
    [
      'in a list in a list',
      JSON.stringify([[envelope('csp-violation', violation)]]),
      { directive: 'script-src-elem' },
    ],
    [
      'in a field of a form',
      `report=${encodeURIComponent(JSON.stringify({ 'csp-report': kebab }))}&x=1`,
      { directive: 'script-src' },
    ],
    [
      'behind a byte order mark',
      `\u{feff}${JSON.stringify({ 'csp-report': kebab })}`,
      { directive: 'script-src' },
    ],
    ['over several lines', JSON.stringify({ 'csp-report': kebab }, null, 2), { directive: 'script-src' }],
  ])('is read %s', async (_, text, expected) => {
    const { records, skipped } = await importBytes(text, received);
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([expected]);
  });

  it('has one identifier in every envelope and order of fields, and when it is sent again', async () => {
    const first = await read(envelope('csp-violation', violation, { age: 1000 }));
    const reversed = Object.fromEntries(Object.entries(violation).reverse());
    const later = envelope('csp-violation', reversed, { age: 61_000 });
    expect(ids(await read([later], { received: RECEIVED + 60_000 }))).toEqual(ids(first));
    const both = [envelope('csp-violation', violation), envelope('csp-violation', violation)];
    expect(new Set(ids(await read(both))).size).toBe(2);
    expect(ids(await read([...both].reverse()))).toEqual(ids(await read(both)));
  });

  it('has another identifier where anything in it differs, though it comes in another file', async () => {
    const one = {
      type: 'csp-violation',
      url: 'https://a.example/',
      body: { blockedURL: 'inline', lineNumber: 1 },
    };
    const other = { ...one, body: { ...one.body, lineNumber: 2 } };
    const [first, again, second] = await Promise.all(
      [one, one, other].map(async report => ids(await importBytes(JSON.stringify(report)))),
    );
    expect(again).toEqual(first);
    expect(second).not.toEqual(first);
  });

  it('keeps no query, fragment or address of a client where it should not', async () => {
    const text = JSON.stringify(envelope('csp-violation', violation)).replaceAll('/', '\\/');
    const { records } = await importBytes(text, { ...received, stripQuery: true });
    expect(records).toMatchObject([
      { uri: 'https://shop.example/cart', blockedUri: 'https://cdn.example/x.js' },
    ]);
    expect(JSON.stringify(records)).not.toMatch(/id=7|#top|v=1|key=1/);
    const logged = {
      client_ip: '192.0.2.66',
      document_uri: 'https://x.example/',
      violated_directive: 'img-src',
    };
    const inEnvelope = { ...envelope('csp-violation', violation), 'X-Forwarded-For': '192.0.2.66' };
    const found = (await read([logged, inEnvelope])).records;
    expect(found).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain('192.0.2.66');
  });

  it('is counted and not kept where its type has no record', async () => {
    const others = [
      envelope('document-policy-violation', {}),
      { 'expect-ct-report': {} },
      { 'known-pins': [] },
    ];
    const { records, skipped, notKept } = await read(others);
    expect({ records, skipped }).toEqual({ records: [], skipped: [] });
    expect(notKept).toEqual(['document-policy-violation', 'expect-ct', 'hpkp']);
  });
});

describe('a log', () => {
  const body = JSON.stringify({
    'csp-report': { 'document-uri': 'https://é.example/', 'effective-directive': 'img-src' },
  });
  const time = new Date(RECEIVED).toISOString();
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const common = `${time.slice(8, 10)}/${months[Number(time.slice(5, 7)) - 1]}/${time.slice(0, 4)}:${time.slice(11, 19)} +0000`;
  const hex = Buffer.from(body)
    .toString('latin1')
    .replace(/["\\\u0080-\u00ff]/g, byte => `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`);

  it.each<[string, string, object]>([
    [
      "nginx's, with escape=json",
      JSON.stringify({ time_iso8601: time, http_user_agent: CHROME, request_body: body }),
      {},
    ],
    ["nginx's, with its default escape", `{"time":"${time}","user_agent":"${CHROME}","body":"${hex}"}`, {}],
    ['that begins with the body', `"${hex}" [${common}] "${CHROME}"`, {}],
    [
      'of common form, with a body in it',
      `192.0.2.1 - - [${common}] "POST /csp HTTP/1.1" 204 0 "-" "${CHROME}" "${hex}"`,
      {},
    ],
    [
      'of common form, escaped as JSON is',
      `192.0.2.1 - - [${common}] "POST /csp HTTP/1.1" 204 0 "-" "${CHROME}" ${JSON.stringify(body)}`,
      {},
    ],
    ['with a body at the end of the line', `${time} "${CHROME}" ${body}`, {}],
    [
      'with fields that are named',
      JSON.stringify({ a: { b: body, t: time }, 'u.a': CHROME }),
      { fields: { body: 'a.b', time: 'a.t', userAgent: 'u.a' } },
    ],
    [
      'whose body is an object',
      JSON.stringify({ at: time, ua: CHROME, report: JSON.parse(body) }),
      { fields: { body: 'report', time: 'at', userAgent: 'ua' } },
    ],
  ])('gives the report, the time and the browser: %s', async (_, line, options) => {
    const { records, skipped } = await importBytes(
      `${line}\n${line.replaceAll('img-src', 'font-src')}\n`,
      options,
    );
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([
      { uri: 'https://é.example/', directive: 'img-src', browser: 'Chrome', platform: 'Windows', date: time },
      { directive: 'font-src' },
    ]);
    expect(JSON.stringify(records)).not.toContain('192.0.2.1');
  });

  it('of go-csp-collector is read, as JSON and as text', async () => {
    const text = `time="${time}" level=info blocked_uri=eval document_uri="https://x.example/" effective_directive=script-src report_only=true`;
    const json = JSON.stringify({
      time,
      level: 'info',
      blocked_uri: 'eval',
      document_uri: 'https://x.example/',
      effective_directive: 'script-src',
      report_only: true,
    });
    for (const line of [text, json]) {
      const { records } = await importBytes(`${line}\n`);
      expect(records).toMatchObject([{ date: time, blockedUri: 'eval', action: 'reportOnly' }]);
    }
  });

  it('loses no line to one without the fields that are named', async () => {
    const fields = { body: 'a.b.c', time: 't', userAgent: 'u' };
    const line = (a: unknown) => JSON.stringify({ a, t: time, u: CHROME });
    const lines = [
      line({ b: { c: body } }),
      line(undefined),
      line(1),
      line({ b: null }),
      line({ b: { c: body } }),
    ];
    const { records, skipped } = await importBytes(lines.join('\n'), { fields });
    expect(skipped).toEqual([2, 3, 4].map(number => `file, line ${number} has no field of the body: a.b.c`));
    expect(records).toHaveLength(2);
  });

  it('loses no line to a broken one', async () => {
    const line = JSON.stringify(envelope('csp-violation', violation));
    const { records, skipped } = await importBytes(
      `${line}\n${line.slice(0, 40)}\n\n{"level":"info"}\n[]\n${line}`,
      received,
    );
    expect(records).toHaveLength(2);
    expect(skipped).toEqual(['file, line 2 is not JSON', 'file, line 4 is no report that is known']);
  });

  it('counts requests without a body, and tells where there is none at all', async () => {
    const empty = `192.0.2.1 - - [${common}] "GET / HTTP/1.1" 200 0 "-" "${CHROME}" "-"`;
    const { notKept, records } = await importBytes(`${empty}\n192.0.2.1 "POST /csp" ${body}\n`, received);
    expect(notKept).toEqual(['request without a body']);
    expect(records).toHaveLength(1);
    expect((await importBytes(`${empty}\n`)).skipped).toEqual(['file is of no form that is known']);
  });
});

describe('a document of JSON', () => {
  const report = JSON.stringify(envelope('csp-violation', violation));
  it.each<[string, string, number, string[]]>([
    ['that ends too early', `[${report},\n${report},{"type":`, 2, ['file ends too early']],
    [
      'nested too deeply',
      `{"csp-report":${'[{"a":'.repeat(100)}1${'}]'.repeat(100)}}`,
      0,
      ['file is nested too deeply: over 64 levels'],
    ],
    ['nested 200,000 deep', '['.repeat(200_000), 0, ['file ends too early']],
    [
      'with another type of report asked for',
      report,
      0,
      ['file is not of the form that was asked for: browser'],
    ],
    ['that is a number', '{"a":1}', 0, ['file is no report that is known']],
  ])('is told: %s', async (name, text, count, expected) => {
    const format = name.includes('asked') ? ('dmarc' as const) : ('auto' as const);
    const { records, skipped } = await importBytes(text, { ...received, format });
    expect(records).toHaveLength(count);
    expect(skipped).toEqual(expected);
  });
});
