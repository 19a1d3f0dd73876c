-- PostGraphile serves these: the same data as "viewer { lastSevenDays }" and "viewer { cspReports }".
drop schema if exists bench_graphql cascade;
create schema bench_graphql;

create type bench_graphql.day_total as (
  date date, csp bigint, csp_integrity bigint, integrity_policy bigint, permissions_policy bigint, nel bigint,
  deprecation bigint, intervention bigint, crash bigint, coep bigint, coop bigint, dmarc bigint, tls_rpt bigint,
  certificate_transparency bigint
);

create function bench_graphql.last_seven_days_of(account text) returns setof bench_graphql.day_total
language sql stable as $$
  with total as (
    select day, type, sum(total)::bigint as total from public.daily_count
    where account_id = account and day between (now() at time zone 'UTC')::date - 6 and (now() at time zone 'UTC')::date
    group by day, type
  )
  select d::date,
    coalesce(max(total) filter (where type = 'csp'), 0),
    coalesce(max(total) filter (where type = 'csp_integrity'), 0),
    coalesce(max(total) filter (where type = 'integrity_policy'), 0),
    coalesce(max(total) filter (where type = 'permissions_policy'), 0),
    coalesce(max(total) filter (where type = 'nel'), 0),
    coalesce(max(total) filter (where type = 'deprecation'), 0),
    coalesce(max(total) filter (where type = 'intervention'), 0),
    coalesce(max(total) filter (where type = 'crash'), 0),
    coalesce(max(total) filter (where type = 'coep'), 0),
    coalesce(max(total) filter (where type = 'coop'), 0),
    coalesce(max(total) filter (where type = 'dmarc'), 0),
    coalesce(max(total) filter (where type = 'tls_rpt'), 0),
    coalesce(max(total) filter (where type = 'certificate_transparency'), 0)
  from generate_series((now() at time zone 'UTC')::date - 6, (now() at time zone 'UTC')::date, '1 day') as d
  left join total on total.day = d::date
  group by d order by d
$$;

create type bench_graphql.csp_report as (
  action text, date timestamptz, uri text, directive text, blocked_uri text, raw text, count bigint, browser text,
  platform text, generated_domain boolean, indicator_of_compromise boolean, recently_registered_domain boolean,
  low_reputation_domain boolean, policy_ioc_hosts text[], policy_concern_hosts text[], suspicious boolean
);

create function bench_graphql.csp_reports_of(account text, day date) returns setof bench_graphql.csp_report
language sql stable as $$
  select action, date, uri, directive, blocked_uri, raw, count, browser, platform, generated_domain,
    indicator_of_compromise, recently_registered_domain, low_reputation_domain, policy_ioc_hosts,
    policy_concern_hosts, suspicious
  from public.report
  where account_id = account and type = 'csp'
    and date >= day::timestamp at time zone 'UTC' and date < (day + 1)::timestamp at time zone 'UTC'
  order by report.date desc, id desc
  limit 1001
$$;
