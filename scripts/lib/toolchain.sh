# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced by the scripts beside this folder: finds or installs a JDK and Maven, and holds the
# JVM flags of programs. The flags of the tests are in pom.xml and must say the same.

MIN_JDK=17
MIN_MAVEN=3.8

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# java_home_of JAVA: the home of the JVM that a java command starts.
java_home_of() {
  "$1" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

# java_major JAVA: its feature version (8, 17, 25), or 0 when it does not run. The file beside the
# JDK says so without a start of the JVM.
java_major() {
  local version release
  release="$(dirname "$(dirname "$(readlink -f "$1")")")/release"
  version=$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$release" 2> /dev/null) || true
  if [[ -z "$version" ]]; then
    version=$("$1" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1) || true
  fi
  version=${version#1.}
  version=${version%%[!0-9]*}
  printf '%s\n' "${version:-0}"
}

# find_java: sets JAVA to the java command in use, or to nothing.
find_java() {
  JAVA=""
  if [[ -n "${JAVA_HOME:-}" && -x "$JAVA_HOME/bin/java" ]]; then
    JAVA="$JAVA_HOME/bin/java"
  elif command -v java > /dev/null 2>&1; then
    JAVA=$(command -v java)
  fi
}

# missing_jdk: prints what is wrong with the JDK, or nothing.
missing_jdk() {
  find_java
  if [[ -z "$JAVA" ]]; then
    echo "no java command"
  elif (($(java_major "$JAVA") < MIN_JDK)); then
    echo "$JAVA is Java $(java_major "$JAVA")"
  elif [[ ! -x "$(java_home_of "$JAVA")/bin/javac" ]]; then
    echo "$JAVA is a runtime without a compiler"
  fi
}

# missing_maven: prints what is wrong with Maven, or nothing.
missing_maven() {
  local version
  if ! command -v "${MVN:-mvn}" > /dev/null 2>&1; then
    echo "no mvn command"
    return
  fi
  version=$("${MVN:-mvn}" -v 2> /dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p' | head -n 1) || true
  if [[ "$(printf '%s\n%s\n' "$MIN_MAVEN" "${version:-0}" | sort -V | head -n 1)" != "$MIN_MAVEN" ]]; then
    echo "mvn is Maven ${version:-of an unknown version}"
  fi
}

install_with_apt() {
  local log
  log=$(mktemp)
  echo "installing $* with apt-get ..." >&2
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } \
    > "$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "apt-get could not install $*"
  fi
  rm -f "$log"
}

explain_missing() {
  cat >&2 << EOF
${0##*/}: the build needs
  JDK $MIN_JDK or newer      ${1:-found}
  Maven $MIN_MAVEN or newer   ${2:-found}
Install them, for example
  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install openjdk-17-jdk-headless maven
  Fedora:          sudo dnf install java-17-openjdk-devel maven
  macOS:           brew install openjdk@17 maven
and, where several JDKs are installed, let JAVA_HOME name the right one.
EOF
  exit 1
}

# require_toolchain: returns with a JDK and Maven at hand, or ends the script. Installs what is
# missing only as root where there is apt-get.
require_toolchain() {
  local jdk maven
  local -a packages=()
  jdk=$(missing_jdk)
  maven=$(missing_maven)
  if [[ -n "$jdk$maven" && "$(id -u)" == 0 ]] && command -v apt-get > /dev/null 2>&1; then
    # Maven cannot tell its version without a Java, so the JDK comes first.
    if [[ -n "$jdk" ]]; then
      packages+=(openjdk-17-jdk-headless)
    fi
    if ! command -v "${MVN:-mvn}" > /dev/null 2>&1; then
      packages+=(maven)
    fi
    if ((${#packages[@]} > 0)); then
      install_with_apt "${packages[@]}"
      hash -r
      use_installed_jdk
    fi
    jdk=$(missing_jdk)
    maven=$(missing_maven)
  fi
  if [[ -n "$jdk$maven" ]]; then
    explain_missing "$jdk" "$maven"
  fi
  find_java
}

# An older java may still come first on the path, or JAVA_HOME may name it.
use_installed_jdk() {
  local home
  if [[ -z "$(missing_jdk)" ]]; then
    return
  fi
  for home in /usr/lib/jvm/java-17-openjdk-*; do
    if [[ -x "$home/bin/javac" ]]; then
      export JAVA_HOME=$home
      return
    fi
  done
}

# find_jdk25: prints the home of a JDK 25, or nothing.
find_jdk25() {
  local home
  for home in "${JAVA25_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*25*; do
    if [[ -n "$home" && -x "$home/bin/javac" && "$(java_major "$home/bin/java")" == 25 ]]; then
      printf '%s\n' "$home"
      return
    fi
  done
}

# program_flags JAVA: fills JVM_FLAGS for a jar whose manifest opens what it needs.
program_flags() {
  JVM_FLAGS=("-Xmx2g" "-XX:MaxDirectMemorySize=4g")
  if (($(java_major "$1") >= 24)); then
    JVM_FLAGS+=("--sun-misc-unsafe-memory-access=allow")
  fi
  add_users_flags
}

# add_users_flags: last, so that the user's choice wins.
add_users_flags() {
  local -a extra=()
  read -r -a extra <<< "${NVCACHE_JVM_OPTS:-}"
  JVM_FLAGS+=(${extra[@]+"${extra[@]}"})
}

# jvm_flags JAVA: fills JVM_FLAGS for a program with the media and HBase on its class path.
jvm_flags() {
  local package
  JVM_FLAGS=(
    "-Xmx2g"
    "-XX:MaxDirectMemorySize=4g"
    "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
    "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"
  )
  for package in java.lang java.lang.reflect java.util java.util.concurrent java.nio sun.nio.ch \
    jdk.internal.ref; do
    JVM_FLAGS+=("--add-opens=java.base/$package=ALL-UNNAMED")
  done
  if (($(java_major "$1") >= 22)); then
    JVM_FLAGS+=("--enable-native-access=ALL-UNNAMED")
  fi
  if (($(java_major "$1") >= 24)); then
    JVM_FLAGS+=("--sun-misc-unsafe-memory-access=allow")
  fi
  add_users_flags
}
