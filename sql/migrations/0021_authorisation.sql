-- The scripts that a site may load, with who answers for each. A pattern is an address, where * stands for any characters.
create table authorisation (
  account_id     text collate "C" not null,
  site_key       text collate "C" not null,
  pattern        text collate "C" not null,
  site           text not null,
  owner          text not null,
  justification  text not null,
  approved_by    text not null,
  approved_at    timestamptz not null,
  -- Empty where any content is authorised.
  hashes         jsonb not null,
  primary key (account_id, site_key, pattern)
);
grant select on authorisation to sightline_reader;
