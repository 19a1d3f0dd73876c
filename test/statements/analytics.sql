-- /export/metrics,
-- /v1/breakdown,
-- /v1/quota,
-- /v1/usage-metrics,
-- Account.breakdown,
-- Account.quota,
-- Account.usageMetrics: $1 = ["acme"],
-- $2 = "2026-05-01",
-- $3 = "2026-05-31"
select account_id, type, least(sum(total), 9007199254740991)::bigint as total
from daily_count
where account_id = any($1::text[])
and type = any(enum_range(null::report_type))
and day between $2
and $3
group by account_id, type

-- /v1/graphs/:type/:unit/:amount, Account.graph: $1 = "acme", $2 = "csp", $3 = "2026-02-21", $4 = "2026-05-20"
select account_id, day, directive, total
from daily_count
where account_id = $1
and type = $2
and day between $3
and $4
order by day, directive

-- /v1/last-seven-days, Account.lastSevenDays: $1 = ["acme"], $2 = "2026-05-14", $3 = "2026-05-20"
-- Account.dayTotals: $1 = ["acme"], $2 = "2026-05-01", $3 = "2026-05-20"
-- Account.insightCoverage, Account.insights: $1 = ["acme"], $2 = "2026-05-01", $3 = "2026-05-31"
select account_id, type, day, least(sum(total), 9007199254740991)::bigint as total
from daily_count
where account_id = any($1::text[])
and type = any(enum_range(null::report_type))
and day between $2
and $3
group by account_id, type, day

-- /v1/usage-metrics, Account.usageMetrics: $1 = ["acme"], $2 = "2026-05-01", $3 = "2026-05-31"
select account_id,
type,
least(sum(filtered),
9007199254740991)::bigint as filtered,
least(sum(sampled),
9007199254740991)::bigint as sampled,
least(sum(rejected), 9007199254740991)::bigint as rejected
from report_usage
where account_id = any($1::text[])
and date between $2
and $3
group by account_id, type

-- Query.accounts: $1 = ["acme","beside"], $2 = "csp", $3 = "2026-02-21", $4 = "2026-05-20"
select account_id, day, directive, total
from daily_count
where account_id = any($1::text[])
and type = $2
and day between $3
and $4
