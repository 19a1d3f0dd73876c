-- Logins that import and do nothing else are in the role sightline_importer, which an administrator makes. It owns no
-- table. Where it is not there, both functions are of no use.

-- A load finds the reports that it replaces in the partitions themselves, by what they are known by.
create function admit_importer(partition_name text) returns void language plpgsql as $$
begin
  if to_regrole('sightline_importer') is null then return; end if;
  execute format('grant select (account_id, type, id, date, directive, count, digest), delete on %I to sightline_importer',
    partition_name);
end
$$;

-- Reports of a new month need a partition, which the owner makes for the importer. Temporary tables of the caller come
-- last in the search path, so that none of them stands in for a table of the owner.
do $$
begin
  execute format($function$
    create function make_report_month(month date) returns void language plpgsql security definer
    set search_path = pg_catalog, %1$I, pg_temp as $body$
    declare
      name text := to_char(month, '"report_y"YYYY"m"MM');
    begin
      if extract(day from month) <> 1 or month < '1970-01-01' or month >= '2201-01-01' then
        raise exception 'no month of reports begins on %%', month;
      end if;
      execute format('create table %1$I.%%I (like report including defaults)', name);
      execute format('alter table report attach partition %%I for values from (%%L) to (%%L)', name,
        month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
      perform admit_importer(name);
    end
    $body$
  $function$, current_schema());
end
$$;
revoke execute on function make_report_month(date) from public;
