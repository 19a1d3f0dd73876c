#!/bin/sh
# Generates the missing passwords of compose.yaml in ./secrets. Existing ones are not replaced.
set -eu
[ -e secrets ] || mkdir -m 700 secrets
made=
for login in superuser: owner:sightline_owner reader:sightline_web importer:sightline_import; do
  name="${login%%:*}" user="${login#*:}"
  [ ! -e "secrets/${name}_password" ] || continue
  password="$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
  printf '%s' "$password" > "secrets/${name}_password"
  # The superuser only creates the database, so it needs no connection URL.
  [ -z "$user" ] || printf 'postgres://%s:%s@postgres/sightline' "$user" "$password" > "secrets/${name}_url"
  made=yes
done
[ "$made" ] || { echo 'secrets is there already' >&2; exit 1; }
# Compose mounts the files with their mode, and the container's user must read them. The folder's mode protects them on
# the host.
chmod 444 secrets/*
