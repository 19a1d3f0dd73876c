-- A watch may take its findings from the account's reports. Those are derived; a finding of the feed stays as it was told.
alter table watch add column findings_from_reports boolean not null default false;
alter table watch_finding add column derived boolean not null default false;

-- Functions of the owner, since a login that may only import reads no report. Each is told reports as what stands behind
-- "from", with r for the report; none answers with anything of them.

-- A select of what watches see in reports. Extensions and browsers themselves are nothing of a site, though they report its
-- policy. Nonces differ in each answer, so that they make no new policy. Each report is there twice, for its address and its
-- policy: Citus knows no grouping sets.
create function sightings(reports text, watches text) returns text language sql immutable as $$
  select format($query$
    select w.account_id, w.product, w.site_key, sha256(convert_to(s.subject, 'UTF8')) as subject_sha256, s.subject,
      least(sum(s.count), 9007199254740991)::bigint as count, min(s.first_seen) as first_seen, max(s.last_seen) as last_seen,
      case when w.product <> 'policy' then min(s.source) end as source,
      case when w.product = 'policy' then bool_or(s.enforced) end as enforced
    from (
      select account_id, host_reversed, count, first_seen, last_seen, type::text as source, enforced,
        case when is_policy then 'policy' when type = 'csp_integrity' then 'script'
          when source_class in ('extension', 'browser') then null
          when directive in ('script-src', 'script-src-elem', 'script-src-attr') then 'script'
          when directive in ('connect-src', 'form-action', 'img-src') then 'data'
          when directive in ('frame-src', 'child-src') then 'frame' end as product,
        case when not is_policy then case when type = 'csp' then blocked_uri else subresource_uri end
          when type = 'csp' then regexp_replace(policy, '''nonce-[^'']*''', '''nonce-…''', 'g') end as subject
      from (
        select account_id, type, host_reversed, is_policy, case when not is_policy then directive end as directive,
          case when not is_policy then source_class end as source_class,
          case when not is_policy then blocked_uri end as blocked_uri,
          case when not is_policy then subresource_uri end as subresource_uri,
          case when is_policy then policy end as policy,
          sum(count) as count, min(date) as first_seen, max(date) as last_seen,
          coalesce(bool_or(action = 'enforced'), false) as enforced
        from %1$s cross join (values (false), (true)) as kind (is_policy)
        where type in ('csp', 'csp_integrity') and count > 0
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
      ) as summed
    ) as s
    join watch w on w.account_id = s.account_id and w.product = s.product and w.findings_from_reports and %2$s
      and starts_with(s.host_reversed || '.', reverse(ltrim(w.site_key, '*.')) || '.')
    where s.subject <> ''
    group by w.account_id, w.product, w.site_key, s.subject
  $query$, reports, watches)
$$;

-- Adds what is seen in reports to the findings. Beyond 10,000 of a watch, or 2 MiB of their texts, those go first that were
-- not seen for 30 days, then those that were seen least.
create function add_findings(reports text, accounts text[], watches text) returns void language plpgsql as $$
declare
  load_position bigint := current_setting('sightline.position')::bigint;
begin
  execute format($statement$
    insert into watch_finding as f (account_id, product, site_key, subject_sha256, subject, count, first_seen, last_seen,
      source, enforced, derived, position)
    select s.*, true, %2$s from (%1$s) as s
    on conflict (account_id, product, site_key, subject_sha256) do update set
      count = least(f.count + excluded.count, 9007199254740991), first_seen = least(f.first_seen, excluded.first_seen),
      last_seen = greatest(f.last_seen, excluded.last_seen), source = least(f.source, excluded.source),
      enforced = f.enforced or excluded.enforced, position = excluded.position
    where f.derived
  $statement$, sightings(reports, watches), load_position);
  delete from watch_finding f using (
    select account_id, product, site_key, subject_sha256,
      row_number() over by_rank as place, sum(octet_length(subject)) over by_rank as bytes
    from watch_finding join (
      select account_id, product, site_key from watch_finding join (
        select distinct account_id, product, site_key from watch_finding
        where account_id = any (accounts) and position = load_position and position >= 0
      ) as touched using (account_id, product, site_key)
      where derived
      group by 1, 2, 3 having count(*) > 10000 or sum(octet_length(subject)) > 2097152
    ) as grown using (account_id, product, site_key)
    where derived
    window by_rank as (partition by account_id, product, site_key
      order by last_seen >= now() - interval '30 days' desc, count desc, last_seen desc, subject_sha256
      rows unbounded preceding)
  ) as ranked
  where (ranked.place > 10000 or ranked.bytes > 2097152) and f.account_id = ranked.account_id
    and f.product = ranked.product and f.site_key = ranked.site_key and f.subject_sha256 = ranked.subject_sha256;
end
$$;

-- Adds what is seen in the reports of a month from a position on, for all watches of the accounts but those that begin.
create function derive_findings(month date, accounts text[], since bigint, beginning jsonb) returns void
language plpgsql security definer as $$
begin
  perform add_findings(format($reports$(
    select * from %I where account_id = any (%L) and type in ('csp', 'csp_integrity') and position >= %s
      and position < 9223372036854775807
  ) as r$reports$, to_char(month, '"report_y"YYYY"m"MM'), accounts, greatest(since, 0)), accounts,
    case when beginning = '[]' then 'true' else format($watches$not (w.account_id, w.product, w.site_key) in (
      select * from jsonb_to_recordset(%L) as t (account_id text, product text, site_key text))$watches$, beginning) end);
end
$$;

-- Adds what is seen in all stored reports, for watches that take their findings from there from now on. They are told as a
-- list of objects with the columns of their key.
create function derive_stored_findings(watches jsonb) returns void language plpgsql as $$
declare
  month regclass;
  accounts text[] := array(select distinct w->>'account_id' from jsonb_array_elements(watches) as w);
begin
  for month in select inhrelid from pg_inherits where inhparent = 'report'::regclass loop
    perform add_findings(
      format($reports$(
        select * from %s where account_id = any (%L) and type in ('csp', 'csp_integrity')
      ) as r$reports$, month, accounts),
      accounts,
      format($watches$(w.account_id, w.product, w.site_key) in (
        select * from jsonb_to_recordset(%L) as t (account_id text, product text, site_key text))$watches$, watches));
  end loop;
end
$$;

-- Takes away what was seen in stored reports of a month that are from before a position. They are told as a list of objects
-- with the columns of their key.
create function withdraw_findings(month date, reports jsonb, before bigint) returns void language plpgsql security definer as $$
declare
  load_position bigint := current_setting('sightline.position')::bigint;
begin
  execute format($statement$
    update watch_finding f set count = greatest(f.count - s.count, 0), position = %2$s
    from (%1$s) as s
    where f.derived and f.account_id = s.account_id and f.product = s.product and f.site_key = s.site_key
      and f.subject_sha256 = s.subject_sha256
  $statement$, sightings(format($reports$(
    select stored.* from jsonb_to_recordset(%L) as t (account_id text, type report_type, id text, date timestamptz)
    join %I as stored on stored.account_id = t.account_id and stored.type = t.type and stored.date = t.date
      and stored.id = t.id and stored.position < %s
  ) as r$reports$, reports, to_char(month, '"report_y"YYYY"m"MM'), before), 'true'), load_position);
  delete from watch_finding
  where derived and count = 0 and position = load_position and position >= 0
    and account_id in (select r->>'account_id' from jsonb_array_elements(reports) as r);
end
$$;

revoke execute on function sightings(text, text), add_findings(text, text[], text), derive_findings(date, text[], bigint, jsonb),
  derive_stored_findings(jsonb), withdraw_findings(date, jsonb, bigint) from public;
-- New reports are hashed into their groups: without statistics, PostgreSQL would sort them by long texts.
alter function add_findings(text, text[], text) set enable_sort = off;
alter function add_findings(text, text[], text) set enable_incremental_sort = off;
-- Temporary tables of the caller come last, so that none of them stands in for a table of the owner.
do $$
begin
  execute format('alter function derive_findings(date, text[], bigint, jsonb) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
do $$
begin
  execute format('alter function withdraw_findings(date, jsonb, bigint) set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
