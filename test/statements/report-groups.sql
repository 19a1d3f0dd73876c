-- Account.connectionAllowlistSuggestion: $1 = "acme",
-- $2 = ["connection_allowlist"],
-- $3 = "2026-05-01T00:00:00.000Z",
-- $4 = "2026-05-23T00:00:00.000Z",
-- $5 = ["details of reports"],
-- $6 = "\"moc.elpmaxe.www\"",
-- $7 = "moc.elpmaxe.www",
-- $8 = "2026-05-01T00:00:00.000Z",
-- $9 = "2026-05-23T00:00:00.000Z",
-- $10 = "acme",
-- $11 = "connection_allowlist",
-- $12 = "2026-05-01T00:00:00.000Z",
-- $13 = "2026-05-23T00:00:00.000Z",
-- $14 = "2026-05-01"
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
single_groups as materialized (
select account_id,
grouping(k0,
k1,
k2) as grouping_set,
k0,
k1,
k2,
sum(count::float8)::bigint as count,
sum(reports)::bigint as reports,
min(first_seen) as first_seen,
max(last_seen) as last_seen,
bit_or(1::bigint << (day - $14::date)) as d0
from (select account_id,
count,
reports,
first_seen,
last_seen,
day as day,
split_part(split_part(uri,
'#',
1),
'?',
1) as k0,
blocked_uri as k1,
browser as k2
from (
select account_id,
(date at time zone 'UTC')::date as day,
count,
1 as reports,
date as first_seen,
date as last_seen,
host_reversed,
uri,
blocked_uri,
browser
from (select *
from (
select coalesce(lag(ends) over (order by begins), $8::timestamptz) as begins, begins as ends
from (select begins at time zone 'UTC' as begins, ends at time zone 'UTC' as ends
from whole
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
and (host_reversed = $7) offset 0) as report
union all
select account_id, day, count, reports, first_seen, last_seen, host_reversed, uri, blocked_uri, browser
from (select account_id,
day,
g.v1,
g.count,
g.reports,
g.first_seen,
g.last_seen,
host_reversed,
uri,
blocked_uri,
browser
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
jsonb_to_record(g.v1::jsonb) as record (host_reversed text collate "C",
uri text,
blocked_uri text,
browser text)) as report
where position($6 in v1) > 0
and (host_reversed = $7)) as report offset 0) as report
group by account_id, grouping sets ((k1, k0), (k1, k2)))
select parts.*, (select version
from account
where id = $1) as version
from ((select *
from (
select account_id, 0 as grouping, v1, v2, v3, count, reports, first_seen, last_seen,
(bit_count(d0::bit(64)))::int as days, concat_ws(',', d0) as day_bits,
count(*) over () as groups,
(sum(count) over ())::bigint as total_count,
(sum(reports) over ())::bigint as total_reports
from (select account_id,
v1 as v1,
v2 as v2,
null::text as v3,
sum(count)::bigint as count,
sum(reports)::bigint as reports,
min(first_seen) as first_seen, max(last_seen) as last_seen,
bit_or(d0) as d0
from (select account_id, coalesce(k0, '') as v1, coalesce(coalesce(substring(k1
from '^[^:/?#]+://[^/?#]*'),
split_part(k1,
':',
1)),
'') as v2,
null::text as v3,
count,
reports,
first_seen,
last_seen,
d0
from single_groups as counted
where grouping_set = 1) as pieces
group by v1, v2, account_id) as shown) as own
order by count desc, v1 collate "C", v2 collate "C"
limit 20000)
union all
(select *
from (
select account_id, 1 as grouping, v1, v2, v3, count, reports, first_seen, last_seen,
(bit_count(d0::bit(64)))::int as days, concat_ws(',', d0) as day_bits,
count(*) over () as groups,
(sum(count) over ())::bigint as total_count,
(sum(reports) over ())::bigint as total_reports
from (select account_id,
v1 as v1,
v2 as v2,
null::text as v3,
sum(count)::bigint as count,
sum(reports)::bigint as reports,
min(first_seen) as first_seen, max(last_seen) as last_seen,
bit_or(d0) as d0
from (select account_id, coalesce(coalesce(substring(k1
from '^[^:/?#]+://[^/?#]*'),
split_part(k1,
':',
1)),
'') as v1,
coalesce(k2,
'') as v2,
null::text as v3,
count,
reports,
first_seen,
last_seen,
d0
from single_groups as counted
where grouping_set = 4) as pieces
group by v1, v2, account_id) as shown) as own
order by count desc, v1 collate "C", v2 collate "C"
limit 5000)) as parts

-- Account.policyReplay,
-- Account.policySuggestion: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-05-01T00:00:00.000Z",
-- $4 = "2026-05-23T00:00:00.000Z",
-- $5 = ["PAGE VIOLATION BLOCKED_URI"],
-- $6 = "2026-05-01",
-- $7 = "2026-05-01T00:00:00.000Z",
-- $8 = "2026-05-23T00:00:00.000Z",
-- $9 = "acme",
-- $10 = "csp",
-- $11 = "2026-05-01T00:00:00.000Z",
-- $12 = "2026-05-23T00:00:00.000Z",
-- $13 = "moc.elpmaxe.www",
-- $14 = "PAGE VIOLATION BLOCKED_URI",
-- $15 = "moc.elpmaxe.www"
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
single_groups as materialized (
select account_id,
grouping(k0,
k1,
k2) as grouping_set,
k0,
k1,
k2,
sum(count::float8)::bigint as count,
count(*) as reports,
min(date) as first_seen,
max(date) as last_seen,
bit_or(1::bigint << (day - $6::date)) as d0
from (select account_id,
count,
date,
(date at time zone 'UTC')::date as day,
split_part(split_part(uri,
'#',
1),
'?',
1) as k0,
concat_ws(' ',
coalesce(host_reversed,
''),
coalesce(source_class,
'unknown'),
coalesce(directive,
'')) as k1,
blocked_uri as k2
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
and date < gap.ends
and (host_reversed = $13) offset 0) as report ) as report
group by account_id, grouping sets ((k2, k0, k1)))
select parts.*, (select version
from account
where id = $1) as version
from ((select *
from (
select account_id, 0 as grouping, v1, v2, v3, count, reports, first_seen, last_seen,
(bit_count(d0::bit(64)))::int as days, concat_ws(',', d0) as day_bits,
count(*) over () as groups,
(sum(count) over ())::bigint as total_count,
(sum(reports) over ())::bigint as total_reports
from (select account_id,
v1 as v1,
v2 as v2,
v3 as v3,
sum(count)::bigint as count,
sum(reports)::bigint as reports,
min(first_seen) as first_seen, max(last_seen) as last_seen,
bit_or(d0) as d0
from (select account_id,
coalesce(k0,
'') as v1,
coalesce(k1,
'') as v2,
coalesce(split_part(split_part(k2,
'#',
1),
'?',
1),
'') as v3,
count,
reports,
first_seen,
last_seen,
d0
from single_groups as counted
where grouping_set = 0
union all select account_id,
g.v1 as v1,
g.v2 as v2,
g.v3 as v3,
g.count,
g.reports,
g.first_seen,
g.last_seen,
1::bigint << (day - $6::date) as d0
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
where dimensions = $14
and ((nullif(split_part(g.v2, ' ', 1), '') collate "C") = $15)) as pieces
group by v1, v2, v3, account_id) as shown) as own
order by count desc, v1 collate "C", v2 collate "C", v3 collate "C"
limit 20000)) as parts

-- Account.reportGroups: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-05-01T00:00:00.000Z",
-- $4 = "2026-06-01T00:00:00.000Z",
-- $5 = ["details of hosts"],
-- $6 = "2026-05-01T00:00:00.000Z",
-- $7 = "2026-06-01T00:00:00.000Z",
-- $8 = "acme",
-- $9 = "csp",
-- $10 = "2026-05-01T00:00:00.000Z",
-- $11 = "2026-06-01T00:00:00.000Z",
-- $12 = "2026-05-01"
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
single_groups as materialized (
select account_id,
grouping(k0,
k1) as grouping_set,
k0,
k1,
sum(count::float8)::bigint as count,
sum(reports)::bigint as reports,
min(first_seen) as first_seen,
max(last_seen) as last_seen,
bit_or(1::bigint << (day - $12::date)) as d0
from (select account_id,
count,
reports,
first_seen,
last_seen,
day as day,
blocked_host_reversed as k0,
directive as k1
from (
select account_id,
(date at time zone 'UTC')::date as day,
count,
1 as reports,
date as first_seen,
date as last_seen,
blocked_host_reversed,
directive
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
union all
select account_id, day, count, reports, first_seen, last_seen, blocked_host_reversed, directive
from (select account_id,
day,
g.v1,
g.count,
g.reports,
g.first_seen,
g.last_seen,
blocked_host_reversed,
directive
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
jsonb_to_record(g.v1::jsonb) as record (blocked_host_reversed text collate "C",
directive text)) as report
) as report ) as report
group by account_id, grouping sets ((k0, k1)))
select parts.*, (select version
from account
where id = $1) as version
from ((select *
from (
select account_id, 0 as grouping, v1, v2, v3, count, reports, first_seen, last_seen,
(bit_count(d0::bit(64)))::int as days,
count(*) over () as groups,
(sum(count) over ())::bigint as total_count,
(sum(reports) over ())::bigint as total_reports
from (select account_id,
coalesce(reverse(k0),
'') as v1,
coalesce(k1,
'') as v2,
null::text as v3,
count,
reports,
first_seen,
last_seen,
d0
from single_groups as counted
where grouping_set = 0) as shown) as own
order by count desc, v1 collate "C", v2 collate "C"
limit 2)) as parts

-- Account.reportGroups: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-05-01T00:00:00.000Z",
-- $4 = "2026-06-01T00:00:00.000Z",
-- $5 = ["details of hosts"],
-- $6 = "2026-05-01T00:00:00.000Z",
-- $7 = "2026-06-01T00:00:00.000Z",
-- $8 = "acme",
-- $9 = "csp",
-- $10 = "2026-05-01T00:00:00.000Z",
-- $11 = "2026-06-01T00:00:00.000Z",
-- $12 = "2026-05-01",
-- $13 = [""],
-- $14 = [""]
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
single_groups as materialized (
select account_id,
grouping(k0,
k1,
day) as grouping_set,
k0,
k1,
day,
sum(count::float8)::bigint as count,
sum(reports)::bigint as reports,
min(first_seen) as first_seen,
max(last_seen) as last_seen,
bit_or(1::bigint << (day - $12::date)) as d0
from (select account_id,
count,
reports,
first_seen,
last_seen,
day as day,
blocked_host_reversed as k0,
directive as k1
from (
select account_id,
(date at time zone 'UTC')::date as day,
count,
1 as reports,
date as first_seen,
date as last_seen,
blocked_host_reversed,
directive
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
union all
select account_id, day, count, reports, first_seen, last_seen, blocked_host_reversed, directive
from (select account_id,
day,
g.v1,
g.count,
g.reports,
g.first_seen,
g.last_seen,
blocked_host_reversed,
directive
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
jsonb_to_record(g.v1::jsonb) as record (blocked_host_reversed text collate "C",
directive text)) as report
) as report ) as report
group by account_id, grouping sets ((k0, day, k1)))
select parts.*, (select version
from account
where id = $1) as version
from ((select *
from (
select account_id, 0 as grouping, v1, v2, v3, count, reports, first_seen, last_seen,
(bit_count(d0::bit(64)))::int as days,
count(*) over () as groups,
(sum(count) over ())::bigint as total_count,
(sum(reports) over ())::bigint as total_reports
from (select account_id,
coalesce(reverse(k0),
'') as v1,
coalesce(k1,
'') as v2,
coalesce(to_char(day,
'YYYY-MM-DD'),
'') as v3,
count,
reports,
first_seen,
last_seen,
d0
from single_groups as counted
where grouping_set = 0) as shown
where v1 = any($13::text[])
and v2 = any($14::text[])
and (v1, v2) in (select *
from unnest($13::text[], $14::text[]))) as own
order by v1 collate "C", v2 collate "C", v3 collate "C"
limit 20)) as parts

-- Account.reportGroups: $1 = "acme",
-- $2 = ["csp"],
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = ["BLOCKED_HOST SOURCE_CLASS THREAT"],
-- $6 = "2026-05-20",
-- $7 = "2026-05-20T00:00:00.000Z",
-- $8 = "2026-05-21T00:00:00.000Z",
-- $9 = "acme",
-- $10 = "csp",
-- $11 = "2026-05-20T00:00:00.000Z",
-- $12 = "2026-05-21T00:00:00.000Z",
-- $13 = "BLOCKED_HOST SOURCE_CLASS THREAT"
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
single_groups as materialized (
select account_id,
grouping(k0,
day) as grouping_set,
k0,
day,
sum(count::float8)::bigint as count,
count(*) as reports,
min(date) as first_seen,
max(date) as last_seen,
bit_or(1::bigint << (day - $6::date)) as d0
from (select account_id, count, date, (date at time zone 'UTC')::date as day, blocked_host_reversed as k0
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
and date < gap.ends offset 0) as report ) as report
group by account_id, grouping sets ((k0, day)))
select parts.*, (select version
from account
where id = $1) as version
from ((select *
from (
select account_id, 0 as grouping, v1, v2, v3, count, reports, first_seen, last_seen,
(bit_count(d0::bit(64)))::int as days,
count(*) over () as groups,
(sum(count) over ())::bigint as total_count,
(sum(reports) over ())::bigint as total_reports
from (select account_id,
v1 as v1,
v2 as v2,
null::text as v3,
sum(count)::bigint as count,
sum(reports)::bigint as reports,
min(first_seen) as first_seen, max(last_seen) as last_seen,
bit_or(d0) as d0
from (select account_id,
coalesce(reverse(k0),
'') as v1,
coalesce(to_char(day,
'YYYY-MM-DD'),
'') as v2,
null::text as v3,
count,
reports,
first_seen,
last_seen,
d0
from single_groups as counted
where grouping_set = 0
union all select account_id,
g.v1 as v1,
to_char(day,
'YYYY-MM-DD') as v2,
null::text as v3,
g.count,
g.reports,
g.first_seen,
g.last_seen,
1::bigint << (day - $6::date) as d0
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
where dimensions = $13) as pieces
group by v1, v2, account_id) as shown) as own
order by count desc, v1 collate "C", v2 collate "C"
limit 100)) as parts
