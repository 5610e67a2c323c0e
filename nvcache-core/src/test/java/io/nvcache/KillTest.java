// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.control.RestoreReport.State;
import io.nvcache.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed while eight threads use its cache, and the next one on the same file,
 * again and again: no wrong byte, no block that was restored and can't be read, and most of what
 * was there is back.
 *
 * <p>{@code -Dnvcache.kills=500} kills as many.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(36_000)
final class KillTest {
  private static final int KILLS = Integer.getInteger("nvcache.kills", 5);
  private static final int SIGKILL_EXIT = 128 + 9;

  @TempDir Path directory;

  @Test
  void shouldNeverGiveAWrongByteAfterAKill() throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(25);
    Path file = directory.resolve("flash");
    long restored = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      restored += killOne(file, random);
    }
    assertThat(restored).isGreaterThan(100L * (KILLS - 1));
    try (BlockCache cache = KilledProcess.open(file)) {
      while (cache.control().restore().state() == State.RESTORING) {
        Thread.onSpinWait();
      }
      assertThat(KilledProcess.countHits(cache)).isGreaterThan(100);
      assertThat(cache.control().health().checksumFailures()).isZero();
      while (!cache.control().ledger().contradictions().isEmpty()) {
        Thread.onSpinWait(); // The background is amid its work.
      }
    }
  }

  /** Returns how many blocks the process found before it was killed. */
  private static long killOne(Path file, SplittableRandom random)
      throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                ChildJvm.command(List.of(), KilledProcess.class, List.of(file.toString())))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      String line = output.readLine();
      while (line != null && !line.matches("[0-9]+")) { // The log.
        line = output.readLine();
      }
      String next = output.readLine();
      while (next != null && !next.equals(KilledProcess.WRITTEN)) {
        next = output.readLine();
      }
      assertThat(next).as("what it says once it wrote").isNotNull();
      Thread.sleep(random.nextInt(700));
      child.toHandle().destroyForcibly(); // The process itself would close its output, too.
      String rest = output.lines().collect(Collectors.joining("\n"));
      assertThat(child.waitFor()).as("%s\n%s", line, rest).isEqualTo(SIGKILL_EXIT);
      return Long.parseLong(line);
    }
  }
}
