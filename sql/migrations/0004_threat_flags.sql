-- The flags behind the order: a filter for one of them is then answered by the index, and no report without it is read.
-- Readers go on while it is made: they stand still for the exchange at the end alone.
create index report_threat_flags on report
  (account_id, type, date, id, generated_domain, indicator_of_compromise, recently_registered_domain, suspicious)
  where generated_domain or indicator_of_compromise or recently_registered_domain or low_reputation_domain
     or suspicious or policy_ioc_hosts is not null or policy_concern_hosts is not null;
drop index report_threat;
alter index report_threat_flags rename to report_threat;
