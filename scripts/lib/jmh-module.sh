# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced after toolchain.sh by the scripts that start programs of nvcache-jmh. ROOT is the
# root of the repository.

JMH_TARGET="$ROOT/nvcache-jmh/target"
JMH_JAR="$JMH_TARGET/nvcache-jmh.jar"
# shellcheck disable=SC2034  # used by the sourcing scripts
JMH_CLASSPATH="$JMH_JAR:$JMH_TARGET/lib/*"
# Maven leaves a jar alone when nothing in it changed, so its age says too little by itself.
JMH_STAMP="$JMH_TARGET/.built-by-script"

# jmh_module_is_fresh: whether the jar is there and no source is newer than the last build.
jmh_module_is_fresh() {
  local reference=$JMH_JAR
  [[ -f "$JMH_JAR" && -d "$JMH_TARGET/lib" ]] || return 1
  if [[ "$JMH_STAMP" -nt "$JMH_JAR" ]]; then
    reference=$JMH_STAMP
  fi
  [[ -z "$(find "$ROOT/pom.xml" "$ROOT"/nvcache-*/pom.xml "$ROOT"/nvcache-*/src/main \
    "$ROOT"/nvcache-integration/*/pom.xml "$ROOT"/nvcache-integration/*/src/main \
    -newer "$reference" -print -quit 2> /dev/null)" ]]
}

# build_jmh_module: builds it if it must; quiet unless it fails.
build_jmh_module() {
  local log started
  if jmh_module_is_fresh; then
    find_java
    [[ -n "$JAVA" ]] && (($(java_major "$JAVA") >= MIN_JDK)) && return
  fi
  require_toolchain
  if [[ -d "$JMH_TARGET/lib" ]]; then
    echo "building nvcache (sources changed) ..." >&2
    # Another version of a library would otherwise stay beside the one it replaces.
    rm -rf "${JMH_TARGET:?}/lib"
  else
    echo "building nvcache (first run takes some minutes) ..." >&2
  fi
  started=$(mktemp)
  log=$(mktemp)
  if ! (cd "$ROOT" && mvn -B -ntp -q -DskipTests -pl nvcache-jmh -am package) > "$log" 2>&1; then
    cat "$log" >&2
    rm -f "$started" "$log"
    die "the build failed; its log is above"
  fi
  # The start of the build counts: what was edited meanwhile may have been missed.
  touch -r "$started" "$JMH_STAMP"
  rm -f "$started" "$log"
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
