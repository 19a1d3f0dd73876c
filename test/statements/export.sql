-- /export/audit-log: $1 = "acme", $2 = "0001-01-01T00:00:00Z", $3 = "9999-01-01T00:00:00Z"
select account_id, id, timestamp, event, message, logged_by_id as "loggedById",
logged_by_email as "loggedByEmail", request_ip as "requestIp"
from audit_event
where account_id = $1
and true
and timestamp >= $2
and timestamp < $3
order by timestamp desc, id desc
limit 10000

-- /export/audit-log?after=: $1 = "acme"
select account_id, position::text as last
from (select account_id, position
from audit_event
where account_id = $1
and position >= 0
and true
order by position desc
limit 1) as positions
order by position desc
limit 1

-- /export/audit-log?after=: $1 = "acme",
-- $2 = "0001-01-01T00:00:00Z",
-- $3 = "9999-01-01T00:00:00Z",
-- $4 = "-62135596800000000",
-- $5 = "0",
-- $6 = ""
select account_id, id, timestamp, event, message, logged_by_id as "loggedById",
logged_by_email as "loggedByEmail", request_ip as "requestIp", case when not (has_next
and bytes < 8388608) then translate(encode(convert_to('1.N3f17wZiOz8R.' || position || '.'
|| (extract(epoch
from timestamp) * 1000000)::bigint || '.' || id,
'UTF8'),
'base64'),
E'+/=\n',
'-_') end as cursor,
has_next as "hasNext"
from (
select *,
sum(pg_column_size(audit_event.*)) over ordered as bytes,
lead(true,
1,
false) over ordered as has_next
from (select *
from audit_event
where account_id = $1
and true
and timestamp >= $2
and timestamp < $3
and position = $5::bigint
and (timestamp, id) > (timestamptz 'epoch' + $4::bigint * interval '1 microsecond', $6 collate "C")
order by timestamp, id
limit 1000) as audit_event
window ordered as (order by timestamp, id rows unbounded preceding)) as audit_event
where bytes - pg_column_size(audit_event.*) < 8388608
order by timestamp, id

-- /export/audit-log?after=: $1 = "acme",
-- $2 = "0001-01-01T00:00:00Z",
-- $3 = "9999-01-01T00:00:00Z",
-- $4 = "0",
-- $5 = "<position>"
select account_id, id, timestamp, event, message, logged_by_id as "loggedById",
logged_by_email as "loggedByEmail", request_ip as "requestIp", case when not (has_next
and bytes < 8388608) then translate(encode(convert_to('1.N3f17wZiOz8R.' || position || '.'
|| (extract(epoch
from timestamp) * 1000000)::bigint || '.' || id,
'UTF8'),
'base64'),
E'+/=\n',
'-_') end as cursor,
has_next as "hasNext"
from (
select *,
sum(pg_column_size(audit_event.*)) over ordered as bytes,
lead(true,
1,
false) over ordered as has_next
from (select *
from audit_event
where account_id = $1
and true
and timestamp >= $2
and timestamp < $3
and position >= 0
and position > $4::bigint
and position <= $5::bigint
order by position, timestamp, id
limit 1000) as audit_event
window ordered as (order by position, timestamp, id rows unbounded preceding)) as audit_event
where bytes - pg_column_size(audit_event.*) < 8388608
order by position, timestamp, id

-- /export/audit-log?after=: $1 = "acme", $2 = "0", $3 = "<position>"
select account_id, min(position)::text as first, max(position)::text as final, count(*)::int as rows
from (select account_id, position
from audit_event
where account_id = $1
and true
and position >= 0
and position > $2::bigint
and position <= $3::bigint
order by position
limit 1001) as next
group by account_id

-- /export/findings: $1 = "acme", $2 = "0001-01-01T00:00:00Z", $3 = "9999-01-01T00:00:00Z"
select account_id,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C" as id,
product,
site_key as site,
case when product <> 'policy' then subject end as uri,
case when product = 'policy' then subject end as policy,
count, first_seen as "firstSeen", last_seen as "lastSeen", source, enforced
from watch_finding
where account_id = $1
and true
and last_seen >= $2
and last_seen < $3
order by last_seen desc, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C" desc
limit 10000

-- /export/findings?after=: $1 = "acme"
select account_id, position::text as last
from (select account_id, position
from watch_finding
where account_id = $1
and position >= 0
and true
order by position desc
limit 1) as positions
order by position desc
limit 1

-- /export/findings?after=: $1 = "acme",
-- $2 = "0001-01-01T00:00:00Z",
-- $3 = "9999-01-01T00:00:00Z",
-- $4 = "-62135596800000000",
-- $5 = "0",
-- $6 = ""
select account_id,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C" as id,
product,
site_key as site,
case when product <> 'policy' then subject end as uri,
case when product = 'policy' then subject end as policy,
count, first_seen as "firstSeen", last_seen as "lastSeen", source, enforced, case when not (has_next
and bytes < 8388608) then translate(encode(convert_to('1.DpfzKXjrdvWp.' || position || '.'
|| (extract(epoch
from last_seen) * 1000000)::bigint || '.' || (product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C",
'UTF8'),
'base64'),
E'+/=\n',
'-_') end as cursor,
has_next as "hasNext"
from (
select *, sum(octet_length(subject)) over ordered as bytes, lead(true, 1, false) over ordered as has_next
from (select *
from watch_finding
where account_id = $1
and true
and last_seen >= $2
and last_seen < $3
and position = $5::bigint
and (last_seen,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C") > (timestamptz 'epoch' + $4::bigint * interval '1 microsecond',
$6 collate "C")
order by last_seen, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"
limit 1000) as watch_finding
window ordered as (order by last_seen,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C" rows unbounded preceding)) as watch_finding
where bytes - octet_length(subject) < 8388608
order by last_seen, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"

-- /export/findings?after=: $1 = "acme",
-- $2 = "0001-01-01T00:00:00Z",
-- $3 = "9999-01-01T00:00:00Z",
-- $4 = "0",
-- $5 = "<position>"
select account_id,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C" as id,
product,
site_key as site,
case when product <> 'policy' then subject end as uri,
case when product = 'policy' then subject end as policy,
count, first_seen as "firstSeen", last_seen as "lastSeen", source, enforced, case when not (has_next
and bytes < 8388608) then translate(encode(convert_to('1.DpfzKXjrdvWp.' || position || '.'
|| (extract(epoch
from last_seen) * 1000000)::bigint || '.' || (product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C",
'UTF8'),
'base64'),
E'+/=\n',
'-_') end as cursor,
has_next as "hasNext"
from (
select *, sum(octet_length(subject)) over ordered as bytes, lead(true, 1, false) over ordered as has_next
from (select *
from watch_finding
where account_id = $1
and true
and last_seen >= $2
and last_seen < $3
and position >= 0
and position > $4::bigint
and position <= $5::bigint
order by position, last_seen, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"
limit 1000) as watch_finding
window ordered as (order by position,
last_seen,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C" rows unbounded preceding)) as watch_finding
where bytes - octet_length(subject) < 8388608
order by position, last_seen, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"

-- /export/findings?after=: $1 = "acme", $2 = "0", $3 = "<position>"
select account_id, min(position)::text as first, max(position)::text as final, count(*)::int as rows
from (select account_id, position
from watch_finding
where account_id = $1
and true
and position >= 0
and position > $2::bigint
and position <= $3::bigint
order by position
limit 1001) as next
group by account_id

-- /export/reports/certificate_transparency: $1 = "acme",
-- $2 = "certificate_transparency",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
raw as "raw",
count as "count",
coalesce(hostnames,
'{}'::text[]) as "hostnames",
coalesce(cert_type,
'') as "certType",
coalesce(issuer,
'') as "issuer",
coalesce(sha256,
'') as "sha256",
coalesce(sha256_spki,
'') as "sha256Spki",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/coep: $1 = "acme", $2 = "coep", $3 = "2026-02-19T00:00:00.000Z", $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(disposition,
'') as "disposition",
coalesce(blocked_uri,
'') as "blockedUri",
coalesce(destination,
'') as "destination",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/connection_allowlist: $1 = "acme",
-- $2 = "connection_allowlist",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(blocked_uri,
'') as "connection",
coalesce(disposition,
'') as "disposition",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/coop: $1 = "acme", $2 = "coop", $3 = "2026-02-19T00:00:00.000Z", $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(disposition,
'') as "disposition",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/crash: $1 = "acme", $2 = "crash", $3 = "2026-02-19T00:00:00.000Z", $4 = "9999-01-01T00:00:00Z"
-- /export/reports/other: $1 = "acme", $2 = "other", $3 = "2026-02-19T00:00:00.000Z", $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/csp: $1 = "acme", $2 = "csp", $3 = "2026-02-19T00:00:00.000Z", $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
coalesce(action,
'') as "action",
date as "date",
coalesce(uri,
'') as "uri",
coalesce(directive,
'') as "directive",
coalesce(blocked_uri,
'') as "blockedUri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
generated_domain::int as "generatedDomain",
indicator_of_compromise::int as "indicatorOfCompromise",
recently_registered_domain::int as "recentlyRegisteredDomain",
low_reputation_domain::int as "lowReputationDomain",
coalesce(policy_ioc_hosts,
'{}'::text[]) as "policyIocHosts",
coalesce(policy_concern_hosts,
'{}'::text[]) as "policyConcernHosts",
suspicious::int as "suspicious",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/csp?after=: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z",
-- $5 = "-62135596800000000",
-- $6 = "0",
-- $7 = ""
select type::text as "type",
account_id,
id,
coalesce(action,
'') as "action",
date as "date",
coalesce(uri,
'') as "uri",
coalesce(directive,
'') as "directive",
coalesce(blocked_uri,
'') as "blockedUri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
generated_domain::int as "generatedDomain",
indicator_of_compromise::int as "indicatorOfCompromise",
recently_registered_domain::int as "recentlyRegisteredDomain",
low_reputation_domain::int as "lowReputationDomain",
coalesce(policy_ioc_hosts,
'{}'::text[]) as "policyIocHosts",
coalesce(policy_concern_hosts,
'{}'::text[]) as "policyConcernHosts",
suspicious::int as "suspicious",
extra,
case when not (has_next
and bytes < 8388608) then translate(encode(convert_to('1.LE5V-O82y6OM.' || position || '.'
|| (extract(epoch
from date) * 1000000)::bigint || '.' || id,
'UTF8'),
'base64'),
E'+/=\n',
'-_') end as cursor,
has_next as "hasNext"
from (
select *,
sum((octet_length(raw) + coalesce(pg_column_size(extra),
0) + coalesce(octet_length(action::text),
0) + coalesce(octet_length(uri::text),
0) + coalesce(octet_length(directive::text),
0) + coalesce(octet_length(blocked_uri::text),
0) + coalesce(octet_length(browser::text),
0) + coalesce(octet_length(platform::text),
0) + coalesce(pg_column_size(policy_ioc_hosts),
0) + coalesce(pg_column_size(policy_concern_hosts),
0))) over ordered as bytes,
lead(true,
1,
false) over ordered as has_next
from (select *
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and position = $6::bigint
and (date, id) > (timestamptz 'epoch' + $5::bigint * interval '1 microsecond', $7 collate "C")
order by date, id
limit 1000) as report
window ordered as (order by date, id rows unbounded preceding)) as report
where bytes - (octet_length(raw) + coalesce(pg_column_size(extra),
0) + coalesce(octet_length(action::text),
0) + coalesce(octet_length(uri::text),
0) + coalesce(octet_length(directive::text),
0) + coalesce(octet_length(blocked_uri::text),
0) + coalesce(octet_length(browser::text),
0) + coalesce(octet_length(platform::text),
0) + coalesce(pg_column_size(policy_ioc_hosts),
0) + coalesce(pg_column_size(policy_concern_hosts),
0)) < 8388608
order by date, id

-- /export/reports/csp?after=: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z",
-- $5 = "0",
-- $6 = "<position>"
select type::text as "type",
account_id,
id,
coalesce(action,
'') as "action",
date as "date",
coalesce(uri,
'') as "uri",
coalesce(directive,
'') as "directive",
coalesce(blocked_uri,
'') as "blockedUri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
generated_domain::int as "generatedDomain",
indicator_of_compromise::int as "indicatorOfCompromise",
recently_registered_domain::int as "recentlyRegisteredDomain",
low_reputation_domain::int as "lowReputationDomain",
coalesce(policy_ioc_hosts,
'{}'::text[]) as "policyIocHosts",
coalesce(policy_concern_hosts,
'{}'::text[]) as "policyConcernHosts",
suspicious::int as "suspicious",
extra,
case when not (has_next
and bytes < 8388608) then translate(encode(convert_to('1.LE5V-O82y6OM.' || position || '.'
|| (extract(epoch
from date) * 1000000)::bigint || '.' || id,
'UTF8'),
'base64'),
E'+/=\n',
'-_') end as cursor,
has_next as "hasNext"
from (
select *,
sum((octet_length(raw) + coalesce(pg_column_size(extra),
0) + coalesce(octet_length(action::text),
0) + coalesce(octet_length(uri::text),
0) + coalesce(octet_length(directive::text),
0) + coalesce(octet_length(blocked_uri::text),
0) + coalesce(octet_length(browser::text),
0) + coalesce(octet_length(platform::text),
0) + coalesce(pg_column_size(policy_ioc_hosts),
0) + coalesce(pg_column_size(policy_concern_hosts),
0))) over ordered as bytes,
lead(true,
1,
false) over ordered as has_next
from (select *
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and position >= 0
and position > $5::bigint
and position <= $6::bigint
order by position, date, id
limit 1000) as report
window ordered as (order by position, date, id rows unbounded preceding)) as report
where bytes - (octet_length(raw) + coalesce(pg_column_size(extra),
0) + coalesce(octet_length(action::text),
0) + coalesce(octet_length(uri::text),
0) + coalesce(octet_length(directive::text),
0) + coalesce(octet_length(blocked_uri::text),
0) + coalesce(octet_length(browser::text),
0) + coalesce(octet_length(platform::text),
0) + coalesce(pg_column_size(policy_ioc_hosts),
0) + coalesce(pg_column_size(policy_concern_hosts),
0)) < 8388608
order by position, date, id

-- /export/reports/csp?after=: $1 = "acme", $2 = "csp", $3 = "0", $4 = "<position>"
select account_id, min(position)::text as first, max(position)::text as final, count(*)::int as rows
from (select account_id, position
from report
where account_id = $1
and type = $2
and position >= 0
and position > $3::bigint
and position <= $4::bigint
order by position
limit 1001) as next
group by account_id

-- /export/reports/csp?after=: $1 = "acme", $2 = "csp", $3 = "csp"
select account_id, position::text as last
from ((select account_id, position
from report
where account_id = $1
and position >= 0
and type = $2
order by position desc
limit 1)
union all (select account_id, position
from removed_position
where account_id = $1
and type = $3)) as positions
order by position desc
limit 1

-- /export/reports/csp_integrity: $1 = "acme",
-- $2 = "csp_integrity",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(subresource_uri,
'') as "subresourceUri",
coalesce(hash,
'') as "hash",
coalesce(destination,
'') as "destination",
indicator_of_compromise::int as "indicatorOfCompromise",
recently_registered_domain::int as "recentlyRegisteredDomain",
low_reputation_domain::int as "lowReputationDomain",
suspicious::int as "suspicious",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/deprecation: $1 = "acme",
-- $2 = "deprecation",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
-- /export/reports/intervention: $1 = "acme",
-- $2 = "intervention",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(message,
'') as "message",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/dmarc: $1 = "acme", $2 = "dmarc", $3 = "2026-02-19T00:00:00.000Z", $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
raw as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/integrity_policy: $1 = "acme",
-- $2 = "integrity_policy",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(action,
'') as "action",
coalesce(blocked_uri,
'') as "blockedUri",
coalesce(destination,
'') as "destination",
indicator_of_compromise::int as "indicatorOfCompromise",
recently_registered_domain::int as "recentlyRegisteredDomain",
low_reputation_domain::int as "lowReputationDomain",
suspicious::int as "suspicious",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/nel: $1 = "acme", $2 = "nel", $3 = "2026-02-19T00:00:00.000Z", $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(nel_type,
'') as "nelType",
coalesce(phase,
'') as "phase",
coalesce(organisation,
'') as "organisation",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/permissions_policy: $1 = "acme",
-- $2 = "permissions_policy",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
select type::text as "type",
account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
raw as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(property,
'') as "property",
coalesce(disposition,
'') as "disposition",
coalesce(message,
'') as "message",
extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/reports/tls_rpt: $1 = "acme",
-- $2 = "tls_rpt",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "9999-01-01T00:00:00Z"
select type::text as "type", account_id, id, date as "date", raw as "raw", count as "count", extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 10000

-- /export/verdicts: $1 = "acme", $2 = "0001-01-01T00:00:00Z", $3 = "9999-01-01T00:00:00Z"
select account_id,
(subject_kind || ':' || site_key || ':' || subject) collate "C" as id,
subject_kind as "subjectKind",
site,
site_key as "siteKey",
subject, verdict, reason, owner, hashes, count, decided_by as "decidedBy", decided_at as "decidedAt",
expires_at as "expiresAt"
from verdict
where account_id = $1
and true
and decided_at >= $2
and decided_at < $3
order by decided_at desc, (subject_kind || ':' || site_key || ':' || subject) collate "C" desc
limit 10000
