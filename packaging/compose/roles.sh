#!/bin/sh
# Once, when the database is made: the service's login, which may only read, that of imports, and what takes an
# administrator.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set=password="$(cat "${READER_PASSWORD_FILE:-/run/secrets/reader_password}")" \
  --set=importer="$(cat "${IMPORTER_PASSWORD_FILE:-/run/secrets/importer_password}")" <<'SQL'
create role sightline_reader nologin;
create role sightline_web login password :'password' in role sightline_reader;
create role sightline_importer nologin;
create role sightline_import login password :'importer' in role sightline_importer;
create extension if not exists bloom;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
SQL
