-- The service's role made nothing in a table, but could fill the disk beside them: with temporary tables and large objects,
-- which every role may make. Whoever migrates keeps the right to temporary tables, which loads need. Where the database is
-- somebody else's, or its functions are, an administrator does the same by hand: docs/operations.md has the statements.
do $$
begin
  execute format('grant temporary on database %I to %I', current_database(), current_user);
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then null;
end
$$;

do $$
begin
  execute 'revoke execute on function ' || (
    select string_agg(oid::regprocedure::text, ', ') from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import', 'lo_put', 'lo_truncate', 'lo_truncate64',
        'lo_unlink', 'lowrite')
  ) || ' from public';
exception when insufficient_privilege then null;
end
$$;

-- For a login that is the role itself. Others get it from the service, at the start of each session.
do $$
begin
  execute format('alter role sightline_reader in database %I set default_transaction_read_only = on', current_database());
exception when insufficient_privilege then null;
end
$$;
