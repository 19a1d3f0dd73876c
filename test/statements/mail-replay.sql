-- Account.dmarcReplay: $1 = "acme",
-- $2 = "2026-05-01T00:00:00.000Z",
-- $3 = "2026-05-23T00:00:00.000Z",
-- $4 = ["moc.elpmaxe"]
-- Account.mailReadiness: $1 = "acme", $2 = "2026-05-01T00:00:00.000Z", $3 = "2026-05-23T00:00:00.000Z", $4 = []
select seen.account_id, reverse(host) as domain, seen.policy
from unnest($4::text[]) as host cross
join lateral (
select account_id, extra->'publishedPolicy' as policy
from report
where account_id = $1
and type = 'dmarc'
and date >= $2
and date < $3
and host_reversed = host
and lower(extra->>'domain') = reverse(host)
and extra ? 'publishedPolicy'
order by date desc
limit 1) as seen

-- Account.dmarcReplay: $1 = "moc.elpmaxe",
-- $2 = "acme",
-- $3 = ["dmarc"],
-- $4 = "2026-05-01T00:00:00.000Z",
-- $5 = "2026-05-23T00:00:00.000Z",
-- $6 = ["mail RESULTS"],
-- $7 = "2026-05-01T00:00:00.000Z",
-- $8 = "2026-05-23T00:00:00.000Z",
-- $9 = "acme",
-- $10 = "dmarc",
-- $11 = "2026-05-01T00:00:00.000Z",
-- $12 = "2026-05-23T00:00:00.000Z"
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
where account_id = $2
and type = any($3::text[]::report_type[])
and day >= ($4::timestamptz at time zone 'UTC')::date
and day <= ($5::timestamptz at time zone 'UTC')) as rows
where set = any($6::text[])
and begins >= ($4::timestamptz at time zone 'UTC')
and ends <= ($5::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
reported as (
select account_id,
days,
count,
sender,
host_reversed,
disposition,
jsonb_build_object('domain',
"domain",
'dkim',
"dkim",
'spf',
"spf",
'aligned',
"aligned",
'dkimResults',
"dkimResults",
'spfResults',
"spfResults",
'overrideReasons',
"overrideReasons",
'publishedPolicy',
jsonb_build_object('adkim',
"adkim",
'aspf',
"aspf")) as extra
from (
select account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons",
array_agg(day) as days,
sum(count)::bigint as count
from (
select account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons",
day,
sum(count) as count
from (
select account_id,
(date at time zone 'UTC')::date as day,
count,
sender,
host_reversed,
disposition,
extra->>'domain' as domain,
extra->>'dkim' as dkim,
extra->>'spf' as spf,
extra->>'aligned' as aligned,
extra #>> '{publishedPolicy,adkim}' as adkim,
extra #>> '{publishedPolicy,aspf}' as aspf,
extra->'dkimResults' as "dkimResults",
extra->'spfResults' as "spfResults",
extra->'overrideReasons' as "overrideReasons",
jsonb_hash_extended(extra->'dkimResults',
0) # jsonb_hash_extended(extra->'spfResults',
0) as hash
from (select *
from (
select coalesce(lag(ends) over (order by begins), $7::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from whole
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
and date < gap.ends offset 0) as report
where (host_reversed = $1
or starts_with(host_reversed, $1 || '.')) offset 0) as rows
group by account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons",
day) as by_day
group by account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons") as groups offset 0),
kept_own as materialized (
select account_id, day, g.v1, g.v2, g.v3, g.count
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g
where (reverse(g.v2::jsonb ->> 0) = $1
or starts_with(reverse(g.v2::jsonb ->> 0), $1 || '.'))),
reported_own as materialized (
select account_id, days, s.v1, s.v2, s.v3, count
from reported cross
join lateral (values ('mail RESULTS',
coalesce((sender),
''),
coalesce((jsonb_build_array(reverse(host_reversed),
lower(extra->>'domain'),
extra->>'dkim',
extra->>'spf',
extra->>'aligned',
extra #>> '{publishedPolicy,adkim}',
extra #>> '{publishedPolicy,aspf}',
disposition)::text),
''),
coalesce((left(jsonb_build_array(jsonb_path_query_array(extra,
'$.dkimResults[*] ? (@.result == "pass").domain'),
jsonb_path_query_array(extra,
'$.dkimResults[*] ? (@.result != "pass" && @.result != "none").domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result == "pass" && (!(@.scope == "helo"))).domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result != "pass" && @.result != "none" && (!(@.scope == "helo"))).domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result == "pass" && @.scope == "helo").domain'),
jsonb_path_query_array(extra,
'$.overrideReasons[*].type'))::text,
8192)),
''),
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)),
groups as (
select account_id, v1, v2, v3, sum(count)::bigint as count, '' as domain
from (
select account_id, v1, v2, v3, count
from kept_own
union all
select account_id, v1, v2, v3, count
from reported_own) as own
group by account_id, v1, v2, v3),
days as (
select '' as domain, count(distinct day) as days
from (
select v2, day
from kept_own
union
select v2, unnest(days)
from reported_own) as seen
group by 1)
select account_id,
v1 as sender,
v2 as evaluation,
v3 as results,
count,
(sum(count) over ())::bigint as total,
domain,
days
from groups
join days using (domain)
order by count desc, v1 collate "C", v2 collate "C", v3 collate "C"
limit 20000

-- Account.mailReadiness: $1 = "acme",
-- $2 = ["dmarc"],
-- $3 = "2026-05-01T00:00:00.000Z",
-- $4 = "2026-05-23T00:00:00.000Z",
-- $5 = ["mail RESULTS"],
-- $6 = "2026-05-01T00:00:00.000Z",
-- $7 = "2026-05-23T00:00:00.000Z",
-- $8 = "acme",
-- $9 = "dmarc",
-- $10 = "2026-05-01T00:00:00.000Z",
-- $11 = "2026-05-23T00:00:00.000Z"
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
reported as (
select account_id,
days,
count,
sender,
host_reversed,
disposition,
jsonb_build_object('domain',
"domain",
'dkim',
"dkim",
'spf',
"spf",
'aligned',
"aligned",
'dkimResults',
"dkimResults",
'spfResults',
"spfResults",
'overrideReasons',
"overrideReasons",
'publishedPolicy',
jsonb_build_object('adkim',
"adkim",
'aspf',
"aspf")) as extra
from (
select account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons",
array_agg(day) as days,
sum(count)::bigint as count
from (
select account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons",
day,
sum(count) as count
from (
select account_id,
(date at time zone 'UTC')::date as day,
count,
sender,
host_reversed,
disposition,
extra->>'domain' as domain,
extra->>'dkim' as dkim,
extra->>'spf' as spf,
extra->>'aligned' as aligned,
extra #>> '{publishedPolicy,adkim}' as adkim,
extra #>> '{publishedPolicy,aspf}' as aspf,
extra->'dkimResults' as "dkimResults",
extra->'spfResults' as "spfResults",
extra->'overrideReasons' as "overrideReasons",
jsonb_hash_extended(extra->'dkimResults',
0) # jsonb_hash_extended(extra->'spfResults',
0) as hash
from (select *
from (
select coalesce(lag(ends) over (order by begins), $6::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from whole
union all select $7::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $8
and type = $9
and date >= $10
and date < $11
and date >= gap.begins
and date < gap.ends offset 0) as report
where true offset 0) as rows
group by account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons",
day) as by_day
group by account_id,
hash,
sender,
host_reversed,
disposition,
"domain",
"dkim",
"spf",
"aligned",
"adkim",
"aspf",
"dkimResults",
"spfResults",
"overrideReasons") as groups offset 0),
kept_own as materialized (
select account_id, day, g.v1, g.v2, g.v3, g.count
from rollups
join whole using (begins,
ends),
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g
where true),
reported_own as materialized (
select account_id, days, s.v1, s.v2, s.v3, count
from reported cross
join lateral (values ('mail RESULTS',
coalesce((sender),
''),
coalesce((jsonb_build_array(reverse(host_reversed),
lower(extra->>'domain'),
extra->>'dkim',
extra->>'spf',
extra->>'aligned',
extra #>> '{publishedPolicy,adkim}',
extra #>> '{publishedPolicy,aspf}',
disposition)::text),
''),
coalesce((left(jsonb_build_array(jsonb_path_query_array(extra,
'$.dkimResults[*] ? (@.result == "pass").domain'),
jsonb_path_query_array(extra,
'$.dkimResults[*] ? (@.result != "pass" && @.result != "none").domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result == "pass" && (!(@.scope == "helo"))).domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result != "pass" && @.result != "none" && (!(@.scope == "helo"))).domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result == "pass" && @.scope == "helo").domain'),
jsonb_path_query_array(extra,
'$.overrideReasons[*].type'))::text,
8192)),
''),
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)),
groups as (
select account_id,
v1,
v2,
v3,
sum(count)::bigint as count,
coalesce(nullif(v2::jsonb ->> 1,
''),
v2::jsonb ->> 0,
'') as domain
from (
select account_id, v1, v2, v3, count
from kept_own
union all
select account_id, v1, v2, v3, count
from reported_own) as own
group by account_id, v1, v2, v3),
days as (
select coalesce(nullif(v2::jsonb ->> 1, ''), v2::jsonb ->> 0, '') as domain, count(distinct day) as days
from (
select v2, day
from kept_own
union
select v2, unnest(days)
from reported_own) as seen
group by 1)
select account_id,
v1 as sender,
v2 as evaluation,
v3 as results,
count,
(sum(count) over ())::bigint as total,
domain,
days
from groups
join days using (domain)
order by count desc, v1 collate "C", v2 collate "C", v3 collate "C"
limit 20000

-- Account.mtaStsReplay: $1 = "acme",
-- $2 = "2026-05-01T00:00:00.000Z",
-- $3 = "2026-05-23T00:00:00.000Z",
-- $4 = "moc.elpmaxe"
with own as materialized (
select account_id,
date,
(date at time zone 'UTC')::date as day,
extra->>'policyType' as policy_type,
extra->>'reporter' as reporter,
coalesce((extra->>'successfulSessions')::bigint,
0) as successful,
coalesce((extra->>'failedSessions')::bigint,
0) as failed,
case when extra->>'policyType' = 'sts' then extra->'failureDetails' end as details,
extra->'policyStrings' as strings
from report
where account_id = $1
and type = 'tls_rpt'
and date >= $2
and date < $3
and host_reversed = $4),
days as (select count(distinct day) as days
from own)
(select account_id, 'sessions' as part, coalesce(policy_type, '') as name, coalesce(reporter, '') as place,
sum(successful)::bigint as count, sum(failed)::bigint as more, days
from own, days
group by account_id, policy_type, reporter, days
order by sum(successful) + sum(failed) desc, reporter collate "C"
limit 1000)
union all
(select account_id,
'failure',
coalesce(detail->>'resultType',
''),
coalesce(detail->>'receivingMxHostname',
''),
sum(coalesce((detail->>'failedSessions')::bigint, 0))::bigint, count(distinct reporter), 0
from own cross
join lateral jsonb_array_elements(details) as detail
group by 1, 3, 4
order by 5 desc, 3, 4
limit 1000)
union all
(select account_id, 'policy', strings::text, '', 0, 0, 0
from own
where policy_type = 'sts'
and strings is not null
order by date desc
limit 1)
