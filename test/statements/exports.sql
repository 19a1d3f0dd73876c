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
logged_by_email as "loggedByEmail",
request_ip as "requestIp",
translate(encode(convert_to('1.N3f17wZiOz8R.' || position || '.'
|| (extract(epoch
from timestamp) * 1000000)::bigint || '.' || id, 'UTF8'), 'base64'), E'+/=\n', '-_') as cursor, found
from (
select *,
sum(0) over (order by position,
timestamp,
id rows unbounded preceding) as bytes,
(count(*) over ())::int as found
from (select *
from audit_event
where account_id = $1
and true
and timestamp >= $2
and timestamp < $3
and position = $5::bigint
and (timestamp, id) > (timestamptz 'epoch' + $4::bigint * interval '1 microsecond', $6 collate "C")
order by position, timestamp, id
limit 1000) as audit_event) as audit_event
where bytes - 0 < 8388608
order by position, timestamp, id

-- /export/audit-log?after=: $1 = "acme",
-- $2 = "0001-01-01T00:00:00Z",
-- $3 = "9999-01-01T00:00:00Z",
-- $4 = "0",
-- $5 = "<position>"
select account_id, id, timestamp, event, message, logged_by_id as "loggedById",
logged_by_email as "loggedByEmail",
request_ip as "requestIp",
translate(encode(convert_to('1.N3f17wZiOz8R.' || position || '.'
|| (extract(epoch
from timestamp) * 1000000)::bigint || '.' || id, 'UTF8'), 'base64'), E'+/=\n', '-_') as cursor, found
from (
select *,
sum(0) over (order by position,
timestamp,
id rows unbounded preceding) as bytes,
(count(*) over ())::int as found
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
limit 1000) as audit_event) as audit_event
where bytes - 0 < 8388608
order by position, timestamp, id

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
count,
first_seen as "firstSeen",
last_seen as "lastSeen",
source,
enforced,
translate(encode(convert_to('1.DpfzKXjrdvWp.' || position || '.'
|| (extract(epoch
from last_seen) * 1000000)::bigint || '.' || (product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C",
'UTF8'),
'base64'),
E'+/=\n',
'-_') as cursor,
found
from (
select *,
sum(octet_length(subject)) over (order by position,
last_seen,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C" rows unbounded preceding) as bytes,
(count(*) over ())::int as found
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
order by position, last_seen, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"
limit 1000) as watch_finding) as watch_finding
where bytes - octet_length(subject) < 8388608
order by position, last_seen, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"

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
count,
first_seen as "firstSeen",
last_seen as "lastSeen",
source,
enforced,
translate(encode(convert_to('1.DpfzKXjrdvWp.' || position || '.'
|| (extract(epoch
from last_seen) * 1000000)::bigint || '.' || (product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C",
'UTF8'),
'base64'),
E'+/=\n',
'-_') as cursor,
found
from (
select *,
sum(octet_length(subject)) over (order by position,
last_seen,
(product || ':' || site_key || ':' || encode(subject_sha256,
'hex')) collate "C" rows unbounded preceding) as bytes,
(count(*) over ())::int as found
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
limit 1000) as watch_finding) as watch_finding
where bytes - octet_length(subject) < 8388608
order by position, last_seen, (product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"

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
translate(encode(convert_to('1.LE5V-O82y6OM.' || position || '.'
|| (extract(epoch
from date) * 1000000)::bigint || '.' || id, 'UTF8'), 'base64'), E'+/=\n', '-_') as cursor, found
from (
select *,
sum(octet_length(raw)) over (order by position,
date,
id rows unbounded preceding) as bytes,
(count(*) over ())::int as found
from (select *
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
and position = $6::bigint
and (date, id) > (timestamptz 'epoch' + $5::bigint * interval '1 microsecond', $7 collate "C")
order by position, date, id
limit 1000) as report) as report
where bytes - octet_length(raw) < 8388608
order by position, date, id

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
translate(encode(convert_to('1.LE5V-O82y6OM.' || position || '.'
|| (extract(epoch
from date) * 1000000)::bigint || '.' || id, 'UTF8'), 'base64'), E'+/=\n', '-_') as cursor, found
from (
select *,
sum(octet_length(raw)) over (order by position,
date,
id rows unbounded preceding) as bytes,
(count(*) over ())::int as found
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
limit 1000) as report) as report
where bytes - octet_length(raw) < 8388608
order by position, date, id

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
