-- The service's role: it may read what the service shows, and nothing else. It owns nothing.
-- Roles belong to the whole cluster, so another database may have made it already, at this very moment too.
do $$
begin
  create role sightline_reader nologin;
exception when duplicate_object or unique_violation then null;
end
$$;

-- So that whoever migrates can also serve, by stepping down to this role. Where somebody else owns the role,
-- the database's administrator grants it: "serve" says so when it cannot step down.
do $$
begin
  execute format('grant sightline_reader to %I', current_user);
exception when insufficient_privilege or unique_violation then null;
end
$$;

grant usage on schema public to sightline_reader;
grant select on account, plan, setup, filter_configuration, csp_policy, csp_wizard, watch, watch_finding,
  certificate, audit_event, report_usage, daily_count, report, report_locator, schema_migration to sightline_reader;
-- Not the key's name, which only the operator's lists show.
grant select (id, account_id, digest, expires_at, revoked_at) on api_key to sightline_reader;
