-- A change of what answers are made of that is about to be committed, by whoever holds the advisory lock of its id:
-- while there is one, services look their callers up for every request. It goes with the change itself.
create table announced_change (
  id  integer primary key
);
grant select on announced_change to sightline_reader;
