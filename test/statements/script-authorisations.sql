-- Account.authorisations: $1 = ["acme"]
select account_id, site, site_key as "siteKey", pattern, owner, justification, approved_by as "approvedBy",
approved_at as "approvedAt", hashes
from authorisation
where account_id = any($1::text[])
order by site collate "C", pattern
