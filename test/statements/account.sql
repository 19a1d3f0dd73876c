-- /v1/setup, Account.setup: $1 = ["acme"]
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
