// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.device.MediumChoice;
import io.nvcache.progress.StopSignal;
import io.nvcache.stress.StressRun.Result;
import io.nvcache.stress.StressRun.Settings;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stress run as the build does it: for a minute in all, or as long as a property says. */
class StressRunTest {
  private static final int SECONDS = Integer.getInteger("nvcache.test.stressSeconds", 60);

  @TempDir private Path directory;

  private Result run(MediumChoice medium, Set<StressFault> faults, double rate) throws Exception {
    List<Path> paths = medium.isMemory() ? List.of() : List.of(directory.resolve("medium"));
    Settings settings =
        new Settings(
            Duration.ofSeconds(SECONDS),
            Duration.ofSeconds(3),
            4,
            medium,
            paths,
            8 << 20,
            faults,
            rate,
            System.nanoTime());
    List<String> log = new ArrayList<>();
    Result result = new StressRun(settings, log::add, new StopSignal()).run();
    assertThat(result.violations()).as("%s %s", result, log).isZero();
    assertThat(log).hasSize(result.rounds());
    assertThat(result.counts().get("hits")).as("%s", result).isPositive();
    assertThat(result.counts().get("leases_in_place")).as("%s", result).isPositive();
    assertThat(result.counts().get("shared_reads")).as("%s", result).isPositive();
    System.out.println(result);
    return result;
  }

  @Test
  void shouldFindNothingWrongOnASoundMedium() throws Exception {
    Result result = run(MediumChoice.NATIVE, EnumSet.noneOf(StressFault.class), 0);
    assertThat(result.faults()).isEmpty();
    assertThat(result.health().get("checksum_failures")).isZero();
  }

  @Test
  void shouldFindNothingWrongOnAMediumThatDoesEverythingWrong() throws Exception {
    Result result = run(MediumChoice.NATIVE, EnumSet.allOf(StressFault.class), 0.002);
    assertThat(result.health().get("checksum_failures")).isPositive();
    assertThat(result.faults().get("read-error")).isPositive();
  }

  @Test
  void shouldFindNothingWrongOnAMappedFileThatForgets() throws Exception {
    run(MediumChoice.MAPPED, EnumSet.of(StressFault.TORN_WRITE, StressFault.BIT_FLIP), 0.005);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).as("files of closed caches").isEmpty();
    }
  }

  /** A check that lets everything pass would find nothing wrong either. */
  @Test
  void shouldKnowABlockFromAnother() {
    ByteBuffer block = ByteBuffer.allocate(StressBlock.MAX_BYTES);
    StressBlock.write(block, 3, 4096, 5);
    assertThat(StressBlock.verify(block, 0, 3, 4096)).isEqualTo(5);
    assertThat(StressBlock.verify(block, 0, 4, 4096)).isEqualTo(-1);
    assertThat(StressBlock.verify(block, 0, 3, 8192)).isEqualTo(-1);
    assertThat(StressBlock.isPart(block.duplicate().position(8).limit(40), 8, 32, 3, 4096, 4, 6))
        .isTrue();
    assertThat(StressBlock.isPart(block.duplicate().position(9).limit(41), 8, 32, 3, 4096, 4, 6))
        .isFalse();
    for (int at = 0; at < block.limit(); at++) {
      block.put(at, (byte) (block.get(at) ^ 1));
      assertThat(StressBlock.verify(block, 0, 3, 4096)).as("byte %d", at).isEqualTo(-1);
      block.put(at, (byte) (block.get(at) ^ 1));
    }
    block.limit(block.limit() - 4);
    assertThat(StressBlock.verify(block, 0, 3, 4096)).isEqualTo(-1);
  }
}
