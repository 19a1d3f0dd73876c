-- keys: $1 = "<key>"
insert into revoked_key (id) values ($1) on conflict do nothing

-- keys: $1 = "<key>"
select
from api_key
where id = $1 for update

-- keys: $1 = "<key>"
select k.id, k.account_id, a.type as account_type, k.name, k.created_at, k.expires_at,
least(k.revoked_at, r.revoked_at) as revoked_at,
coalesce(least(k.revoked_at, r.revoked_at, k.expires_at) <= now(), false) as has_ended
from api_key k
left
join account a on a.id = k.account_id
left
join revoked_key r on r.id = k.id
where k.id = $1

-- keys: $1 = "<key>", $2 = "late", $3 = "<digest>", $4 = null, $5 = null
insert into api_key (id, account_id, digest, name, created_at, expires_at) values ($1, $2, $3, $4, now(), $5)

-- keys: $1 = "late"
select k.id, k.account_id, a.type as account_type, k.name, k.created_at, k.expires_at,
least(k.revoked_at, r.revoked_at) as revoked_at,
coalesce(least(k.revoked_at, r.revoked_at, k.expires_at) <= now(), false) as has_ended
from api_key k
left
join account a on a.id = k.account_id
left
join revoked_key r on r.id = k.id
where $1::text is null
or k.account_id = $1
order by k.created_at, k.id

-- keys: $1 = 0, $2 = "<key>"
update api_key set revoked_at = least(revoked_at, now() + $1 * interval '1 millisecond')
where id = $2 returning revoked_at

-- maintain, migrate, prune
select to_regclass('pg_dist_partition') is not null as there

-- migrate
create table if not exists schema_migration (
version integer primary key, name text not null, checksum text not null,
applied_at timestamptz not null default now()
)

-- migrate
do $$
begin
execute format('alter role sightline_reader in database %I set default_transaction_read_only = on',
current_database());
exception when insufficient_privilege then null;
end
$$

-- migrate
do $$
begin
execute format('grant temporary on database %I to %I', current_database(), current_user);
execute format('revoke temporary on database %I
from public', current_database());
exception when insufficient_privilege then null;
end
$$

-- migrate
do $$ begin execute format('grant temporary on database %I to sightline_importer', current_database());
exception when insufficient_privilege then null; end $$

-- migrate
grant delete on daily_group, rollup_month to sightline_importer

-- migrate
grant execute on function make_report_month(date),
derive_findings(date,
text[],
bigint,
jsonb) to sightline_importer

-- migrate
grant execute on function withdraw_findings(date, jsonb, bigint) to sightline_importer

-- migrate
grant insert,
select (account_id,
type,
id,
date,
directive,
count,
digest,
sha256) on report to sightline_importer

-- migrate
grant insert, delete on report_locator, certificate, announced_change to sightline_importer

-- migrate
grant insert, update on last_run, report_usage to sightline_importer

-- migrate
grant insert, update on mailbox_position to sightline_importer

-- migrate
grant insert, update, delete on daily_count, imported_mail to sightline_importer

-- migrate
grant select (account_id, data_retention_days) on plan to sightline_importer

-- migrate
grant select (account_id, site_key, findings_from_reports) on watch to sightline_importer

-- migrate
grant select (id, version), update (version) on account to sightline_importer

-- migrate
grant select on imported_mail,
mailbox_position,
daily_count,
daily_group,
rollup_month,
report_locator,
report_usage to sightline_importer

-- migrate
grant select on schema_migration,
origin,
removed_position,
last_run,
certificate,
announced_change to sightline_importer

-- migrate
grant usage, update on sequence load_position to sightline_importer

-- migrate
select
from origin
where accounts = 'account'::regclass

-- migrate
select
from pg_db_role_setting
where 'default_transaction_read_only=on' = any(setconfig)
and setrole = to_regrole('sightline_reader')
and setdatabase in (0, (select oid
from pg_database
where datname = current_database()))

-- migrate
select
where has_database_privilege('sightline_reader', current_database(), 'temporary')

-- migrate
select
where to_regrole('sightline_importer') is not null

-- migrate
select admit_importer(c.relname)
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'report'::regclass

-- migrate
select pg_advisory_xact_lock(7446858441)

-- migrate
select set_config('citus.multi_shard_modify_mode', 'sequential', true)

-- migrate
select version, checksum
from schema_migration

-- migrate: $1 = "sightline_reader"
select to_regrole($1) is not null as known
