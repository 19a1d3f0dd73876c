-- /v1/audit-log, Account.auditLog: $1 = "acme", $2 = 1001
-- /v1/audit-log?cursor=: $1 = "acme", $2 = 2
select account_id, id, timestamp, event, message, logged_by_id as "loggedById",
logged_by_email as "loggedByEmail", request_ip as "requestIp"
from audit_event
where account_id = $1
order by timestamp desc, id desc
limit $2
