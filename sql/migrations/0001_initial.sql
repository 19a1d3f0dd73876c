-- The read model. The primary key of every tenant-scoped table starts with account_id, which is also the
-- distribution column on Citus.

create type report_type as enum (
  'csp', 'csp_integrity', 'integrity_policy', 'permissions_policy', 'nel', 'deprecation', 'intervention',
  'crash', 'coep', 'coop', 'dmarc', 'tls_rpt', 'certificate_transparency', 'connection_allowlist', 'other'
);

create table account (
  id           text collate "C" primary key,
  type         text not null check (type in ('personal', 'team')),
  email        text,
  team_name    text,
  quota_limit  bigint,
  require_2fa  boolean,
  members      jsonb,
  created_at   timestamptz not null,
  -- Incremented by every load that changes the account's data; entity tags and caches depend on it. It starts with the
  -- current microsecond, so that an account that is deleted and created again never reuses a version.
  version      bigint not null default (extract(epoch from now()) * 1000000)::bigint,
  check (type <> 'personal' or email is not null),
  check (type <> 'team' or (team_name is not null and quota_limit is not null
                            and require_2fa is not null and members is not null))
);

-- account_id is null for internal tokens. Only digests are stored, never keys.
create table api_key (
  id          text collate "C" primary key,
  account_id  text collate "C",
  digest      bytea not null unique check (length(digest) = 32),
  name        text,
  created_at  timestamptz not null,
  expires_at  timestamptz,
  revoked_at  timestamptz
);
create index api_key_account on api_key (account_id);

-- Revoked keys. On Citus this table is only on the coordinator: api_key is on all servers, and cannot be changed while one
-- is away.
create table revoked_key (
  id          text primary key,
  revoked_at  timestamptz not null default now()
);

create table plan (
  account_id           text collate "C" primary key,
  plan                 text not null,
  name                 text not null,
  tier                 text not null check (tier in ('free', 'starter', 'business', 'enterprise')),
  status               text not null check (status in ('active', 'canceled', 'past_due', 'inactive')),
  report_quota         bigint not null,
  collect_hosts        bigint not null,
  data_retention_days  bigint not null,
  features             jsonb not null
);

create table setup (
  account_id     text collate "C" primary key,
  report_uri     jsonb not null,
  reporting_api  jsonb not null,
  nel            jsonb not null,
  dmarc          text not null,
  tls_rpt        text not null
);

-- Each part holds only what the account has set. Everything else has its default.
create table filter_configuration (
  account_id                text collate "C" primary key,
  global                    jsonb not null,
  advanced                  jsonb not null,
  certificate_transparency  jsonb not null,
  sampling_rates            jsonb not null
);

create table csp_policy (
  account_id  text collate "C" not null,
  id          text collate "C" not null,
  name        text not null,
  policy      text not null,
  primary key (account_id, id)
);

create table csp_wizard (
  account_id  text collate "C" primary key,
  active      boolean not null,
  policy      text not null
);

create table watch (
  account_id            text collate "C" not null,
  product               text not null check (product in ('script', 'data', 'frame', 'policy')),
  -- As the account wrote it; site_key is its normalised form, in which host names are compared.
  site                  text not null,
  site_key              text collate "C" not null,
  email_alerts_enabled  boolean not null,
  webhook_enabled       boolean not null,
  webhook_target        text,
  alert_threshold       bigint not null,
  findings_from_reports boolean not null default false,
  primary key (account_id, product, site_key)
);

-- The order in which data arrived. Loads are serialised, and each batch takes the next number: a later commit has a
-- higher number, so a reader that has seen a number has seen all lower ones. A load sets sightline.position for its
-- transaction; the columns named position take it as their default.
create sequence load_position;

-- subject is the URI of the blocked resource or, for the product "policy", the text of the policy. It can be longer than
-- an index entry, so the key has its SHA-256. A derived finding comes from reports, any other from the feed.
create table watch_finding (
  account_id      text collate "C" not null,
  product         text not null check (product in ('script', 'data', 'frame', 'policy')),
  site_key        text collate "C" not null,
  subject_sha256  bytea not null,
  subject         text collate "C" not null,
  count           bigint not null,
  first_seen      timestamptz not null,
  last_seen       timestamptz not null,
  source          text check (source in ('csp', 'csp_integrity', 'integrity_policy')),
  enforced        boolean,
  derived         boolean not null default false,
  position        bigint not null default coalesce(nullif(current_setting('sightline.position', true), ''), '0')::bigint,
  primary key (account_id, product, site_key, subject_sha256),
  check (case when product = 'policy' then enforced is not null else source is not null end)
);
create index watch_finding_recent on watch_finding (account_id, product, site_key, last_seen desc);
-- The condition of the four indexes on position is always true. It keeps statements that do not name a position from
-- using them as indexes on the account.
create index watch_finding_position on watch_finding (account_id, position) where position >= 0;

-- What the team has decided about senders, blocked sources, issuers, scripts and insights.
create table verdict (
  account_id    text collate "C" not null,
  subject_kind  text collate "C" not null check (subject_kind in ('sender', 'blockedSource', 'issuer', 'script', 'insight')),
  -- '' if it is for all sites.
  site_key      text collate "C" not null,
  -- Of a script a pattern of addresses, in which * stands for any characters.
  subject       text collate "C" not null,
  site          text,
  verdict       text not null check (verdict in ('mine', 'accepted', 'forwarder', 'notMine')),
  reason        text not null,
  owner         text,
  -- Hashes of a script; empty if any content is meant.
  hashes        jsonb not null,
  -- The count of an insight at the time of the decision.
  count         bigint,
  decided_by    text not null,
  decided_at    timestamptz not null,
  expires_at    timestamptz,
  position      bigint not null default coalesce(nullif(current_setting('sightline.position', true), ''), '0')::bigint,
  primary key (account_id, subject_kind, site_key, subject)
);
create index verdict_position on verdict (account_id, position) where position >= 0;

-- Certificates are public and shared. An account sees those that its reports name.
create table certificate (
  sha256  text collate "C" primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  pem     text not null
);

create table audit_event (
  account_id       text collate "C" not null,
  id               text collate "C" not null,
  timestamp        timestamptz not null,
  event            text not null,
  message          text not null,
  logged_by_id     text not null,
  logged_by_email  text not null,
  request_ip       text not null,
  position         bigint not null default coalesce(nullif(current_setting('sightline.position', true), ''), '0')::bigint,
  primary key (account_id, id)
);
create index audit_event_recent on audit_event (account_id, timestamp desc, id desc);
create index audit_event_position on audit_event (account_id, position) where position >= 0;
-- For rare events and actors; frequent ones are found in the order of audit_event_recent. Without the time, equal entries
-- share one key. Entries are cut at 255 characters, because an index entry has a maximum size.
create index audit_event_by_event on audit_event (account_id, left(event, 255));
create index audit_event_by_actor on audit_event (account_id, left(logged_by_email, 255));

create table report_usage (
  account_id  text collate "C" not null,
  type        report_type not null,
  date        date not null,
  filtered    bigint not null,
  sampled     bigint not null,
  rejected    bigint not null,
  primary key (account_id, type, date)
);

-- Daily counts of reports, for graphs, totals and quota. They outlive the reports. directive is '' for all types except
-- csp, and for csp reports without a directive.
create table daily_count (
  account_id  text collate "C" not null,
  type        report_type not null,
  day         date not null,
  directive   text collate "C" not null default '',
  total       bigint not null check (total between 0 and 9007199254740991),
  primary key (account_id, type, day, directive) include (total)
);

-- Reports, one partition per month. Fields that filters use have a column; all others are in extra. Unknown text and
-- empty lists are null here, and '' and [] in answers. Host names are stored reversed (moc.elpmaxe.www), so that
-- "*.example.com" is a range of an index.
create table report (
  account_id                 text collate "C" not null,
  type                       report_type not null,
  date                       timestamptz not null,
  id                         text collate "C" not null,
  count                      bigint not null,
  raw                        text not null,
  uri                        text,
  host_reversed              text collate "C",
  path                       text collate "C",
  browser                    text,
  platform                   text,
  action                     text,
  directive                  text,
  blocked_uri                text,
  blocked_host_reversed      text collate "C",
  blocked_path               text collate "C",
  subresource_uri            text,
  subresource_host_reversed  text collate "C",
  subresource_path           text collate "C",
  hash                       text collate "C",
  destination                text,
  policy_id                  text,
  policy                     text,
  generated_domain           boolean not null default false,
  indicator_of_compromise    boolean not null default false,
  recently_registered_domain boolean not null default false,
  low_reputation_domain      boolean not null default false,
  suspicious                 boolean not null default false,
  policy_ioc_hosts           text[],
  policy_concern_hosts       text[],
  domain_reputation_score    smallint,
  property                   text,
  disposition                text,
  nel_type                   text,
  phase                      text,
  organisation               text,
  message                    text,
  hostnames                  text[],
  hosts_reversed             text[],
  cert_type                  text,
  issuer                     text,
  sha256                     text collate "C",
  sha256_spki                text collate "C",
  extra                      jsonb,
  -- The class of the blocked resource as seen from the page (sql/report/source-class.ts).
  source_class               text,
  -- Who sent the mail, by what the report vouches for (sql/report/sender.ts).
  sender                     text,
  -- The first eight bytes of the SHA-256 of the report's line, so that a load leaves an equal report alone.
  digest                     bigint,
  position                   bigint not null default coalesce(nullif(current_setting('sightline.position', true), ''), '0')::bigint,
  primary key (account_id, type, date, id)
) partition by range (date);

create index report_host on report (account_id, type, host_reversed) where host_reversed is not null;
create index report_blocked_host on report (account_id, type, blocked_host_reversed)
  where blocked_host_reversed is not null;
create index report_subresource_host on report (account_id, type, subresource_host_reversed)
  where subresource_host_reversed is not null;
-- The certificate comes first: a load asks which accounts have seen one, a request whether its account has.
create index report_certificate on report (sha256, account_id) where sha256 is not null;
-- The flags follow the order of the answer, so that a filter for one of them reads only matching reports.
create index report_threat on report
  (account_id, type, date, id, generated_domain, indicator_of_compromise, recently_registered_domain, suspicious)
  where generated_domain or indicator_of_compromise or recently_registered_domain or low_reputation_domain
     or suspicious or policy_ioc_hosts is not null or policy_concern_hosts is not null;
create index report_position on report (account_id, type, position) where position >= 0;

-- The date of a report, found by its key. Without it, replacing a report would search every month. key is the hash in
-- sql/feed/report-key.ts; equal hashes are only candidates.
create table report_locator (
  account_id  text collate "C" not null,
  key         bigint not null,
  date        timestamptz not null
);
create index report_locator_key on report_locator (key);

-- What was removed for its age, for each account and type: the last report in the order of exports (position, date, id), so
-- that a poller that is behind it is told of a gap, and the day up to which reports were removed, so that older ones that are
-- not stored are not counted again.
create table removed_position (
  account_id      text collate "C" not null,
  type            report_type not null,
  position        bigint not null,
  date            timestamptz not null,
  id              text collate "C" not null,
  removed_before  timestamptz,
  primary key (account_id, type)
);

-- Rollups: the groups of the reports of a day or an hour, one row for each grouping, with one list element per group.
-- "maintain" builds them; a change of reports deletes those of its days and hours.
create table daily_group (
  account_id  text collate "C" not null,
  type        report_type not null,
  day         date not null,
  -- The dimensions, separated by spaces; their values as they are shown are in v1, v2 and v3.
  dimensions  text collate "C" not null,
  v1          text[] not null,
  v2          text[] not null,
  v3          text[] not null,
  count       bigint[] not null,
  reports     bigint[] not null,
  first_seen  timestamptz[] not null,
  last_seen   timestamptz[] not null,
  primary key (account_id, type, day, dimensions)
);

-- Months of which "maintain" has built all rollups. A load that changes a month removes its row, so the next run looks at
-- its days again.
create table rollup_month (
  month        text collate "C" primary key,
  version      text not null,
  is_finished  boolean not null
);

-- Mails and attachments that an import has read completely: the first 16 bytes of the SHA-256 of content and options, and
-- the number of records. Kept for the retention of the account.
create table imported_mail (
  account_id   text collate "C" not null,
  digest       bytea not null,
  records      integer not null,
  imported_on  date not null default (now() at time zone 'UTC')::date,
  primary key (account_id, digest)
);

-- Up to where imports have read each folder of a mailbox on a mail server, for an account ('' where routes alone decide) and a form of
-- reports. It is of no use for an import with other options, whose digest differs.
create table mailbox_position (
  account_id    text collate "C" not null,
  mailbox       text collate "C" not null,
  folder        text collate "C" not null,
  format        text collate "C" not null,
  reading       text collate "C" not null,
  uid_validity  text collate "C" not null,
  last_uid      bigint not null,
  primary key (account_id, mailbox, folder, format)
);

-- Changes that are about to be committed, each by the session that holds the advisory lock of its id. While there is one,
-- services look up the caller of every request. A row is deleted in the transaction of its change.
create table announced_change (
  id  integer primary key
);

-- When "load" and "maintain" last finished, for "doctor".
create table last_run (
  command      text primary key check (command in ('load', 'maintain')),
  finished_at  timestamptz not null
);

-- The OID of the table of accounts. A restored backup has another one, so "migrate" increments the versions of all accounts
-- and no client keeps an old entity tag.
create table origin (accounts oid not null);
insert into origin values ('account'::regclass);

-- The role of the service. It can read what the service shows, and owns nothing. Roles belong to the cluster, so another
-- database may have created it, or be creating it now.
do $$
begin
  create role sightline_reader nologin;
exception when duplicate_object or unique_violation then null;
end
$$;

-- Allows the login that migrates to serve as well. Where somebody else owns the role, an administrator grants it; "serve"
-- says so.
do $$
begin
  execute format('grant sightline_reader to %I', current_user);
exception when insufficient_privilege or unique_violation then null;
end
$$;

grant usage on schema public to sightline_reader;
grant select on account, plan, setup, filter_configuration, csp_policy, csp_wizard, watch, watch_finding, verdict,
  certificate, audit_event, report_usage, daily_count, daily_group, rollup_month, report, report_locator, removed_position,
  revoked_key, announced_change, last_run, origin, schema_migration to sightline_reader;
-- Not the name of a key, which only the operator's lists show.
grant select (id, account_id, digest, expires_at, revoked_at) on api_key to sightline_reader;

-- Temporary tables and large objects would allow every role to fill the disk. The login that migrates keeps temporary
-- tables, which loads need. If it does not own the database or its functions, an administrator runs these statements;
-- docs/operations.md has them.
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

-- For a login that is the role itself. Other sessions get this setting from the service.
do $$
begin
  execute format('alter role sightline_reader in database %I set default_transaction_read_only = on', current_database());
exception when insufficient_privilege then null;
end
$$;

-- Functions of the owner that derive findings from reports, because a login that can only import cannot read reports. Each
-- takes reports as the text that follows "from". None returns anything of them.

-- The text of a query for what watches see in reports. Browsers and extensions are not part of a site. Nonces differ in
-- every answer, so they make no new policy. Each report appears twice, for its address and its policy, because Citus has no
-- grouping sets. The condition on an aggregate is evaluated after grouping; otherwise PostgreSQL would remove the nonces from
-- the policy of each report.
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
    group by w.account_id, w.product, w.site_key, s.subject
    having min(s.subject) <> ''
  $query$, reports, watches)
$$;

-- Adds to the findings what is seen in reports. A watch keeps at most 10,000 findings and 2 MiB of their texts; those not
-- seen for 30 days are deleted first, then those seen least.
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
  perform from watch_finding join (
    select distinct account_id, product, site_key from watch_finding
    where account_id = any (accounts) and position = load_position and position >= 0
  ) as touched using (account_id, product, site_key)
  where derived
  group by account_id, product, site_key having count(*) > 10000 or sum(octet_length(subject)) > 2097152;
  if not found then return; end if;
  -- Without statistics of the new rows, each row to delete is searched among all rows of its watch.
  analyze watch_finding;
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

-- Adds what is seen in the reports of a month from a position on, for all watches of the accounts except new ones.
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

-- Adds what is seen in all stored reports, for new watches: a list of objects with the columns of their key.
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

-- Subtracts what was seen in stored reports of a month from before a position: a list of objects with the columns of their
-- key.
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
-- Without statistics, PostgreSQL would sort new reports by long texts instead of hashing them into groups.
alter function add_findings(text, text[], text) set enable_sort = off;
alter function add_findings(text, text[], text) set enable_incremental_sort = off;
-- Temporary tables of the caller come last in the search path, so that none can replace a table of the owner.
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

-- Logins that only import are members of the role sightline_importer, which an administrator creates. Without it, both
-- functions do nothing. A load finds the reports that it replaces in the partitions, by their keys.
create function admit_importer(partition_name text) returns void language plpgsql as $$
begin
  if to_regrole('sightline_importer') is null then return; end if;
  execute format('grant select (account_id, type, id, date, directive, count, digest), delete on %I to sightline_importer',
    partition_name);
end
$$;

-- Creates the partition of a new month for the importer, with the rights of the owner.
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
