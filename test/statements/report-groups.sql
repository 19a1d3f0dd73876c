-- Account.reportGroups: $1 = "acme",
-- $2 = "csp",
-- $3 = "2026-05-20T00:00:00.000Z",
-- $4 = "2026-05-21T00:00:00.000Z",
-- $5 = "2026-05-20"
with single_groups as materialized (
select account_id,
grouping((blocked_host_reversed),
((date at time zone 'UTC')::date)) as grouping_set,
(blocked_host_reversed) as k0,
((date at time zone 'UTC')::date) as k1,
sum(count::float8)::bigint as count,
count(*) as reports,
min(date) as first_seen,
max(date) as last_seen,
bit_count(bit_or(1::bigint << ((date at time zone 'UTC')::date - $5::date))::bit(64)) as days
from report
where account_id = $1
and type = $2
and date >= $3
and date < $4
group by account_id, grouping sets ((((date at time zone 'UTC')::date), (blocked_host_reversed))))
select parts.*, (select version
from account
where id = $1) as version
from ((select *
from (
select account_id,
0 as grouping,
coalesce(reverse(k0),
'') as v1,
coalesce(to_char(k1,
'YYYY-MM-DD'),
'') as v2,
null::text as v3,
count,
reports,
first_seen,
last_seen,
days::int as days, count(*) over () as groups, (sum(count) over ())::bigint as total_count,
(sum(reports) over ())::bigint as total_reports
from single_groups
where grouping_set = 0) as own
order by count desc, v1 collate "C", v2 collate "C"
limit 100)) as parts
