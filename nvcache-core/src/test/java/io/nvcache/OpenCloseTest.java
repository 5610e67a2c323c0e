// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of caches, built and closed, leave nothing behind. */
final class OpenCloseTest {
  private static final int CYCLES = Integer.getInteger("nvcache.test.cycles", 2000);

  /** 1.4 GiB would be left behind if each cache left its medium, and 40 MiB if each its index. */
  private static final long MAX_GROWTH_KIB = 24 << 10;

  @TempDir Path directory;

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldLeaveNothingBehind() throws Exception {
    String told =
        ChildJvm.run(
            List.of("-Xmx64m", "-Xms64m", "-XX:+AlwaysPreTouch"),
            OpenCloseCycles.class,
            directory.toString(),
            Integer.toString(CYCLES));

    Matcher matcher =
        Pattern.compile("(before|after): residentKiB=(\\d+) mappings=(\\d+) threads=(\\d+)")
            .matcher(told);
    assertThat(matcher.find()).as(told).isTrue();
    long resident = Long.parseLong(matcher.group(2));
    long mappings = Long.parseLong(matcher.group(3));
    long threads = Long.parseLong(matcher.group(4));
    assertThat(matcher.find()).as(told).isTrue();
    System.out.println(told);
    assertThat(Long.parseLong(matcher.group(2)) - resident)
        .as("KiB more than before, in %s", told)
        .isLessThan(MAX_GROWTH_KIB);
    assertThat(Long.parseLong(matcher.group(3)) - mappings).as(told).isLessThan(40);
    assertThat(Long.parseLong(matcher.group(4))).as(told).isLessThanOrEqualTo(threads + 1);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
