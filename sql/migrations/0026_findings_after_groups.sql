-- Findings from reports, at half the cost. PostgreSQL took the nonces out of each report's policy, since it asked for a
-- subject before it grouped the reports. A condition on an aggregate is asked behind the groups.
create or replace function sightings(reports text, watches text) returns text language sql immutable as $$
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
    group by w.account_id, w.product, w.site_key, s.subject
    having min(s.subject) <> ''
  $query$, reports, watches)
$$;
