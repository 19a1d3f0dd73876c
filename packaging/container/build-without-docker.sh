#!/usr/bin/env bash
# Builds the Dockerfile as the image sightline:local with buildah, as root, without a Docker daemon or registry. The
# base image is built from Debian packages and this machine's Node, unless NODE_IMAGE names another one. STORAGE is the
# folder for images, which the caller removes. The last line printed is the name of the image.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${STORAGE:?names a folder for images}"

store() { buildah --root "$STORAGE/images" --runroot "$STORAGE/run" --storage-driver vfs "$@"; }

make_base() {
  local base="$STORAGE/base" container
  debootstrap --variant=minbase bookworm "$base" >&2
  install -D "$(command -v node)" "$base/usr/local/bin/node"
  mkdir -p "$base/usr/local/lib/node_modules"
  cp -a "$(npm root -g)/npm" "$base/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$base/usr/local/bin/npm"
  # The registry's certificate may be trusted only on this machine.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    install -D -m 644 "$NODE_EXTRA_CA_CERTS" "$base/usr/local/etc/extra-ca.crt"
    echo cafile=/usr/local/etc/extra-ca.crt > "$base/usr/local/etc/npmrc"
  fi
  container=$(store from scratch)
  store copy --quiet "$container" "$base" / >&2
  store commit --quiet --rm "$container" localhost/sightline-base >&2
  rm -rf "$base"
}

if [ -z "${NODE_IMAGE:-}" ]; then
  store inspect --type image localhost/sightline-base >/dev/null 2>&1 || make_base
  NODE_IMAGE=localhost/sightline-base
fi

store bud --isolation chroot --format docker --layers=false \
  --build-arg NODE_IMAGE="$NODE_IMAGE" --build-arg REVISION="$(git rev-parse HEAD)" \
  --tag sightline:local . >&2
echo localhost/sightline:local
