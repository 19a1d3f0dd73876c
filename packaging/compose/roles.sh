#!/bin/sh
# Runs once, when the database is created. Creates its owner, which is not a superuser, the read-only login of the
# service, the login of imports, and the objects that need an administrator.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set=owner="$(cat "${OWNER_PASSWORD_FILE:-/run/secrets/owner_password}")" \
  --set=password="$(cat "${READER_PASSWORD_FILE:-/run/secrets/reader_password}")" \
  --set=importer="$(cat "${IMPORTER_PASSWORD_FILE:-/run/secrets/importer_password}")" <<'SQL'
create role sightline_owner login password :'owner';
alter database :"DBNAME" owner to sightline_owner;
create role sightline_reader nologin;
create role sightline_web login password :'password' in role sightline_reader;
create role sightline_importer nologin;
create role sightline_import login password :'importer' in role sightline_importer;
create extension if not exists bloom;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
SQL
