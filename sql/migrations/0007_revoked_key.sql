-- Keys that were revoked, on the server alone that everybody asks: api_key is on all of them, and cannot be changed while
-- one is away.
create table revoked_key (
  id          text primary key,
  revoked_at  timestamptz not null default now()
);
grant select on revoked_key to sightline_reader;
