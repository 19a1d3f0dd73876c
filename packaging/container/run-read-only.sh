#!/usr/bin/env bash
# Runs a command of an unpacked image as its container would. It has the image's numeric user, a read-only root file
# system, /tmp in memory, no capabilities, and no way to new ones. The network is this machine's. For root alone.
# Usage: run-read-only.sh ROOT USER COMMAND… ; the environment is what the caller has, and the folder /app.
set -euo pipefail
root="$1" user="$2"
shift 2
export CONTAINER_ROOT="$root" CONTAINER_USER="$user"
exec unshare --mount --pid --fork --kill-child=SIGTERM -- sh -euc '
  mount --bind "$CONTAINER_ROOT" "$CONTAINER_ROOT"
  mount --rbind /dev "$CONTAINER_ROOT/dev"
  mount -t proc proc "$CONTAINER_ROOT/proc"
  mount -t tmpfs tmpfs "$CONTAINER_ROOT/tmp"
  mount -o remount,bind,ro "$CONTAINER_ROOT"
  exec chroot "$CONTAINER_ROOT" setpriv --reuid "$CONTAINER_USER" --regid "$CONTAINER_USER" --clear-groups \
    --no-new-privs --bounding-set=-all --inh-caps=-all -- sh -c "cd /app && exec \"\$@\"" sh "$@"
' sh "$@"
