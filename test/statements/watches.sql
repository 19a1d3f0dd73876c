-- /v1/watches/data, /v1/watches/frame, /v1/watches/policy, /v1/watches/script, Account.watches: $1 = ["acme"]
select account_id,
product || ' ' || site_key as id,
product,
site,
site_key as "siteKey",
email_alerts_enabled as "emailAlertsEnabled",
webhook_enabled as "webhookEnabled", webhook_target as "webhookTarget", alert_threshold as "alertThreshold"
from watch
where account_id = any($1::text[])
order by site collate "C", product collate "C"

-- /v1/watches/data/:domain: $1 = "acme", $2 = "data", $3 = "own.example.com"
-- /v1/watches/frame/:domain: $1 = "acme", $2 = "frame", $3 = "own.example.com"
-- /v1/watches/policy/:domain: $1 = "acme", $2 = "policy", $3 = "own.example.com"
-- /v1/watches/script/:domain: $1 = "acme", $2 = "script", $3 = "own.example.com"
select w.account_id, w.product, f.subject, f.count, f.first_seen as "firstSeen", f.last_seen as "lastSeen",
f.source, f.enforced
from watch w
join watch_finding f using (account_id, product, site_key)
where account_id = $1
and product = $2
and site_key = $3
order by f.last_seen desc, f.subject

-- Account.policyReplay: $1 = ["acme","acme","acme","acme"],
-- $2 = ["policy","script","data","frame"],
-- $3 = ["www.example.com","www.example.com","www.example.com","www.example.com"]
select w.account_id, w.product, f.subject, f.count, f.first_seen as "firstSeen", f.last_seen as "lastSeen",
f.source, f.enforced, wanted.number::int as wanted
from unnest($1::text[],
$2::text[],
$3::text[]) with ordinality as wanted (account_id,
product,
site_key,
number)
join watch w on w.account_id = wanted.account_id
and w.product = wanted.product
and w.site_key = wanted.site_key
left
join watch_finding f on f.account_id = w.account_id
and f.product = w.product
and f.site_key = w.site_key
where w.account_id = any($1::text[])
order by f.last_seen desc, f.subject

-- Account.watches: $1 = ["acme","acme","acme","acme"],
-- $2 = ["data","frame","policy","script"],
-- $3 = ["own.example.com","own.example.com","own.example.com","own.example.com"]
select w.account_id, w.product, f.subject, f.count, f.first_seen as "firstSeen", f.last_seen as "lastSeen",
f.source, f.enforced, wanted.number::int as wanted
from unnest($1::text[],
$2::text[],
$3::text[]) with ordinality as wanted (account_id,
product,
site_key,
number)
join watch w on w.account_id = wanted.account_id
and w.product = wanted.product
and w.site_key = wanted.site_key
left
join lateral (select *
from watch_finding f
where f.account_id = w.account_id
and f.product = w.product
and f.site_key = w.site_key
order by f.last_seen desc, f.subject
limit 1001) as f on true
where w.account_id = any($1::text[])
order by f.last_seen desc, f.subject
