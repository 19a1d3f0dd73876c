-- In place of migration 0011, which fails where an event or an address is longer than an index entry may be. Their first
-- 255 characters tell rare ones from others just as well, and always fit.
drop index if exists audit_event_by_event;
drop index if exists audit_event_by_actor;
create index audit_event_by_event on audit_event (account_id, left(event, 255));
create index audit_event_by_actor on audit_event (account_id, left(logged_by_email, 255));
