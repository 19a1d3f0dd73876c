import { expect, it } from 'vitest';
import { type ChangedInput, changeJson, changeLines } from '../../../test/support/changed-inputs.ts';
import { type Content, recordImports } from './recorded-imports.ts';

const DAY = Date.UTC(2026, 10, 20);
const SECONDS = DAY / 1000;
const PAGE = 'https://shop.example/cart?step=2#top';
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

// biome-ignore lint/suspicious/noExplicitAny: changed values have any form
type Json = any;

/** Places of the sample to leave out, because other samples have them too. */
type Elsewhere = RegExp | undefined;

const record = (
  title: string,
  sample: Json,
  values?: Json[],
  options = {},
  item = {},
  elsewhere: Elsewhere = undefined,
) => {
  const changed = [...changeJson(sample, values)].filter(({ change }) => !elsewhere?.test(change));
  return recordImports(title, sample, changed, (input: Json) => JSON.stringify(input), options, item);
};

/** Fewer replacements than usual, for samples with many fields. */
const FEW: Json[] = [null, true, 1.5, '', ' ', '7', [], { x: 1 }];

it('TLS reports with a changed value have the recorded outcomes', async () => {
  const report = {
    'organization-name': 'Receiver.example',
    'date-range': { 'start-datetime': '2026-11-20T00:00:00Z', 'end-datetime': '2026-11-20T23:59:59Z' },
    'contact-info': 'tls@receiver.example',
    'report-id': '<report@1>',
    policies: [
      {
        policy: {
          'policy-type': 'STS',
          'policy-string': ['version: STSv1', 'mode: enforce'],
          'policy-domain': 'shop.example',
          'mx-host': 'mail.shop.example',
          'mx-host-pattern': ['*.shop.example'],
        },
        summary: { 'total-successful-session-count': 240, 'total-failure-session-count': 2 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'sending-mta-ip': '[192.0.2.20]',
            'receiving-ip': '2001:DB8::1',
            'receiving-mx-hostname': 'mx1.shop.example',
            'receiving-mx-helo': 'mx1',
            'failed-session-count': 2,
            'failure-reason-code': 'X509',
            'additional-information': 'https://receiver.example/1',
          },
        ],
      },
    ],
  };
  const item = { name: 'receiver.example!named.example!1!2.json' };
  const { 'additional-information': uri, ...details } = report.policies[0]!['failure-details'][0]!;
  const other = {
    policies: [{ 'failure-details': { ...details, 'additional-info-uri': uri } }],
    'date-range': { 'start-datetime': SECONDS },
    'report-id': 'x',
  };
  const parsed = {
    organization_name: 'Receiver.example',
    begin_date: '2026-11-20 00:00:00',
    end_date: '2026-11-20 23:59:59',
    contact_info: 'tls@receiver.example',
    report_id: 'report@1',
    policies: [
      {
        policy_domain: 'shop.example',
        policy_type: 'sts',
        policy_strings: ['version: STSv1'],
        mx_host_patterns: ['*.shop.example'],
        successful_session_count: 240,
        failed_session_count: 2,
        failure_details: [
          {
            result_type: 'certificate-expired',
            failed_session_count: 2,
            sending_mta_ip: '192.0.2.20',
            receiving_ip: '2001:db8::1',
            receiving_mx_hostname: 'mx1.shop.example',
            receiving_mx_helo: 'mx1',
            failure_reason_code: 'X509',
            additional_info_uri: 'https://receiver.example/1',
          },
        ],
      },
    ],
  };
  const texts = [
    await record('RFC 8460', report, undefined, {}, item),
    await record('With few fields', other, FEW, {}, item),
    await record("parsedmarc's JSON", parsed, FEW),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/tls-reports.txt');
});

const POLICY = {
  domain: 'shop.example',
  adkim: 'r',
  aspf: 's',
  p: 'reject',
  sp: 'none',
  np: 'none',
  pct: '50',
};
const RESULTS = {
  dkim: [{ domain: 'shop.example', selector: 's1', result: 'pass', human_result: 'ok' }],
  spf: [{ domain: 'bounce.example', scope: 'mfrom', result: 'fail', human_result: 'no' }],
};
const REASONS = [{ type: 'forwarded', comment: 'list' }];
const IDENTIFIERS = {
  header_from: 'shop.example',
  envelope_from: 'bounce.example',
  envelope_to: 'receiver.example',
};
const [BEGIN, END] = ['2026-11-20 00:00:00', '2026-11-20 23:59:59'];

it('exports of parsedmarc with a changed value have the recorded outcomes', async () => {
  const row = {
    source: {
      ip_address: '192.0.2.10',
      country: 'DE',
      reverse_dns: 'mail.shop.example',
      asn: 64_500,
      as_name: 'Example Networks',
    },
    count: 12,
    policy_evaluated: {
      disposition: 'none',
      dkim: 'pass',
      spf: 'fail',
      policy_override_reasons: REASONS,
    },
    identifiers: IDENTIFIERS,
    auth_results: RESULTS,
    normalized_timespan: false,
    interval_begin: BEGIN,
    interval_end: END,
  };
  const report = {
    report_metadata: {
      org_name: 'mail.Receiver.example',
      org_email: 'dmarc@receiver.example',
      report_id: 'report@1',
      generator: 'g 1',
      begin_date: BEGIN,
      end_date: END,
    },
    policy_published: { ...POLICY, fo: '1', testing: 'n', discovery_method: 'psl' },
    records: [row],
  };
  const split = (hour: string) => ({ ...row, normalized_timespan: true, interval_begin: `2026-11-${hour}` });
  const long = { ...report, records: [split('19'), split('20')] };
  const document = {
    org_name: 'receiver.example',
    org_email: 'dmarc@receiver.example',
    report_id: 'plain',
    date_begin: '2026-11-20T00:00:00',
    date_end: '2026-11-20T23:59:59',
    published_policy: POLICY,
    source_ip_address: '192.0.2.10',
    source_country: 'DE',
    source_reverse_dns: 'mail.shop.example',
    source_name: 'Example Networks',
    source_asn: 64_500,
    message_count: 12,
    disposition: 'quarantine',
    dkim_aligned: true,
    spf_aligned: false,
    policy_overrides: REASONS,
    ...IDENTIFIERS,
    dkim_results: RESULTS.dkim,
    spf_results: RESULTS.spf,
  };
  const tls = {
    org_name: 'receiver.example',
    date_begin: '2026-11-20T00:00:00',
    date_end: '2026-11-20T23:59:59',
    report_id: 'tls',
    policies: [{ policy_domain: 'shop.example', policy_type: 'sts', policy_string: ['mode: none'] }],
  };
  const texts = [
    await record('A report', report),
    await record('A report of two days', long, [null, true, '', '7']),
    await record(
      'All reports',
      { aggregate_reports: [report], failure_reports: [{}], smtp_tls_reports: [] },
      [null, [], { x: 1 }],
      {},
      {},
      /^aggregate_reports.*\./,
    ),
    await record('A document of Elasticsearch', document, FEW),
    await record(
      'A search response',
      { hits: { total: 2, hits: [{ _source: document }, { _source: tls }] } },
      [null, '7'],
      {},
      {},
      /_source\./,
    ),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/parsedmarc.txt');
});

it('browser reports with a changed value have the recorded outcomes', async () => {
  const envelope = (type: string, body: object) => ({ type, age: 1500, url: PAGE, user_agent: AGENT, body });
  const position = { sourceFile: 'https://shop.example/a.js?v=1', lineNumber: 12, columnNumber: 4 };
  const bodies: [string, object][] = [
    [
      'csp-violation',
      {
        documentURL: PAGE,
        blockedURL: 'https://cdn.example/x.js?v=3',
        effectiveDirective: 'script-src-elem',
        violatedDirective: "script-src 'self'",
        originalPolicy: "script-src 'self'",
        disposition: 'enforce',
        reportOnly: false,
      },
    ],
    [
      'csp-hash',
      {
        documentURL: PAGE,
        subresourceURL: 'https://cdn.example/lib.js',
        hash: 'sha256-x',
        type: 'subresource',
        destination: 'script',
      },
    ],
    [
      'integrity-violation',
      { documentURL: PAGE, blockedURL: 'https://cdn.example/n.js', destination: 'script', reportOnly: true },
    ],
    [
      'permissions-policy-violation',
      {
        policyId: 'camera',
        featureId: 'microphone',
        disposition: 'enforce',
        message: 'Denied.',
        allowAttribute: 'a',
        srcAttribute: 'b',
        ...position,
      },
    ],
    ['potential-permissions-policy-violation', { featureId: 'geolocation', disposition: 'report' }],
    [
      'network-error',
      {
        elapsed_time: 30076,
        method: 'GET',
        phase: 'application',
        protocol: 'h2',
        referrer: 'https://shop.example/',
        sampling_fraction: 0.5,
        server_ip: '192.0.2.80',
        status_code: 502,
        type: 'http.error',
      },
    ],
    [
      'deprecation',
      { id: 'WebSQL', featureId: 'x', anticipatedRemoval: '1/31/2027', message: 'It goes.', ...position },
    ],
    ['intervention', { id: 'HeavyAd', message: 'The ad was removed.', ...position }],
    [
      'crash',
      { reason: 'oom', is_top_level: true, page_visibility: 'hidden', visibility_state: '', stack: 'at x' },
    ],
    [
      'coep',
      {
        type: 'corp',
        blockedURL: 'https://cdn.example/a.png',
        destination: 'image',
        disposition: 'reporting',
      },
    ],
    [
      'coop',
      {
        type: 'access-from-coop-page',
        effectivePolicy: 'same-origin',
        disposition: 'enforce',
        previousResponseURL: 'https://a.example/1',
        nextResponseURL: 'https://a.example/2',
        openerURL: 'https://a.example/3',
        openeeURL: 'https://a.example/4',
        otherDocumentURL: 'https://a.example/5',
        initialPopupURL: 'https://a.example/6',
        referrer: 'https://a.example/7',
        property: 'postMessage',
        ...position,
      },
    ],
    [
      'connection-allowlist',
      {
        url: PAGE,
        connection: 'https://c.example/p',
        allowlist: ['https://a.example'],
        disposition: 'report',
      },
    ],
    ['document-policy-violation', { policyId: 'unsized-media', disposition: 'report' }],
  ];
  const texts: string[] = [];
  for (const [index, [type, body]] of bodies.entries()) {
    const elsewhere = index === 0 ? undefined : /^(?:all|age|user_agent):/;
    texts.push(await record(type, envelope(type, body), FEW, {}, {}, elsewhere));
  }
  const kebab = {
    'csp-report': {
      'document-uri': PAGE,
      'violated-directive': "IMG-SRC 'self'",
      'blocked-uri': 'inline',
      'original-policy': "img-src 'self'",
      'effective-directive': '',
    },
  };
  texts.push(await record('report-uri', kebab, FEW, { action: 'reportOnly' }));
  const collected = {
    id: 'a-0',
    time: '2026-11-20T10:00:00Z',
    kind: 'report',
    user_agent: AGENT,
    rate: 0.5,
    body: [kebab, { type: 'crash', age: 90_000_000, url: PAGE, body: { reason: 'oom' } }],
  };
  texts.push(await record('A line of the collector', collected, FEW, { format: 'collected' }));
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/browser-reports.txt');
});

it('log lines with a changed value have the recorded outcomes', async () => {
  const body = JSON.stringify({
    'csp-report': { 'document-uri': PAGE, 'effective-directive': 'img-src', 'blocked-uri': 'data' },
  });
  const time = '2026-11-20T10:00:00Z';
  const lines: [string, Json, object?][] = [
    ['nginx', { time, user_agent: AGENT, body }],
    [
      'nginx, fields named',
      { a: { b: body, t: time }, u: AGENT },
      { body: 'a.b', time: 'a.t', userAgent: 'u' },
    ],
    ['Docker', { log: `{"body":${body}}\n`, stream: 'stdout', time }],
    ['journald', { MESSAGE: `POST /csp ${body}`, __REALTIME_TIMESTAMP: '1795168800000000' }],
    [
      'go-csp-collector',
      {
        document_uri: PAGE,
        effective_directive: 'img-src',
        violated_directive: 'img-src',
        blocked_uri: 'data',
        client_ip: '192.0.2.66',
        report_only: true,
        time,
      },
    ],
  ];
  const texts: string[] = [];
  for (const [title, line, fields] of lines)
    texts.push(await record(title, line, [null, true, '', '-', '7', {}, [65]], fields ? { fields } : {}));
  const escaped = body.replaceAll('"', '\\x22');
  const access =
    `192.0.2.1 - - [20/Nov/2026:10:00:00 +0100] "POST /csp HTTP/2.0" 204 0 "-" "${AGENT}" "${escaped}"\n` +
    `2026-11-20T10:00:00+01:00 POST /csp ${body}\n` +
    `csp-report=${encodeURIComponent(body)}\n` +
    `time="${time}" level=info blocked_uri=data document_uri="${PAGE}" effective_directive=img-src\n` +
    `<13>1 2026-11-20T10:00:00.5Z host app - - - "GET / HTTP/1.1"\n`;
  texts.push(await recordImports('Text', access, changeLines(access), text => text));
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/logs.txt');
});

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<feedback>
<version>1.0</version>
<report_metadata>
<org_name>mail.Receiver.example</org_name>
<email>dmarc@receiver.example</email>
<report_id>&lt;report@1&gt;</report_id>
<generator>g 1</generator>
<date_range>
<begin>${SECONDS}</begin>
<end>${SECONDS + 86_399}</end>
</date_range>
</report_metadata>
<policy_published>
<domain>shop.example</domain>
<adkim>r</adkim>
<aspf>s</aspf>
<p>reject</p>
<sp>none</sp>
<np>none</np>
<pct>50</pct>
<fo>1</fo>
<testing>n</testing>
<discovery_method>psl</discovery_method>
</policy_published>
<record>
<row>
<source_ip>192.0.2.10</source_ip>
<count>12</count>
<policy_evaluated>
<disposition>quarantine</disposition>
<dkim>pass</dkim>
<spf>fail</spf>
<reason>
<type>forwarded</type>
<comment>list</comment>
</reason>
</policy_evaluated>
</row>
<identifiers>
<header_from>shop.example</header_from>
<envelope_from>bounce.example</envelope_from>
<envelope_to>receiver.example</envelope_to>
</identifiers>
<auth_results>
<dkim>
<domain>shop.example</domain>
<selector>s1</selector>
<result>pass</result>
<human_result>ok</human_result>
</dkim>
<spf>
<domain>bounce.example</domain>
<scope>mfrom</scope>
<result>fail</result>
</spf>
</auth_results>
</record>
</feedback>
`;

/** Replaces the text of each element, one at a time. */
function* changeTexts(xml: string): Generator<ChangedInput<string>> {
  const values = ['', ' ', '0', '-1', '1.5', 'x', 'PASS', '&amp;', '<b>7</b>', '<![CDATA[7]]>'];
  for (const { 0: found, 1: text, 2: element, index } of xml.matchAll(/>([^<>\n]+)<\/(\w+)>/g)) {
    for (const value of values)
      if (value !== text)
        yield {
          change: `${element} of line ${xml.slice(0, index).split('\n').length}: ${value || 'empty'}`,
          input: `${xml.slice(0, index)}>${value}</${element}>${xml.slice(index + found.length)}`,
        };
  }
}

it('aggregate reports with a changed line or text have the recorded outcomes', async () => {
  const texts = [
    await recordImports('Lines', XML, changeLines(XML), text => text),
    await recordImports('Texts', XML, changeTexts(XML), text => text),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/aggregate-reports.txt');
});

/** Replaces each cell of the first row, one at a time, and leaves out each column. */
function* changeCells(rows: readonly (readonly string[])[]): Generator<ChangedInput<Json>> {
  for (const [column, name] of rows[0]!.entries()) {
    yield { change: `${name}: removed`, input: rows.map(row => row.toSpliced(column, 1)) };
    for (const value of ['', ' ', '0', 'x', 'a,b', 'a|b', 'True', 'none', '2026-11-19'])
      yield { change: `${name}: ${value || 'empty'}`, input: rows.with(1, rows[1]!.with(column, value)) };
  }
}

const toTable = (rows: readonly (readonly string[])[]): Content =>
  rows.map(row => `${row.map(cell => (cell.includes(',') ? `"${cell}"` : cell)).join(',')}\r\n`).join('');

it('tables of parsedmarc with a changed cell have the recorded outcomes', async () => {
  const aggregate = {
    org_name: 'receiver.example',
    org_email: 'dmarc@receiver.example',
    report_id: 'plain',
    begin_date: BEGIN,
    end_date: END,
    normalized_timespan: 'False',
    ...POLICY,
    fo: '0',
    testing: 'n',
    discovery_method: 'psl',
    source_ip_address: '192.0.2.10',
    source_country: 'DE',
    source_reverse_dns: 'mail.shop.example',
    source_name: 'Example',
    source_asn: '64500',
    source_as_name: 'Example Networks',
    count: '12',
    spf_aligned: 'False',
    dkim_aligned: 'True',
    disposition: 'none',
    policy_override_reasons: 'forwarded,other',
    policy_override_comments: 'one|two|three',
    ...IDENTIFIERS,
    dkim_domains: 'shop.example,esp.example',
    dkim_selectors: 's1,s2',
    dkim_results: 'pass,fail',
    spf_domains: 'bounce.example',
    spf_scopes: 'mfrom',
    spf_results: 'fail',
  };
  const tls = {
    organization_name: 'receiver.example',
    begin_date: BEGIN,
    end_date: END,
    report_id: 'tls',
    contact_info: 'tls@receiver.example',
    policy_domain: 'shop.example',
    policy_type: 'sts',
    policy_strings: 'version: STSv1|mode: enforce',
    mx_host_patterns: '*.shop.example|mail.shop.example',
    successful_session_count: '240',
    failed_session_count: '2',
    result_type: '',
  };
  const failure = { ...tls, policy_type: '', failed_session_count: '1', result_type: 'certificate-expired' };
  const [rows, tlsRows] = [
    [Object.keys(aggregate), Object.values(aggregate)],
    [Object.keys(tls), Object.values(tls), Object.values(failure)],
  ];
  const texts = [
    await recordImports('aggregate.csv', rows as Json, changeCells(rows), toTable),
    await recordImports('smtp_tls.csv', tlsRows as Json, changeCells(tlsRows), toTable),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/tables.txt');
});
