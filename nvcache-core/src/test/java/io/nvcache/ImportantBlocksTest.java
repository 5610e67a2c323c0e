// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks that matter more than their lookups say. */
final class ImportantBlocksTest {
  private static final int LENGTH = 4096;
  private static final int FITTING = 1024;
  private static final int CAPACITY = FITTING * LENGTH;
  private static final long INDEX = 1;
  private static final long DATA = 2;

  private BlockCache cache;

  @AfterEach
  void close() {
    cache.close();
  }

  private BlockCacheBuilder builder() {
    return BlockCache.builder()
        .nativeMemory(CAPACITY)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .maintainedByCaller();
  }

  private OfferResult offer(long file, long number, BlockRank rank) {
    return cache.offer(
        file,
        number * LENGTH,
        LENGTH,
        () -> ByteBuffer.allocate(LENGTH).putLong(0, number),
        Source.READ,
        rank);
  }

  private boolean isCached(long file, long number) {
    return cache.control().isCached(file, number * LENGTH);
  }

  private int countCached(long file, int from, int until) {
    int cached = 0;
    for (int i = from; i < until; i++) {
      cached += isCached(file, i) ? 1 : 0;
    }
    return cached;
  }

  /** Writes several times what the cache can hold. */
  private void flood() {
    for (int i = 0; i < 6 * FITTING; i++) {
      offer(DATA, i, BlockRank.ORDINARY);
    }
    assertThat(cache.stats().evictions() + cache.stats().displacements()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(
      value = PolicyPreset.class,
      names = {"ADMIT_ALL"})
  void shouldPassOverThemWhileTheyAreWithinTheirShare(PolicyPreset policies) {
    cache = builder().policies(policies).build();
    for (int i = 0; i < 80; i++) {
      assertThat(offer(INDEX, i, BlockRank.IMPORTANT)).isEqualTo(OfferResult.ADMITTED);
    }
    assertThat(cache.stats().importantBytes()).isBetween(80L * LENGTH, 82L * LENGTH);

    flood();

    assertThat(countCached(INDEX, 0, 80)).isEqualTo(80);
    assertThat(cache.stats().importantSpared()).isPositive();
    assertThat(cache.stats().importantDemoted()).isZero();
  }

  @Test
  void shouldTreatThemAsOthersWithoutAShare() {
    cache = builder().policies(PolicyPreset.ADMIT_ALL).importantShare(0).build();
    for (int i = 0; i < 80; i++) {
      offer(INDEX, i, BlockRank.IMPORTANT);
    }
    flood();
    assertThat(countCached(INDEX, 0, 80)).isLessThan(20);
    assertThat(cache.stats().importantBytes()).isZero();
  }

  @Test
  void shouldSpareNoneOnceTheShareIsTakenAway() {
    cache = builder().policies(PolicyPreset.ADMIT_ALL).build();
    for (int i = 0; i < 80; i++) {
      offer(INDEX, i, BlockRank.IMPORTANT);
    }
    cache.control().settings().setImportantShare(0);
    flood();
    assertThat(countCached(INDEX, 0, 80)).isLessThan(20);
    assertThat(cache.stats().importantBytes())
        .as("of those that are left")
        .isLessThan(20L * LENGTH);
    assertThatThrownBy(() -> cache.control().settings().setImportantShare(0.91))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("importantShare is 0.91");
  }

  /** As blocks of the newest window of time come, those of older ones become ordinary. */
  @Test
  void shouldKeepTheNewestWithinTheShare() {
    cache = builder().policies(PolicyPreset.ADMIT_ALL).importantShare(0.25).build();
    int windows = 4 * FITTING;
    long most = (long) (0.25 * CAPACITY);
    for (int i = 0; i < windows; i++) {
      offer(INDEX, i, BlockRank.IMPORTANT);
      offer(DATA, i, BlockRank.ORDINARY);
      offer(DATA, windows + i, BlockRank.ORDINARY);
      assertThat(cache.stats().importantBytes()).isLessThanOrEqualTo(most);
    }
    assertThat(cache.stats().importantDemoted()).isPositive();
    int newest = FITTING / 8; // At least two of the four generations are left.
    assertThat(countCached(INDEX, windows - newest, windows)).isEqualTo(newest);
    flood();
    assertThat(countCached(INDEX, windows - newest, windows)).isEqualTo(newest);
    assertThat(countCached(INDEX, 0, windows)).isLessThanOrEqualTo(FITTING / 4);
  }

  @Test
  void shouldGiveTheShareBackWithTheBlocks() {
    cache = builder().policies(PolicyPreset.ADMIT_ALL).build();
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 50; i++) {
        offer(INDEX, random.nextInt(100), BlockRank.IMPORTANT);
      }
      for (int i = 0; i < 100; i++) {
        cache.invalidate(INDEX, (long) i * LENGTH);
      }
      assertThat(cache.stats().importantBytes()).as("round %s", round).isZero();
    }
    assertThat(cache.stats().importantDemoted()).isZero();
  }

  /** A store that rarely reads its index, and each data block once, with the default policies. */
  @Test
  void shouldComeInBeforeOthersWithinTheWriteBudget() {
    cache = builder().overheadTarget(0.1).build();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 40 * FITTING; i++) {
      int block = random.nextInt(4 * FITTING);
      if (cache.get(DATA, (long) block * LENGTH, ByteBuffer.allocate(LENGTH)) < 0) {
        offer(DATA, block, BlockRank.ORDINARY);
      }
    }
    long writtenBefore = cache.stats().mediumWrittenBytes();
    int admitted = 0;
    for (int i = 0; i < 40; i++) {
      cache.get(INDEX, (long) i * LENGTH, ByteBuffer.allocate(LENGTH));
      admitted += offer(INDEX, i, BlockRank.IMPORTANT) == OfferResult.ADMITTED ? 1 : 0;
    }
    assertThat(admitted).as("at their first lookup").isGreaterThanOrEqualTo(36);
    assertThat(cache.stats().mediumWrittenBytes() - writtenBefore)
        .isEqualTo((long) admitted * LENGTH);
    cache.control().settings().setOverheadTarget(0);
    assertThat(offer(INDEX, 99, BlockRank.IMPORTANT)).isEqualTo(OfferResult.BYPASSED_OVERHEAD);
  }

  @Test
  void shouldStayInRegionsLongerThanOthers(@TempDir Path directory) {
    cache =
        BlockCache.builder()
            .flash(directory.resolve("flash"), 16 << 20)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build();
    for (int i = 0; i < 100; i++) {
      offer(INDEX, i, BlockRank.IMPORTANT);
    }
    assertThat(cache.stats().importantBytes()).isPositive();
    assertThat(isCached(INDEX, 0)).isTrue();
  }
}
