// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Batches of a cache on several files. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class BatchOfDrivesTest {
  private static final int LENGTH = 16 << 10;
  private static final int BLOCKS = 3000;
  private static final int SIZE = 16;

  @TempDir Path directory;

  @Test
  void shouldReadBlocksOfAllDrives() {
    try (BlockCache cache =
        BlockCache.builder()
            .flash(List.of(directory.resolve("a"), directory.resolve("b")), 128 << 20)
            .expectedBlockBytes(LENGTH)
            .maxBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .build()) {
      for (int i = 0; i < BLOCKS; i++) {
        ByteBuffer block = TestBlock.of(1, i, LENGTH);
        while (cache.offer(1, i, block, Source.READ) == OfferResult.MEDIUM_BUSY) {
          Thread.onSpinWait(); // The drives are slower than this loop.
        }
      }
      assertThat(cache.control().blocksAtOnce()).isGreaterThan(1);
      long[] fileIds = new long[SIZE];
      long[] offsets = new long[SIZE];
      int[] lengths = new int[SIZE];
      ByteBuffer[] dsts = new ByteBuffer[SIZE];
      Random random = new Random(1);
      int found = 0;
      for (int round = 0; round < 100; round++) {
        for (int i = 0; i < SIZE; i++) {
          fileIds[i] = 1;
          offsets[i] = random.nextInt(BLOCKS);
          dsts[i] = ByteBuffer.allocateDirect(LENGTH);
        }
        found += cache.getAll(SIZE, fileIds, offsets, dsts, lengths);
        for (int i = 0; i < SIZE; i++) {
          if (lengths[i] != BlockCache.MISS) {
            TestBlock.assertMatches(dsts[i].flip(), 1, offsets[i], LENGTH);
          }
        }
      }
      assertThat(found).isGreaterThan(100 * SIZE / 2);
      assertThat(cache.stats().mediumFailures()).isZero();
    }
  }
}
