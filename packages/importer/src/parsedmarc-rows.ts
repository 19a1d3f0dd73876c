import { Unreadable } from './unreadable.ts';
import { toList, toText } from './values.ts';

type Fields = Record<string, unknown>;

/** A row of a table by its columns. */
export type TableRow = Readonly<Record<string, string>>;

/**
 * Builds a report in the form of parsedmarc's JSON from consecutive rows of `aggregate.csv`.
 * @param rows of one report, at least one
 */
export function aggregateOfRows(rows: readonly TableRow[]): Fields {
  const first = rows[0]!;
  const { org_name, org_email, report_id, domain, adkim, aspf, p, sp, np, pct, fo } = first;
  return {
    report_metadata: { org_name, org_email, report_id, ...toRange(rows) },
    policy_published: {
      ...{ domain, adkim, aspf, p, sp, np, pct, fo },
      testing: first.testing,
      discovery_method: first.discovery_method,
    },
    records: rows.map(toRecord),
  };
}

/** Returns the period of a report. If it is long, each row covers only one day. */
function toRange(rows: readonly TableRow[]): Fields {
  const begins = rows.map(({ begin_date = '' }) => begin_date).sort();
  const ends = rows.map(({ end_date = '' }) => end_date).sort();
  return { begin_date: begins[0], end_date: ends.at(-1) };
}

function toRecord(row: TableRow): Fields {
  return {
    source: {
      ip_address: row.source_ip_address,
      country: row.source_country,
      reverse_dns: row.source_reverse_dns,
      asn: row.source_asn,
      as_name: row.source_as_name || row.source_asn_name || row.source_name,
    },
    count: row.count,
    policy_evaluated: {
      disposition: row.disposition,
      dkim: toResult(row.dkim_aligned ?? row.dkim_alignment),
      spf: toResult(row.spf_aligned ?? row.spf_alignment),
      policy_override_reasons: toReasons(row),
    },
    identifiers: {
      header_from: row.header_from,
      envelope_from: row.envelope_from,
      envelope_to: row.envelope_to,
    },
    auth_results: {
      dkim: toResults(row.dkim_domains, { selector: row.dkim_selectors, result: row.dkim_results }),
      spf: toResults(row.spf_domains, { scope: row.spf_scopes, result: row.spf_results }),
    },
    ...toInterval(row),
  };
}

/** Returns the interval of a row. Before version 9.0, rows contain only the dates of the report. */
function toInterval(row: TableRow): Fields {
  if (!row.normalized_timespan) return {};
  const { begin_date, end_date } = row;
  return { normalized_timespan: isOfLongPeriod(row), interval_begin: begin_date, interval_end: end_date };
}

/**
 * Checks whether the row covers only a day of a record: parsedmarc splits the records of reports that cover more than a
 * day.
 */
export function isOfLongPeriod({ normalized_timespan = '' }: TableRow): boolean {
  return isTrue(normalized_timespan);
}

/**
 * Converts an alignment to a result. Python writes a boolean as `True`, PostgreSQL as `t`; versions before 2019-11
 * wrote the result itself.
 */
function toResult(aligned = ''): string {
  return isTrue(aligned) || aligned === 'pass' ? 'pass' : 'fail';
}

function isTrue(text: string): boolean {
  return /^t(?:rue)?$/i.test(text);
}

/**
 * Combines the items of comma-separated lists. A list of another length is ignored because its items cannot be
 * assigned.
 */
function toResults(domains: string | undefined, others: Record<string, string | undefined>): Fields[] {
  const names = splitParts(domains, ',');
  const lists = Object.entries(others)
    .map(([name, text]) => [name, splitParts(text, ',')] as const)
    .filter(([, list]) => list.length === names.length);
  return names.map((domain, index) => ({
    domain,
    ...Object.fromEntries(lists.map(([name, list]) => [name, list[index]])),
  }));
}

/**
 * Combines the types and comments of override reasons. A comment can contain the separator, so the last comment
 * includes the rest of the text.
 */
function toReasons({ policy_override_reasons: types, policy_override_comments }: TableRow): Fields[] {
  const reasons = splitParts(types, ',');
  const comments = splitParts(policy_override_comments, '|');
  const last = Math.max(reasons.length - 1, 0);
  const cells = [...comments.slice(0, last), comments.slice(last).join('|')];
  return reasons.map((type, index) => ({ type: unlessNone(type), comment: unlessNone(cells[index] ?? '') }));
}

function unlessNone(text: string): string {
  return text === 'none' ? '' : text;
}

function splitParts(text: string | undefined, mark: string): string[] {
  return text ? text.split(mark) : [];
}

/**
 * Builds a report from rows of `smtp_tls.csv`, in which the row of a policy is followed by the rows of its failures.
 * @param rows of one report, at least one
 * @throws {Unreadable}
 */
export function tlsOfRows(rows: readonly TableRow[]): Fields {
  const policies: Fields[] = [];
  for (const row of rows) {
    const policy = policies.at(-1);
    if (!row.result_type) policies.push(getPolicy(row));
    else if (policy) toList(policy.failure_details).push(row);
    else throw new Unreadable('is a failure without a policy above it');
  }
  const { organization_name, contact_info, report_id, begin_date, end_date } = rows[0]!;
  return { organization_name, contact_info, report_id, begin_date, end_date, policies };
}

function getPolicy(row: TableRow): Fields {
  return {
    policy_domain: toText(row.policy_domain),
    policy_type: row.policy_type,
    policy_strings: splitParts(row.policy_strings, '|'),
    mx_host_patterns: splitParts(row.mx_host_patterns, '|'),
    successful_session_count: row.successful_session_count,
    failed_session_count: row.failed_session_count,
    failure_details: [],
  };
}
