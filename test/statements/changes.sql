-- prune
select pg_advisory_xact_lock(7446858442); set local jit = off;
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
), removed as (
delete
from report r using oldest o
where r.account_id = o.account_id
and r.type = o.type
and r.date < o.date
and r.date >= '2026-05-01 00:00:00+00'
and r.date < '2026-05-01 00:00:00+00'
returning r.account_id, r.type, r.id, r.date, r.position, o.date as retained
), gone as materialized (
select account_id, date, hashtextextended(r.account_id || ' ' || r.type::text || ' ' || lower(r.id), 0) as key
from removed r
), located as (
delete
from report_locator l using gone r
where l.key = r.key
and l.account_id = r.account_id
and l.date = r.date
), ungrouped as (
delete
from daily_group g using oldest o
where g.account_id = o.account_id
and g.type = o.type
and g.day < (o.date at time zone 'UTC')::date
), noted as (
insert into removed_position (account_id, type, position, date, id, removed_before)
select distinct on (account_id, type) account_id, type, position, date, id,
max(retained) over (partition by account_id, type)
from removed
order by account_id, type, position desc, date desc, id desc
on conflict (account_id, type) do update set
position = greatest(removed_position.position, excluded.position),
date = case when (excluded.position, excluded.date, excluded.id) > (removed_position.position,
removed_position.date, removed_position.id) then excluded.date else removed_position.date end,
id = case when (excluded.position, excluded.date, excluded.id) > (removed_position.position,
removed_position.date, removed_position.id) then excluded.id else removed_position.id end,
removed_before = greatest(removed_position.removed_before, excluded.removed_before)
), touched as (
update account a set version = a.version + 1
where a.id in (select account_id
from removed) returning a.id
)
select (select count(*)
from removed)::int as reports, (select count(*)
from touched)::int as accounts
