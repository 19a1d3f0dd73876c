-- /export/metrics: $1 = "acme", $2 = "2026-02-19T00:00:00.000Z", $3 = "2026-05-21T00:00:00.000Z"
select account_id, type, extract(epoch
from date)::bigint as last
from unnest(enum_range(null::report_type)) as wanted (of) cross
join lateral (
select account_id, type, date
from report
where account_id = $1
and type = wanted.of
and date >= $2
and date < $3
order by date desc
limit 1) as report

-- /export/metrics: $1 = "acme", $2 = "2026-05-14T00:00:00.000Z", $3 = "2026-05-21T00:00:00.000Z"
select account_id, count(*) as reports
from report
where account_id = $1
and type = 'csp'
and date >= $2
and date < $3
and (generated_domain
or indicator_of_compromise
or recently_registered_domain
or low_reputation_domain
or suspicious
or policy_ioc_hosts is not null
or policy_concern_hosts is not null)
group by account_id

-- /export/metrics: $1 = "acme", $2 = "2026-05-14T00:00:00.000Z", $3 = "2026-05-21T00:00:00.000Z"
select account_id, product, count(*) as findings
from watch_finding
where account_id = $1
and first_seen >= $2
and first_seen < $3
group by account_id, product

-- /export/metrics: $1 = "acme", $2 = "2026-05-14T00:00:00.000Z", $3 = "2026-05-21T00:00:00.000Z"
with named as (
select account_id,
coalesce(lower(extra->>'domain'),
'') as name,
least(sum(coalesce((extra->>'successfulSessions')::bigint,
0)),
9007199254740991)::bigint as good,
least(sum(coalesce((extra->>'failedSessions')::bigint, 0)), 9007199254740991)::bigint as bad
from report
where account_id = $1
and type = 'tls_rpt'
and date >= $2
and date < $3
group by account_id, 2),
placed as (select *, row_number() over (order by good + bad desc, name collate "C") > 75 as "isRest"
from named)
select account_id, case when "isRest" then '' else name end as name, "isRest",
least(sum(good), 9007199254740991)::bigint as good, least(sum(bad), 9007199254740991)::bigint as bad
from placed
group by account_id, "isRest", 2
order by "isRest", 2

-- /export/metrics: $1 = "acme", $2 = "2026-05-14T00:00:00.000Z", $3 = "2026-05-21T00:00:00.000Z"
with named as (
select account_id,
coalesce(lower(extra->>'headerFrom'),
'') as name,
least(sum(case when extra->>'aligned' = 'true' then count else 0 end),
9007199254740991)::bigint as good,
least(sum(case when extra->>'aligned' = 'true' then 0 else count end), 9007199254740991)::bigint as bad
from report
where account_id = $1
and type = 'dmarc'
and date >= $2
and date < $3
group by account_id, 2),
placed as (select *, row_number() over (order by good + bad desc, name collate "C") > 75 as "isRest"
from named)
select account_id, case when "isRest" then '' else name end as name, "isRest",
least(sum(good), 9007199254740991)::bigint as good, least(sum(bad), 9007199254740991)::bigint as bad
from placed
group by account_id, "isRest", 2
order by "isRest", 2

-- /export/metrics: $1 = "acme", $2 = "2026-05-14T00:00:00.000Z", $3 = "2026-05-21T00:00:00.000Z"
with named as (
select account_id, coalesce(issuer, '') as name, least(sum(1), 9007199254740991)::bigint as good,
least(sum(0), 9007199254740991)::bigint as bad
from report
where account_id = $1
and type = 'certificate_transparency'
and date >= $2
and date < $3
group by account_id, 2),
placed as (select *, row_number() over (order by good + bad desc, name collate "C") > 75 as "isRest"
from named)
select account_id, case when "isRest" then '' else name end as name, "isRest",
least(sum(good), 9007199254740991)::bigint as good, least(sum(bad), 9007199254740991)::bigint as bad
from placed
group by account_id, "isRest", 2
order by "isRest", 2
