-- When "load" and "maintain" ended well last, so that "doctor" tells where a scheduler has stopped.
create table last_run (
  command      text primary key check (command in ('load', 'maintain')),
  finished_at  timestamptz not null
);
grant select on last_run to sightline_reader;
