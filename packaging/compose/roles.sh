#!/bin/sh
# Once, when the database is made: the service's login, which may only read, and what takes an administrator.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set=password="$(cat "${READER_PASSWORD_FILE:-/run/secrets/reader_password}")" <<'SQL'
create role sightline_reader nologin;
create role sightline_web login password :'password' in role sightline_reader;
create extension if not exists bloom;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
SQL
