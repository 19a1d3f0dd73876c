-- Exports the reports in parsedmarc 10's PostgreSQL tables as lines of its JSON format, for `sightline import`.
with
  dkim as (
    select record_id, json_agg(json_build_object(
      'domain', domain, 'selector', selector, 'result', result, 'human_result', human_result) order by id) as list
    from dmarc_aggregate_record_dkim group by record_id
  ),
  spf as (
    select record_id, json_agg(json_build_object(
      'domain', domain, 'scope', scope, 'result', result, 'human_result', human_result) order by id) as list
    from dmarc_aggregate_record_spf group by record_id
  ),
  reason as (
    select record_id, json_agg(json_build_object('type', override_type, 'comment', comment) order by id) as list
    from dmarc_aggregate_record_policy_override group by record_id
  ),
  record as (
    select part.report_id, json_agg(json_build_object(
      'source', json_build_object(
        'ip_address', host(part.source_ip_address), 'country', part.source_country,
        'reverse_dns', part.source_reverse_dns, 'as_name', part.source_name),
      'count', part.message_count,
      'policy_evaluated', json_build_object(
        'disposition', part.disposition, 'dkim', part.policy_dkim, 'spf', part.policy_spf,
        'policy_override_reasons', coalesce(reason.list, '[]')),
      'identifiers', json_build_object(
        'header_from', part.header_from, 'envelope_from', part.envelope_from, 'envelope_to', part.envelope_to),
      'auth_results', json_build_object('dkim', coalesce(dkim.list, '[]'), 'spf', coalesce(spf.list, '[]')),
      -- A record that spans several days is split by day.
      'normalized_timespan',
        coalesce((part.interval_begin, part.interval_end) <> (whole.begin_date, whole.end_date), false),
      'interval_begin', part.interval_begin, 'interval_end', part.interval_end) order by part.id) as list
    from dmarc_aggregate_record part
    join dmarc_aggregate_report whole on whole.id = part.report_id
    left join dkim on dkim.record_id = part.id
    left join spf on spf.record_id = part.id
    left join reason on reason.record_id = part.id
    group by part.report_id
  ),
  detail as (
    select policy_id, json_agg(json_build_object(
      'result_type', result_type, 'failed_session_count', failed_session_count,
      'sending_mta_ip', host(sending_mta_ip), 'receiving_ip', host(receiving_ip),
      'receiving_mx_hostname', receiving_mx_hostname, 'receiving_mx_helo', receiving_mx_helo,
      'additional_info_uri', additional_info_uri, 'failure_reason_code', failure_reason_code) order by id) as list
    from smtp_tls_failure_detail group by policy_id
  ),
  policy as (
    select policy.report_id, json_agg(json_build_object(
      'policy_domain', policy.policy_domain, 'policy_type', policy.policy_type,
      'policy_strings', policy.policy_strings, 'mx_host_patterns', policy.mx_host_patterns,
      'successful_session_count', policy.successful_session_count,
      'failed_session_count', policy.failed_session_count,
      'failure_details', coalesce(detail.list, '[]')) order by policy.id) as list
    from smtp_tls_policy policy left join detail on detail.policy_id = policy.id
    group by policy.report_id
  )
select json_build_object(
  'report_metadata', json_build_object(
    'org_name', report.org_name, 'org_email', report.org_email, 'report_id', report.report_id,
    'generator', report.generator, 'begin_date', report.begin_date, 'end_date', report.end_date),
  'policy_published', json_build_object(
    'domain', report.domain, 'adkim', report.adkim, 'aspf', report.aspf, 'p', report.policy,
    'sp', report.subdomain_policy, 'np', report.np, 'pct', report.pct, 'fo', report.fo,
    'testing', report.testing, 'discovery_method', report.discovery_method),
  'records', record.list)
from dmarc_aggregate_report report join record on record.report_id = report.id
union all
select json_build_object(
  'organization_name', report.organization_name, 'contact_info', report.contact_info,
  'report_id', report.report_id, 'begin_date', report.begin_date, 'end_date', report.end_date,
  'policies', policy.list)
from smtp_tls_report report join policy on policy.report_id = report.id;
