-- load
alter table report attach partition report_y2026m05
for values
from ('2026-05-01 00:00:00+00') to ('2026-05-01 00:00:00+00')

-- load
begin; select pg_backend_pid() as pid

-- load
copy load_account (id, type, email, team_name, quota_limit, require_2fa, members, created_at, deleted)
from stdin

-- load
copy load_audit_event (account_id,
id,
timestamp,
event,
message,
logged_by_id,
logged_by_email,
request_ip,
deleted)
from stdin

-- load
copy load_certificate (sha256, pem, deleted)
from stdin

-- load
copy load_csp_policy (account_id, id, name, policy, deleted)
from stdin

-- load
copy load_plan (account_id,
plan,
name,
tier,
status,
report_quota,
collect_hosts,
data_retention_days,
features,
deleted)
from stdin

-- load
copy load_report
from stdin (format binary)

-- load
copy load_setup (account_id, report_uri, reporting_api, nel, dmarc, tls_rpt, deleted)
from stdin

-- load
copy load_watch (account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold,
deleted)
from stdin

-- load
copy load_watch_finding (account_id,
product,
site_key,
subject_sha256,
subject,
count,
first_seen,
last_seen,
source,
enforced,
deleted)
from stdin

-- load
copy report (account_id,
type,
id,
date,
directive,
count,
raw,
uri,
host_reversed,
path,
browser,
platform,
action,
blocked_uri,
blocked_host_reversed,
blocked_path,
source_class,
subresource_uri,
subresource_host_reversed,
subresource_path,
hash,
destination,
policy_id,
policy,
generated_domain,
indicator_of_compromise,
recently_registered_domain,
low_reputation_domain,
suspicious,
policy_ioc_hosts,
policy_concern_hosts,
domain_reputation_score,
property,
disposition,
nel_type,
phase,
organisation,
message,
hostnames,
hosts_reversed,
cert_type,
issuer,
sha256,
sha256_spki,
extra)
from stdin (format binary)

-- load
create table report_y2026m05 (like report including defaults)

-- load
create temp table load_account on commit drop as select id,
type,
email,
team_name,
quota_limit,
require_2fa,
members,
created_at,
false as deleted
from account with no data

-- load
create temp table load_audit_event on commit drop as select account_id,
id,
timestamp,
event,
message,
logged_by_id,
logged_by_email,
request_ip,
false as deleted
from audit_event with no data

-- load
create temp table load_certificate on commit drop as select sha256, pem, false as deleted
from certificate with no data

-- load
create temp table load_change (account_id text collate "C",
type report_type,
day date,
directive text collate "C",
delta numeric) on commit drop

-- load
create temp table load_csp_policy on commit drop as select account_id, id, name, policy, false as deleted
from csp_policy with no data

-- load
create temp table load_delta on commit drop as
select account_id, type, day, directive, sum(delta) as delta
from load_change
group by 1, 2, 3, 4 having sum(delta) <> 0

-- load
create temp table load_found (account_id text collate "C",
key bigint,
type report_type,
type_name text,
id text collate "C",
date timestamptz) on commit drop

-- load
create temp table load_located (account_id text collate "C", key bigint, date timestamptz) on commit drop

-- load
create temp table load_plan on commit drop as select account_id,
plan,
name,
tier,
status,
report_quota,
collect_hosts,
data_retention_days,
features,
false as deleted
from plan with no data

-- load
create temp table load_report (account_id text collate "C", type text, id text collate "C", date timestamptz,
directive text, count bigint) on commit drop

-- load
create temp table load_session (begun timestamptz) on commit drop

-- load
create temp table load_setup on commit drop as select account_id,
report_uri,
reporting_api,
nel,
dmarc,
tls_rpt,
false as deleted
from setup with no data

-- load
create temp table load_shared (account_id text collate "C", key bigint, date timestamptz) on commit drop

-- load
create temp table load_total on commit drop as
select account_id, type, day, directive, sum(total) as total
from (select account_id, type, day, directive, delta as total
from load_delta
union all
select c.account_id, c.type, c.day, c.directive, c.total
from load_delta
join daily_count c using (account_id, type, day, directive)) both_of_them
group by 1, 2, 3, 4

-- load
create temp table load_touched (account_id text collate "C" primary key, owns boolean) on commit drop

-- load
create temp table load_watch on commit drop as select account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold,
false as deleted
from watch with no data

-- load
create temp table load_watch_finding on commit drop as select account_id,
product,
site_key,
subject_sha256,
subject,
count,
first_seen,
last_seen,
source,
enforced,
false as deleted
from watch_finding with no data

-- load
delete
from audit_event t using load_audit_event l
where t.account_id = l.account_id
and t.id = l.id

-- load
delete
from csp_policy t using load_csp_policy l
where t.account_id = l.account_id
and t.id = l.id

-- load
delete
from daily_count c using load_total t
where c.account_id = t.account_id
and c.type = t.type
and c.day = t.day
and c.directive = t.directive
and t.total = 0

-- load
delete
from daily_group g using (select distinct account_id, type, day
from load_change) c
where g.account_id = c.account_id
and g.type = c.type
and g.day = c.day

-- load
delete
from watch t using load_watch l
where t.account_id = l.account_id
and t.product = l.product
and t.site_key = l.site_key

-- load
delete
from watch_finding f using load_watch l
where l.deleted
and f.account_id = l.account_id
and f.product = l.product
and f.site_key = l.site_key

-- load
delete
from watch_finding t using load_watch_finding l
where t.account_id = l.account_id
and t.product = l.product
and t.site_key = l.site_key
and t.subject_sha256 = l.subject_sha256

-- load
insert into account (id,
type,
email,
team_name,
quota_limit,
require_2fa,
members,
created_at) select id,
type,
email,
team_name,
quota_limit,
require_2fa,
members,
created_at
from load_account
where not deleted
on conflict (id) do update
set type = excluded.type,
email = excluded.email,
team_name = excluded.team_name,
quota_limit = excluded.quota_limit,
require_2fa = excluded.require_2fa,
members = excluded.members,
created_at = excluded.created_at

-- load
insert into audit_event (account_id,
id,
timestamp,
event,
message,
logged_by_id,
logged_by_email,
request_ip) select account_id,
id,
timestamp,
event,
message,
logged_by_id,
logged_by_email,
request_ip
from load_audit_event
where not deleted

-- load
insert into certificate (sha256, pem) select sha256, pem
from load_certificate
where not deleted

-- load
insert into csp_policy (account_id, id, name, policy) select account_id, id, name, policy
from load_csp_policy
where not deleted

-- load
insert into daily_count (account_id, type, day, directive, total)
select account_id, type, day, directive, total
from load_total
where total <> 0
on conflict (account_id, type, day, directive) do update set total = excluded.total

-- load
insert into last_run values ('load', clock_timestamp())
on conflict (command) do update set finished_at = excluded.finished_at

-- load
insert into load_located select account_id,
hashtextextended(account_id || ' ' || type || ' ' || lower(id),
0),
date
from load_report
order by 2;
insert into load_change
select account_id, type::report_type, (date at time zone 'UTC')::date, coalesce(directive, ''), sum(count)
from load_report
where date is not null
group by 1, 2, 3, 4

-- load
insert into load_touched
select distinct r.account_id, false
from load_certificate l
join report r on r.sha256 = l.sha256
where r.date >= '2026-05-01'
and r.date < '2026-05-01'
on conflict do nothing

-- load
insert into plan (account_id,
plan,
name,
tier,
status,
report_quota,
collect_hosts,
data_retention_days,
features) select account_id,
plan,
name,
tier,
status,
report_quota,
collect_hosts,
data_retention_days,
features
from load_plan
where not deleted

-- load
insert into report_locator select account_id, key, date
from load_located
where date is not null;
truncate load_report, load_located

-- load
insert into setup (account_id,
report_uri,
reporting_api,
nel,
dmarc,
tls_rpt) select account_id,
report_uri,
reporting_api,
nel,
dmarc,
tls_rpt
from load_setup
where not deleted

-- load
insert into watch (account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold) select account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold
from load_watch
where not deleted

-- load
insert into watch_finding (account_id,
product,
site_key,
subject_sha256,
subject,
count,
first_seen,
last_seen,
source,
enforced) select account_id,
product,
site_key,
subject_sha256,
subject,
count,
first_seen,
last_seen,
source,
enforced
from load_watch_finding
where not deleted

-- load
select
from load_located s
join report_locator l on l.key = s.key
and l.account_id = s.account_id
limit 1

-- load
select
from load_session; commit

-- load
select account_id as "accountId", type::text, day::text, directive, (total - delta)::text as before
from load_total
join load_delta using (account_id, type, day, directive)
where total > 9007199254740991

-- load
select account_id as text
from load_plan

-- load
select account_id as text
from load_setup

-- load
select account_id as text
from load_touched

-- load
select c.relname as name
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'report'::regclass

-- load
select id as text
from load_account
where deleted

-- load
select pg_try_advisory_xact_lock(7446858442) as held

-- load
select set_config('sightline.position', setval('load_position', greatest(nextval('load_position'),
(extract(epoch
from clock_timestamp()) * 1000)::bigint))::text, true)

-- load
select sha256 as text
from load_certificate

-- load
select t.account_id as text
from load_touched t
where t.owns
and not exists (select
from account a
where a.id = t.account_id)

-- load
set local jit = off; set local work_mem = '64MB';
set local enable_hashjoin = off; set local enable_mergejoin = off

-- load
truncate load_account

-- load
truncate load_audit_event

-- load
truncate load_certificate

-- load
truncate load_csp_policy

-- load
truncate load_plan

-- load
truncate load_setup

-- load
truncate load_watch

-- load
truncate load_watch_finding

-- load: $1 = "[\"acme\",\"late\"]"
-- load: $1 = "[\"acme\"]"
update account set version = version + 1
where id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from account
where id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from api_key
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from audit_event
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from csp_policy
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from csp_wizard
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from daily_count
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from daily_group
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from filter_configuration
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from plan
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from removed_position
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from report_usage
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from setup
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from watch
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from watch_finding
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
with removed as (
delete
from report r
where r.account_id in (select jsonb_array_elements_text($1::text::jsonb))
and r.date >= '2026-05-01 00:00:00+00'
and r.date < '2026-05-01 00:00:00+00'
returning r.account_id, r.type, r.id, r.date
), gone as materialized (
select account_id, date, hashtextextended(r.account_id || ' ' || r.type::text || ' ' || lower(r.id), 0) as key
from removed r
)
delete
from report_locator l using gone r
where l.key = r.key
and l.account_id = r.account_id
and l.date = r.date

-- load: $1 = "[\"ee4f9a881bfb3c99aab70672ec36513a199c2a76fff3857ae6901e7973458781\"]"
delete
from certificate
where sha256 in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "{\"acme\":false}"
-- load: $1 = "{\"acme\":true}"
-- load: $1 = "{\"late\":true}"
insert into load_touched
select account_id, owns::boolean
from jsonb_each($1::text::jsonb) as touched (account_id, owns)
on conflict (account_id) do update set owns = true
where excluded.owns
and not load_touched.owns
