import { type DayStart, type DemoFile, utc } from './file.ts';
import { tableFiles } from './tables.ts';

/** A time in the format of Elasticsearch. */
const iso = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);

const POLICY = {
  domain: 'shop.example',
  adkim: 'r',
  aspf: 'r',
  p: 'reject',
  sp: 'reject',
  pct: 100,
  fo: '0',
};

/**
 * The exports of parsedmarc, as files and as documents of Elasticsearch and OpenSearch: the reports of
 * `dmarc/plain.xml` and `tls-rpt/report.json.gz`, and a report that occurs only here.
 */
export function exportFiles(day: DayStart): DemoFile[] {
  const record = (address: string, count: number) => ({
    source: {
      ip_address: address,
      country: 'DE',
      reverse_dns: 'mail.shop.example',
      base_domain: 'shop.example',
      asn: 64_500,
      as_name: 'Example Networks',
    },
    count,
    alignment: { spf: true, dkim: true, dmarc: true },
    policy_evaluated: { disposition: 'none', dkim: 'pass', spf: 'pass', policy_override_reasons: [] },
    identifiers: { header_from: 'shop.example', envelope_from: 'shop.example', envelope_to: null },
    auth_results: {
      dkim: [{ domain: 'shop.example', selector: 's1', result: 'pass', human_result: null }],
      spf: [{ domain: 'shop.example', scope: 'mfrom', result: 'pass', human_result: null }],
    },
    normalized_timespan: false,
    interval_begin: utc(day),
    interval_end: utc(day + 86_399_000),
  });
  const aggregate = (id: string) => ({
    xml_schema: 'draft',
    report_metadata: {
      org_name: 'receiver.example',
      org_email: 'dmarc@receiver.example',
      report_id: id,
      begin_date: utc(day),
      end_date: utc(day + 86_399_000),
      errors: [],
    },
    policy_published: { ...POLICY, pct: '100' },
    records: [record('192.0.2.10', 12), record('198.51.100.7', 1)],
  });
  const details = [
    { result_type: 'certificate-expired', failed_session_count: 1, sending_mta_ip: '192.0.2.20' },
    { result_type: 'validation-failure', failed_session_count: 1, failure_reason_code: 'X509_V_ERR' },
  ];
  const tls = {
    organization_name: 'receiver.example',
    begin_date: new Date(day).toISOString().replace('.000', ''),
    end_date: new Date(day + 86_399_000).toISOString().replace('.000', ''),
    contact_info: 'tls@receiver.example',
    report_id: 'gzip',
    policies: [
      {
        policy_domain: 'shop.example',
        policy_type: 'sts',
        policy_strings: ['version: STSv1', 'mode: enforce', 'mx: mail.shop.example', 'max_age: 604800'],
        successful_session_count: 240,
        failed_session_count: 2,
        failure_details: details,
      },
    ],
  };
  const document = ({ source, count, identifiers, auth_results }: ReturnType<typeof record>) => ({
    xml_schema: 'draft',
    org_name: 'receiver.example',
    org_email: 'dmarc@receiver.example',
    report_id: 'plain',
    date_range: [iso(day), iso(day + 86_399_000)],
    date_begin: iso(day),
    date_end: iso(day + 86_399_000),
    normalized_timespan: false,
    errors: [],
    published_policy: POLICY,
    source_ip_address: source.ip_address,
    source_country: source.country,
    source_reverse_dns: source.reverse_dns,
    source_base_domain: source.base_domain,
    source_name: 'Example Networks',
    message_count: count,
    disposition: 'none',
    dkim_aligned: true,
    spf_aligned: true,
    passed_dmarc: true,
    ...identifiers,
    dkim_results: auth_results.dkim.map(({ human_result, ...result }) => result),
    spf_results: auth_results.spf.map(({ human_result, ...result }) => result),
  });
  const { organization_name: org_name, begin_date, end_date, policies, ...ofTls } = tls;
  const tlsDocument = {
    org_name,
    date_range: [begin_date, end_date],
    date_begin: begin_date,
    date_end: end_date,
    ...ofTls,
    policies: policies.map(({ policy_strings, ...policy }) => ({ policy_string: policy_strings, ...policy })),
  };
  const hits = [
    ...aggregate('plain').records.map(row => ({ _index: 'dmarc_aggregate', _source: document(row) })),
    { _index: 'smtp_tls', _source: tlsDocument },
  ].map((hit, index) => ({ ...hit, _id: `example-${index}` }));
  const files: Record<string, string> = {
    'elasticsearch.ndjson': hits.map(hit => `${JSON.stringify(hit)}\n`).join(''),
    'opensearch.json': JSON.stringify({ took: 1, hits: { total: { value: hits.length }, hits } }),
    'sources.ndjson': hits.map(({ _source }) => `${JSON.stringify(_source)}\n`).join(''),
    'aggregate.json': JSON.stringify([aggregate('plain')], null, 2),
    'aggregate.ndjson': `${JSON.stringify(aggregate('lines'))}\n`,
    'smtp_tls.json': JSON.stringify([tls], null, 2),
    'all.json': JSON.stringify({
      aggregate_reports: [aggregate('plain')],
      failure_reports: [{}],
      smtp_tls_reports: [tls],
    }),
  };
  Object.assign(files, tableFiles(day));
  return Object.entries(files).map(([path, content]) => ({ path: `parsedmarc/${path}`, content }));
}
