import { isObject, toList, toText } from './values.ts';

type Fields = Record<string, unknown>;

/**
 * Returns the documents of a search response of Elasticsearch or OpenSearch, or of a line of their exports; undefined
 * for anything else.
 */
export function toDocuments(value: Fields): Fields[] | undefined {
  if (isObject(value._source)) return [value._source];
  const found = isObject(value.hits) ? value.hits.hits : undefined;
  if (!Array.isArray(found)) return undefined;
  return found.filter(isObject).map(hit => (isObject(hit._source) ? hit._source : hit));
}

/**
 * Converts a document of parsedmarc's indexes to the form of its JSON: a document of `dmarc_aggregate` contains
 * one record and its report, and a document of `smtp_tls` contains one report. Returns undefined for anything else.
 */
export function reportOfDocument(value: Fields): Fields | undefined {
  if (isObject(value.published_policy) && 'source_ip_address' in value) return toAggregate(value);
  if (Array.isArray(value.policies) && 'date_begin' in value) return toTls(value);
  return undefined;
}

function toAggregate(document: Fields): Fields {
  const { published_policy: policy, date_begin, date_end, np, testing, discovery_method } = document;
  return {
    report_metadata: {
      org_name: document.org_name,
      org_email: document.org_email,
      report_id: document.report_id,
      generator: document.generator,
      begin_date: date_begin,
      end_date: date_end,
    },
    policy_published: { np, testing, discovery_method, ...(policy as Fields) },
    records: [toRecord(document)],
  };
}

function toRecord(document: Fields): Fields {
  const toResultWord = (name: string) => (document[name] === true ? 'pass' : 'fail');
  return {
    source: {
      ip_address: document.source_ip_address,
      country: document.source_country,
      reverse_dns: document.source_reverse_dns,
      asn: document.source_asn,
      as_name: toText(document.source_as_name) || document.source_name,
    },
    count: document.message_count,
    policy_evaluated: {
      disposition: document.disposition,
      dkim: toResultWord('dkim_aligned'),
      spf: toResultWord('spf_aligned'),
      policy_override_reasons: document.policy_overrides,
    },
    identifiers: {
      header_from: document.header_from,
      envelope_from: document.envelope_from,
      envelope_to: document.envelope_to,
    },
    auth_results: { dkim: document.dkim_results, spf: document.spf_results },
  };
}

function toTls(document: Fields): Fields {
  return {
    organization_name: toText(document.organization_name) || document.org_name,
    contact_info: document.contact_info,
    report_id: document.report_id,
    begin_date: document.date_begin,
    end_date: document.date_end,
    policies: toList(document.policies)
      .filter(isObject)
      .map(policy => ({ policy_strings: policy.policy_string, ...policy })),
  };
}
