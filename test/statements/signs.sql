-- Account.signs: $1 = "2026-05-13T00:00:00.000Z",
-- $2 = 28,
-- $3 = "acme",
-- $4 = ["csp"],
-- $5 = "2026-04-15T00:00:00.000Z",
-- $6 = "2026-05-20T14:30:00.000Z",
-- $7 = ["BLOCKED_HOST SOURCE_CLASS THREAT"],
-- $8 = "2026-04-15T00:00:00.000Z",
-- $9 = "2026-05-20T14:30:00.000Z",
-- $10 = "acme",
-- $11 = "csp",
-- $12 = "2026-04-15T00:00:00.000Z",
-- $13 = "2026-05-20T14:30:00.000Z"
with kept as materialized (
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
where account_id = $3
and type = any($4::text[]::report_type[])
and day >= ($5::timestamptz at time zone 'UTC')::date
and day <= ($6::timestamptz at time zone 'UTC')) as rows
where set = any($7::text[])
and begins >= ($5::timestamptz at time zone 'UTC')
and ends <= ($6::timestamptz at time zone 'UTC')),
whole as materialized (
select type, begins, ends
from kept
group by type, begins, ends having count(*) = 1),
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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
select coalesce(lag(ends) over (order by begins), $8::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from whole
union all select $9::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $10
and type = $11
and date >= $12
and date < $13
and date >= stretch.begins
and date < stretch.ends) as report cross
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
hosts as (
select account_id, v1 as host, coalesce(bool_or(v2 in ('sameOrigin', 'sameSite')), false) as "isOwn",
max(last_seen) filter (where last_seen < $1::timestamptz) as before,
min(first_seen) filter (where first_seen >= $1::timestamptz) as first_seen, max(last_seen) as last_seen,
coalesce(sum(reports) filter (where first_seen >= $1::timestamptz), 0)::bigint as reports,
coalesce(sum(count) filter (where first_seen >= $1::timestamptz), 0)::bigint as count,
coalesce(sum(reports) filter (where v3 = 'true'), 0) * 2 > sum(reports) as is_threat
from daily
where v1 <> ''
and v2 not in ('extension', 'browser', 'impossible')
group by account_id, v1),
fresh as (
select *, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day
from hosts
where first_seen > coalesce(before + $2::float8 * interval '1 day', '-infinity')),
ranked as (
select *, row_number() over (order by is_threat desc, reports desc, host collate "C") as place,
row_number() over (partition by day
order by is_threat desc, reports desc, host collate "C") as of_day,
count(*) over (partition by day) as day_hosts, sum(reports) over (partition by day)::bigint as day_reports
from fresh)
select account_id, host, "isOwn", reports, count, extract(epoch
from first_seen)::bigint as first,
extract(epoch
from last_seen)::bigint as last, day, place, day_hosts, day_reports,
(select extract(epoch
from min(first_seen))
from daily)::bigint as began
from ranked
where place <= 500
or of_day = 1

-- Account.signs: $1 = "acme",
-- $2 = ["certificate_transparency"],
-- $3 = "2026-02-19T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["signs CERTIFICATE"],
-- $6 = "2026-02-19T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "certificate_transparency",
-- $10 = "2026-02-19T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = "2026-05-13T00:00:00.000Z",
-- $13 = 90
with kept as materialized (
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
from kept
group by type, begins, ends having count(*) = 1),
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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
union all select $7::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $8
and type = $9
and date >= $10
and date < $11
and date >= stretch.begins
and date < stretch.ends) as report cross
join lateral (values ('signs CERTIFICATE',
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
select seen.*, 'issuer' as of, issuer as name
from seen
union all
select seen.*, 'host', reverse(host)
from seen, unnest(hosts) as host),
fresh as (
select account_id, of, name, (array_agg(issuer
order by first_seen) filter (where is_new))[1] as issuer,
(array_agg(array_to_json(hosts)
order by first_seen) filter (where is_new))[1]::text as hosts,
sum(reports) filter (where is_new)::bigint as reports,
extract(epoch
from min(first_seen) filter (where is_new))::bigint as first,
extract(epoch
from max(last_seen))::bigint as last
from named
where name <> ''
group by account_id, of, name
having min(first_seen) filter (where is_new) > coalesce(
max(last_seen) filter (where not is_new) + $13::float8 * interval '1 day', '-infinity'))
select *, (select extract(epoch
from min(first_seen))
from seen)::bigint as began
from (select *, row_number() over (partition by of
order by first, name collate "C") as place
from fresh) as ranked
where place <= 200

-- Account.signs: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-04-12T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR","hours DIRECTIVE","hours PAGE","hours BLOCKED_HOST"],
-- $6 = "2026-05-10T00:00:00.000Z",
-- $7 = "2026-04-12T00:00:00.000Z",
-- $8 = "2026-05-20T14:30:00.000Z",
-- $9 = "acme",
-- $10 = "csp",
-- $11 = "2026-04-12T00:00:00.000Z",
-- $12 = "2026-05-20T14:30:00.000Z"
with kept as materialized (
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
from kept
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
union all select $8::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $9
and type = $10
and date >= $11
and date < $12
and date >= stretch.begins
and date < stretch.ends) as report
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
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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

-- Account.signs: $1 = "acme",
-- $2 = ["csp_integrity","integrity_policy","permissions_policy","deprecation","intervention","crash","coep","coop","tls_rpt","certificate_transparency"],
-- $3 = "2026-04-12T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR"],
-- $6 = "acme",
-- $7 = ["csp_integrity","integrity_policy","permissions_policy","deprecation","intervention","crash","coep","coop","tls_rpt","certificate_transparency"],
-- $8 = "2026-04-12T00:00:00.000Z",
-- $9 = "2026-05-20T14:30:00.000Z"
with kept as materialized (
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
from kept
group by type, begins, ends having count(*) = 1),
stretches as (
select type, coalesce(lag(ends) over (partition by type
order by begins), $8::timestamptz) as begins, begins as ends
from (select type, begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from whole
union all select unnest($7::text[])::report_type, $9::timestamptz, null) as known),
live as (
select account_id, type, count(*) as reports, sum(count::float8)::bigint as count, min(date) as first_seen,
max(date) as last_seen
from (select *
from stretches
where begins < ends) as stretch cross
join lateral (
select account_id, date, count
from report
where account_id = $6
and type = stretch.type
and date >= stretch.begins
and date < stretch.ends
and date >= $8
and date < $9) as report
group by account_id, type, date_trunc('hour', date at time zone 'UTC'))
select account_id, type, string_agg(hours, ',') as hours
from (select account_id, type, g.v1 as hours
from kept, unnest(kept.v1, kept.v2, kept.v3, kept.count, kept.reports, kept.first_seen, kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
union all
select account_id, type, '[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']'
from live) as hourly
group by account_id, type

-- Account.signs: $1 = "acme",
-- $2 = ["dmarc"],
-- $3 = "2026-04-12T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR","hours SENDER"],
-- $6 = "2026-05-10T00:00:00.000Z",
-- $7 = "2026-04-12T00:00:00.000Z",
-- $8 = "2026-05-20T14:30:00.000Z",
-- $9 = "acme",
-- $10 = "dmarc",
-- $11 = "2026-04-12T00:00:00.000Z",
-- $12 = "2026-05-20T14:30:00.000Z"
with kept as materialized (
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
from kept
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
union all select $8::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $9
and type = $10
and date >= $11
and date < $12
and date >= stretch.begins
and date < stretch.ends) as report
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
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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

-- Account.signs: $1 = "acme",
-- $2 = ["dmarc"],
-- $3 = "2026-04-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["REPORTER"],
-- $6 = "2026-04-15T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "dmarc",
-- $10 = "2026-04-15T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = 1
with kept as materialized (
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
from kept
group by type, begins, ends having count(*) = 1),
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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
union all select $7::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $8
and type = $9
and date >= $10
and date < $11
and date >= stretch.begins
and date < stretch.ends) as report cross
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
extract(epoch
from max(last_seen))::bigint as last
from latest
where day > latest_day - 14
group by account_id, reporter having count(*) >= 14 - $12::int
order by reports desc, reporter collate "C"
limit 1000

-- Account.signs: $1 = "acme",
-- $2 = ["nel"],
-- $3 = "2026-04-12T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["hours HOUR","hours ERROR"],
-- $6 = "2026-05-10T00:00:00.000Z",
-- $7 = "2026-04-12T00:00:00.000Z",
-- $8 = "2026-05-20T14:30:00.000Z",
-- $9 = "acme",
-- $10 = "nel",
-- $11 = "2026-04-12T00:00:00.000Z",
-- $12 = "2026-05-20T14:30:00.000Z"
with kept as materialized (
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
from kept
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
union all select $8::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $9
and type = $10
and date >= $11
and date < $12
and date >= stretch.begins
and date < stretch.ends) as report
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
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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

-- Account.signs: $1 = "acme",
-- $2 = ["tls_rpt"],
-- $3 = "2026-04-12T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["signs TLS","signs TLS SESSIONS"],
-- $6 = "2026-04-12T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "tls_rpt",
-- $10 = "2026-04-12T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z"
with kept as materialized (
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
from kept
group by type, begins, ends having count(*) = 2),
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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
union all select $7::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $8
and type = $9
and date >= $10
and date < $11
and date >= stretch.begins
and date < stretch.ends) as report cross
join lateral (values ('signs TLS',
coalesce((extra->>'domain'),
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
('signs TLS SESSIONS',
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
select v1 as domain, day, substr(v2, strpos(v2, ' ') + 1) as value,
row_number() over (partition by v1, day
order by sum(reports) desc, substr(v2, strpos(v2, ' ') + 1) collate "C") as place
from daily
where way = 'signs TLS'
and substr(v2, strpos(v2, ' ') + 1) <> ''
group by 1, 2, 3) as ranked
where place = 1),
exchanger as (
select domain, day, value as exchanger
from (
select v1 as domain, day, v3 as value,
row_number() over (partition by v1, day
order by sum(reports) desc, v3 collate "C") as place
from daily
where way = 'signs TLS'
and v3 <> ''
group by 1, 2, 3) as ranked
where place = 1),
sessions as (select v1 as domain, day, sum(count)::bigint as sessions
from daily
where way = 'signs TLS SESSIONS'
group by 1, 2),
failed as (
select account_id, v1 as domain, day, sum(count)::bigint as failed,
coalesce(min(first_seen) filter (where v2 like 't%'),
min(first_seen)) as first_seen,
max(last_seen) as last_seen
from daily
where way = 'signs TLS'
group by 1, 2, 3),
ranked as (
select domain
from sessions
group by domain
order by sum(sessions) desc, domain collate "C"
limit 100)
select account_id,
domain,
to_char(day,
'YYYY-MM-DD') as day,
failed,
sessions,
coalesce(failure,
'') as failure,
coalesce(exchanger, '') as exchanger, extract(epoch
from first_seen)::bigint as first,
extract(epoch
from last_seen)::bigint as last
from failed
join sessions using (domain, day)
join ranked using (domain)
left
join failure using (domain, day)
left
join exchanger using (domain, day)
order by day

-- Account.signs: $1 = "acme",
-- $2 = ["tls_rpt"],
-- $3 = "2026-04-15T00:00:00.000Z",
-- $4 = "2026-05-20T14:30:00.000Z",
-- $5 = ["signs REPORTER"],
-- $6 = "2026-04-15T00:00:00.000Z",
-- $7 = "2026-05-20T14:30:00.000Z",
-- $8 = "acme",
-- $9 = "tls_rpt",
-- $10 = "2026-04-15T00:00:00.000Z",
-- $11 = "2026-05-20T14:30:00.000Z",
-- $12 = 1
with kept as materialized (
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
from kept
group by type, begins, ends having count(*) = 1),
daily as (
select account_id, dimensions as way, day, g.v1, g.v2, g.v3, g.reports, g.count, g.first_seen, g.last_seen
from kept
join whole using (begins,
ends),
unnest(kept.v1,
kept.v2,
kept.v3,
kept.count,
kept.reports,
kept.first_seen,
kept.last_seen)
as g (v1, v2, v3, count, reports, first_seen, last_seen)
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
union all select $7::timestamptz, null) as known) as stretches
where begins < ends) as stretch
cross
join lateral (select *
from report
where account_id = $8
and type = $9
and date >= $10
and date < $11
and date >= stretch.begins
and date < stretch.ends) as report cross
join lateral (values ('signs REPORTER',
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
extract(epoch
from max(last_seen))::bigint as last
from latest
where day > latest_day - 14
group by account_id, reporter having count(*) >= 14 - $12::int
order by reports desc, reporter collate "C"
limit 1000

-- Account.signs: $1 = "acme", $2 = "2026-05-13T00:00:00.000Z", $3 = "2026-05-20T14:30:00.000Z", $4 = 14
with found as (
select *, lag(first_seen) over (partition by product, site_key
order by first_seen, subject) as before
from watch_finding
where account_id = $1)
select account_id, product, site, to_char(first_seen at time zone 'UTC', 'YYYY-MM-DD') as day,
count(*) as findings, sum(count)::bigint as count,
left((array_agg(subject
order by first_seen desc, subject))[1], 500) as subject,
extract(epoch
from min(first_seen))::bigint as first, extract(epoch
from max(last_seen))::bigint as last
from watch
join found using (account_id, product, site_key)
where account_id = $1
and first_seen >= $2
and first_seen < $3
group by account_id, product, site, 4 having bool_or(first_seen > before + $4::float8 * interval '1 day')
order by first desc, site, product
limit 100
