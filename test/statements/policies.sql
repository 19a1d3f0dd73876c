-- /v1/policies/csp, Account.policies: $1 = ["acme"]
select account_id, id, name, policy
from csp_policy
where account_id = any($1::text[])
order by name collate "C", id

-- /v1/policies/csp/:id: $1 = "acme", $2 = "pol_own"
select account_id, id, name, policy
from csp_policy
where account_id = $1
and id = $2

-- /v1/wizard/csp, Account.wizard: $1 = ["acme"]
select account_id, active, policy
from csp_wizard
where account_id = any($1::text[])
