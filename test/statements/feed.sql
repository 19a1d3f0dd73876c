-- load
copy load_account (place, id, type, email, team_name, quota_limit, require_2fa, members, created_at, deleted)
from stdin

-- load
copy load_audit_event (place,
account_id,
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
copy load_certificate (place, sha256, pem, deleted)
from stdin

-- load
copy load_csp_policy (place, account_id, id, name, policy, deleted)
from stdin

-- load
copy load_setup (place, account_id, report_uri, reporting_api, nel, dmarc, tls_rpt, deleted)
from stdin

-- load
copy load_verdict (place,
account_id,
subject_kind,
site_key,
subject,
site,
verdict,
reason,
owner,
hashes,
count,
decided_by,
decided_at,
expires_at,
deleted)
from stdin

-- load
copy load_watch (place,
account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold,
findings_from_reports,
deleted)
from stdin

-- load
copy load_watch_finding (place,
account_id,
product,
site_key,
subject_sha256,
subject,
count,
first_seen,
last_seen,
source,
enforced,
derived,
deleted)
from stdin

-- load
create temp table load_account on commit drop as select 0 as place,
id,
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
create temp table load_audit_event on commit drop as select 0 as place,
account_id,
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
create temp table load_beginning (account_id text collate "C",
product text,
site_key text collate "C") on commit drop

-- load
create temp table load_certificate on commit drop as select 0 as place, sha256, pem, false as deleted
from certificate with no data

-- load
create temp table load_csp_policy on commit drop as select 0 as place,
account_id,
id,
name,
policy,
false as deleted
from csp_policy with no data

-- load
create temp table load_setup on commit drop as select 0 as place,
account_id,
report_uri,
reporting_api,
nel,
dmarc,
tls_rpt,
false as deleted
from setup with no data

-- load
create temp table load_verdict on commit drop as select 0 as place,
account_id,
subject_kind,
site_key,
subject,
site,
verdict,
reason,
owner,
hashes,
count,
decided_by,
decided_at,
expires_at,
false as deleted
from verdict with no data

-- load
create temp table load_watch on commit drop as select 0 as place,
account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold,
findings_from_reports,
false as deleted
from watch with no data

-- load
create temp table load_watch_finding on commit drop as select 0 as place,
account_id,
product,
site_key,
subject_sha256,
subject,
count,
first_seen,
last_seen,
source,
enforced,
derived,
false as deleted
from watch_finding with no data

-- load
delete
from watch_finding f using load_watch l
where f.derived
and not l.findings_from_reports
and f.account_id = l.account_id
and f.product = l.product
and f.site_key = l.site_key

-- load
delete
from watch_finding f using load_watch l
where l.deleted
and f.account_id = l.account_id
and f.product = l.product
and f.site_key = l.site_key
returning f.account_id as text

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
insert into load_beginning
select account_id, product, site_key
from load_watch
where not deleted
and findings_from_reports
except
select t.account_id, t.product, t.site_key
from load_watch l
join watch t
on t.account_id = l.account_id
and t.product = l.product
and t.site_key = l.site_key
where t.findings_from_reports

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
insert into verdict (account_id,
subject_kind,
site_key,
subject,
site,
verdict,
reason,
owner,
hashes,
count,
decided_by,
decided_at,
expires_at) select account_id,
subject_kind,
site_key,
subject,
site,
verdict,
reason,
owner,
hashes,
count,
decided_by,
decided_at,
expires_at
from load_verdict
where not deleted

-- load
insert into watch (account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold,
findings_from_reports) select account_id,
product,
site_key,
site,
email_alerts_enabled,
webhook_enabled,
webhook_target,
alert_threshold,
findings_from_reports
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
enforced,
derived) select account_id,
product,
site_key,
subject_sha256,
subject,
count,
first_seen,
last_seen,
source,
enforced,
derived
from load_watch_finding
where not deleted

-- load
select distinct account_id as text
from load_audit_event
where not deleted

-- load
select distinct account_id as text
from load_csp_policy
where not deleted

-- load
select distinct account_id as text
from load_setup
where not deleted

-- load
select distinct account_id as text
from load_verdict
where not deleted

-- load
select distinct account_id as text
from load_watch
where not deleted

-- load
select distinct account_id as text
from load_watch_finding
where not deleted

-- load
select distinct account_id, product, site_key
from load_beginning

-- load
select distinct id as text
from load_account
where not deleted

-- load
select distinct r.account_id as text
from load_certificate l
join report r on r.sha256 = l.sha256
where r.date >= '2026-05-01'
and r.date < '2026-05-01'

-- load
select id as text
from load_account
where deleted

-- load
truncate load_account

-- load
with stored as materialized (
select l.place, l.account_id as first, l.deleted,
not l.deleted
and (t.name, t.policy) is not distinct
from (l.name, l.policy) as same
from load_csp_policy l
join csp_policy t on t.account_id = l.account_id
and t.id = l.id
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load
with stored as materialized (
select l.place, l.account_id as first, l.deleted,
not l.deleted
and (t.report_uri, t.reporting_api, t.nel, t.dmarc, t.tls_rpt) is not distinct
from (l.report_uri, l.reporting_api, l.nel, l.dmarc, l.tls_rpt) as same
from load_setup l
join setup t on t.account_id = l.account_id
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load
with stored as materialized (
select l.place, l.account_id as first, l.deleted,
not l.deleted
and (t.site,
t.email_alerts_enabled,
t.webhook_enabled,
t.webhook_target,
t.alert_threshold,
t.findings_from_reports) is not distinct
from (l.site,
l.email_alerts_enabled,
l.webhook_enabled,
l.webhook_target,
l.alert_threshold,
l.findings_from_reports) as same
from load_watch l
join watch t on t.account_id = l.account_id
and t.product = l.product
and t.site_key = l.site_key
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load
with stored as materialized (
select l.place, l.account_id as first, l.deleted,
not l.deleted
and (t.site,
t.verdict,
t.reason,
t.owner,
t.hashes,
t.count,
t.decided_by,
t.decided_at,
t.expires_at) is not distinct
from (l.site,
l.verdict,
l.reason,
l.owner,
l.hashes,
l.count,
l.decided_by,
l.decided_at,
l.expires_at) as same
from load_verdict l
join verdict t on t.account_id = l.account_id
and t.subject_kind = l.subject_kind
and t.site_key = l.site_key
and t.subject = l.subject
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load
with stored as materialized (
select l.place, l.account_id as first, l.deleted,
not l.deleted
and (t.subject, t.count, t.first_seen, t.last_seen, t.source, t.enforced, t.derived) is not distinct
from (l.subject, l.count, l.first_seen, l.last_seen, l.source, l.enforced, l.derived) as same
from load_watch_finding l
join watch_finding t on t.account_id = l.account_id
and t.product = l.product
and t.site_key = l.site_key
and t.subject_sha256 = l.subject_sha256
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load
with stored as materialized (
select l.place, l.account_id as first, l.deleted,
not l.deleted
and (t.timestamp, t.event, t.message, t.logged_by_id, t.logged_by_email, t.request_ip) is not distinct
from (l.timestamp, l.event, l.message, l.logged_by_id, l.logged_by_email, l.request_ip) as same
from load_audit_event l
join audit_event t on t.account_id = l.account_id
and t.id = l.id
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load
with stored as materialized (
select l.place, l.id as first, l.deleted,
not l.deleted
and (t.type, t.email, t.team_name, t.quota_limit, t.require_2fa, t.members, t.created_at) is not distinct
from (l.type, l.email, l.team_name, l.quota_limit, l.require_2fa, l.members, l.created_at) as same
from load_account l
join account t on t.id = l.id
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load
with stored as materialized (
select l.place, l.sha256 as first, l.deleted,
not l.deleted
and (t.pem) is not distinct
from (l.pem) as same
from load_certificate l
join certificate t on t.sha256 = l.sha256
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load again
create temp table load_deleted (account_id text collate "C", type text, id text collate "C",
primary key (account_id, type, id)) on commit drop

-- load again
create temp table load_found (place int,
digest bigint,
account_id text collate "C",
key bigint,
type report_type,
type_name text,
id text collate "C", date timestamptz) on commit drop

-- load again
create temp table load_late (place int, type_name text, same boolean) on commit drop

-- load again
create temp table load_removed (account_id text collate "C",
type report_type,
id text collate "C",
date timestamptz,
directive text, count bigint) on commit drop

-- load again
create temp table load_shared (account_id text collate "C", key bigint, date timestamptz) on commit drop

-- load again
create temp table load_stored (place int,
account_id text collate "C",
key bigint,
type report_type,
type_name text,
id text collate "C", date timestamptz, same boolean) on commit drop

-- load again
delete
from load_plan
where place = any ('{5}'::int[])

-- load again
delete
from report_locator l using load_stored f
where not f.same
and l.account_id = f.account_id
and l.key = f.key
and l.date = f.date

-- load again
insert into load_change
select account_id,
type,
(date at time zone 'UTC')::date,
coalesce(directive,
''),
-sum(count),
bit_or(1 << extract(hour
from date at time zone 'UTC')::int)
from load_removed
group by 1, 2, 3, 4

-- load again
insert into load_deleted
select r.account_id, r.type::text, r.id
from load_removed r
join removed_position p on p.account_id = r.account_id
and p.type = r.type
where r.date < p.removed_before
on conflict do nothing

-- load again
insert into load_shared
select account_id, key, date
from (select account_id, key, date, true as is_removed
from load_stored
where not same
union all
select r.account_id,
hashtextextended(r.account_id || ' ' || d.type_name || ' ' || lower(r.id),
0),
r.date,
false
from (select distinct account_id, type, type_name, date
from load_stored
where not same) d
join report_y2026m05 r on r.account_id = d.account_id
and r.type = d.type
and r.date = d.date
) both_of_them
group by 1, 2, 3 having count(distinct is_removed) = 2

-- load again
insert into load_stored
select f.place, f.account_id, f.key, f.type, f.type_name, f.id, f.date, coalesce(r.digest = f.digest, false)
from load_found f
join report_y2026m05 r
on r.account_id = f.account_id
and r.type = f.type
and r.date = f.date
and r.id = f.id

-- load again
select distinct account_id as text
from load_removed

-- load again
select distinct account_id as text
from load_removed
where type in ('dmarc', 'tls_rpt')

-- load again
select distinct account_id as text
from load_stored
where not same
and type in ('csp', 'csp_integrity')
and to_char(date at time zone 'UTC', 'YYYY-MM') = '2026-05'

-- load again
select distinct to_char(date at time zone 'UTC', 'YYYY-MM') as text
from load_found
where true
order by 1

-- load again
select distinct to_char(date at time zone 'UTC', 'YYYY-MM') as text
from load_stored
where not same
order by 1

-- load again
select type_name as type, same, string_agg(place::text, ',') as places
from load_late
group by 1, 2

-- load again
select type_name as type, same, string_agg(place::text, ',') as places
from load_stored
group by 1, 2

-- load again
truncate load_added; delete
from load_report
where place = any ('{0,1}'::int[])

-- load again
with removed as (
delete
from report_y2026m05 r using load_stored f
where not f.same
and r.account_id = f.account_id
and r.type = f.type
and r.date = f.date
and r.id = f.id
returning r.account_id, r.type, r.id, r.date, r.directive, r.count
)
insert into load_removed select account_id, type, id, date, directive, count
from removed

-- load again
with wanted as materialized (
select place, account_id, type, date
from load_report w
where not (place = any ('{0}'::int[]))
and not exists (select
from load_deleted d
where d.account_id = w.account_id
and d.type = w.type
and d.id = w.id)
)
insert into load_late
select w.place, w.type, false
from wanted w
join removed_position p on p.account_id = w.account_id
and p.type = w.type::report_type
where w.date < p.removed_before

-- load again
with wanted as materialized (
select place, digest, account_id, type, id, key
from load_report
order by key
)
insert into load_found
select distinct w.place, w.digest, l.account_id, l.key, w.type::report_type, w.type, w.id, l.date
from wanted w
join report_locator l on l.key = w.key
and l.account_id = w.account_id

-- load again: $1 = "[\"late\"]"
-- load: $1 = "[\"acme\",\"late\"]"
-- load: $1 = "[\"acme\"]"
update account set version = version + 1
where id in (select jsonb_array_elements_text($1::text::jsonb))

-- load, load again
copy load_plan (place,
account_id,
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

-- load, load again
copy load_report
from stdin (format binary)

-- load, load again
copy report (account_id,
type,
id,
date,
directive,
count,
digest,
raw,
uri,
browser,
platform,
action,
blocked_uri,
subresource_uri,
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
cert_type,
issuer,
sha256,
sha256_spki,
extra,
host_reversed,
path,
blocked_host_reversed,
blocked_path,
source_class,
sender,
subresource_host_reversed,
subresource_path,
hosts_reversed)
from stdin (format binary)

-- load, load again
create temp table load_added (account_id text collate "C",
type report_type,
day date,
directive text collate "C",
count numeric, hours int, reports int) on commit drop

-- load, load again
create temp table load_change (account_id text collate "C",
type report_type,
day date,
directive text collate "C",
delta numeric, hours int) on commit drop

-- load, load again
create temp table load_plan on commit drop as select 0 as place,
account_id,
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

-- load, load again
create temp table load_report (place int,
account_id text collate "C",
type text,
id text collate "C",
date timestamptz,
directive text, count bigint, digest bigint,
key bigint generated always as (hashtextextended(account_id || ' ' || type || ' ' || lower(id),
0)) stored) on commit drop

-- load, load again
create temp table load_total on commit drop as
with changed as materialized (
select account_id, type, day, directive, sum(delta) as delta
from load_change
group by 1, 2, 3, 4 having sum(delta) <> 0
)
select account_id, type, day, directive, sum(before) as before, sum(before + delta) as total
from (select account_id, type, day, directive, 0 as before, delta
from changed
union all
select c.account_id, c.type, c.day, c.directive, c.total, 0
from changed
join daily_count c using (account_id, type, day, directive)) both_of_them
group by 1, 2, 3, 4

-- load, load again
delete
from daily_count c using load_total t
where c.account_id = t.account_id
and c.type = t.type
and c.day = t.day
and c.directive = t.directive
and t.total = 0

-- load, load again
delete
from daily_group g using (
select account_id, type, day, bit_or(hours) as hours
from load_change
group by account_id, type, day) c
where g.account_id = c.account_id
and g.type = c.type
and g.day = c.day
and coalesce(c.hours >> (case when dimensions like '__:00 %' then left(dimensions, 2)::int end) & 1 = 1, true)

-- load, load again
delete
from rollup_month
where month in (select distinct to_char(day, 'YYYY-MM')
from load_change)

-- load, load again
insert into daily_count (account_id, type, day, directive, total)
select account_id, type, day, directive, total
from load_total
where total <> 0
on conflict (account_id, type, day, directive) do update set total = excluded.total

-- load, load again
insert into last_run values ('load', clock_timestamp())
on conflict (command) do update set finished_at = excluded.finished_at

-- load, load again
insert into load_added
select account_id,
type::report_type,
(date at time zone 'UTC')::date,
directive,
sum(count),
bit_or(1 << extract(hour
from date at time zone 'UTC')::int), sum(reports)
from (
select account_id, type, date_bin('1 hour', date, '2026-05-01 00:00:00+00') as date,
coalesce(directive, '') as directive, sum(count) as count, count(*) as reports
from load_report
where date is not null
group by 1, 2, 3, 4
) hours
group by 1, 2, 3, 4

-- load, load again
insert into load_change select account_id, type, day, directive, count, hours
from load_added

-- load, load again
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

-- load, load again
insert into report_locator select account_id, key, date
from load_report
where date is not null
order by key

-- load, load again
select
from (select account_id, key
from load_report
order by key) s
join report_locator l on l.key = s.key
and l.account_id = s.account_id
limit 1

-- load, load again
select
from load_added a
join removed_position p on p.account_id = a.account_id
and p.type = a.type
where a.day < (p.removed_before at time zone 'UTC')::date
limit 1

-- load, load again
select account_id as "accountId", type::text, day::text, directive, before::text
from load_total
where total > 9007199254740991

-- load, load again
select coalesce(sum(s.reports), 0)::int as count
from load_added s
join plan p on p.account_id = s.account_id
where s.day < (now() at time zone 'UTC')::date - least(coalesce(p.data_retention_days, 30), 3660)::int

-- load, load again
select coalesce(sum(s.reports), 0)::int as count
from load_added s
where s.day < (now() at time zone 'UTC')::date - 30::int
and not exists (select
from plan p
where p.account_id = s.account_id)

-- load, load again
select distinct account_id as account,
to_char(day,
'YYYY-MM') as month,
current_setting('sightline.position') as position
from load_added
where type in ('csp', 'csp_integrity')

-- load, load again
select distinct account_id as text
from load_added

-- load, load again
select distinct account_id as text
from load_plan
where not deleted

-- load, load again
select pg_try_advisory_xact_lock(7446858442) as held

-- load, load again
select set_config('sightline.position', setval('load_position', greatest(nextval('load_position'),
(extract(epoch
from clock_timestamp()) * 1000)::bigint))::text, true)

-- load, load again
set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0;
select case when current_setting('server_version_num')::int >= 170000
then set_config('transaction_timeout', '0', true) end;
set local jit = off; set local work_mem = '64MB';
set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_material = off

-- load, load again
with stored as materialized (
select l.place, l.account_id as first, l.deleted,
not l.deleted
and (t.plan,
t.name,
t.tier,
t.status,
t.report_quota,
t.collect_hosts,
t.data_retention_days,
t.features) is not distinct
from (l.plan,
l.name,
l.tier,
l.status,
l.report_quota,
l.collect_hosts,
l.data_retention_days,
l.features) as same
from load_plan l
join plan t on t.account_id = l.account_id
)
select string_agg(place::text, ',') filter (where same) as same,
coalesce(bool_or(not same), false) as "hasChanged",
coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
from stored

-- load, load again, maintain, prune
select c.relname as name
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'report'::regclass
order by 1

-- load, load again: $1 = "[\"late\"]"
-- load: $1 = "[\"acme\"]"
select distinct account_id as account
from watch
where findings_from_reports
and account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load, load again: $1 = "[\"late\"]"
-- load: $1 = "[\"acme\"]"
select id
from account
where id in (select jsonb_array_elements_text($1::text::jsonb))

-- load, maintain
alter table report attach partition report_y2026m05
for values
from ('2026-05-01 00:00:00+00') to ('2026-05-01 00:00:00+00')

-- load, maintain
create table report_y2026m05 (like report including defaults)

-- load, maintain
select admit_importer('report_y2026m05')

-- load, maintain
select pg_has_role(relowner, 'usage') as own
from pg_class
where oid = 'report'::regclass

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
from imported_mail
where account_id in (select jsonb_array_elements_text($1::text::jsonb))

-- load: $1 = "[\"acme\"]"
delete
from mailbox_position
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
from verdict
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

-- maintain
select pg_advisory_xact_lock(7446858442)
