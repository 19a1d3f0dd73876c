-- The order in which data came, which is not that of its dates. Loads are serialised, and each batch of one takes the
-- next number: what is committed later has a higher one, so whoever has seen a number has seen all below it.
create sequence load_position;
alter table report add column position bigint not null default 0;
alter table audit_event add column position bigint not null default 0;
alter table watch_finding add column position bigint not null default 0;
-- A load sets it for its transaction (sql/feed/position.ts), so that no row has to carry it here.
alter table report alter column position
  set default coalesce(nullif(current_setting('sightline.position', true), ''), '0')::bigint;
alter table audit_event alter column position
  set default coalesce(nullif(current_setting('sightline.position', true), ''), '0')::bigint;
alter table watch_finding alter column position
  set default coalesce(nullif(current_setting('sightline.position', true), ''), '0')::bigint;
-- A number stands for up to 25 000 reports, so the index holds it once for all of them. The condition is always true: it
-- keeps questions that do not name a position from taking these for indexes of accounts.
create index report_position on report (account_id, type, position) where position >= 0;
create index audit_event_position on audit_event (account_id, position) where position >= 0;
create index watch_finding_position on watch_finding (account_id, position) where position >= 0;
-- The highest position among the reports of an account and type that were removed for their age: whoever has seen less
-- has missed some of them.
create table removed_position (
  account_id  text collate "C" not null,
  type        report_type not null,
  position    bigint not null,
  primary key (account_id, type)
);
grant select on removed_position to sightline_reader;
