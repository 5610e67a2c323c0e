// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of caches, built and closed, leave nothing behind. */
final class OpenCloseTest {
  private static final int CYCLES = Integer.getInteger("nvcache.test.cycles", 2000);

  /** For what is compiled and loaded in the meantime. Each cache's index would be 40 MiB. */
  private static final long MAX_RESIDENT_GROWTH_KIB = 16 << 10;

  /** A leak of 32 bytes a cache would be as much. */
  private static final long MAX_ALLOCATED_GROWTH_KIB = 64;

  /** Of the JVM's own, such as for compiled code. */
  private static final long MAX_MAPPINGS_GROWTH = 8;

  /** What waits to be expunged from a thread's locals; a buffer of each cache would be 1000. */
  private static final long MAX_DIRECT_GROWTH_KIB = 512;

  /** An object of half a kilobyte of each cache would be as much. */
  private static final long MAX_HEAP_GROWTH_KIB = 1024;

  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldLeaveNothingBehind() throws Exception {
    String told =
        ChildJvm.run(
            List.of(
                "-Xmx64m",
                "-Xms64m",
                "-XX:+AlwaysPreTouch",
                "-XX:NativeMemoryTracking=summary",
                // Else the JVM's own threads, and what they hold, grow with the machine.
                "-XX:ActiveProcessorCount=2",
                "-XX:-UseDynamicNumberOfCompilerThreads"),
            OpenCloseCycles.class,
            directory.toString(),
            Integer.toString(CYCLES));

    System.out.println(told);
    Map<String, Long> before = figures(told, "before");
    Map<String, Long> after = figures(told, "after");
    assertThat(after.get("mappedMedia")).as(told).isZero();
    assertThat(after.get("openFiles")).as(told).isZero();
    assertThat(after.get("threads")).as(told).isLessThanOrEqualTo(before.get("threads"));
    Map.of(
            "allocatedKiB", MAX_ALLOCATED_GROWTH_KIB,
            "directKiB", MAX_DIRECT_GROWTH_KIB,
            "heapKiB", MAX_HEAP_GROWTH_KIB,
            "residentKiB", MAX_RESIDENT_GROWTH_KIB,
            "mappings", MAX_MAPPINGS_GROWTH)
        .forEach(
            (name, most) ->
                assertThat(after.get(name) - before.get(name))
                    .as("growth of %s, in %s", name, told)
                    .isLessThanOrEqualTo(most));
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  private static Map<String, Long> figures(String told, String when) {
    Matcher line = Pattern.compile("(?m)^" + when + ": (.*)$").matcher(told);
    assertThat(line.find()).as(told).isTrue();
    return Pattern.compile("(\\w+)=(\\d+)")
        .matcher(line.group(1))
        .results()
        .collect(Collectors.toMap(m -> m.group(1), m -> Long.valueOf(m.group(2))));
  }
}
