-- Account.dmarcReplay, Account.mailReadiness, Account.verdicts: $1 = ["acme"]
select account_id,
(subject_kind || ':' || site_key || ':' || subject) collate "C" as id,
subject_kind as "subjectKind",
site,
site_key as "siteKey",
subject, verdict, reason, owner, hashes, count, decided_by as "decidedBy", decided_at as "decidedAt",
expires_at as "expiresAt"
from verdict
where account_id = any($1::text[])
order by subject_kind, site_key, subject
