# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced after toolchain.sh by the scripts that start programs of nvcache-jmh's modules. ROOT is the
# root of the repository.

TOOLS="$ROOT/nvcache-jmh"
# find_cli_jar: sets CLI_JAR to the command line in one jar, for java -jar, or to nothing. The newest,
# since jars of other versions may lie beside it.
find_cli_jar() {
  local jar
  CLI_JAR=""
  for jar in "$TOOLS"/nvcache-cli/target/nvcache-cli-*-all.jar; do
    if [[ -f "$jar" && (-z "$CLI_JAR" || "$jar" -nt "$CLI_JAR") ]]; then
      CLI_JAR=$jar
    fi
  done
}

# class_path_of MODULE: its jar and what it runs with, for the modules but nvcache-cli.
class_path_of() {
  printf '%s\n' "$TOOLS/$1/target/$1.jar:$TOOLS/$1/target/lib/*"
}

# sources_of MODULE: fills SOURCES with what the module is built from.
sources_of() {
  local folder
  local -a folders=("$ROOT/nvcache-core" "$ROOT/nvcache-llpl" "$ROOT/nvcache-llpl/nvcache-writelog"
    "$TOOLS/nvcache-sim" "$TOOLS/nvcache-cli")
  if [[ "$1" == nvcache-bench-lucene ]]; then
    folders+=("$ROOT/nvcache-integration/nvcache-lucene" "$TOOLS/$1")
  elif [[ "$1" == nvcache-reproduction ]]; then
    folders+=("$TOOLS/$1")
  elif [[ "$1" != nvcache-cli ]]; then
    folders+=("$ROOT/nvcache-integration/nvcache-hbase" "$TOOLS/$1")
  fi
  SOURCES=("$ROOT/pom.xml" "$TOOLS/pom.xml")
  for folder in "${folders[@]}"; do
    SOURCES+=("$folder/pom.xml" "$folder/src/main")
  done
}

# require_jdk_of_lucene: sees to it that JAVA_HOME is a JDK 21 or newer, which Lucene 10 needs.
require_jdk_of_lucene() {
  local home
  find_java
  if [[ -n "$JAVA" ]] && (($(java_major "$JAVA") >= 21)); then
    return
  fi
  home=$(find_jdk25)
  [[ -n "$home" ]] || die "Lucene 10 needs a JDK 21 or newer; let JAVA_HOME name one"
  export JAVA_HOME=$home
}

# module_is_fresh MODULE: whether its jar is there and no source is newer than the last build.
module_is_fresh() {
  local jar="$TOOLS/$1/target/$1.jar" stamp="$TOOLS/$1/target/.built-by-script" reference
  if [[ "$1" == nvcache-cli ]]; then
    find_cli_jar
    jar=$CLI_JAR
  elif [[ ! -d "$TOOLS/$1/target/lib" ]]; then
    return 1
  fi
  [[ -f "$jar" ]] || return 1
  reference=$jar
  # Maven leaves a jar alone when nothing in it changed, so its age says too little by itself.
  if [[ "$stamp" -nt "$jar" ]]; then
    reference=$stamp
  fi
  sources_of "$1"
  [[ -z "$(find "${SOURCES[@]}" -newer "$reference" -print -quit 2> /dev/null)" ]]
}

# build_module MODULE: builds it if it must; quiet unless it fails.
build_module() {
  local target="$TOOLS/$1/target" log started
  if module_is_fresh "$1"; then
    find_java
    [[ -n "$JAVA" ]] && (($(java_major "$JAVA") >= MIN_JDK)) && return
  fi
  require_toolchain
  if [[ -d "$target" ]]; then
    echo "building $1 (sources changed) ..." >&2
    # Another version of a library would otherwise stay beside the one it replaces.
    rm -rf "${target:?}/lib"
  else
    echo "building $1 (first run takes some minutes) ..." >&2
  fi
  started=$(mktemp)
  log=$(mktemp)
  if ! (cd "$ROOT" && "${MVN:-mvn}" -B -ntp -q -DskipTests -pl "nvcache-jmh/$1" -am package) > "$log" 2>&1; then
    cat "$log" >&2
    rm -f "$started" "$log"
    die "the build failed; its log is above"
  fi
  # The start of the build counts: what was edited during it may have been missed.
  touch -r "$started" "$target/.built-by-script"
  rm -f "$started" "$log"
  find_cli_jar
}

# peer_jvm_flags: adds to JVM_FLAGS what the peers of the comparison need. Chronicle Map compiles
# at run time, and would report its use to its makers; BucketCache samples its blocks for leaks.
peer_jvm_flags() {
  JVM_FLAGS+=(
    "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED"
    "-Dchronicle.analytics.disable=true"
    "-Dorg.apache.hbase.thirdparty.io.netty.leakDetection.level=disabled"
  )
}
