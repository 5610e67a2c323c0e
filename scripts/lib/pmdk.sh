# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced after toolchain.sh by the scripts that use LLPL: finds or gets the native libraries of
# PMDK. ROOT is the root of the repository.

PMDK_PACKAGES=(libpmemobj1 libpmem1 libpmempool1 libndctl6 libdaxctl1)
# What is unpacked without root; mvn clean removes it.
PMDK_UNPACKED="$ROOT/target/pmdk"

# has_pmdk: whether the loader finds the three libraries that LLPL needs.
has_pmdk() {
  local library cache
  cache=$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2> /dev/null) || true
  for library in libpmemobj.so.1 libpmem.so.1 libpmempool.so.1; do
    if [[ "$cache" != *"$library "* ]] && ! is_on_library_path "$library"; then
      return 1
    fi
  done
}

is_on_library_path() {
  local folder
  local -a folders=()
  IFS=: read -r -a folders <<< "${LD_LIBRARY_PATH:-}"
  for folder in ${folders[@]+"${folders[@]}"}; do
    if [[ -n "$folder" && -e "$folder/$1" ]]; then
      return
    fi
  done
  return 1
}

# use_unpacked_pmdk: lets programs started from here find what unpack_pmdk got, if it did.
use_unpacked_pmdk() {
  local folder="$PMDK_UNPACKED/usr/lib/x86_64-linux-gnu"
  if [[ -d "$folder" ]]; then
    export LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  fi
}

# unpack_pmdk: gets the libraries without root, into the build folder.
unpack_pmdk() {
  local download package
  download=$(mktemp -d)
  if (cd "$download" && apt-get download "${PMDK_PACKAGES[@]}") > "$download/log" 2>&1; then
    rm -rf "$PMDK_UNPACKED"
    mkdir -p "$PMDK_UNPACKED"
    for package in "$download"/*.deb; do
      dpkg -x "$package" "$PMDK_UNPACKED"
    done
  else
    tail -n 2 "$download/log" >&2
  fi
  rm -rf "$download"
}

# prepare_pmdk: makes the libraries loadable where that is possible; fails where it is not.
prepare_pmdk() {
  if [[ "$(uname -sm)" != "Linux x86_64" ]]; then
    return 1
  fi
  if has_pmdk; then
    return
  fi
  use_unpacked_pmdk
  if ! has_pmdk && command -v apt-get > /dev/null 2>&1; then
    if [[ "$(id -u)" == 0 ]]; then
      (install_with_apt "${PMDK_PACKAGES[@]}") || true
    else
      echo "unpacking PMDK into target/pmdk ..." >&2
      unpack_pmdk
      use_unpacked_pmdk
    fi
  fi
  has_pmdk
}
