-- The read model. Every table of owned data starts its primary key with account_id: that is the fence
-- between accounts, and the distribution column where the database is sharded.

create type report_type as enum (
  'csp', 'csp_integrity', 'integrity_policy', 'permissions_policy', 'nel', 'deprecation', 'intervention',
  'crash', 'coep', 'coop', 'dmarc', 'tls_rpt', 'certificate_transparency'
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
  -- Moved on by every load that touches anything of the account: what ETags and cached answers hang on.
  -- It begins with the microsecond in which the account is made, so that one which is removed and comes
  -- back never has a version that it had before.
  version      bigint not null default (extract(epoch from now()) * 1000000)::bigint,
  check (type <> 'personal' or email is not null),
  check (type <> 'team' or (team_name is not null and quota_limit is not null
                            and require_2fa is not null and members is not null))
);

-- account_id is null for internal tokens, which belong to no account. Only digests are stored, never keys.
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

-- Each part holds only what the account set; what is missing is a default.
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
  -- As the account wrote it; site_key is the same in the form in which host names are compared.
  site                  text not null,
  site_key              text collate "C" not null,
  email_alerts_enabled  boolean not null,
  webhook_enabled       boolean not null,
  webhook_target        text,
  alert_threshold       bigint not null,
  primary key (account_id, product, site_key)
);

-- subject is the blocked resource's uri or, for the product "policy", the policy's text. It can be longer
-- than an index entry may be, so its SHA-256 stands for it in the key.
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
  primary key (account_id, product, site_key, subject_sha256),
  check (case when product = 'policy' then enforced is not null else source is not null end)
);
create index watch_finding_recent on watch_finding (account_id, product, site_key, last_seen desc);

-- Certificates are public and belong to nobody; an account sees those that its reports name.
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
  primary key (account_id, id)
);
create index audit_event_recent on audit_event (account_id, timestamp desc, id desc);

create table report_usage (
  account_id  text collate "C" not null,
  type        report_type not null,
  date        date not null,
  filtered    bigint not null,
  sampled     bigint not null,
  rejected    bigint not null,
  primary key (account_id, type, date)
);

-- The sums of the reports' counts: what graphs, totals and quota are made of. They outlive the reports.
-- directive is '' for every type but csp, and for csp reports without one.
create table daily_count (
  account_id  text collate "C" not null,
  type        report_type not null,
  day         date not null,
  directive   text collate "C" not null default '',
  total       bigint not null check (total between 0 and 9007199254740991),
  primary key (account_id, type, day, directive) include (total)
);

-- Reports, one partition a month. A column for all that is filtered by; extra for what is only shown.
-- Unknown text is null here and '' outside, an empty list is null here and [] outside: nulls cost nothing.
-- Host names are stored reversed (moc.elpmaxe.www), so that "*.example.com" is a range of an index.
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
  primary key (account_id, type, date, id)
) partition by range (date);

create index report_host on report (account_id, type, host_reversed) where host_reversed is not null;
create index report_blocked_host on report (account_id, type, blocked_host_reversed)
  where blocked_host_reversed is not null;
create index report_subresource_host on report (account_id, type, subresource_host_reversed)
  where subresource_host_reversed is not null;
-- By the certificate first: a load asks which accounts saw one, a request whether its account did.
create index report_certificate on report (sha256, account_id) where sha256 is not null;
create index report_threat on report (account_id, type, date, id)
  where generated_domain or indicator_of_compromise or recently_registered_domain or low_reputation_domain
     or suspicious or policy_ioc_hosts is not null or policy_concern_hosts is not null;

-- Where in time a report is, for whoever knows its key but not its date: without it, replacing a report would
-- look into every month. key is the hash that sql/feed/report-key.ts names; equal ones are candidates, no more.
create table report_locator (
  account_id  text collate "C" not null,
  key         bigint not null,
  date        timestamptz not null
);
create index report_locator_key on report_locator (key);
