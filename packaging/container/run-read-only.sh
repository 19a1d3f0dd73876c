#!/usr/bin/env bash
# Runs a command of an unpacked image as its container would: with the image's numeric user, a read-only root file
# system, /tmp in memory, no capabilities, and no way to gain any. The network is that of the machine. Requires root.
# Usage: run-read-only.sh ROOT USER COMMAND… in the caller's environment, in the folder /app.
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
