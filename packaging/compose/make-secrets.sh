#!/bin/sh
# Makes the passwords of compose.yaml that are missing, in ./secrets. It replaces none.
set -eu
[ -e secrets ] || mkdir -m 700 secrets
made=
for login in owner:sightline reader:sightline_web importer:sightline_import; do
  name="${login%%:*}" user="${login#*:}"
  [ ! -e "secrets/${name}_password" ] || continue
  password="$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
  printf '%s' "$password" > "secrets/${name}_password"
  printf 'postgres://%s:%s@postgres/sightline' "$user" "$password" > "secrets/${name}_url"
  made=yes
done
[ "$made" ] || { echo 'secrets is there already' >&2; exit 1; }
# Compose mounts the files as they are, and the user in a container has to read them. The folder keeps others out.
chmod 444 secrets/*
