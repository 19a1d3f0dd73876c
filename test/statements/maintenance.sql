-- maintain
alter table report attach partition report_y2026m05
for values
from ('2026-05-01 00:00:00+00') to ('2026-05-01 00:00:00+00')

-- maintain
analyze report_y2026m05

-- maintain
begin; select pg_advisory_xact_lock(7446858442)

-- maintain
begin; select pg_advisory_xact_lock(7446858442); delete
from report_locator
where date < '2026-05-01 00:00:00+00'
or date >= '2026-05-01 00:00:00+00'; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_score_3d45c964 on report_y2026m05 (account_id,
type,
domain_reputation_score)
where domain_reputation_score is not null; end $each$; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_signatures_31087480 on report_y2026m05 using bloom ((account_id),
(lower(left(action,
64))),
(left(path,
255)),
(lower(left(directive,
64))),
(left(blocked_path,
255)),
(left(subresource_path,
255)),
(left(hash,
255)),
(lower(left(browser,
64))),
(lower(left(platform,
64))),
(lower(left(nel_type,
64))),
(lower(left(sha256_spki,
64))),
(lower(left(policy_id,
64))),
(hashtext(lower(policy))),
(lower(left(property,
64))),
(lower(left(destination,
64))))
with (length = 160,
col1 = 3,
col2 = 3,
col3 = 3,
col4 = 3,
col5 = 3,
col6 = 3,
col7 = 3,
col8 = 3,
col9 = 3,
col10 = 3,
col11 = 3,
col12 = 3,
col13 = 3,
col14 = 3,
col15 = 3); end $each$; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_accounts_7800e649 (mcv) on (account_id),
(lower(left(browser,
64))),
(lower(left(platform,
64))),
(lower(left(action,
64))),
(lower(left(policy_id,
64))),
(hashtext(lower(policy)))
from report_y2026m05; end $each$; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_agents_1363a83f (mcv) on (type),
(lower(left(browser,
64))),
(lower(left(platform,
64)))
from report_y2026m05; end $each$; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_rulings_ffda1ea3 (mcv) on (type),
(lower(left(action,
64))),
(lower(left(policy_id,
64))),
(lower(left(directive,
64)))
from report_y2026m05; end $each$; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_targets_782fe8c7 (mcv) on (type),
(blocked_host_reversed),
(left(blocked_path,
255)),
(domain_reputation_score)
from report_y2026m05; end $each$; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_traits_81ec6167 (mcv) on (type),
(lower(left(browser,
64))),
(lower(left(platform,
64))),
(lower(left(nel_type,
64))),
(lower(left(phase,
64))),
(lower(left(disposition,
64))),
(lower(left(property,
64))),
(lower(left(destination,
64)))
from report_y2026m05; end $each$; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local work_mem = '256MB'; set local jit = off;
create temp table kept_day on commit drop as
select account_id, type, day
from (
select account_id, type, (date at time zone 'UTC')::date as day
from report_y2026m05
where type = 'csp'
and date < '2026-05-01 00:00:00+00'
group by 1, 2, 3 having count(*) >= 200
) as many
where 9 > (
select count(*)
from daily_group g
where g.account_id = many.account_id
and g.type = many.type
and g.day = many.day
and g.dimensions in ('ACTION SOURCE_CLASS',
'DIRECTIVE SOURCE_CLASS',
'BROWSER SOURCE_CLASS',
'PLATFORM SOURCE_CLASS',
'BLOCKED_HOST SOURCE_CLASS THREAT',
'BLOCKED_ORIGIN SOURCE_CLASS',
'PAGE_HOST SOURCE_CLASS',
'PAGE_PATH SOURCE_CLASS',
'PAGE_HOST PAGE_PATH SOURCE_CLASS'));
analyze kept_day;
delete
from daily_group g using kept_day d
where g.account_id = d.account_id
and g.type = d.type
and g.day = d.day;
insert into daily_group
(account_id, type, day, dimensions, v1, v2, v3, count, reports, first_seen, last_seen)
select account_id, type, day, dimensions, array_agg(v1), array_agg(v2), array_agg(v3), array_agg(count),
array_agg(reports), array_agg(first_seen), array_agg(last_seen)
from (
select r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3,
sum(r.count)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
from kept_day d
join report_y2026m05 r on r.account_id = d.account_id
and r.type = d.type
and r.date >= d.day::timestamp at time zone 'UTC'
and r.date < (d.day + 1)::timestamp at time zone 'UTC'
cross
join lateral (values ('ACTION SOURCE_CLASS',
coalesce((action),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
''),
('DIRECTIVE SOURCE_CLASS',
coalesce((directive),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
''),
('BROWSER SOURCE_CLASS',
coalesce((browser),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
''),
('PLATFORM SOURCE_CLASS',
coalesce((platform),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
''),
('BLOCKED_HOST SOURCE_CLASS THREAT',
coalesce(reverse((blocked_host_reversed)),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
coalesce((((generated_domain
or indicator_of_compromise
or recently_registered_domain
or low_reputation_domain
or suspicious
or policy_ioc_hosts is not null
or policy_concern_hosts is not null))::text),
'')),
('BLOCKED_ORIGIN SOURCE_CLASS',
coalesce((coalesce(substring(blocked_uri
from '^[^:/?#]+://[^/?#]*'),
split_part(blocked_uri,
':',
1))),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
''),
('PAGE_HOST SOURCE_CLASS',
coalesce(reverse((host_reversed)),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
''),
('PAGE_PATH SOURCE_CLASS',
coalesce((path),
''),
coalesce((coalesce(source_class,
'unknown')),
''),
''),
('PAGE_HOST PAGE_PATH SOURCE_CLASS',
coalesce(reverse((host_reversed)),
''),
coalesce((path),
''),
coalesce((coalesce(source_class,
'unknown')),
'')))
as s (dimensions, v1, v2, v3)
group by r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3
) as groups
group by account_id, type, day, dimensions;
select count(*)::int as days
from kept_day; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local work_mem = '256MB'; set local jit = off;
create temp table kept_day on commit drop as
select account_id, type, day
from (
select account_id, type, (date at time zone 'UTC')::date as day
from report_y2026m05
where type = 'dmarc'
and date < '2026-05-01 00:00:00+00'
group by 1, 2, 3 having count(*) >= 200
) as many
where 7 > (
select count(*)
from daily_group g
where g.account_id = many.account_id
and g.type = many.type
and g.day = many.day
and g.dimensions in ('ALIGNED',
'DISPOSITION',
'DKIM SPF',
'REPORTER',
'HEADER_FROM DISPOSITION',
'SOURCE_ORGANISATION ALIGNED',
'SOURCE_IP ALIGNED'));
analyze kept_day;
delete
from daily_group g using kept_day d
where g.account_id = d.account_id
and g.type = d.type
and g.day = d.day;
insert into daily_group
(account_id, type, day, dimensions, v1, v2, v3, count, reports, first_seen, last_seen)
select account_id, type, day, dimensions, array_agg(v1), array_agg(v2), array_agg(v3), array_agg(count),
array_agg(reports), array_agg(first_seen), array_agg(last_seen)
from (
select r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3,
sum(r.count)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
from kept_day d
join report_y2026m05 r on r.account_id = d.account_id
and r.type = d.type
and r.date >= d.day::timestamp at time zone 'UTC'
and r.date < (d.day + 1)::timestamp at time zone 'UTC'
cross
join lateral (values ('ALIGNED',
coalesce((extra->>'aligned'),
''),
'',
''),
('DISPOSITION',
coalesce((disposition),
''),
'',
''),
('DKIM SPF',
coalesce((extra->>'dkim'),
''),
coalesce((extra->>'spf'),
''),
''),
('REPORTER',
coalesce((extra->>'reporter'),
''),
'',
''),
('HEADER_FROM DISPOSITION',
coalesce((extra->>'headerFrom'),
''),
coalesce((disposition),
''),
''),
('SOURCE_ORGANISATION ALIGNED',
coalesce((organisation),
''),
coalesce((extra->>'aligned'),
''),
''),
('SOURCE_IP ALIGNED',
coalesce((extra->>'sourceIp'),
''),
coalesce((extra->>'aligned'),
''),
''))
as s (dimensions, v1, v2, v3)
group by r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3
) as groups
group by account_id, type, day, dimensions;
select count(*)::int as days
from kept_day; commit

-- maintain
begin; select pg_advisory_xact_lock(7446858442); set local work_mem = '256MB'; set local jit = off;
create temp table kept_day on commit drop as
select account_id, type, day
from (
select account_id, type, (date at time zone 'UTC')::date as day
from report_y2026m05
where type = 'nel'
and date < '2026-05-01 00:00:00+00'
group by 1, 2, 3 having count(*) >= 200
) as many
where 4 > (
select count(*)
from daily_group g
where g.account_id = many.account_id
and g.type = many.type
and g.day = many.day
and g.dimensions in ('NEL_TYPE PHASE', 'PAGE_HOST', 'ORGANISATION', 'SERVER_IP'));
analyze kept_day;
delete
from daily_group g using kept_day d
where g.account_id = d.account_id
and g.type = d.type
and g.day = d.day;
insert into daily_group
(account_id, type, day, dimensions, v1, v2, v3, count, reports, first_seen, last_seen)
select account_id, type, day, dimensions, array_agg(v1), array_agg(v2), array_agg(v3), array_agg(count),
array_agg(reports), array_agg(first_seen), array_agg(last_seen)
from (
select r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3,
sum(r.count)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
from kept_day d
join report_y2026m05 r on r.account_id = d.account_id
and r.type = d.type
and r.date >= d.day::timestamp at time zone 'UTC'
and r.date < (d.day + 1)::timestamp at time zone 'UTC'
cross
join lateral (values ('NEL_TYPE PHASE',
coalesce((nel_type),
''),
coalesce((phase),
''),
''),
('PAGE_HOST',
coalesce(reverse((host_reversed)),
''),
'',
''),
('ORGANISATION',
coalesce((organisation),
''),
'',
''),
('SERVER_IP',
coalesce((extra->>'serverIp'),
''),
'',
''))
as s (dimensions, v1, v2, v3)
group by r.account_id, r.type, d.day, s.dimensions, s.v1, s.v2, s.v3
) as groups
group by account_id, type, day, dimensions;
select count(*)::int as days
from kept_day; commit

-- maintain
commit

-- maintain
create extension bloom

-- maintain
create extension btree_gin

-- maintain
create extension pg_trgm

-- maintain
create table report_y2026m05 (like report including defaults)

-- maintain
insert into last_run values ('maintain', clock_timestamp())
on conflict (command) do update set finished_at = excluded.finished_at

-- maintain
select
from pg_extension
where extname = $1

-- maintain
select (date '2026-05-01' - max(least(coalesce(p.data_retention_days, 30), 3660))::int)::text as oldest,
greatest(date '2026-05-01', (now() at time zone 'UTC')::date)::text as latest
from account a
left
join plan p on p.account_id = a.id

-- maintain
select c.relname as name, 'index' as kind
from pg_index i
join pg_class c on c.oid = i.indexrelid
where i.indrelid = 'report_y2026m05'::regclass
union all select stxname, 'statistics'
from pg_statistic_ext
where stxrelid = 'report_y2026m05'::regclass

-- maintain
select distinct substring(uri
from '^[^:/?#]+://[^/?#]*') as page, coalesce(substring(blocked_uri
from '^[^:/?#]+:(?://[^/?#]*)?'), blocked_uri) as blocked
from report_y2026m05
where source_class is null
and type in ('csp', 'integrity_policy', 'coep')

-- maintain
select pg_stat_force_next_flush()

-- maintain
select relname as name
from pg_stat_user_tables
where relid in (select oid
from pg_class
where relnamespace = current_schema()::regnamespace
and relkind = 'r')
and (n_mod_since_analyze > 0.02 * n_live_tup
or (n_live_tup > 0
and coalesce(last_vacuum, last_autovacuum) is null))

-- maintain
vacuum (analyze, skip_locked, truncate off) "report"

-- maintain, prune
select c.relname as name
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'report'::regclass

-- prune
with oldest as materialized (
select a.id as account_id, t.type,
(date '2026-05-01' - least(coalesce(p.data_retention_days,
30),
3660)::int)::timestamp at time zone 'UTC' as date
from account a
left
join plan p on p.account_id = a.id
cross
join unnest(enum_range(null::report_type)) as t (type)
)
select count(*)::float8 as reports
from report r
join oldest o
on r.account_id = o.account_id
and r.type = o.type
and r.date < o.date
and r.date >= '2026-05-01 00:00:00+00'
and r.date < '2026-05-01 00:00:00+00'
