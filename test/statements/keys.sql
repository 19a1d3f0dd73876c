-- all: $1 = ["<digest>"], $2 = "2026-05-20T14:30:00.000Z"
select k.id as key_id, encode(k.digest, 'hex') as digest, k.account_id as key_account_id,
(extract(epoch
from least(k.expires_at, k.revoked_at)) * 1000)::float8 as ends_at,
exists (select 1
from announced_change) as changing,
a.id as account_id, a.type, a.email, a.team_name, a.created_at, a.version,
p.plan,
p.name as plan_name,
p.tier,
p.status,
p.report_quota,
p.collect_hosts,
p.data_retention_days,
p.features
from api_key k
left
join account a on a.id = k.account_id
left
join plan p on p.account_id = a.id
where k.digest = any($1::text[]::bytea[])
and (k.revoked_at is null
or (k.revoked_at > now()
and k.revoked_at > $2))
and (k.expires_at is null
or k.expires_at > $2)
and not exists (select 1
from revoked_key r
where r.id = k.id)
