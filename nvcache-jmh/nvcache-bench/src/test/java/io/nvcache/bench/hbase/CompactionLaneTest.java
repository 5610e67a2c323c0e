// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactionLaneTest {
  private static final int ROWS = 1000;

  @TempDir private Path directory;

  /** No figure is taken from them, but a wrong value is one wherever it is read. */
  @Test
  void shouldCountWrongValuesOfWarmingReads() throws IOException {
    HBaseBenchSettings settings =
        new HBaseBenchSettings(
            List.of(HBaseEngine.NONE),
            List.of(HBaseScenario.COMPACTION),
            48 << 20,
            16 << 20,
            64 << 10,
            1,
            Duration.ZERO,
            0,
            1,
            100,
            1,
            directory,
            directory);
    StoreFiles files = new StoreFiles(directory, settings);
    org.apache.hadoop.fs.Path input = files.newPath();
    try (HFile.Writer writer = files.create(input, CacheConfig.DISABLED)) {
      for (int row = 0; row < ROWS; row++) {
        byte[] wrong = ByteBuffer.allocate(Integer.BYTES).putInt(row + 1).array();
        writer.append(StoreFiles.cell(row, wrong));
      }
    }
    AtomicLong wrongValues = new AtomicLong();
    try (CompactionLane lane =
        new CompactionLane(
            new CompactionContender(HBaseEngine.NONE, KeyOrder.SCATTERED, false),
            files,
            List.of(input),
            ROWS,
            settings,
            wrongValues)) {
      lane.warm(1);
    }
    assertThat(wrongValues).hasPositiveValue();
  }
}
