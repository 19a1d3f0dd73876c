-- Which table of accounts the data are of, by the number that PostgreSQL gave it. A backup that is restored has another
-- table, so that "migrate" moves the versions of all accounts on: entity tags that clients have are of none then.
create table origin (accounts oid not null);
insert into origin values ('account'::regclass);
grant select on origin to sightline_reader;
