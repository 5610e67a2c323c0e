# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced by scripts/test: finds or gets promtool, which reads alert rules and tests them. ROOT is
# the root of the repository.

PROMTOOL_PACKAGE=prometheus
# mvn clean removes it.
PROMTOOL_UNPACKED="$ROOT/target/promtool"

# has_promtool: whether it is on the path or named in NVCACHE_PROMTOOL.
has_promtool() {
  [[ -x "${NVCACHE_PROMTOOL:-}" ]] || command -v promtool > /dev/null 2>&1
}

use_unpacked_promtool() {
  local tool="$PROMTOOL_UNPACKED/usr/bin/promtool"
  if [[ -x "$tool" ]]; then
    export NVCACHE_PROMTOOL=$tool
  fi
}

# unpack_promtool: gets the tool without installing its package, which would start a server.
unpack_promtool() {
  local download
  download=$(mktemp -d)
  if [[ "$(id -u)" == 0 ]]; then
    apt-get update > "$download/log" 2>&1 || true
  fi
  if (cd "$download" && apt-get download "$PROMTOOL_PACKAGE") >> "$download/log" 2>&1; then
    mkdir -p "$PROMTOOL_UNPACKED"
    dpkg -x "$download"/*.deb "$PROMTOOL_UNPACKED"
  else
    tail -n 2 "$download/log" >&2
  fi
  rm -rf "$download"
}

# prepare_promtool: makes it available where that is possible; fails where it is not.
prepare_promtool() {
  if has_promtool; then
    return
  fi
  use_unpacked_promtool
  if ! has_promtool && command -v apt-get > /dev/null 2>&1 && command -v dpkg > /dev/null 2>&1; then
    echo "unpacking promtool into target/promtool ..." >&2
    unpack_promtool
    use_unpacked_promtool
  fi
  has_promtool
}
