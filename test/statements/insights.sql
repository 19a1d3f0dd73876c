-- Account.findingGroups: $1 = "acme",
-- $2 = ["cdn.example.net"],
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "2026-05-21T14:30:00.000Z",
-- $5 = "(^|[/._-])(payment|payments|pay|checkout|billing|card|kasse|zahlung|paiement|pago|login|signin|sign-in|logon|auth|password|anmelden|connexion|account|accounts|konto|compte|register|signup|sign-up)([/._-]|$)",
-- $6 = "^(script-src|worker-src|connect-src|form-action|default-src)"
select account_id, host, count(*) = 100 as "isPartial",
count(distinct (browser, platform)) as browsers, count(distinct (host_reversed, path)) as pages,
count(distinct (date at time zone 'UTC')::date) as days, coalesce(min(path), '') as path,
coalesce(mode() within group (order by directive), '') as directive,
coalesce(mode() within group (order by browser), '') as browser,
avg(case when (generated_domain
or indicator_of_compromise
or recently_registered_domain
or low_reputation_domain
or suspicious) then 1 else 0 end)::float8 as threat,
array_to_string((array_agg(distinct reverse(host_reversed)))[1:20], ' ') as "pageHosts",
count(distinct (browser, platform)) filter (where is_attack) as "attackBrowsers",
coalesce(mode() within group (order by path) filter (where is_attack), '') as "attackPath",
coalesce(mode() within group (order by directive) filter (where is_attack), '') as "attackDirective"
from (
select report.*, host, path ~* $5
and directive ~* $6 as is_attack
from unnest($2::text[]) as wanted (host) cross
join lateral (
select *
from report
where account_id = $1
and type = 'csp'
and blocked_host_reversed = reverse(wanted.host)
and date >= $3
and date < $4
limit 100) as report) as sample
group by account_id, host

-- Account.findingGroups: $1 = "acme", $2 = "1970-01-01T00:00:00.000Z", $3 = "2026-05-21T14:30:00.000Z"
with found as (
select f.account_id, f.product, f.site_key, coalesce(lower(substring(subject
from '^[a-zA-Z][a-zA-Z0-9+.-]*://([^/:?#]+)')), '') as host,
subject, source, count, first_seen, last_seen
from watch_finding f
where f.account_id = $1
and first_seen >= $2
and first_seen < $3)
select account_id, product, site, host, left(min(subject), 500) as subject, min(source) as source,
count(*) as findings, sum(count)::bigint as count, floor(extract(epoch
from min(first_seen)))::bigint as first,
floor(extract(epoch
from max(last_seen)))::bigint as last, (select count(*)
from found) as "all"
from watch
join found using (account_id, product, site_key)
where account_id = $1
group by account_id, product, site, host, case when host = '' then subject end
order by max(last_seen) - min(first_seen) desc, sum(count) desc, host, min(subject)
limit 2000

-- Account.insightCoverage,
-- Account.insights: $1 = "2026-04-15T00:00:00.000Z",
-- $2 = "2026-05-20T14:30:00.000Z",
-- $3 = 28,
-- $4 = "acme",
-- $5 = ["csp"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = ["BLOCKED_HOST SOURCE_CLASS THREAT"],
-- $9 = "2026-03-18T00:00:00.000Z",
-- $10 = "2026-05-20T14:30:00.000Z",
-- $11 = "acme",
-- $12 = "csp",
-- $13 = "2026-03-18T00:00:00.000Z",
-- $14 = "2026-05-20T14:30:00.000Z",
-- $15 = 50
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
where account_id = $4
and type = any($5::text[]::report_type[])
and day >= ($6::timestamptz at time zone 'UTC')::date
and day <= ($7::timestamptz at time zone 'UTC')) as rows
where set = any($8::text[])
and begins >= ($6::timestamptz at time zone 'UTC')
and ends <= ($7::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from rollups
group by type, begins, ends having count(*) = 1),
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
from (select *
from (
select coalesce(lag(ends) over (order by begins), $9::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from whole
union all select $10::timestamptz, null) as bounds) as gaps
where begins < ends) as gap
cross
join lateral (select *
from report
where account_id = $11
and type = $12
and date >= $13
and date < $14
and date >= gap.begins
and date < gap.ends offset 0) as report cross
join lateral (values ('BLOCKED_HOST SOURCE_CLASS THREAT',
coalesce(reverse((blocked_host_reversed)),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
coalesce((((generated_domain
or indicator_of_compromise
or recently_registered_domain
or low_reputation_domain
or suspicious
or policy_ioc_hosts is not null
or policy_concern_hosts is not null))::text),
''),
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
per_day as (
select account_id, case when v2 in ('extension', 'browser', 'impossible') then '' else v1 end as host, day,
bool_or(v2 in ('sameOrigin', 'sameSite')) as is_own, sum(reports) as reports,
sum(count) as count,
coalesce(sum(reports) filter (where v3 = 'true'),
0) as threats,
min(first_seen) as first_seen,
max(last_seen) as last_seen
from daily
group by account_id, 2, day),
runs as (
select *, first_seen > coalesce(lag(last_seen) over (partition by host
order by day)
+ $3::float8 * interval '1 day', '-infinity') as is_first
from per_day
where host <> ''),
since_first as (
select *, max(first_seen) filter (where is_first) over (partition by host) as begins
from runs),
hosts as (
select account_id, host, coalesce(bool_or(is_own), false) as "isOwn", begins as first_seen,
max(last_seen) as last_seen, sum(reports) filter (where first_seen >= begins)::bigint as reports,
sum(count) filter (where first_seen >= begins)::bigint as count, count(*) as days,
sum(threats) * 2 > sum(reports) as is_threat, sum(reports) as total,
coalesce(bool_or(first_seen < begins), false) as "isAgain", begins >= $1::timestamptz as "isFresh",
coalesce(sum(reports) filter (where last_seen >= $2::timestamptz - interval '28 days'), 0) as late,
string_agg((day - date '2026-05-01') || ',' || reports, ' '
order by day) as per_day
from since_first
group by account_id, host, begins),
fresh as (
select *, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day, substring(host
from '[^.]+\.[^.]+$') as domain,
count(*) over (partition by substring(host
from '[^.]+\.[^.]+$')) >= $15::int as is_flood
from hosts
where "isFresh"),
floods as (
select account_id, domain, min(host) as host, count(*) as hosts, sum(reports)::bigint as reports,
sum(count)::bigint as count, min(first_seen) as first_seen, max(last_seen) as last_seen
from fresh
where is_flood
and domain is not null
group by account_id, domain
order by count(*) desc, domain collate "C"
limit 20),
fair as (
select *, row_number() over (partition by day
order by is_threat desc, reports desc, host collate "C") as of_day,
count(*) filter (where not is_flood) over (partition by day) as day_hosts,
coalesce(sum(reports) filter (where not is_flood) over (partition by day), 0)::bigint as day_reports,
row_number() over (partition by date_trunc('hour', first_seen), substring(host
from '[^.]+\.[^.]+$')
order by is_threat desc, days desc, reports desc, host collate "C") as of_domain,
row_number() over (partition by date_trunc('hour', first_seen)
order by is_threat desc, days desc, reports desc, host collate "C") as of_hour
from fresh),
ranked as (
select *, row_number() over (order by of_domain, least(of_hour, 20), is_threat desc, days desc, reports desc,
host collate "C") as place
from fair),
growing as (
select *, '' as day, 0 as place, 0 as of_day, 0 as day_hosts, 0::bigint as day_reports
from hosts
where not "isFresh"
and late >= 40
and late >= 2 * (total - late)
order by late desc, host collate "C"
limit 50),
found as (
select account_id,
host,
"isOwn",
"isFresh",
"isAgain",
reports,
count,
first_seen,
last_seen,
per_day,
day,
place,
of_day, day_hosts, day_reports, null as flood, 0 as flood_hosts
from ranked
union all
select account_id,
host,
"isOwn",
"isFresh",
"isAgain",
reports,
count,
first_seen,
last_seen,
per_day,
day,
place,
of_day, day_hosts, day_reports, null, 0
from growing
union all
select account_id,
host,
false,
true,
false,
reports,
count,
first_seen,
last_seen,
'',
'',
0,
0,
0,
0,
domain,
hosts
from floods)
select account_id, host, "isOwn", "isFresh", "isAgain", reports, count,
floor(extract(epoch
from first_seen))::bigint as first, floor(extract(epoch
from last_seen))::bigint as last, per_day, day, place, day_hosts, day_reports, flood, flood_hosts,
(select floor(extract(epoch
from min(first_seen)))::bigint
from per_day) as began
from found
where place <= 500
or of_day = 1

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = "2026-02-19T00:00:00.000Z",
-- $3 = "2026-05-20T14:30:00.000Z"
select account_id, types.type
from unnest(enum_range(null::report_type)) as types (type) cross
join lateral (
select account_id
from report
where account_id = $1
and type = types.type
and date >= $2
and date < $3
order by date
limit 1) as report

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = "2026-04-15T00:00:00.000Z",
-- $3 = "2026-05-20T14:30:00.000Z",
-- $4 = 14
with firsts as (
select distinct on (coalesce(lower(substring(subject
from '^[a-zA-Z][a-zA-Z0-9+.-]*://([^/:?#]+)')), subject)) *
from watch_finding
where account_id = $1
order by coalesce(lower(substring(subject
from '^[a-zA-Z][a-zA-Z0-9+.-]*://([^/:?#]+)')), subject), first_seen, product, site_key, subject),
found as (
select *, lag(first_seen) over (partition by product, site_key
order by first_seen, subject) as before
from firsts)
select account_id, product, site, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day,
count(*) as found, sum(count)::bigint as count,
left((array_agg(subject
order by first_seen desc, subject))[1], 500) as subject,
floor(extract(epoch
from min(first_seen)))::bigint as first, floor(extract(epoch
from max(last_seen)))::bigint as last
from watch
join found using (account_id, product, site_key)
where account_id = $1
and first_seen >= $2
and first_seen < $3
group by account_id, product, site, 4 having bool_or(first_seen > before + $4::float8 * interval '1 day')
order by first desc, site, product
limit 100

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["certificate_transparency"],
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights CERTIFICATE"],
-- $6 = "2026-02-19T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "certificate_transparency",
-- $10 = "2026-02-19T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = "2026-04-15T00:00:00.000Z",
-- $13 = 90
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights CERTIFICATE',
coalesce((issuer),
''),
coalesce((array_to_string(hosts_reversed,
' ')),
''),
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
seen as materialized (
select account_id, v1 as issuer, coalesce(string_to_array(nullif(v2, ''), ' '), '{}') as hosts, reports,
first_seen, last_seen, first_seen >= $12::timestamptz as is_new
from daily),
named as (
select seen.*, 'issuer' as of, coalesce(substring(issuer
from '(?i)(?:^|[,/+])\s*O=([^,/+]+)'), issuer) as name
from seen
union all
select seen.*, 'host', reverse(host)
from seen, unnest(hosts) as host),
fresh as (
select account_id, of, name, (array_agg(issuer
order by first_seen) filter (where is_new))[1] as issuer,
(array_agg(array_to_json(hosts[:100])
order by first_seen) filter (where is_new))[1]::text as hosts,
(array_agg(cardinality(hosts)
order by first_seen) filter (where is_new))[1] as "hostCount",
sum(reports) filter (where is_new)::bigint as reports,
floor(extract(epoch
from min(first_seen) filter (where is_new)))::bigint as first,
floor(extract(epoch
from max(last_seen)))::bigint as last
from named
where name <> ''
group by account_id, of, name
having min(first_seen) filter (where is_new) > coalesce(
max(last_seen) filter (where not is_new) + $13::float8 * interval '1 day', '-infinity'))
select *, (select floor(extract(epoch
from min(first_seen)))::bigint
from seen) as began
from (select *, row_number() over (partition by of
order by first, name collate "C") as place
from fresh) as ranked
where place <= 200

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["connection_allowlist"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights FEATURE"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "connection_allowlist",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights FEATURE',
coalesce((reverse(blocked_host_reversed)),
''),
coalesce((browser),
''),
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as feature, day, sum(reports)::bigint as reports, min(first_seen) as first_seen,
max(last_seen) as last_seen, (array_agg(v2
order by reports desc, v2 collate "C"))[1] as browser
from daily
where v1 <> ''
group by account_id, v1, day),
top as (
select feature
from days
group by feature
order by max(reports) desc, feature collate "C"
limit 100)
select account_id, feature, day - date '2026-05-01' as day, reports, browser,
floor(extract(epoch
from first_seen))::bigint as first, floor(extract(epoch
from last_seen))::bigint as last
from days
join top using (feature)
order by day

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["crash"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights FEATURE"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "crash",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights FEATURE',
coalesce((extra->>'reason'),
''),
coalesce((browser),
''),
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as feature, day, sum(reports)::bigint as reports, min(first_seen) as first_seen,
max(last_seen) as last_seen, (array_agg(v2
order by reports desc, v2 collate "C"))[1] as browser
from daily
where v1 <> ''
group by account_id, v1, day),
top as (
select feature
from days
group by feature
order by max(reports) desc, feature collate "C"
limit 100)
select account_id, feature, day - date '2026-05-01' as day, reports, browser,
floor(extract(epoch
from first_seen))::bigint as first, floor(extract(epoch
from last_seen))::bigint as last
from days
join top using (feature)
order by day

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["crash"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights PAGE"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "crash",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights PAGE',
coalesce((concat(reverse(host_reversed),
path)),
''),
coalesce((browser),
''),
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as feature, day, sum(reports)::bigint as reports, min(first_seen) as first_seen,
max(last_seen) as last_seen, (array_agg(v2
order by reports desc, v2 collate "C"))[1] as browser
from daily
where v1 <> ''
group by account_id, v1, day),
top as (
select feature
from days
group by feature
order by max(reports) desc, feature collate "C"
limit 100)
select account_id, feature, day - date '2026-05-01' as day, reports, browser,
floor(extract(epoch
from first_seen))::bigint as first, floor(extract(epoch
from last_seen))::bigint as last
from days
join top using (feature)
order by day

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-03-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR","hours DIRECTIVE","hours PAGE","hours BLOCKED_HOST"],
-- $6 = "2026-04-12T00:00:00.000Z",
-- $7 = "2026-03-15T00:00:00.000Z",
-- $8 = "2026-05-20T14:30:00.000Z",
-- $9 = "acme",
-- $10 = "csp",
-- $11 = "2026-03-15T00:00:00.000Z",
-- $12 = "2026-05-20T14:30:00.000Z"
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
group by type, begins, ends having count(*) = 4),
live as materialized (
select account_id,
grouping(k_directive,
k_page_host,
k_page_path,
k_blocked_host,
k_source_class) as grouping_set,
hour,
k_directive,
k_page_host,
k_page_path,
k_blocked_host,
k_source_class,
count(*) as reports,
sum(count::float8)::bigint as count, min(date) as first_seen, max(date) as last_seen
from (select account_id,
count,
date,
date_trunc('hour',
date at time zone 'UTC') as hour,
coalesce((directive)::text,
'') as k_directive,
coalesce((host_reversed)::text,
'') as k_page_host,
coalesce((path)::text,
'') as k_page_path,
coalesce((blocked_host_reversed)::text,
'') as k_blocked_host,
coalesce((coalesce(source_class,
'unknown'))::text,
'') as k_source_class
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
where coalesce(source_class, 'unknown') not in ('extension', 'browser', 'impossible') offset 0) as report
group by account_id,
grouping sets ((hour),
(hour,
k_directive),
(hour,
k_page_host,
k_page_path),
(hour,
k_blocked_host,
k_source_class)) having grouping(k_directive,
k_page_host,
k_page_path,
k_blocked_host,
k_source_class) = 31
and count(*) >= 1
or grouping(k_directive, k_page_host, k_page_path, k_blocked_host, k_source_class) = 15
and count(*) >= 1
or grouping(k_directive, k_page_host, k_page_path, k_blocked_host, k_source_class) = 19
and count(*) >= 5
or grouping(k_directive, k_page_host, k_page_path, k_blocked_host, k_source_class) = 28
and count(*) >= 5),
hourly as materialized (
select account_id, dimensions as way, g.v2, g.v3, g.v1 as hours, g.reports as peak, g.count,
begins >= ($6::timestamptz at time zone 'UTC') as is_looked
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
union all
select *
from (
select account_id, 'hours HOUR' as way, '' as v2, '' as v3, string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 31
group by 1, 3, 4, 8) as groups
where true
union all
select *
from (
select account_id,
'hours DIRECTIVE' as way,
k_directive as v2,
'' as v3,
string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 15
group by 1, 3, 4, 8) as groups
where true
union all
select *
from (
select account_id,
'hours PAGE' as way,
reverse(k_page_host) as v2,
k_page_path as v3,
string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 19
group by 1, 3, 4, 8) as groups
where true
union all
select *
from (
select account_id,
'hours BLOCKED_HOST' as way,
reverse(k_blocked_host) as v2,
k_source_class as v3,
string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 28
group by 1, 3, 4, 8) as groups
where v2 <> ''),
looked as (select way, v2, v3,
row_number() over (partition by way
order by max(peak) desc, v2 collate "C", v3 collate "C") as place
from hourly
where is_looked
group by way, v2, v3
having max(peak) >= 20
or way = 'hours HOUR')
select account_id, hourly.way, hourly.v2, hourly.v3, string_agg(hours, ',') as hours
from hourly
join (select way, v2, max(place) as place
from looked
group by way, v2) as top using (way, v2)
where top.place <= 100
and (hourly.way, hourly.v2, hourly.v3) in (select way, v2, v3
from looked)
group by account_id, hourly.way, hourly.v2, hourly.v3

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-04-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["PAGE_HOST SOURCE_CLASS"],
-- $6 = "2026-04-15T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "csp",
-- $10 = "2026-04-15T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = 0
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('PAGE_HOST SOURCE_CLASS',
coalesce(reverse((host_reversed)),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as reporter, day, sum(reports) as reports, max(last_seen) as last_seen
from daily
where v1 <> ''
group by 1, 2, 3),
latest as (select *, max(day) over (partition by reporter) as latest_day
from days)
select account_id, 'csp' as type, reporter, count(*) as days, sum(reports)::bigint as reports,
floor(extract(epoch
from max(last_seen)))::bigint as last
from latest
where day > latest_day - 14
group by account_id, reporter having count(*) >= 14 - $12::int
order by reports desc, reporter collate "C"
limit 1000

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["csp_integrity","integrity_policy","permissions_policy","deprecation","intervention","crash","coep","coop","tls_rpt","certificate_transparency","connection_allowlist","other"],
-- $3 = "2026-03-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR"],
-- $6 = "acme",
-- $7 = ["csp_integrity","integrity_policy","permissions_policy","deprecation","intervention","crash","coep","coop","tls_rpt","certificate_transparency","connection_allowlist","other"],
-- $8 = "2026-03-15T00:00:00.000Z",
-- $9 = "2026-05-20T14:30:00.000Z"
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
gaps as (
select type, coalesce(lag(ends) over (partition by type
order by begins), $8::timestamptz) as begins, begins as ends
from (select type, begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from whole
union all select unnest($7::text[])::report_type, $9::timestamptz, null) as known),
live as (
select account_id, type, count(*) as reports, sum(count::float8)::bigint as count, min(date) as first_seen,
max(date) as last_seen
from (select *
from gaps
where begins < ends) as gap cross
join lateral (
select account_id, date, count
from report
where account_id = $6
and type = gap.type
and date >= gap.begins
and date < gap.ends
and date >= $8
and date < $9) as report
group by account_id, type, date_trunc('hour', date at time zone 'UTC'))
select account_id, type, string_agg(hours, ',') as hours
from (select account_id, type, g.v1 as hours
from rollups,
lateral (select unnest(rollups.v1) as v1,
unnest(rollups.v2) as v2,
unnest(rollups.v3) as v3,
unnest(rollups.count) as count,
unnest(rollups.reports) as reports,
unnest(rollups.first_seen) as first_seen,
unnest(rollups.last_seen) as last_seen) as g
union all
select account_id, type, '[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']'
from live) as hourly
group by account_id, type

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["csp_integrity"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights SCRIPT"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "csp_integrity",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = "2026-04-15T00:00:00.000Z"
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights SCRIPT',
coalesce((split_part(split_part(subresource_uri,
'#',
1),
'?',
1)),
''),
coalesce((hash),
''),
coalesce((browser),
''),
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
seen as materialized (
select account_id, v1 as script, v2 as hash, sum(reports)::bigint as reports, count(distinct v3) as browsers,
min(first_seen) as first_seen, max(last_seen) as last_seen
from daily
where v1 <> ''
and v2 <> ''
group by account_id, v1, v2),
changed as (
select script
from seen
group by script
having count(*) > 1
and max(first_seen) >= $12::timestamptz
and max(first_seen) > min(first_seen)
order by min(first_seen), sum(reports) desc, script collate "C"
limit 300),
ranked as (
select seen.*, row_number() over (partition by script
order by first_seen desc, hash collate "C") as place
from seen
join changed using (script))
select account_id, script, hash, reports, browsers, floor(extract(epoch
from first_seen))::bigint as first,
floor(extract(epoch
from last_seen))::bigint as last,
(select floor(extract(epoch
from min(first_seen)))::bigint
from seen) as began
from ranked
where place <= 12
order by script, first_seen, hash collate "C"

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["deprecation"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights FEATURE"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "deprecation",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["intervention"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights FEATURE"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "intervention",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights FEATURE',
coalesce((coalesce(nullif(extra->>'featureId',
''),
message)),
''),
coalesce((browser),
''),
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as feature, day, sum(reports)::bigint as reports, min(first_seen) as first_seen,
max(last_seen) as last_seen, (array_agg(v2
order by reports desc, v2 collate "C"))[1] as browser
from daily
where v1 <> ''
group by account_id, v1, day),
top as (
select feature
from days
group by feature
order by max(reports) desc, feature collate "C"
limit 100)
select account_id, feature, day - date '2026-05-01' as day, reports, browser,
floor(extract(epoch
from first_seen))::bigint as first, floor(extract(epoch
from last_seen))::bigint as last
from days
join top using (feature)
order by day

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["dmarc"],
-- $3 = "2026-03-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR","hours SENDER"],
-- $6 = "2026-04-12T00:00:00.000Z",
-- $7 = "2026-03-15T00:00:00.000Z",
-- $8 = "2026-05-20T14:30:00.000Z",
-- $9 = "acme",
-- $10 = "dmarc",
-- $11 = "2026-03-15T00:00:00.000Z",
-- $12 = "2026-05-20T14:30:00.000Z"
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
group by type, begins, ends having count(*) = 2),
live as materialized (
select account_id,
grouping(k_sender,
k_aligned) as grouping_set,
hour,
k_sender,
k_aligned,
count(*) as reports,
sum(count::float8)::bigint as count, min(date) as first_seen, max(date) as last_seen
from (select account_id,
count,
date,
date_trunc('hour',
date at time zone 'UTC') as hour,
coalesce((sender)::text,
'') as k_sender,
coalesce((extra->>'aligned')::text,
'') as k_aligned
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
where true offset 0) as report
group by account_id,
grouping sets ((hour),
(hour,
k_sender,
k_aligned)) having grouping(k_sender,
k_aligned) = 3
and count(*) >= 1
or grouping(k_sender, k_aligned) = 0
and count(*) >= 1),
hourly as materialized (
select account_id, dimensions as way, g.v2, g.v3, g.v1 as hours, g.reports as peak, g.count,
begins >= ($6::timestamptz at time zone 'UTC') as is_looked
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
union all
select *
from (
select account_id, 'hours HOUR' as way, '' as v2, '' as v3, string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 3
group by 1, 3, 4, 8) as groups
where true
union all
select *
from (
select account_id,
'hours SENDER' as way,
k_sender as v2,
k_aligned as v3,
string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 0
group by 1, 3, 4, 8) as groups
where true),
looked as (select way, v2, v3, dense_rank() over (partition by way
order by mails desc, v2 collate "C") as place
from (select way, v2, v3, sum(sum(count)) over (partition by way, v2) as mails
from hourly
where is_looked
group by way, v2, v3) as sums
where mails >= 20
or way = 'hours HOUR')
select account_id, hourly.way, hourly.v2, hourly.v3, string_agg(hours, ',') as hours
from hourly
join (select way, v2, max(place) as place
from looked
group by way, v2) as top using (way, v2)
where top.place <= 100
and (hourly.way, hourly.v2, hourly.v3) in (select way, v2, v3
from looked)
group by account_id, hourly.way, hourly.v2, hourly.v3

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["dmarc"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["REPORTER"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "dmarc",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = 1
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('REPORTER',
coalesce((extra->>'reporter'),
''),
'',
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as reporter, day, sum(reports) as reports, max(last_seen) as last_seen
from daily
where v1 <> ''
group by 1, 2, 3),
latest as (select *, max(day) over (partition by reporter) as latest_day
from days)
select account_id, 'dmarc' as type, reporter, count(*) as days, sum(reports)::bigint as reports,
floor(extract(epoch
from max(last_seen)))::bigint as last
from latest
where day > latest_day - 14
group by account_id, reporter having count(*) >= 14 - $12::int
order by reports desc, reporter collate "C"
limit 1000

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["dmarc"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights AUTHENTICATION"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "dmarc",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights AUTHENTICATION',
coalesce((sender),
''),
coalesce((concat(extra->>'dkim',
' ',
extra->>'spf')),
''),
coalesce((case when extra->>'dkim' <> 'pass'
and extra->>'spf' = 'pass'
then concat_ws(' ', extra #>> '{dkimResults,0,selector}', extra #>> '{dkimResults,0,result}')
when extra->>'dkim' = 'pass'
and extra->>'spf' <> 'pass'
then concat_ws(' ',
extra #>> '{spfResults,0,domain}',
extra #>> '{spfResults,0,result}') end),
''),
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
top as (
select v1
from daily
where v1 <> ''
group by v1
order by sum(count) desc, v1 collate "C"
limit 100)
select account_id,
v1 as sender,
to_char(day,
'YYYY-MM-DD') as day,
sum(count)::bigint as messages,
sum(reports)::bigint as rows,
coalesce(sum(count) filter (where v2 like 'pass %'),
0)::bigint as dkim,
coalesce(sum(count) filter (where v2 like '% pass'),
0)::bigint as spf,
coalesce(sum(count) filter (where v2 like '% pass'
and v2 not like 'pass %'), 0)::bigint as "dkimFails", coalesce(sum(count) filter (where v2 like 'pass %'
and v2 not like '% pass'), 0)::bigint as "spfFails",
coalesce(sum(reports) filter (where v2 like '% pass'
and v2 not like 'pass %'), 0)::bigint as "dkimReports", coalesce(sum(reports) filter (where v2 like 'pass %'
and v2 not like '% pass'), 0)::bigint as "spfReports",
coalesce((array_agg(v3
order by count desc, v3 collate "C") filter (where v2 like '% pass'
and v2 not like 'pass %'))[1], '') as "dkimFailed", coalesce((array_agg(v3
order by count desc, v3 collate "C") filter (where v2 like 'pass %'
and v2 not like '% pass'))[1], '') as "spfFailed",
floor(extract(epoch
from coalesce(min(first_seen) filter (where v2 like '% pass'
and v2 not like 'pass %'
or v2 like 'pass %'
and v2 not like '% pass'), min(first_seen))))::bigint as first,
floor(extract(epoch
from max(last_seen)))::bigint as last
from daily
join top using (v1)
group by account_id, v1, day
order by day

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["nel"],
-- $3 = "2026-03-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR","hours ERROR"],
-- $6 = "2026-04-12T00:00:00.000Z",
-- $7 = "2026-03-15T00:00:00.000Z",
-- $8 = "2026-05-20T14:30:00.000Z",
-- $9 = "acme",
-- $10 = "nel",
-- $11 = "2026-03-15T00:00:00.000Z",
-- $12 = "2026-05-20T14:30:00.000Z"
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
group by type, begins, ends having count(*) = 2),
live as materialized (
select account_id,
grouping(k_page_host,
k_nel_type) as grouping_set,
hour,
k_page_host,
k_nel_type,
count(*) as reports,
sum(count::float8)::bigint as count, min(date) as first_seen, max(date) as last_seen
from (select account_id,
count,
date,
date_trunc('hour',
date at time zone 'UTC') as hour,
coalesce((host_reversed)::text,
'') as k_page_host,
coalesce((nel_type)::text,
'') as k_nel_type
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
where true offset 0) as report
group by account_id,
grouping sets ((hour),
(hour,
k_page_host,
k_nel_type)) having grouping(k_page_host,
k_nel_type) = 3
and count(*) >= 1
or grouping(k_page_host, k_nel_type) = 0
and count(*) >= 5),
hourly as materialized (
select account_id, dimensions as way, g.v2, g.v3, g.v1 as hours, g.reports as peak, g.count,
begins >= ($6::timestamptz at time zone 'UTC') as is_looked
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
union all
select *
from (
select account_id, 'hours HOUR' as way, '' as v2, '' as v3, string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 3
group by 1, 3, 4, 8) as groups
where true
union all
select *
from (
select account_id,
'hours ERROR' as way,
reverse(k_page_host) as v2,
k_nel_type as v3,
string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ',') as hours,
max(reports) as peak, sum(count)::bigint as count, hour >= ($6::timestamptz at time zone 'UTC') as is_looked
from live
where grouping_set = 0
group by 1, 3, 4, 8) as groups
where v3 not in ('ok', '')),
looked as (select way, v2, v3,
row_number() over (partition by way
order by max(peak) desc, v2 collate "C", v3 collate "C") as place
from hourly
where is_looked
group by way, v2, v3
having max(peak) >= 20
or way = 'hours HOUR')
select account_id, hourly.way, hourly.v2, hourly.v3, string_agg(hours, ',') as hours
from hourly
join (select way, v2, max(place) as place
from looked
group by way, v2) as top using (way, v2)
where top.place <= 100
and (hourly.way, hourly.v2, hourly.v3) in (select way, v2, v3
from looked)
group by account_id, hourly.way, hourly.v2, hourly.v3

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["permissions_policy"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights FEATURE"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "permissions_policy",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights FEATURE',
coalesce((property),
''),
coalesce((browser),
''),
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as feature, day, sum(reports)::bigint as reports, min(first_seen) as first_seen,
max(last_seen) as last_seen, (array_agg(v2
order by reports desc, v2 collate "C"))[1] as browser
from daily
where v1 <> ''
group by account_id, v1, day),
top as (
select feature
from days
group by feature
order by max(reports) desc, feature collate "C"
limit 100)
select account_id, feature, day - date '2026-05-01' as day, reports, browser,
floor(extract(epoch
from first_seen))::bigint as first, floor(extract(epoch
from last_seen))::bigint as last
from days
join top using (feature)
order by day

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["tls_rpt"],
-- $3 = "2026-03-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights TLS FAILURES","insights TLS SESSIONS"],
-- $6 = "2026-03-15T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "tls_rpt",
-- $10 = "2026-03-15T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
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
group by type, begins, ends having count(*) = 2),
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights TLS FAILURES',
coalesce((concat(extra->>'domain',
' ',
extra->>'reporter')),
''),
coalesce((concat(coalesce((extra->>'failedSessions')::bigint,
0) > 0,
' ',
extra #>> '{failureDetails,0,resultType}')),
''),
coalesce((extra #>> '{failureDetails,0,receivingMxHostname}'),
''),
true,
1,
coalesce((extra->>'failedSessions')::bigint,
0)),
('insights TLS SESSIONS',
coalesce((extra->>'domain'),
''),
'',
'',
true,
1,
(coalesce((extra->>'failedSessions')::bigint,
0) + coalesce((extra->>'successfulSessions')::bigint,
0)))) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
failure as (
select domain, day, value as failure
from (
select split_part(v1, ' ', 1) as domain, day, substr(v2, strpos(v2, ' ') + 1) as value,
row_number() over (partition by split_part(v1, ' ', 1), day
order by sum(reports) desc, substr(v2, strpos(v2, ' ') + 1) collate "C") as place
from daily
where way = 'insights TLS FAILURES'
and substr(v2, strpos(v2, ' ') + 1) <> ''
and count > 0
group by 1, 2, 3) as ranked
where place = 1),
exchanger as (
select domain, day, value as exchanger
from (
select split_part(v1, ' ', 1) as domain, day, v3 as value,
row_number() over (partition by split_part(v1, ' ', 1), day
order by sum(reports) desc, v3 collate "C") as place
from daily
where way = 'insights TLS FAILURES'
and v3 <> ''
and count > 0
group by 1, 2, 3) as ranked
where place = 1),
reporter as (
select domain, day, value as reporter
from (
select split_part(v1, ' ', 1) as domain, day, substr(v1, strpos(v1, ' ') + 1) as value,
row_number() over (partition by split_part(v1, ' ', 1), day
order by sum(reports) desc, substr(v1, strpos(v1, ' ') + 1) collate "C") as place
from daily
where way = 'insights TLS FAILURES'
and substr(v1, strpos(v1, ' ') + 1) <> ''
and count > 0
group by 1, 2, 3) as ranked
where place = 1),
sessions as (select v1 as domain, day, sum(count)::bigint as sessions
from daily
where way = 'insights TLS SESSIONS'
group by 1, 2),
failed as (
select account_id, split_part(v1, ' ', 1) as domain, day, sum(count)::bigint as failed,
coalesce(sum(reports) filter (where v2 like 't%'), 0)::bigint as failed_reports,
coalesce(min(first_seen) filter (where v2 like 't%'),
min(first_seen)) as first_seen,
max(last_seen) as last_seen
from daily
where way = 'insights TLS FAILURES'
group by 1, 2, 3),
ranked as (
select domain
from sessions
group by domain
order by sum(sessions) desc, domain collate "C"
limit 100)
select account_id, domain, to_char(day, 'YYYY-MM-DD') as day, failed, sessions,
failed_reports as "failedReports", coalesce(failure, '') as failure,
coalesce(exchanger, '') as exchanger, coalesce(reporter, '') as reporter, floor(extract(epoch
from first_seen))::bigint as first,
floor(extract(epoch
from last_seen))::bigint as last
from failed
join sessions using (domain, day)
join ranked using (domain)
left
join failure using (domain, day)
left
join exchanger using (domain, day)
left
join reporter using (domain, day)
order by day

-- Account.insightCoverage,
-- Account.insights: $1 = "acme",
-- $2 = ["tls_rpt"],
-- $3 = "2026-03-18T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["insights REPORTER"],
-- $6 = "2026-03-18T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "tls_rpt",
-- $10 = "2026-03-18T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = 1
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
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
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
union all
select account_id,
s.way,
(date at time zone 'UTC')::date,
s.v1,
s.v2,
s.v3,
count(*),
sum(s.weight)::bigint,
min(date),
max(date)
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
and date < gap.ends offset 0) as report cross
join lateral (values ('insights REPORTER',
coalesce((extra->>'reporter'),
''),
'',
'',
true,
1,
count)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by 1, 2, 3, 4, 5, 6),
days as (
select account_id, v1 as reporter, day, sum(reports) as reports, max(last_seen) as last_seen
from daily
where v1 <> ''
group by 1, 2, 3),
latest as (select *, max(day) over (partition by reporter) as latest_day
from days)
select account_id, 'tls_rpt' as type, reporter, count(*) as days, sum(reports)::bigint as reports,
floor(extract(epoch
from max(last_seen)))::bigint as last
from latest
where day > latest_day - 14
group by account_id, reporter having count(*) >= 14 - $12::int
order by reports desc, reporter collate "C"
limit 1000
