-- /v1/reports/certificate_transparency: $1 = "acme",
-- $2 = "certificate_transparency",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then raw end as "raw",
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
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 1001

-- /v1/reports/coep: $1 = "acme", $2 = "coep", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
limit 1001

-- /v1/reports/coop: $1 = "acme", $2 = "coop", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
limit 1001

-- /v1/reports/crash: $1 = "acme", $2 = "crash", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
limit 1001

-- /v1/reports/csp: $1 = "acme", $2 = "csp", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
suspicious::int as "suspicious"
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 1001

-- /v1/reports/csp_integrity: $1 = "acme",
-- $2 = "csp_integrity",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
limit 1001

-- /v1/reports/deprecation: $1 = "acme",
-- $2 = "deprecation",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
-- /v1/reports/intervention: $1 = "acme",
-- $2 = "intervention",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
limit 1001

-- /v1/reports/dmarc: $1 = "acme", $2 = "dmarc", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 1001

-- /v1/reports/integrity_policy: $1 = "acme",
-- $2 = "integrity_policy",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
suspicious::int as "suspicious"
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 1001

-- /v1/reports/nel,
-- Account.reports: $1 = "acme",
-- $2 = "nel",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
limit 1001

-- /v1/reports/permissions_policy: $1 = "acme",
-- $2 = "permissions_policy",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
limit 1001

-- /v1/reports/tls_rpt: $1 = "acme",
-- $2 = "tls_rpt",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then raw end as "raw",
count as "count",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
order by date desc, id desc
limit 1001

-- Account.report: $1 = "acme",
-- $2 = "nel",
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "2026-06-01T00:00:00.000Z",
-- $5 = "nel-1"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 332222 then raw end as "raw",
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
and (lower(id) = lower(($5 collate "C"))
and date = any(array(select date
from report_locator
where account_id = $1
and key = hashtextextended($1 || ' ' || 'nel' || ' ' || lower(($5 collate "C")), 0))))
order by date desc, id desc
limit 101

-- filter action: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "enforced"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(action, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter aligned: $1 = "acme", $2 = "dmarc", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and not coalesce((extra->>'aligned')::boolean, false)
order by date desc, id desc
limit 1001

-- filter anyThreatIntel: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and (generated_domain
or indicator_of_compromise
or recently_registered_domain
or low_reputation_domain
or suspicious
or policy_ioc_hosts is not null
or policy_concern_hosts is not null)
order by date desc, id desc
limit 1001

-- filter blockedHostnames: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "moc.elpmaxe.www",
-- $6 = "gro.elpmaxe.",
-- $7 = "gro.elpmaxe/"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and (blocked_host_reversed = $5
or (blocked_host_reversed >= $6
and blocked_host_reversed < $7))
order by date desc, id desc
limit 1001

-- filter blockedPaths: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["details of reports"],
-- $6 = "/a",
-- $7 = "/b/%",
-- $8 = "2026-05-20T00:00:00.000Z",
-- $9 = "2026-05-21T00:00:00.000Z",
-- $10 = "acme",
-- $11 = "csp",
-- $12 = "2026-05-20T00:00:00.000Z",
-- $13 = "2026-05-21T00:00:00.000Z"
with rollups as materialized (
select account_id,
type,
day,
begins,
ends,
set as dimensions,
v1,
v2,
v3,
count,
reports,
first_seen,
last_seen
from (select *,
case when dimensions like '__:00 %' then substr(dimensions,
7) else dimensions end as set,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end,
0)) as begins,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end + 1,
24)) as ends
from daily_group
where account_id = $1
and type = any($2::text[]::report_type[])
and day >= ($3::timestamptz at time zone 'UTC')::date
and day <= ($4::timestamptz at time zone 'UTC')) as rows
where set = any($5::text[])
and begins >= ($3::timestamptz at time zone 'UTC')
and ends <= ($4::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
matched as materialized (
select begins, ends, sum(reports) filter (where (left(blocked_path, 255) = $6
or blocked_path like $7)) as reports
from (select rollups.begins, rollups.ends, g.reports, record.*
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g,
jsonb_to_record(g.v1::jsonb) as record (blocked_path text collate "C")) as report
group by begins, ends),
without_matches as materialized (
select begins, ends
from matched
where reports is null
and (select coalesce(sum(reports), 0)
from matched) <= 1001)
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
from (select *
from (
select coalesce(lag(ends) over (order by begins), $8::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from without_matches
union all select $9::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $10
and type = $11
and date >= $12
and date < $13
and date >= gap.begins
and date < gap.ends
and (left(blocked_path, 255) = $6
or blocked_path like $7)
order by date desc, id desc
limit 1001) as report
order by date desc, id desc
limit 1001

-- filter browser: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(browser, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter certType: $1 = "acme",
-- $2 = "certificate_transparency",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "certificate"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then raw end as "raw",
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
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left(cert_type, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter destination: $1 = "acme",
-- $2 = "csp_integrity",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(destination, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter disposition: $1 = "acme",
-- $2 = "permissions_policy",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "enforce"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(disposition, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter dkim: $1 = "acme",
-- $2 = "dmarc",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "pass"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left((extra->>'dkim'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter domainReputationScore: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = 30
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and domain_reputation_score <= $5
order by date desc, id desc
limit 1001

-- filter effectiveDirective: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(directive, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter featureId: $1 = "acme",
-- $2 = "deprecation",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left((extra->>'featureId'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter generatedDomain: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and generated_domain
order by date desc, id desc
limit 1001

-- filter hasFailures: $1 = "acme",
-- $2 = "tls_rpt",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then raw end as "raw",
count as "count",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and not (coalesce((extra->>'failedSessions')::bigint, 0) > 0)
order by date desc, id desc
limit 1001

-- filter hostnames: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "moc.elpmaxe.www",
-- $6 = "gro.elpmaxe.",
-- $7 = "gro.elpmaxe/"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and (host_reversed = $5
or (host_reversed >= $6
and host_reversed < $7))
order by date desc, id desc
limit 1001

-- filter id: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and (lower(id) = lower(($5 collate "C"))
and date = any(array(select date
from report_locator
where account_id = $1
and key = hashtextextended($1 || ' ' || 'csp' || ' ' || lower(($5 collate "C")), 0))))
order by date desc, id desc
limit 1001

-- filter ioc: $1 = "acme", $2 = "csp", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and indicator_of_compromise
order by date desc, id desc
limit 1001

-- filter issuer: $1 = "acme",
-- $2 = ["certificate_transparency"],
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["details of reports"],
-- $6 = "part",
-- $7 = "2026-05-20T00:00:00.000Z",
-- $8 = "2026-05-21T00:00:00.000Z",
-- $9 = "acme",
-- $10 = "certificate_transparency",
-- $11 = "2026-05-20T00:00:00.000Z",
-- $12 = "2026-05-21T00:00:00.000Z"
with rollups as materialized (
select account_id,
type,
day,
begins,
ends,
set as dimensions,
v1,
v2,
v3,
count,
reports,
first_seen,
last_seen
from (select *,
case when dimensions like '__:00 %' then substr(dimensions,
7) else dimensions end as set,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end,
0)) as begins,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end + 1,
24)) as ends
from daily_group
where account_id = $1
and type = any($2::text[]::report_type[])
and day >= ($3::timestamptz at time zone 'UTC')::date
and day <= ($4::timestamptz at time zone 'UTC')) as rows
where set = any($5::text[])
and begins >= ($3::timestamptz at time zone 'UTC')
and ends <= ($4::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
matched as materialized (
select begins, ends, sum(reports) filter (where position(lower($6) in lower(issuer)) > 0) as reports
from (select rollups.begins, rollups.ends, g.reports, record.*
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g,
jsonb_to_record(g.v1::jsonb) as record (issuer text)) as report
group by begins, ends),
without_matches as materialized (
select begins, ends
from matched
where reports is null
and (select coalesce(sum(reports), 0)
from matched) <= 1001)
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then raw end as "raw",
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
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then extra end as extra
from (select *
from (
select coalesce(lag(ends) over (order by begins), $7::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from without_matches
union all select $8::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $9
and type = $10
and date >= $11
and date < $12
and date >= gap.begins
and date < gap.ends
and position(lower($6) in lower(issuer)) > 0
order by date desc, id desc
limit 1001) as report
order by date desc, id desc
limit 1001

-- filter message: $1 = "acme",
-- $2 = ["deprecation"],
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["details of reports"],
-- $6 = "part",
-- $7 = "2026-05-20T00:00:00.000Z",
-- $8 = "2026-05-21T00:00:00.000Z",
-- $9 = "acme",
-- $10 = "deprecation",
-- $11 = "2026-05-20T00:00:00.000Z",
-- $12 = "2026-05-21T00:00:00.000Z"
with rollups as materialized (
select account_id,
type,
day,
begins,
ends,
set as dimensions,
v1,
v2,
v3,
count,
reports,
first_seen,
last_seen
from (select *,
case when dimensions like '__:00 %' then substr(dimensions,
7) else dimensions end as set,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end,
0)) as begins,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end + 1,
24)) as ends
from daily_group
where account_id = $1
and type = any($2::text[]::report_type[])
and day >= ($3::timestamptz at time zone 'UTC')::date
and day <= ($4::timestamptz at time zone 'UTC')) as rows
where set = any($5::text[])
and begins >= ($3::timestamptz at time zone 'UTC')
and ends <= ($4::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
matched as materialized (
select begins, ends, sum(reports) filter (where position(lower($6) in lower(message)) > 0) as reports
from (select rollups.begins, rollups.ends, g.reports, record.*
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g,
jsonb_to_record(g.v1::jsonb) as record (message text)) as report
group by begins, ends),
without_matches as materialized (
select begins, ends
from matched
where reports is null
and (select coalesce(sum(reports), 0)
from matched) <= 1001)
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
count as "count",
coalesce(browser,
'') as "browser",
coalesce(platform,
'') as "platform",
coalesce(message,
'') as "message",
extra
from (select *
from (
select coalesce(lag(ends) over (order by begins), $7::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from without_matches
union all select $8::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $9
and type = $10
and date >= $11
and date < $12
and date >= gap.begins
and date < gap.ends
and position(lower($6) in lower(message)) > 0
order by date desc, id desc
limit 1001) as report
order by date desc, id desc
limit 1001

-- filter nelType: $1 = "acme",
-- $2 = "nel",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(nel_type, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter newlyRegisteredDomain: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and recently_registered_domain
order by date desc, id desc
limit 1001

-- filter organisation: $1 = "acme",
-- $2 = ["nel"],
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["details of reports"],
-- $6 = "part",
-- $7 = "2026-05-20T00:00:00.000Z",
-- $8 = "2026-05-21T00:00:00.000Z",
-- $9 = "acme",
-- $10 = "nel",
-- $11 = "2026-05-20T00:00:00.000Z",
-- $12 = "2026-05-21T00:00:00.000Z"
with rollups as materialized (
select account_id,
type,
day,
begins,
ends,
set as dimensions,
v1,
v2,
v3,
count,
reports,
first_seen,
last_seen
from (select *,
case when dimensions like '__:00 %' then substr(dimensions,
7) else dimensions end as set,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end,
0)) as begins,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end + 1,
24)) as ends
from daily_group
where account_id = $1
and type = any($2::text[]::report_type[])
and day >= ($3::timestamptz at time zone 'UTC')::date
and day <= ($4::timestamptz at time zone 'UTC')) as rows
where set = any($5::text[])
and begins >= ($3::timestamptz at time zone 'UTC')
and ends <= ($4::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
matched as materialized (
select begins, ends, sum(reports) filter (where position(lower($6) in lower(organisation)) > 0) as reports
from (select rollups.begins, rollups.ends, g.reports, record.*
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g,
jsonb_to_record(g.v1::jsonb) as record (organisation text)) as report
group by begins, ends),
without_matches as materialized (
select begins, ends
from matched
where reports is null
and (select coalesce(sum(reports), 0)
from matched) <= 1001)
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
from (select *
from (
select coalesce(lag(ends) over (order by begins), $7::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from without_matches
union all select $8::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $9
and type = $10
and date >= $11
and date < $12
and date >= gap.begins
and date < gap.ends
and position(lower($6) in lower(organisation)) > 0
order by date desc, id desc
limit 1001) as report
order by date desc, id desc
limit 1001

-- filter paths: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["details of reports"],
-- $6 = "/a",
-- $7 = "/b/%",
-- $8 = "2026-05-20T00:00:00.000Z",
-- $9 = "2026-05-21T00:00:00.000Z",
-- $10 = "acme",
-- $11 = "csp",
-- $12 = "2026-05-20T00:00:00.000Z",
-- $13 = "2026-05-21T00:00:00.000Z"
with rollups as materialized (
select account_id,
type,
day,
begins,
ends,
set as dimensions,
v1,
v2,
v3,
count,
reports,
first_seen,
last_seen
from (select *,
case when dimensions like '__:00 %' then substr(dimensions,
7) else dimensions end as set,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end,
0)) as begins,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end + 1,
24)) as ends
from daily_group
where account_id = $1
and type = any($2::text[]::report_type[])
and day >= ($3::timestamptz at time zone 'UTC')::date
and day <= ($4::timestamptz at time zone 'UTC')) as rows
where set = any($5::text[])
and begins >= ($3::timestamptz at time zone 'UTC')
and ends <= ($4::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
matched as materialized (
select begins, ends, sum(reports) filter (where (left(path, 255) = $6
or path like $7)) as reports
from (select rollups.begins, rollups.ends, g.reports, record.*
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g,
jsonb_to_record(g.v1::jsonb) as record (path text collate "C")) as report
group by begins, ends),
without_matches as materialized (
select begins, ends
from matched
where reports is null
and (select coalesce(sum(reports), 0)
from matched) <= 1001)
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
from (select *
from (
select coalesce(lag(ends) over (order by begins), $8::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from without_matches
union all select $9::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $10
and type = $11
and date >= $12
and date < $13
and date >= gap.begins
and date < gap.ends
and (left(path, 255) = $6
or path like $7)
order by date desc, id desc
limit 1001) as report
order by date desc, id desc
limit 1001

-- filter phase: $1 = "acme",
-- $2 = "nel",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "dns"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(phase, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter platform: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(platform, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter policy: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "default-src 'self'"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and (hashtext(lower(policy)) = hashtext(lower($5))
and (policy = $5
or lower(policy) = lower($5))::int <> 0)
order by date desc, id desc
limit 1001

-- filter policyId: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(policy_id, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter policyType: $1 = "acme",
-- $2 = "tls_rpt",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then raw end as "raw",
count as "count",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left((extra->>'policyType'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter property: $1 = "acme",
-- $2 = "permissions_policy",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left(property, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter reason: $1 = "acme",
-- $2 = "crash",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left((extra->>'reason'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter reporter: $1 = "acme",
-- $2 = "dmarc",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left((extra->>'reporter'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter resultType: $1 = "acme",
-- $2 = "tls_rpt",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "certificate-expired"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then raw end as "raw",
count as "count",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
167 * coalesce(jsonb_array_length(extra->'failureDetails'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and exists (select
from jsonb_array_elements(extra->'failureDetails') as detail
where lower(detail->>'resultType') = lower($5))
order by date desc, id desc
limit 1001

-- filter sender: $1 = "acme",
-- $2 = "dmarc",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left(sender, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter serverIp: $1 = "acme",
-- $2 = "nel",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left((extra->>'serverIp'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter sha256Spki: $1 = "acme",
-- $2 = "certificate_transparency",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then raw end as "raw",
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
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
36 * coalesce(jsonb_array_length(extra->'logs'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left(sha256_spki, 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter sourceClass: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["extension","inline"]
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and coalesce(source_class, 'unknown') = any($5::text[])
order by date desc, id desc
limit 1001

-- filter sourceIp: $1 = "acme",
-- $2 = "dmarc",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left((extra->>'sourceIp'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter sourceNetwork: $1 = "acme",
-- $2 = "dmarc",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left((coalesce(substring(extra->>'sourceIp'
from '^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$') || '.0/24',
regexp_replace(regexp_replace(substring(lower(extra->>'sourceIp')
from '^([0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,2})(?=:)'),
'(^|:)0+([0-9a-f])',
'\1\2',
'g'),
'(:0)+$',
'') || '::/48')),
64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter spf: $1 = "acme",
-- $2 = "dmarc",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "pass"
select account_id,
id,
date as "date",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then raw end as "raw",
count as "count",
coalesce(organisation,
'') as "organisation",
coalesce(disposition,
'') as "disposition",
coalesce(sender,
'') as "sender",
case when (octet_length(raw) + greatest((case when pg_column_compression(extra) is null then coalesce(pg_column_size(extra),
0)
else octet_length(extra::text) end) / 2,
24 * coalesce(jsonb_array_length(extra->'overrideReasons'),
0) + 56 * coalesce(jsonb_array_length(extra->'dkimResults'),
0) + 53 * coalesce(jsonb_array_length(extra->'spfResults'),
0))) <= 33520 then extra end as extra
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and lower(left((extra->>'spf'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter subresourceHashes: $1 = "acme",
-- $2 = "csp_integrity",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "sha256-AAAA"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and left(hash, 255) = $5
order by date desc, id desc
limit 1001

-- filter subresourceHostnames: $1 = "acme",
-- $2 = "csp_integrity",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "moc.elpmaxe.www",
-- $6 = "gro.elpmaxe.",
-- $7 = "gro.elpmaxe/"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and (subresource_host_reversed = $5
or (subresource_host_reversed >= $6
and subresource_host_reversed < $7))
order by date desc, id desc
limit 1001

-- filter subresourcePaths: $1 = "acme",
-- $2 = ["csp_integrity"],
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["details of reports"],
-- $6 = "/a",
-- $7 = "/b/%",
-- $8 = "2026-05-20T00:00:00.000Z",
-- $9 = "2026-05-21T00:00:00.000Z",
-- $10 = "acme",
-- $11 = "csp_integrity",
-- $12 = "2026-05-20T00:00:00.000Z",
-- $13 = "2026-05-21T00:00:00.000Z"
with rollups as materialized (
select account_id,
type,
day,
begins,
ends,
set as dimensions,
v1,
v2,
v3,
count,
reports,
first_seen,
last_seen
from (select *,
case when dimensions like '__:00 %' then substr(dimensions,
7) else dimensions end as set,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end,
0)) as begins,
day + make_interval(hours => coalesce(case when dimensions like '__:00 %' then left(dimensions,
2)::int end + 1,
24)) as ends
from daily_group
where account_id = $1
and type = any($2::text[]::report_type[])
and day >= ($3::timestamptz at time zone 'UTC')::date
and day <= ($4::timestamptz at time zone 'UTC')) as rows
where set = any($5::text[])
and begins >= ($3::timestamptz at time zone 'UTC')
and ends <= ($4::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
matched as materialized (
select begins, ends, sum(reports) filter (where (left(subresource_path, 255) = $6
or subresource_path like $7)) as reports
from (select rollups.begins, rollups.ends, g.reports, record.*
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g,
jsonb_to_record(g.v1::jsonb) as record (subresource_path text collate "C")) as report
group by begins, ends),
without_matches as materialized (
select begins, ends
from matched
where reports is null
and (select coalesce(sum(reports), 0)
from matched) <= 1001)
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
from (select *
from (
select coalesce(lag(ends) over (order by begins), $8::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from without_matches
union all select $9::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $10
and type = $11
and date >= $12
and date < $13
and date >= gap.begins
and date < gap.ends
and (left(subresource_path, 255) = $6
or subresource_path like $7)
order by date desc, id desc
limit 1001) as report
order by date desc, id desc
limit 1001

-- filter suspicious: $1 = "acme", $2 = "csp", $3 = "2026-05-20T00:00:00.000Z", $4 = "2026-05-21T00:00:00.000Z"
select account_id,
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
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and suspicious
order by date desc, id desc
limit 1001

-- filter violation: $1 = "acme",
-- $2 = "coep",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left((extra->>'violation'), 64)) = lower($5)
order by date desc, id desc
limit 1001

-- filter wireType: $1 = "acme",
-- $2 = "other",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "Some value"
select account_id,
id,
date as "date",
coalesce(uri,
'') as "uri",
case when octet_length(raw) <= 33520 then raw end as "raw",
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
and lower(left((extra->>'wireType'), 64)) = lower($5)
order by date desc, id desc
limit 1001
