-- The groups of a day's reports, for days with many: a row for each way of grouping, with an element for each group in each
-- of its lists. `maintain` writes them; whatever changes a day's reports removes them, and the reports are read then.
create table daily_group (
  account_id  text collate "C" not null,
  type        report_type not null,
  day         date not null,
  -- The names of what is grouped by, with a space between; their values as they are shown are in v1, v2 and v3.
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
grant select on daily_group to sightline_reader;
