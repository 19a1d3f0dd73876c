import { describe, expect, it } from 'vitest';
import { ids, importBytes } from '../../packages/importer/test/reports.ts';

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

describe('a browser report', () => {
  it('is imported as a record with its fields and time', async () => {
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
  ])('of type %s is imported: %#', async (type, body, expected, options) => {
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
      'in the format of old Firefox versions',
      JSON.stringify({ 'csp-report': kebab }),
      { directive: 'script-src', blockedUri: 'self', action: 'enforced' },
    ],
    [
      'in the format of Safari',
      JSON.stringify({ type: 'csp-violation', url: 'https://s.example/', body: violation }),
      { directive: 'script-src-elem' },
    ],
    ['without an envelope', JSON.stringify({ ...kebab, disposition: 'reporting' }), { action: 'reportOnly' }],
    [
      'in snake case',
      JSON.stringify({ csp_report: { document_uri: 'https://x.example/', effective_directive: 'img-src' } }),
      { uri: 'https://x.example/', directive: 'img-src' },
    ],
    [
      'with a JSON string as its body',
      JSON.stringify({ type: 'csp-violation', body: JSON.stringify(violation) }),
      { directive: 'script-src-elem' },
    ],
    [
      'in a nested list',
      JSON.stringify([[envelope('csp-violation', violation)]]),
      { directive: 'script-src-elem' },
    ],
    [
      'in a form field',
      `report=${encodeURIComponent(JSON.stringify({ 'csp-report': kebab }))}&x=1`,
      { directive: 'script-src' },
    ],
    [
      'after a byte order mark',
      `\u{feff}${JSON.stringify({ 'csp-report': kebab })}`,
      { directive: 'script-src' },
    ],
    [
      'formatted on several lines',
      JSON.stringify({ 'csp-report': kebab }, null, 2),
      { directive: 'script-src' },
    ],
  ])('is imported %s', async (_, text, expected) => {
    const { records, skipped } = await importBytes(text, received);
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([expected]);
  });

  it('keeps its id across envelopes, orders of fields and retries', async () => {
    const first = await read(envelope('csp-violation', violation, { age: 1000 }));
    const reversed = Object.fromEntries(Object.entries(violation).reverse());
    const later = envelope('csp-violation', reversed, { age: 61_000 });
    expect(ids(await read([later], { received: RECEIVED + 60_000 }))).toEqual(ids(first));
    const both = [envelope('csp-violation', violation), envelope('csp-violation', violation)];
    expect(new Set(ids(await read(both))).size).toBe(2);
    expect(ids(await read([...both].reverse()))).toEqual(ids(await read(both)));
  });

  it('has another id when any field differs, even in another file', async () => {
    const one = {
      type: 'csp-violation',
      url: 'https://a.example/',
      body: { blockedURL: 'inline', lineNumber: 1 },
    };
    const other = { ...one, body: { ...one.body, lineNumber: 2 } };
    const [first, repeated, second] = await Promise.all(
      [one, one, other].map(async report => ids(await importBytes(JSON.stringify(report)))),
    );
    expect(repeated).toEqual(first);
    expect(second).not.toEqual(first);
  });

  it('contains no query, fragment or client address when they are to be stripped', async () => {
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

  it('of an obsolete type is counted but not stored', async () => {
    const others = [{ 'expect-ct-report': {} }, { 'known-pins': [] }];
    const { records, skipped, unstored } = await read(others);
    expect({ records, skipped }).toEqual({ records: [], skipped: [] });
    expect(unstored).toEqual(['expect-ct', 'hpkp']);
  });

  describe('of an unknown type', () => {
    it('is stored unchanged', async () => {
      const report = envelope('soft-lint', { rule: 'é', deep: { list: [1, null, 'x'] } }, { age: 1500 });
      const { records, unstored } = await read([report]);
      expect(unstored).toEqual([]);
      expect(records).toEqual([
        {
          kind: 'report',
          accountId: 'a',
          type: 'other',
          id: expect.stringMatching(/^[\w-]{43}$/),
          date: new Date(RECEIVED - 1500).toISOString(),
          uri: 'https://shop.example/',
          wireType: 'soft-lint',
          browser: 'Chrome',
          platform: 'Windows',
          raw: JSON.stringify(report),
        },
      ]);
    });

    it('keeps its id when it is imported again, and has another id when any field differs', async () => {
      const report = envelope('soft-lint', { rule: 'a' });
      expect(ids(await read([report]))).toEqual(ids(await read([report])));
      const others = [envelope('soft-lint', { rule: 'b' }), envelope('hard-lint', { rule: 'a' }), report];
      expect(new Set(ids(await read(others))).size).toBe(3);
    });

    it.each<[string, object]>([
      ['has an invalid type name', envelope('<script>', { a: 1 })],
      ['has a type name that is too long', envelope('x'.repeat(65), { a: 1 })],
      ['has no page URL', envelope('soft-lint', { a: 1 }, { url: 'not an address' })],
      ['is longer than 16 KiB', envelope('soft-lint', { a: 'x'.repeat(16 * 1024) })],
      ['is a log line with the same fields', { type: 'access', url: 'https://a.example/', body: { a: 1 } }],
    ])('is counted but not stored when it %s', async (_, report) => {
      const { records, unstored } = await read([report]);
      expect(records).toEqual([]);
      expect(unstored).toHaveLength(1);
    });

    it('is stored for at most fifty types per day and account', async () => {
      const many = Array.from({ length: 60 }, (_, at) => envelope(`type-${at}`, {}));
      const { records, unstored } = await read([...many, envelope('type-0', { again: true })]);
      expect(records).toHaveLength(51);
      expect(unstored).toEqual(Array.from({ length: 10 }, (_, at) => `type-${at + 50}`));
      const nextDay = envelope('type-55', {}, { age: 86_400_000 });
      expect((await read([...many, nextDay])).records).toHaveLength(51);
    });

    it('is stored at most ten thousand times per day and account', { tags: 'slow' }, async () => {
      const many = Array.from({ length: 10_010 }, (_, at) => envelope('soft-lint', { at }));
      const { records, unstored } = await read(many);
      expect([records.length, unstored.length]).toEqual([10_000, 10]);
    });

    it('contains no stripped data in the raw report', async () => {
      const report = envelope(
        'soft-lint',
        { at: 'https://shop.example/a?token=1' },
        { client_ip: '192.0.2.66' },
      );
      const [record] = (await read([report], { stripQuery: true })).records;
      expect(record.raw).toContain('https://shop.example/a');
      expect(record.raw).not.toMatch(/token|192/);
    });
  });

  it('of a blocked connection contains the connection and the allowlist', async () => {
    const body = {
      url: 'https://shop.example/cart',
      connection: 'https://collect.example/pixel',
      allowlist: ['https://shop.example', 'https://*.shop.example/*'],
      disposition: 'report',
    };
    const { records } = await read([
      envelope('connection-allowlist', body),
      envelope('connection-allowlist', { ...body, connection: 'webrtc', disposition: 'enforce' }),
      envelope('connection-allowlist', { connection: 5, allowlist: 'one', disposition: 'maybe' }),
      envelope('connection-allowlist', {
        ...body,
        allowlist: Array.from({ length: 500 }, (_, at) => `https://${at}`),
      }),
    ]);
    const [first, webrtc, odd, long] = records;
    expect(first).toMatchObject({
      type: 'connection_allowlist',
      uri: 'https://shop.example/',
      connection: 'https://collect.example/pixel',
      disposition: 'report',
      allowlist: ['https://shop.example', 'https://*.shop.example/*'],
    });
    expect(webrtc).toMatchObject({ connection: 'webrtc', disposition: 'enforce' });
    expect(odd).toMatchObject({ connection: '5', disposition: '', allowlist: ['one'] });
    expect(long.allowlist).toHaveLength(200);
  });
});

describe('the import of a log', () => {
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
      'an nginx log with escape=json',
      JSON.stringify({ time_iso8601: time, http_user_agent: CHROME, request_body: body }),
      {},
    ],
    [
      'an nginx log with the default escaping',
      `{"time":"${time}","user_agent":"${CHROME}","body":"${hex}"}`,
      {},
    ],
    ['a line that begins with the body', `"${hex}" [${common}] "${CHROME}"`, {}],
    [
      'a common log line with a body',
      `192.0.2.1 - - [${common}] "POST /csp HTTP/1.1" 204 0 "-" "${CHROME}" "${hex}"`,
      {},
    ],
    [
      'a common log line with a JSON string',
      `192.0.2.1 - - [${common}] "POST /csp HTTP/1.1" 204 0 "-" "${CHROME}" ${JSON.stringify(body)}`,
      {},
    ],
    ['a line that ends with the body', `${time} "${CHROME}" ${body}`, {}],
    [
      'a line with configured field names',
      JSON.stringify({ a: { b: body, t: time }, 'u.a': CHROME }),
      { fields: { body: 'a.b', time: 'a.t', userAgent: 'u.a' } },
    ],
    [
      'a line whose body is an object',
      JSON.stringify({ at: time, ua: CHROME, report: JSON.parse(body) }),
      { fields: { body: 'report', time: 'at', userAgent: 'ua' } },
    ],
  ])('reads the report, the time and the browser from %s', async (_, line, options) => {
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

  it('reads logs of go-csp-collector as JSON and as text', async () => {
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

  it('skips lines without the configured fields', async () => {
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
    expect(skipped).toEqual(
      [2, 3, 4].map(number => `file, line ${number} has no field with the body: a.b.c`),
    );
    expect(records).toHaveLength(2);
  });

  it('skips malformed lines', async () => {
    const line = JSON.stringify(envelope('csp-violation', violation));
    const { records, skipped } = await importBytes(
      `${line}\n${line.slice(0, 40)}\n\n{"level":"info"}\n[]\n${line}`,
      received,
    );
    expect(records).toHaveLength(2);
    expect(skipped).toEqual(['file, line 2 is not JSON', 'file, line 4 is not a known report']);
  });

  it('counts requests without a body, and skips a file in which no request has one', async () => {
    const empty = `192.0.2.1 - - [${common}] "GET / HTTP/1.1" 200 0 "-" "${CHROME}" "-"`;
    const { unstored, records } = await importBytes(`${empty}\n192.0.2.1 "POST /csp" ${body}\n`, received);
    expect(unstored).toEqual(['request without a body']);
    expect(records).toHaveLength(1);
    expect((await importBytes(`${empty}\n`)).skipped).toEqual(['file is in an unknown format']);
  });
});

describe('a malformed JSON document', () => {
  const report = JSON.stringify(envelope('csp-violation', violation));
  it.each<[string, string, number, string[]]>([
    ['a document that ends too early', `[${report},\n${report},{"type":`, 2, ['file ends too early']],
    [
      'a document that is nested too deeply',
      `{"csp-report":${'[{"a":'.repeat(100)}1${'}]'.repeat(100)}}`,
      0,
      ['file is nested too deeply: over 64 levels'],
    ],
    ['a document with 200,000 levels of nesting', '['.repeat(200_000), 0, ['file ends too early']],
    [
      'a report of another format than asked for',
      report,
      0,
      ['file is not in the requested format: browser'],
    ],
    ['an object that is not a report', '{"a":1}', 0, ['file is not a known report']],
  ])('is reported: %s', async (name, text, count, expected) => {
    const format = name.includes('asked') ? ('dmarc' as const) : ('auto' as const);
    const { records, skipped } = await importBytes(text, { ...received, format });
    expect(records).toHaveLength(count);
    expect(skipped).toEqual(expected);
  });
});
