import { YESTERDAY } from './reports.ts';

/** A report as represented in the files and databases of parsedmarc. */
export interface ExpectedReport {
  id: string;
  rows: readonly ExpectedRow[];
}

export interface ExpectedRow {
  address: string;
  count: number;
  disposition: string;
  dkimPasses: boolean;
  spfPasses: boolean;
  from: string;
  signatures: readonly { domain: string; selector: string; result: string }[];
  reasons: readonly { type: string; comment: string }[];
}

const END = YESTERDAY + 86_399;
const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
const passes = (does: boolean) => (does ? 'pass' : 'fail');
const element = (name: string, text: string | number) => `<${name}>${text}</${name}>`;

export function toXml({ id, rows }: ExpectedReport): string {
  const records = rows.map(
    row =>
      `<record><row>${element('source_ip', row.address)}${element('count', row.count)}<policy_evaluated>` +
      `${element('disposition', row.disposition)}${element('dkim', passes(row.dkimPasses))}` +
      `${element('spf', passes(row.spfPasses))}${row.reasons.map(reasonXml).join('')}</policy_evaluated></row>` +
      `<identifiers>${element('header_from', row.from)}</identifiers><auth_results>` +
      `${row.signatures.map(signatureXml).join('')}<spf><domain>bounce.example</domain><result>fail</result></spf>` +
      '</auth_results></record>',
  );
  return (
    '<feedback><report_metadata><org_name>receiver.example</org_name><email>dmarc@receiver.example</email>' +
    `${element('report_id', id)}<date_range>${element('begin', YESTERDAY)}${element('end', END)}</date_range>` +
    '</report_metadata><policy_published><domain>shop.example</domain><p>reject</p></policy_published>' +
    `${records.join('')}</feedback>`
  );
}

const reasonXml = ({ type, comment }: ExpectedRow['reasons'][number]) =>
  `<reason>${element('type', type)}${element('comment', comment)}</reason>`;
const signatureXml = ({ domain, selector, result }: ExpectedRow['signatures'][number]) =>
  `<dkim>${element('domain', domain)}${element('selector', selector)}${element('result', result)}</dkim>`;

/** Returns a report in parsedmarc's JSON. */
export function toJson({ id, rows }: ExpectedReport) {
  return {
    xml_schema: 'draft',
    report_metadata: {
      org_name: 'receiver.example',
      org_email: 'dmarc@receiver.example',
      report_id: id,
      begin_date: utc(YESTERDAY),
      end_date: utc(END),
    },
    policy_published: {
      domain: 'shop.example',
      adkim: 'r',
      aspf: 'r',
      p: 'reject',
      sp: 'reject',
      pct: '100',
    },
    records: rows.map(row => ({
      source: { ip_address: row.address, country: 'DE', as_name: 'Example Networks' },
      count: row.count,
      alignment: { dkim: row.dkimPasses, spf: row.spfPasses, dmarc: row.dkimPasses || row.spfPasses },
      policy_evaluated: {
        disposition: row.disposition,
        dkim: passes(row.dkimPasses),
        spf: passes(row.spfPasses),
        policy_override_reasons: row.reasons.map(({ type, comment }) => ({ type, comment: comment || null })),
      },
      identifiers: { header_from: row.from, envelope_from: 'bounce.example', envelope_to: null },
      auth_results: {
        dkim: row.signatures,
        spf: [{ domain: 'bounce.example', scope: 'mfrom', result: 'fail' }],
      },
      normalized_timespan: false,
      interval_begin: utc(YESTERDAY),
      interval_end: utc(END),
    })),
  };
}

export type ParsedmarcJson = ReturnType<typeof toJson>;

/** Returns the documents that parsedmarc sends to Elasticsearch. */
export const toDocuments = ({ report_metadata: metadata, policy_published, records }: ParsedmarcJson) =>
  records.map(record => ({
    _source: {
      org_name: metadata.org_name,
      org_email: metadata.org_email,
      report_id: metadata.report_id,
      date_begin: record.interval_begin,
      date_end: record.interval_end,
      published_policy: policy_published,
      source_ip_address: record.source.ip_address,
      message_count: record.count,
      disposition: record.policy_evaluated.disposition,
      dkim_aligned: record.alignment.dkim,
      spf_aligned: record.alignment.spf,
      policy_overrides: record.policy_evaluated.policy_override_reasons,
      ...record.identifiers,
      dkim_results: record.auth_results.dkim,
      spf_results: record.auth_results.spf,
    },
  }));

const RESULTS =
  'spf_aligned,dkim_aligned,dmarc_aligned,disposition,policy_override_reasons,policy_override_comments,' +
  'envelope_from,header_from,envelope_to,dkim_domains,dkim_selectors,dkim_results,spf_domains,spf_scopes,spf_results';
const REPORT = 'xml_schema,org_name,org_email,org_extra_contact_info,report_id,begin_date,end_date';

/** The columns that each version writes to `aggregate.csv`, copied from its source. */
export const VERSIONS = {
  '3.0': `${REPORT},errors,domain,adkim,aspf,p,sp,pct,fo,source_ip_address,source_country,source_reverse_dns,source_base_domain,count,disposition,dkim_alignment,spf_alignment,policy_override_reasons,policy_override_comments,envelope_from,header_from,envelope_to,dkim_domains,dkim_selectors,dkim_results,spf_domains,spf_scopes,spf_results`,
  '8.19': `${REPORT},errors,domain,adkim,aspf,p,sp,pct,fo,source_ip_address,source_country,source_reverse_dns,source_base_domain,source_name,source_type,count,${RESULTS}`,
  '9.0': `${REPORT},normalized_timespan,errors,domain,adkim,aspf,p,sp,pct,fo,source_ip_address,source_country,source_reverse_dns,source_base_domain,source_name,source_type,count,${RESULTS}`,
  '9.11': `${REPORT},normalized_timespan,errors,domain,adkim,aspf,p,sp,pct,fo,source_ip_address,source_country,source_reverse_dns,source_base_domain,source_name,source_type,source_asn,source_as_name,source_as_domain,count,${RESULTS}`,
  '10.4': `${REPORT},normalized_timespan,errors,domain,adkim,aspf,p,sp,np,pct,fo,testing,discovery_method,source_ip_address,source_country,source_reverse_dns,source_base_domain,source_name,source_type,source_asn,source_as_name,source_as_domain,count,${RESULTS}`,
};
export type Version = keyof typeof VERSIONS;

/** Returns the rows of `aggregate.csv` without the header, derived from the JSON and quoted as by parsedmarc. */
export function getCsvRows(report: ParsedmarcJson, version: Version = '10.4'): string {
  const { report_metadata: metadata, policy_published: policy, records } = report;
  const joined = (list: readonly object[], name: string) =>
    list.map(item => String((item as Record<string, unknown>)[name]).toLowerCase()).join(',');
  const rows = records.map(({ auth_results: { dkim, spf }, ...record }): Record<string, unknown> => {
    const reasons = record.policy_evaluated.policy_override_reasons;
    return {
      ...metadata,
      ...policy,
      xml_schema: 'draft',
      begin_date: record.interval_begin,
      end_date: record.interval_end,
      normalized_timespan: record.normalized_timespan ? 'True' : 'False',
      source_ip_address: record.source.ip_address,
      source_country: record.source.country,
      source_as_name: record.source.as_name,
      source_name: record.source.as_name,
      count: record.count,
      spf_aligned: record.alignment.spf ? 'True' : 'False',
      dkim_aligned: record.alignment.dkim ? 'True' : 'False',
      dmarc_aligned: record.alignment.dmarc ? 'True' : 'False',
      spf_alignment: record.policy_evaluated.spf,
      dkim_alignment: record.policy_evaluated.dkim,
      disposition: record.policy_evaluated.disposition,
      policy_override_reasons: reasons.map(({ type }) => type || 'none').join(','),
      policy_override_comments: reasons.map(({ comment }) => comment || 'none').join('|'),
      ...record.identifiers,
      dkim_domains: joined(dkim, 'domain'),
      dkim_selectors: joined(dkim, 'selector'),
      dkim_results: joined(dkim, 'result'),
      spf_domains: joined(spf, 'domain'),
      spf_scopes: joined(spf, 'scope'),
      spf_results: joined(spf, 'result'),
    };
  });
  const names = VERSIONS[version].split(',');
  return rows.map(row => `${names.map(name => quoted(row[name])).join(',')}\r\n`).join('');
}

function quoted(value: unknown): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const toCsv = (reports: readonly ParsedmarcJson[], version: Version = '10.4') =>
  `${VERSIONS[version]}\r\n${reports.map(report => getCsvRows(report, version)).join('')}`;
