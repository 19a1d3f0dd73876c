-- The day up to which reports of an account and type were removed for their age: an older one that is not there has been
-- counted, or comes too late to be.
alter table removed_position add column removed_before timestamptz;
-- The first eight bytes of the SHA-256 of what a report's line says, so that a load leaves an equal one as it is. Reports
-- from before have none, and are replaced when they come again.
alter table report add column digest bigint;
