-- Mails, and attachments of mails, that an import has read whole: the first 16 bytes of the SHA-256 of what it read and of
-- its options, and how many records it found. The next import need not read them. They are kept for the retention.
create table imported_mail (
  account_id   text collate "C" not null,
  digest       bytea not null,
  records      integer not null,
  imported_on  date not null default (now() at time zone 'UTC')::date,
  primary key (account_id, digest)
);
