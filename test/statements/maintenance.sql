-- maintain
alter table report_y2026m05 alter column host_reversed set statistics 500

-- maintain
analyze report_y2026m05

-- maintain
create extension bloom

-- maintain
create extension btree_gin

-- maintain
create extension pg_trgm

-- maintain
insert into last_run values ('maintain', clock_timestamp())
on conflict (command) do update set finished_at = excluded.finished_at

-- maintain
select (date '2026-05-01' - max(least(coalesce(p.data_retention_days, 30), 3660))::int)::text as oldest,
greatest(date '2026-05-01', (now() at time zone 'UTC')::date)::text as latest
from account a
left
join plan p on p.account_id = a.id

-- maintain
select account_id, type::text, day::text, nullif(hour, -1) as hour, total::float8
from (
select account_id, type, day, sum(total) as total
from daily_count
where day >= '2026-05-01'
and day < '2026-05-01'
and day <= '2026-05-01'
group by account_id, type, day having sum(total) >= 50
) as busy cross
join generate_series(-1, 23) as hour
where case when hour = -1 then day < date '2026-05-01' - 1 else total >= 200
and not day < date '2026-05-01' - 1 and
(day + make_interval(hours => hour + 1, mins => 5)) at time zone 'UTC' <= now() end
and case type when 'csp' then 17 when 'csp_integrity' then 3 when 'integrity_policy' then 2 when 'permissions_policy' then 3 when 'nel' then 7 when 'deprecation' then 3 when 'intervention' then 3 when 'crash' then 4 when 'coep' then 2 when 'coop' then 2 when 'dmarc' then 14 when 'tls_rpt' then 5 when 'certificate_transparency' then 4 when 'connection_allowlist' then 3 when 'other' then 2 end > (
select count(*)
from daily_group g
where g.account_id = busy.account_id
and g.type = busy.type
and g.day = busy.day
and (case when dimensions like '__:00 %' then substr(dimensions,
7) else dimensions end) in ('ACTION SOURCE_CLASS',
'HOUR SOURCE_CLASS',
'DIRECTIVE SOURCE_CLASS',
'BROWSER PLATFORM SOURCE_CLASS',
'POLICY_ID DIRECTIVE SOURCE_CLASS',
'BLOCKED_HOST SOURCE_CLASS THREAT',
'BLOCKED_ORIGIN SOURCE_CLASS',
'PAGE_HOST SOURCE_CLASS',
'PAGE_PATH SOURCE_CLASS',
'PAGE_HOST PAGE_PATH SOURCE_CLASS',
'PAGE VIOLATION BLOCKED_URI',
'hours HOUR',
'hours DIRECTIVE',
'hours PAGE',
'hours BLOCKED_HOST',
'details of hosts',
'details of reports',
'details of hosts,
too many',
'details of reports,
too many',
'insights SCRIPT',
'insights FEATURE',
'NEL_TYPE PHASE',
'PAGE_HOST',
'ORGANISATION',
'SERVER_IP',
'hours ERROR',
'insights PAGE',
'ALIGNED',
'DISPOSITION',
'DKIM SPF',
'REPORTER',
'HEADER_FROM DISPOSITION',
'SOURCE_ORGANISATION ALIGNED',
'SENDER ALIGNED',
'SOURCE_NETWORK ALIGNED',
'SOURCE_IP ALIGNED',
'hours SENDER',
'insights AUTHENTICATION',
'mail RESULTS',
'insights TLS FAILURES',
'insights TLS SESSIONS',
'insights REPORTER',
'ISSUER',
'insights CERTIFICATE')
and coalesce((case when dimensions like '__:00 %' then left(dimensions, 2)::int end), -1) = hour)
order by day desc, account_id, hour desc

-- maintain
select bool_or(indisclustered)
or obj_description('report_y2026m05'::regclass) = 'in the order of the primary key' as clustered
from pg_index
where indrelid = 'report_y2026m05'::regclass

-- maintain
select c.relname as name, 'index' as kind
from pg_index i
join pg_class c on c.oid = i.indexrelid
where i.indrelid = 'report_y2026m05'::regclass
union all select stxname, 'statistics'
from pg_statistic_ext
where stxrelid = 'report_y2026m05'::regclass

-- maintain
select c.relname as name, i.indisprimary as primary,
case when i.indisprimary then (select pg_get_constraintdef(oid)
from pg_constraint
where conindid = c.oid)
else substring(pg_get_indexdef(c.oid)
from ' USING .*') end as definition
from pg_index i
join pg_class c on c.oid = i.indexrelid
where i.indrelid = 'report_y2026m05'::regclass
and i.indisvalid
order by i.indexrelid

-- maintain
select month
from rollup_month
where is_finished
and version = 'dc171e5ab3737938'

-- maintain
select pg_advisory_xact_lock(7446858442);
set local work_mem = '256MB'; set local maintenance_work_mem = '256MB';
create table report_y2026m05_copy (like report including defaults);
select;
do $each$ begin alter table report_y2026m05_copy add constraint report_y2026m05_copy_month check (date >= '2026-05-01 00:00:00+00'
and date < '2026-05-01 00:00:00+00');
insert into report_y2026m05_copy select *
from report_y2026m05
order by account_id, type, date, id;
alter table report_y2026m05_copy add constraint report_y2026m05_copy_pkey PRIMARY KEY (account_id,
type,
date,
id);
create index report_y2026m05_copy_1 on report_y2026m05_copy  USING btree (account_id,
type,
host_reversed) WHERE (host_reversed IS NOT NULL);
create index report_y2026m05_copy_2 on report_y2026m05_copy  USING btree (account_id,
type,
blocked_host_reversed) WHERE (blocked_host_reversed IS NOT NULL);
create index report_y2026m05_copy_3 on report_y2026m05_copy  USING btree (account_id,
type,
subresource_host_reversed) WHERE (subresource_host_reversed IS NOT NULL);
create index report_y2026m05_copy_4 on report_y2026m05_copy  USING btree (sha256,
account_id) WHERE (sha256 IS NOT NULL);
create index report_y2026m05_copy_5 on report_y2026m05_copy  USING btree (account_id,
type,
date,
id,
generated_domain,
indicator_of_compromise,
recently_registered_domain,
suspicious) WHERE (generated_domain OR indicator_of_compromise OR recently_registered_domain OR low_reputation_domain OR suspicious OR (policy_ioc_hosts IS NOT NULL) OR (policy_concern_hosts IS NOT NULL));
create index report_y2026m05_copy_6 on report_y2026m05_copy  USING btree (account_id,
type,
"position") WHERE ("position" >= 0);
alter table report_y2026m05_copy cluster on report_y2026m05_copy_pkey;
analyze report_y2026m05_copy; end $each$;
do $$ begin
for attempt in 1..240 loop
begin
set local lock_timeout = 200;
lock table only report, only report_y2026m05 in access exclusive mode;
return;
exception when lock_not_available then
perform pg_sleep(0.3);
end;
end loop;
raise lock_not_available using message = 'report_y2026m05 is read without a pause: it stays as it is';
end $$;
do $each$ begin alter table report detach partition report_y2026m05;
alter table report attach partition report_y2026m05_copy for values
from ('2026-05-01 00:00:00+00') to ('2026-05-01 00:00:00+00');
drop table report_y2026m05;
alter table report_y2026m05_copy drop constraint report_y2026m05_copy_month;
alter table report_y2026m05_copy rename to report_y2026m05;
alter index report_y2026m05_copy_pkey rename to report_y2026m05_pkey;
alter index report_y2026m05_copy_1 rename to report_y2026m05_account_id_type_host_reversed_idx;
alter index report_y2026m05_copy_2 rename to report_y2026m05_account_id_type_blocked_host_reversed_idx;
alter index report_y2026m05_copy_3 rename to report_y2026m05_account_id_type_subresource_host_reversed_idx;
alter index report_y2026m05_copy_4 rename to report_y2026m05_sha256_account_id_idx;
alter index report_y2026m05_copy_5 rename to report_y2026m05_account_id_type_date_id_generated_domain_in_idx;
alter index report_y2026m05_copy_6 rename to report_y2026m05_account_id_type_position_idx;
perform admit_importer('report_y2026m05'); end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); insert into rollup_month values ('2026-04',
'dc171e5ab3737938',
false)
on conflict (month) do update set version = excluded.version, is_finished = false

-- maintain
select pg_advisory_xact_lock(7446858442); insert into rollup_month values ('2026-05',
'dc171e5ab3737938',
false)
on conflict (month) do update set version = excluded.version, is_finished = false

-- maintain
select pg_advisory_xact_lock(7446858442); insert into rollup_month values ('2026-07',
'dc171e5ab3737938',
false)
on conflict (month) do update set version = excluded.version, is_finished = false

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_hosts_2a1cf471 on report_y2026m05 (account_id,
type,
host_reversed,
date)
where host_reversed is not null; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_newest_e96c24af on report_y2026m05 (account_id,
type,
date,
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
(lower(left(cert_type,
64))),
(lower(left(sha256_spki,
64))),
(lower(left(policy_id,
64))),
(hashtext(lower(policy))),
(lower(left(property,
64))),
(lower(left(destination,
64))),
host_reversed,
blocked_host_reversed,
subresource_host_reversed,
domain_reputation_score); end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_patterns_0e32aeed on report_y2026m05 using gin (account_id,
type,
path gin_trgm_ops,
blocked_path gin_trgm_ops,
subresource_path gin_trgm_ops,
(host_reversed || '') gin_trgm_ops,
(blocked_host_reversed || '') gin_trgm_ops,
(subresource_host_reversed || '') gin_trgm_ops); end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_score_3d45c964 on report_y2026m05 (account_id,
type,
domain_reputation_score)
where domain_reputation_score is not null; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_signatures_31087480 on report_y2026m05 using bloom ((account_id),
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
col15 = 3); end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_threats_621200bc on report_y2026m05 (account_id,
type,
date,
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
(lower(left(cert_type,
64))),
(lower(left(sha256_spki,
64))),
(lower(left(policy_id,
64))),
(hashtext(lower(policy))),
(lower(left(property,
64))),
(lower(left(destination,
64))),
host_reversed,
blocked_host_reversed,
subresource_host_reversed,
domain_reputation_score)
where (generated_domain
or indicator_of_compromise
or recently_registered_domain
or low_reputation_domain
or suspicious
or policy_ioc_hosts is not null
or policy_concern_hosts is not null); end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create index report_y2026m05_values_ea8719a3 on report_y2026m05 using gin (account_id,
type,
lower(left(action,
64)),
left(path,
255),
lower(left(directive,
64)),
left(blocked_path,
255),
left(subresource_path,
255),
left(hash,
255),
lower(left(browser,
64)),
lower(left(platform,
64)),
lower(left(nel_type,
64)),
lower(left(phase,
64)),
lower(left(disposition,
64)),
lower(left(cert_type,
64)),
lower(left(sha256_spki,
64)),
lower(left(policy_id,
64)),
hashtext(lower(policy)),
lower(left(property,
64)),
lower(left(destination,
64))); end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_accounts_7800e649 (mcv) on (account_id),
(lower(left(browser,
64))),
(lower(left(platform,
64))),
(lower(left(action,
64))),
(lower(left(policy_id,
64))),
(hashtext(lower(policy)))
from report_y2026m05; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_agents_1363a83f (mcv) on (type),
(lower(left(browser,
64))),
(lower(left(platform,
64)))
from report_y2026m05; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_owners_92648748 (dependencies) on account_id,
host_reversed
from report_y2026m05; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_rulings_ffda1ea3 (mcv) on (type),
(lower(left(action,
64))),
(lower(left(policy_id,
64))),
(lower(left(directive,
64)))
from report_y2026m05; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_targets_782fe8c7 (mcv) on (type),
(blocked_host_reversed),
(left(blocked_path,
255)),
(domain_reputation_score)
from report_y2026m05; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local maintenance_work_mem = '256MB'; do $each$ begin create statistics report_y2026m05_traits_81ec6167 (mcv) on (type),
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
from report_y2026m05; end $each$

-- maintain
select pg_advisory_xact_lock(7446858442); set local work_mem = '256MB'; set local jit = off; set local enable_hashjoin = off;
create temp table examined_window on commit drop as
select account_id collate "C" as account_id, day, hour,
(day + make_interval(hours => coalesce(hour, 0))) at time zone 'UTC' as begins,
(day + make_interval(hours => coalesce(hour + 1, 24))) at time zone 'UTC' as ends
from jsonb_to_recordset(E'[{"account_id":"late","type":"csp","day":"2026-05-20","hour":null,"total":302}]'::jsonb) as one (account_id text,
day date,
hour int);
analyze examined_window;
create temp table kept_stretch on commit drop as
select l.account_id, l.day, l.hour, l.begins, l.ends, count(*) <= 200000 as is_detailed
from examined_window l
join report_y2026m05 r on r.account_id = l.account_id
and r.type = 'csp'
and r.date >= l.begins
and r.date < l.ends
group by 1, 2, 3, 4, 5
having count(*) >= case when l.hour is null then 50 else 200 end;
analyze kept_stretch;
delete
from daily_group g using kept_stretch k
where g.account_id = k.account_id
and g.type = 'csp'
and g.day = k.day
and coalesce((case when dimensions like '__:00 %' then left(dimensions, 2)::int end) = k.hour, true);
insert into daily_group (account_id, type, day, dimensions, v1, v2, v3, count, reports, first_seen, last_seen)
select account_id,
type,
day,
coalesce(to_char(hour,
'FM00":00 "'),
'') || way,
coalesce(array_agg(v1) filter (where is_kept),
'{}'),
coalesce(array_agg(v2) filter (where is_kept),
'{}'),
coalesce(array_agg(v3) filter (where is_kept),
'{}'),
coalesce(array_agg(count) filter (where is_kept),
'{}'),
coalesce(array_agg(reports) filter (where is_kept),
'{}'),
coalesce(array_agg(first_seen) filter (where is_kept),
'{}'),
coalesce(array_agg(last_seen) filter (where is_kept),
'{}')
from (
select account_id, type, day, hour, way, v2, v3, bool_or(is_kept) as is_kept,
case when has_hours then string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ','
order by v1) filter (where has_hours
and is_kept)
else min(v1) end as v1,
sum(count) filter (where is_kept) as count, max(reports) filter (where is_kept) as reports,
min(first_seen) filter (where is_kept) as first_seen, max(last_seen) filter (where is_kept) as last_seen
from (
select r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted
and count(*) >= s.least as is_kept,
s.way in ('', 'hours HOUR', 'hours DIRECTIVE', 'hours PAGE', 'hours BLOCKED_HOST') as has_hours,
sum(s.weight)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
from kept_stretch k
join (select account_id,
type,
date,
coalesce((action),
'') as e0,
coalesce((coalesce(source_class,
'unknown')),
'') as e1,
count as e2,
coalesce(to_char((date_trunc('hour',
date at time zone 'UTC')),
'YYYY-MM-DD"T"HH24'),
'') as e3,
coalesce((directive),
'') as e4,
coalesce((browser),
'') as e5,
coalesce((platform),
'') as e6,
coalesce((policy_id),
'') as e7,
coalesce(reverse((blocked_host_reversed)),
'') as e8,
coalesce((((generated_domain
or indicator_of_compromise
or recently_registered_domain
or low_reputation_domain
or suspicious
or policy_ioc_hosts is not null
or policy_concern_hosts is not null))::text), '') as e9, coalesce((coalesce(substring(blocked_uri
from '^[^:/?#]+://[^/?#]*'),
split_part(blocked_uri,
':',
1))),
'') as e10,
coalesce(reverse((host_reversed)),
'') as e11,
coalesce((path),
'') as e12,
coalesce((split_part(split_part(uri,
'#',
1),
'?',
1)),
'') as e13,
coalesce((concat_ws(' ',
coalesce(host_reversed,
''),
coalesce(source_class,
'unknown'),
coalesce(directive,
''))),
'') as e14,
coalesce((split_part(split_part(blocked_uri,
'#',
1),
'?',
1)),
'') as e15,
coalesce(coalesce(source_class,
'unknown') not in ('extension',
'browser',
'impossible'),
false) as e16,
coalesce(coalesce(source_class,
'unknown') not in ('extension',
'browser',
'impossible')
and blocked_host_reversed is not null,
false) as e17,
coalesce((jsonb_strip_nulls(jsonb_build_object('blocked_host_reversed',
blocked_host_reversed,
'source_class',
source_class,
'directive',
directive,
'action',
action,
'policy_id',
policy_id,
'browser',
browser,
'platform',
platform))::text),
'') as e18,
coalesce((jsonb_strip_nulls(jsonb_build_object('host_reversed',
host_reversed,
'blocked_host_reversed',
blocked_host_reversed,
'path',
path,
'blocked_path',
blocked_path,
'uri',
split_part(split_part(uri,
'#',
1),
'?',
1),
'blocked_uri',
split_part(split_part(blocked_uri,
'#',
1),
'?',
1),
'browser',
browser,
'platform',
platform,
'action',
action,
'directive',
directive,
'policy_id',
policy_id,
'source_class',
source_class,
'generated_domain',
nullif(generated_domain,
false),
'indicator_of_compromise',
nullif(indicator_of_compromise,
false),
'recently_registered_domain',
nullif(recently_registered_domain,
false),
'low_reputation_domain',
nullif(low_reputation_domain,
false),
'suspicious',
nullif(suspicious,
false),
'policy_ioc_hosts',
policy_ioc_hosts,
'policy_concern_hosts',
policy_concern_hosts,
'domain_reputation_score',
domain_reputation_score,
'policy',
case when position('''nonce-' in lower(policy)) > 0 then null else encode(substr(sha256(convert_to(lower(policy),
'UTF8')),
1,
12),
'base64') end,
'extra',
nullif(jsonb_strip_nulls(jsonb_build_object('sample',
extra->'sample',
'sourceFile',
split_part(split_part(extra->>'sourceFile',
'#',
1),
'?',
1))),
'{}')))::text),
'') as e19
from report_y2026m05) as r on r.account_id = k.account_id
and r.type = 'csp'
and r.date >= k.begins
and r.date < k.ends
cross
join lateral (values ('ACTION SOURCE_CLASS',
e0,
e1,
'',
true,
1,
e2),
('HOUR SOURCE_CLASS',
e3,
e1,
'',
true,
1,
e2),
('DIRECTIVE SOURCE_CLASS',
e4,
e1,
'',
true,
1,
e2),
('BROWSER PLATFORM SOURCE_CLASS',
e5,
e6,
e1,
true,
1,
e2),
('POLICY_ID DIRECTIVE SOURCE_CLASS',
e7,
e4,
e1,
true,
1,
e2),
('BLOCKED_HOST SOURCE_CLASS THREAT',
e8,
e1,
e9,
true,
1,
e2),
('BLOCKED_ORIGIN SOURCE_CLASS',
e10,
e1,
'',
true,
1,
e2),
('PAGE_HOST SOURCE_CLASS',
e11,
e1,
'',
true,
1,
e2),
('PAGE_PATH SOURCE_CLASS',
e12,
e1,
'',
true,
1,
e2),
('PAGE_HOST PAGE_PATH SOURCE_CLASS',
e11,
e12,
e1,
true,
1,
e2),
('PAGE VIOLATION BLOCKED_URI',
e13,
e14,
e15,
true,
1,
e2),
('hours HOUR',
e3,
'',
'',
e16,
1,
e2),
('hours DIRECTIVE',
e3,
e4,
'',
e16,
1,
e2),
('hours PAGE',
e3,
e11,
e12,
e16,
5,
e2),
('hours BLOCKED_HOST',
e3,
e8,
e1,
e17,
5,
e2),
(case when k.is_detailed then 'details of hosts' else 'details of hosts,
too many' end,
case when k.is_detailed then e18 else '' end,
'',
'',
k.is_detailed,
1,
e2),
(case when k.is_detailed then 'details of reports' else 'details of reports,
too many' end,
case when k.is_detailed then e19 else '' end,
'',
'',
k.is_detailed,
1,
e2)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted, s.least
) as groups
group by account_id, type, day, hour, way, has_hours, case when has_hours then '' else v1 end, v2, v3
) as rows
group by account_id, type, day, hour, way;
select count(*) filter (where hour is null)::int as days, count(hour)::int as hours
from kept_stretch

-- maintain
select pg_advisory_xact_lock(7446858442); set local work_mem = '256MB'; set local jit = off; set local enable_hashjoin = off;
create temp table examined_window on commit drop as
select account_id collate "C" as account_id, day, hour,
(day + make_interval(hours => coalesce(hour, 0))) at time zone 'UTC' as begins,
(day + make_interval(hours => coalesce(hour + 1, 24))) at time zone 'UTC' as ends
from jsonb_to_recordset(E'[{"account_id":"late","type":"dmarc","day":"2026-05-20","hour":null,"total":300}]'::jsonb) as one (account_id text,
day date,
hour int);
analyze examined_window;
create temp table kept_stretch on commit drop as
select l.account_id, l.day, l.hour, l.begins, l.ends, count(*) <= 200000 as is_detailed
from examined_window l
join report_y2026m05 r on r.account_id = l.account_id
and r.type = 'dmarc'
and r.date >= l.begins
and r.date < l.ends
group by 1, 2, 3, 4, 5
having count(*) >= case when l.hour is null then 50 else 200 end;
analyze kept_stretch;
delete
from daily_group g using kept_stretch k
where g.account_id = k.account_id
and g.type = 'dmarc'
and g.day = k.day
and coalesce((case when dimensions like '__:00 %' then left(dimensions, 2)::int end) = k.hour, true);
insert into daily_group (account_id, type, day, dimensions, v1, v2, v3, count, reports, first_seen, last_seen)
select account_id,
type,
day,
coalesce(to_char(hour,
'FM00":00 "'),
'') || way,
coalesce(array_agg(v1) filter (where is_kept),
'{}'),
coalesce(array_agg(v2) filter (where is_kept),
'{}'),
coalesce(array_agg(v3) filter (where is_kept),
'{}'),
coalesce(array_agg(count) filter (where is_kept),
'{}'),
coalesce(array_agg(reports) filter (where is_kept),
'{}'),
coalesce(array_agg(first_seen) filter (where is_kept),
'{}'),
coalesce(array_agg(last_seen) filter (where is_kept),
'{}')
from (
select account_id, type, day, hour, way, v2, v3, bool_or(is_kept) as is_kept,
case when has_hours then string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ','
order by v1) filter (where has_hours
and is_kept)
else min(v1) end as v1,
sum(count) filter (where is_kept) as count, max(reports) filter (where is_kept) as reports,
min(first_seen) filter (where is_kept) as first_seen, max(last_seen) filter (where is_kept) as last_seen
from (
select r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted
and count(*) >= s.least as is_kept,
s.way in ('', 'hours HOUR', 'hours SENDER') as has_hours,
sum(s.weight)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
from kept_stretch k
join (select account_id,
type,
date,
coalesce((extra->>'aligned'),
'') as e0,
count as e1,
coalesce((disposition),
'') as e2,
coalesce((extra->>'dkim'),
'') as e3,
coalesce((extra->>'spf'),
'') as e4,
coalesce((extra->>'reporter'),
'') as e5,
coalesce((extra->>'headerFrom'),
'') as e6,
coalesce((organisation),
'') as e7,
coalesce((sender),
'') as e8,
coalesce((coalesce(substring(extra->>'sourceIp'
from '^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$') || '.0/24',
regexp_replace(regexp_replace(substring(lower(extra->>'sourceIp')
from '^([0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,2})(?=:)'),
'(^|:)0+([0-9a-f])',
'\1\2',
'g'),
'(:0)+$',
'') || '::/48')),
'') as e9,
coalesce((extra->>'sourceIp'),
'') as e10,
coalesce(to_char((date_trunc('hour',
date at time zone 'UTC')),
'YYYY-MM-DD"T"HH24'),
'') as e11,
coalesce((concat(extra->>'dkim',
' ',
extra->>'spf')),
'') as e12,
coalesce((case when extra->>'dkim' <> 'pass'
and extra->>'spf' = 'pass'
then concat_ws(' ', extra #>> '{dkimResults,0,selector}', extra #>> '{dkimResults,0,result}')
when extra->>'dkim' = 'pass'
and extra->>'spf' <> 'pass'
then concat_ws(' ',
extra #>> '{spfResults,0,domain}',
extra #>> '{spfResults,0,result}') end),
'') as e13,
coalesce((jsonb_build_array(reverse(host_reversed),
lower(extra->>'domain'),
extra->>'dkim',
extra->>'spf',
extra->>'aligned',
extra #>> '{publishedPolicy,adkim}',
extra #>> '{publishedPolicy,aspf}',
disposition)::text),
'') as e14,
coalesce((left(jsonb_build_array(jsonb_path_query_array(extra,
'$.dkimResults[*] ? (@.result == "pass").domain'),
jsonb_path_query_array(extra,
'$.dkimResults[*] ? (@.result != "pass" && @.result != "none").domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result == "pass" && (!(@.scope == "helo"))).domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result != "pass" && @.result != "none" && (!(@.scope == "helo"))).domain'),
jsonb_path_query_array(extra,
'$.spfResults[*] ? (@.result == "pass" && @.scope == "helo").domain'),
jsonb_path_query_array(extra,
'$.overrideReasons[*].type'))::text,
8192)),
'') as e15,
coalesce((jsonb_strip_nulls(jsonb_build_object('host_reversed',
host_reversed,
'disposition',
disposition,
'organisation',
organisation,
'sender',
sender,
'extra',
nullif(jsonb_strip_nulls(jsonb_build_object('aligned',
extra->'aligned',
'country',
extra->'country',
'dkim',
extra->'dkim',
'domain',
extra->'domain',
'headerFrom',
extra->'headerFrom',
'reporter',
extra->'reporter',
'sourceIp',
extra->'sourceIp',
'spf',
extra->'spf')),
'{}')))::text),
'') as e16
from report_y2026m05) as r on r.account_id = k.account_id
and r.type = 'dmarc'
and r.date >= k.begins
and r.date < k.ends
cross
join lateral (values ('ALIGNED',
e0,
'',
'',
true,
1,
e1),
('DISPOSITION',
e2,
'',
'',
true,
1,
e1),
('DKIM SPF',
e3,
e4,
'',
true,
1,
e1),
('REPORTER',
e5,
'',
'',
true,
1,
e1),
('HEADER_FROM DISPOSITION',
e6,
e2,
'',
true,
1,
e1),
('SOURCE_ORGANISATION ALIGNED',
e7,
e0,
'',
true,
1,
e1),
('SENDER ALIGNED',
e8,
e0,
'',
true,
1,
e1),
('SOURCE_NETWORK ALIGNED',
e9,
e0,
'',
true,
1,
e1),
('SOURCE_IP ALIGNED',
e10,
e0,
'',
true,
1,
e1),
('hours HOUR',
e11,
'',
'',
true,
1,
e1),
('hours SENDER',
e11,
e8,
e0,
true,
1,
e1),
('insights AUTHENTICATION',
e8,
e12,
e13,
true,
1,
e1),
('mail RESULTS',
e8,
e14,
e15,
true,
1,
e1),
(case when k.is_detailed then 'details of reports' else 'details of reports,
too many' end,
case when k.is_detailed then e16 else '' end,
'',
'',
k.is_detailed,
1,
e1)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted, s.least
) as groups
group by account_id, type, day, hour, way, has_hours, case when has_hours then '' else v1 end, v2, v3
) as rows
group by account_id, type, day, hour, way;
select count(*) filter (where hour is null)::int as days, count(hour)::int as hours
from kept_stretch

-- maintain
select pg_advisory_xact_lock(7446858442); set local work_mem = '256MB'; set local jit = off; set local enable_hashjoin = off;
create temp table examined_window on commit drop as
select account_id collate "C" as account_id, day, hour,
(day + make_interval(hours => coalesce(hour, 0))) at time zone 'UTC' as begins,
(day + make_interval(hours => coalesce(hour + 1, 24))) at time zone 'UTC' as ends
from jsonb_to_recordset(E'[{"account_id":"late","type":"nel","day":"2026-05-20","hour":null,"total":300}]'::jsonb) as one (account_id text,
day date,
hour int);
analyze examined_window;
create temp table kept_stretch on commit drop as
select l.account_id, l.day, l.hour, l.begins, l.ends, count(*) <= 200000 as is_detailed
from examined_window l
join report_y2026m05 r on r.account_id = l.account_id
and r.type = 'nel'
and r.date >= l.begins
and r.date < l.ends
group by 1, 2, 3, 4, 5
having count(*) >= case when l.hour is null then 50 else 200 end;
analyze kept_stretch;
delete
from daily_group g using kept_stretch k
where g.account_id = k.account_id
and g.type = 'nel'
and g.day = k.day
and coalesce((case when dimensions like '__:00 %' then left(dimensions, 2)::int end) = k.hour, true);
insert into daily_group (account_id, type, day, dimensions, v1, v2, v3, count, reports, first_seen, last_seen)
select account_id,
type,
day,
coalesce(to_char(hour,
'FM00":00 "'),
'') || way,
coalesce(array_agg(v1) filter (where is_kept),
'{}'),
coalesce(array_agg(v2) filter (where is_kept),
'{}'),
coalesce(array_agg(v3) filter (where is_kept),
'{}'),
coalesce(array_agg(count) filter (where is_kept),
'{}'),
coalesce(array_agg(reports) filter (where is_kept),
'{}'),
coalesce(array_agg(first_seen) filter (where is_kept),
'{}'),
coalesce(array_agg(last_seen) filter (where is_kept),
'{}')
from (
select account_id, type, day, hour, way, v2, v3, bool_or(is_kept) as is_kept,
case when has_hours then string_agg('[' || floor(extract(epoch
from first_seen))::bigint / 3600 || ',' || reports || ',' || count || ',' || floor(extract(epoch
from first_seen))::bigint % 3600 || ',' || floor(extract(epoch
from last_seen))::bigint % 3600 || ']', ','
order by v1) filter (where has_hours
and is_kept)
else min(v1) end as v1,
sum(count) filter (where is_kept) as count, max(reports) filter (where is_kept) as reports,
min(first_seen) filter (where is_kept) as first_seen, max(last_seen) filter (where is_kept) as last_seen
from (
select r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted
and count(*) >= s.least as is_kept,
s.way in ('', 'hours HOUR', 'hours ERROR') as has_hours,
sum(s.weight)::bigint as count, count(*) as reports, min(r.date) as first_seen, max(r.date) as last_seen
from kept_stretch k
join (select account_id,
type,
date,
coalesce((nel_type),
'') as e0,
coalesce((phase),
'') as e1,
count as e2,
coalesce(reverse((host_reversed)),
'') as e3,
coalesce((organisation),
'') as e4,
coalesce((extra->>'serverIp'),
'') as e5,
coalesce(to_char((date_trunc('hour',
date at time zone 'UTC')),
'YYYY-MM-DD"T"HH24'),
'') as e6,
coalesce(nel_type <> 'ok',
false) as e7,
coalesce((jsonb_strip_nulls(jsonb_build_object('host_reversed',
host_reversed,
'path',
path,
'uri',
split_part(split_part(uri,
'#',
1),
'?',
1),
'browser',
browser,
'platform',
platform,
'nel_type',
nel_type,
'phase',
phase,
'organisation',
organisation,
'extra',
nullif(jsonb_strip_nulls(jsonb_build_object('serverIp',
extra->'serverIp',
'statusCode',
extra->'statusCode')),
'{}')))::text),
'') as e8
from report_y2026m05) as r on r.account_id = k.account_id
and r.type = 'nel'
and r.date >= k.begins
and r.date < k.ends
cross
join lateral (values ('NEL_TYPE PHASE',
e0,
e1,
'',
true,
1,
e2),
('PAGE_HOST',
e3,
'',
'',
true,
1,
e2),
('ORGANISATION',
e4,
'',
'',
true,
1,
e2),
('SERVER_IP',
e5,
'',
'',
true,
1,
e2),
('hours HOUR',
e6,
'',
'',
true,
1,
e2),
('hours ERROR',
e6,
e3,
e0,
e7,
5,
e2),
(case when k.is_detailed then 'details of reports' else 'details of reports,
too many' end,
case when k.is_detailed then e8 else '' end,
'',
'',
k.is_detailed,
1,
e2)) as s (way,
v1,
v2,
v3,
is_counted,
least,
weight)
group by r.account_id, r.type, k.day, k.hour, s.way, s.v1, s.v2, s.v3, s.is_counted, s.least
) as groups
group by account_id, type, day, hour, way, has_hours, case when has_hours then '' else v1 end, v2, v3
) as rows
group by account_id, type, day, hour, way;
select count(*) filter (where hour is null)::int as days, count(hour)::int as hours
from kept_stretch

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
update rollup_month set is_finished = true
where month = '2026-04'

-- maintain
update rollup_month set is_finished = true
where month = '2026-05'

-- maintain
vacuum (analyze, skip_locked, truncate off) "report"

-- maintain, prune
select (date '2026-05-01' - min(least(coalesce(p.data_retention_days, 30), 3660))::int)::text as newest
from account a
left
join plan p on p.account_id = a.id

-- maintain, prune
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
where date '2026-05-01' - least(coalesce(p.data_retention_days, 30), 3660)::int > '2026-05-01'
)
select
from oldest o cross
join lateral (
select
from report_y2026m05 r
where r.account_id = o.account_id
and r.type = o.type
and r.date < o.date
order by r.date
limit 1) as found
limit 1

-- maintain, prune
with retained as materialized (
select a.id as account_id, date '2026-05-01' - least(coalesce(p.data_retention_days, 30), 3660)::int as day
from account a
left
join plan p on p.account_id = a.id
), known as (
select account_id, digest, imported_on, records = 0
and 100000 >=
row_number() over (partition by account_id, records = 0
order by imported_on desc) as stays
from imported_mail
), forgotten as materialized (
select w.account_id, w.digest
from known w
join retained k on w.account_id = k.account_id
where w.imported_on < k.day
and not w.stays
)
delete
from imported_mail m using forgotten f
where m.account_id = f.account_id
and m.digest = f.digest

-- maintain: $1 = "bloom"
-- maintain: $1 = "btree_gin"
-- maintain: $1 = "pg_trgm"
select
from pg_extension
where extname = $1

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
where date '2026-05-01' - least(coalesce(p.data_retention_days, 30), 3660)::int > '2026-05-01'
)
select count(*)::float8 as reports
from report r
join oldest o
on r.account_id = o.account_id
and r.type = o.type
and r.date < o.date
and r.date >= '2026-05-01 00:00:00+00'
and r.date < '2026-05-01 00:00:00+00'
