import { type DayStart, utc } from './file.ts';

/** Formats rows as Python's `csv` does. */
const toCsv = (rows: readonly Record<string, string | number>[]) =>
  [Object.keys(rows[0]!), ...rows.map(row => Object.values(row))]
    .map(cells => `${cells.join(',')}\r\n`)
    .join('');

/** The tables of parsedmarc 10 for the reports of `dmarc/plain.xml` and `tls-rpt/report.json.gz`. */
export function tableFiles(day: DayStart): Record<string, string> {
  const [begin, end] = [day, day + 86_399_000];
  const row = (address: string, count: number) => ({
    xml_schema: 'draft',
    org_name: 'receiver.example',
    org_email: 'dmarc@receiver.example',
    org_extra_contact_info: '',
    report_id: 'plain',
    begin_date: utc(begin),
    end_date: utc(end),
    normalized_timespan: 'False',
    errors: '',
    domain: 'shop.example',
    adkim: 'r',
    aspf: 'r',
    p: 'reject',
    sp: 'reject',
    np: '',
    pct: 100,
    fo: 0,
    testing: '',
    discovery_method: '',
    source_ip_address: address,
    source_country: 'DE',
    source_reverse_dns: 'mail.shop.example',
    source_base_domain: 'shop.example',
    source_name: '',
    source_type: '',
    source_asn: 64_500,
    source_as_name: 'Example Networks',
    source_as_domain: '',
    count,
    spf_aligned: 'True',
    dkim_aligned: 'True',
    dmarc_aligned: 'True',
    disposition: 'none',
    policy_override_reasons: '',
    policy_override_comments: '',
    envelope_from: 'shop.example',
    header_from: 'shop.example',
    envelope_to: '',
    dkim_domains: 'shop.example',
    dkim_selectors: 's1',
    dkim_results: 'pass',
    spf_domains: 'shop.example',
    spf_scopes: 'mfrom',
    spf_results: 'pass',
  });
  const instant = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000', '');
  const tls = (result: string, more: Record<string, string | number>) => ({
    organization_name: 'receiver.example',
    begin_date: instant(begin),
    end_date: instant(end),
    report_id: 'gzip',
    result_type: result,
    successful_session_count: '',
    failed_session_count: 1,
    policy_domain: '',
    policy_type: '',
    policy_strings: 'version: STSv1|mode: enforce|mx: mail.shop.example|max_age: 604800',
    mx_host_patterns: '',
    sending_mta_ip: '',
    receiving_ip: '',
    receiving_mx_hostname: '',
    receiving_mx_helo: '',
    additional_info_uri: '',
    failure_reason_code: '',
    ...more,
  });
  const policy = { successful_session_count: 240, failed_session_count: 2, policy_domain: 'shop.example' };
  return {
    'aggregate.csv': toCsv([row('192.0.2.10', 12), row('198.51.100.7', 1)]),
    'smtp_tls.csv': toCsv([
      tls('', { ...policy, policy_type: 'sts' }),
      tls('certificate-expired', { sending_mta_ip: '192.0.2.20' }),
      tls('validation-failure', { failure_reason_code: 'X509_V_ERR' }),
    ]),
  };
}
