-- Events of a name and of an actor, for those that are rare in a long trail: frequent ones are soon found in its order.
-- Without the time, a key stands once for all of its events, so that each index has a tenth of the other one's size.
create index audit_event_by_event on audit_event (account_id, event);
create index audit_event_by_actor on audit_event (account_id, logged_by_email);
