-- /v1/setup, Account.dmarcReplay, Account.setup: $1 = ["acme"]
select account_id, report_uri as "reportUri", reporting_api as "reportingApi", nel, dmarc, tls_rpt as "tlsRpt"
from setup
where account_id = any($1::text[])

-- /v1/team, Account.team: $1 = ["acme"]
select id as account_id,
team_name as "teamName",
quota_limit as "quotaLimit",
require_2fa as "require2fa",
members
from account
where id = any($1::text[])
and type = 'team'

-- Query.accounts: $1 = "", $2 = 101
select
a.id as account_id, a.type, a.email, a.team_name, a.created_at, a.version,
p.plan,
p.name as plan_name,
p.tier,
p.status,
p.report_quota,
p.collect_hosts,
p.data_retention_days,
p.features
from account a
left
join plan p on p.account_id = a.id
where a.id > $1
order by a.id
limit $2
