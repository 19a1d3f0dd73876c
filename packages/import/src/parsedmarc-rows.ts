import { Unreadable } from './unreadable.ts';
import { listOf, textOf } from './values.ts';

type Fields = Record<string, unknown>;

/** A row of a table by its columns. */
export type Row = Readonly<Record<string, string>>;

/**
 * Makes a report in the form of parsedmarc's JSON of rows of `aggregate.csv`, which stand one after the other.
 * @param rows of one report, at least one
 */
export function aggregateOfRows(rows: readonly Row[]): Fields {
  const first = rows[0]!;
  const { org_name, org_email, report_id, domain, adkim, aspf, p, sp, np, pct, fo } = first;
  return {
    report_metadata: { org_name, org_email, report_id, ...rangeOf(rows) },
    policy_published: {
      ...{ domain, adkim, aspf, p, sp, np, pct, fo },
      testing: first.testing,
      discovery_method: first.discovery_method,
    },
    records: rows.map(recordOf),
  };
}

/** The rows of a long period each say a day of it. */
function rangeOf(rows: readonly Row[]): Fields {
  const begins = rows.map(({ begin_date = '' }) => begin_date).sort();
  const ends = rows.map(({ end_date = '' }) => end_date).sort();
  return { begin_date: begins[0], end_date: ends.at(-1) };
}

function recordOf(row: Row): Fields {
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
      dkim: resultOf(row.dkim_aligned ?? row.dkim_alignment),
      spf: resultOf(row.spf_aligned ?? row.spf_alignment),
      policy_override_reasons: reasonsOf(row),
    },
    identifiers: {
      header_from: row.header_from,
      envelope_from: row.envelope_from,
      envelope_to: row.envelope_to,
    },
    auth_results: {
      dkim: resultsOf(row.dkim_domains, { selector: row.dkim_selectors, result: row.dkim_results }),
      spf: resultsOf(row.spf_domains, { scope: row.spf_scopes, result: row.spf_results }),
    },
    ...intervalOf(row),
  };
}

/** Versions before 9.0 say no interval: their dates are those of the report. */
function intervalOf(row: Row): Fields {
  if (!row.normalized_timespan) return {};
  const { begin_date, end_date } = row;
  return { normalized_timespan: isOfLongPeriod(row), interval_begin: begin_date, interval_end: end_date };
}

/** True for one day of a record: parsedmarc splits a report of more than a day. */
export function isOfLongPeriod({ normalized_timespan = '' }: Row): boolean {
  return isTrue(normalized_timespan);
}

/** Python writes a truth as `True`, PostgreSQL as `t`; versions before 2019-11 wrote the result itself. */
function resultOf(aligned = ''): string {
  return isTrue(aligned) || aligned === 'pass' ? 'pass' : 'fail';
}

function isTrue(text: string): boolean {
  return /^t(?:rue)?$/i.test(text);
}

/** Lists of one length, each as a text with commas. One of another length is left out, since no pairs can be told. */
function resultsOf(domains: string | undefined, others: Record<string, string | undefined>): Fields[] {
  const names = partsOf(domains, ',');
  const lists = Object.entries(others)
    .map(([name, text]) => [name, partsOf(text, ',')] as const)
    .filter(([, list]) => list.length === names.length);
  return names.map((domain, index) => ({
    domain,
    ...Object.fromEntries(lists.map(([name, list]) => [name, list[index]])),
  }));
}

/** A comment may hold the mark between comments: the last one takes what is left. `none` stands for nothing. */
function reasonsOf({ policy_override_reasons: types, policy_override_comments }: Row): Fields[] {
  const reasons = partsOf(types, ',');
  const comments = partsOf(policy_override_comments, '|');
  const last = Math.max(reasons.length - 1, 0);
  const told = [...comments.slice(0, last), comments.slice(last).join('|')];
  return reasons.map((type, index) => ({ type: unlessNone(type), comment: unlessNone(told[index] ?? '') }));
}

function unlessNone(text: string): string {
  return text === 'none' ? '' : text;
}

function partsOf(text: string | undefined, mark: string): string[] {
  return text ? text.split(mark) : [];
}

/**
 * Makes a report of rows of `smtp_tls.csv`: a policy is a row, and the rows below tell its failures.
 * @param rows of one report, at least one
 * @throws {Unreadable}
 */
export function tlsOfRows(rows: readonly Row[]): Fields {
  const policies: Fields[] = [];
  for (const row of rows) {
    const policy = policies.at(-1);
    if (!row.result_type) policies.push(policyOf(row));
    else if (policy) listOf(policy.failure_details).push(row);
    else throw new Unreadable('is a failure without a policy above it');
  }
  const { organization_name, contact_info, report_id, begin_date, end_date } = rows[0]!;
  return { organization_name, contact_info, report_id, begin_date, end_date, policies };
}

function policyOf(row: Row): Fields {
  return {
    policy_domain: textOf(row.policy_domain),
    policy_type: row.policy_type,
    policy_strings: partsOf(row.policy_strings, '|'),
    mx_host_patterns: partsOf(row.mx_host_patterns, '|'),
    successful_session_count: row.successful_session_count,
    failed_session_count: row.failed_session_count,
    failure_details: [],
  };
}
