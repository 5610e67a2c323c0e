// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.admission.AdmitAll;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The engine compared with the naive model: the same calls, the same answers, as long as there is
 * room.
 */
final class ReferenceModelTest {
  private static final int STEPS = 60_000;
  private static final int MAX_LENGTH = 4096;

  @ParameterizedTest
  @CsvSource({"1, IN_PLACE", "2, IN_PLACE", "3, IN_PLACE", "4, REGIONS", "5, REGIONS"})
  void shouldAnswerAsTheModelDoesWhileThereIsRoom(long seed, BlockPlacement placement) {
    try (BlockCache real = build(64 << 20, seed, placement);
        BlockCache model = new ReferenceBlockCache(64 << 20, 1 << 20, new AdmitAll())) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int step = 0; step < STEPS; step++) {
        long fileId = fileId(random);
        long offset = offset(random);
        // Every other one fills a page, which regions give no header.
        int length =
            (fileId + offset / MAX_LENGTH) % 2 == 0
                ? MAX_LENGTH
                : TestBlock.length(fileId, offset, 8, MAX_LENGTH);
        String where = "step " + step + ", seed " + seed;
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> {
            ByteBuffer block = TestBlock.of(fileId, offset, length);
            assertThat(real.offer(fileId, offset, block, Source.READ))
                .as(where)
                .isEqualTo(model.offer(fileId, offset, block, Source.READ));
          }
          case 3 ->
              assertThat(real.invalidate(fileId, offset))
                  .as(where)
                  .isEqualTo(model.invalidate(fileId, offset));
          case 4 -> {
            if (random.nextInt(50) == 0) {
              real.invalidateFile(fileId);
              model.invalidateFile(fileId);
              real.control().maintain();
            }
          }
          default -> {
            ByteBuffer dst = ByteBuffer.allocate(MAX_LENGTH);
            int got = real.get(fileId, offset, dst);
            assertThat(got).as(where).isEqualTo(model.get(fileId, offset, dst.duplicate().clear()));
            if (got != BlockCache.MISS) {
              TestBlock.assertMatches(dst.flip(), fileId, offset, length);
            }
          }
        }
      }
      assertThat(real.stats().hits()).isEqualTo(model.stats().hits()).isPositive();
      assertThat(real.stats().blocks()).isEqualTo(model.stats().blocks());
      assertThat(real.stats().blockBytes()).isEqualTo(model.stats().blockBytes());
      assertThat(real.stats().evictions() + real.stats().displacements()).isZero();
    }
  }

  private static BlockCache build(long capacityBytes, long seed, BlockPlacement placement) {
    return BlockCache.builder()
        .nativeMemory(capacityBytes)
        .placement(placement)
        .maxBlockBytes(MAX_LENGTH)
        .expectedBlockBytes(1024)
        .testing(TestHook.hashSeed(seed))
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller()
        .build();
  }

  /** Ids of either sign, some of which share their low bits. */
  private static long fileId(SplittableRandom random) {
    long id = random.nextInt(12);
    return switch (random.nextInt(3)) {
      case 0 -> id;
      case 1 -> -id;
      default -> id << 32;
    };
  }

  /** Offsets in the first segments of a file and in its last one. */
  private static long offset(SplittableRandom random) {
    long block = 512L * random.nextInt(100);
    return switch (random.nextInt(4)) {
      case 0 -> Long.MAX_VALUE - block;
      case 1 -> (1L << 40) + block;
      default -> block;
    };
  }
}
