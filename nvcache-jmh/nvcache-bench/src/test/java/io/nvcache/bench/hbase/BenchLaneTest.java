// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One file whose blocks all fit into HBase's cache in memory. */
class BenchLaneTest {
  private static final int READS = 100;

  @TempDir private Path directory;

  private HBaseBenchSettings settings(int seed) {
    return new HBaseBenchSettings(
        List.of(HBaseEngine.NONE),
        List.of(HBaseScenario.FITS),
        48 << 20,
        64 << 20,
        64 << 10,
        2,
        Duration.ZERO,
        0,
        1,
        READS,
        seed,
        directory,
        directory);
  }

  private BenchLane open(HBaseBenchSettings settings) throws IOException {
    StoreFiles files = new StoreFiles(directory, settings);
    return new BenchLane(HBaseEngine.NONE, files, files.write(1, 0), HBaseScenario.FITS, settings);
  }

  @Test
  void shouldReadAsMuchWhereDrawsWrapRound() throws IOException {
    int enough = 8_000; // So that each of some hundred blocks is read.
    try (BenchLane lane = open(settings(Integer.MAX_VALUE - enough - READS / 2))) {
      lane.read(enough);
      assertThat(lane.read(READS)).hasSize(READS);
      assertThat(lane.wrongValues()).isZero();
    }
  }

  /** Blocks are longer than asked for, and the header of the next is read with them. */
  @Test
  void shouldCountReadsThatReadNoFileAsHits() throws IOException {
    HBaseBenchSettings settings = settings(1);
    int served;
    try (BenchLane lane = open(settings)) {
      served = lane.read(READS).length;
    }
    try (BenchLane lane = open(settings)) {
      LaneSamples samples = new LaneSamples(lane);
      samples.measure(HBaseScenario.FITS, settings, List.of());
      Measurements measured = new Measurements();
      samples.report(HBaseScenario.FITS, List.of(samples), measured);
      assertThat(measured.value("hit_ratio", Map.of())).isEqualTo((double) served / READS);
    }
  }
}
