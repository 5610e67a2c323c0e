// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Checksum;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.BlockWalk;
import io.nvcache.eviction.WorthEviction;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * When the sizes of blocks change for good, extents have to change hands: plain slabs were measured
 * to fall to two thirds of live bytes, and to a quarter at worst.
 */
final class SizeShiftTest {
  private static final long CAPACITY = 64 << 20;

  @ParameterizedTest
  @EnumSource(Sizing.Cut.class)
  void shouldKeepTheMediumFullOfLiveBytesWhenBlockSizesShift(Sizing.Cut cut) {
    long seed = 99;
    SplittableRandom random = new SplittableRandom(seed);
    try (BlockCache cache = build(cut, seed)) {
      long offset = fill(cache, random, 0, 4 << 10, 16 << 10);
      assertThat(liveShare(cache)).as("small blocks").isGreaterThan(0.90);
      offset = fill(cache, random, offset, 40 << 10, 64 << 10);
      assertThat(liveShare(cache)).as("after the shift to large ones").isGreaterThan(0.90);
      offset = fill(cache, random, offset, 4 << 10, 8 << 10);
      assertThat(liveShare(cache)).as("after the shift back").isGreaterThan(0.90);
      fill(cache, random, offset, 4 << 10, 64 << 10);
      // Over 24 seeds 0.88 to 0.92.
      assertThat(liveShare(cache)).as("all sizes").isGreaterThan(0.86);
    }
  }

  @ParameterizedTest
  @CsvSource({"RUNS, 4096, 16384", "RUNS, 16384, 4096", "SLABS, 4096, 16384", "SLABS, 16384, 4096"})
  void shouldGiveTheMediumToTheSizeThatComes(Sizing.Cut cut, int before, int after) {
    SplittableRandom random = new SplittableRandom(1);
    try (BlockCache cache = build(cut, 1)) {
      long shift = fill(cache, random, 0, before, before);
      long end = fill(cache, random, shift, after, after);
      int hits = 0;
      int asked = 0;
      for (long offset = end - CAPACITY / 2; offset < end; offset += after) {
        asked++;
        hits += cache.get(1, offset, ByteBuffer.allocate(after)) == after ? 1 : 0;
      }
      assertThat((double) hits / asked).as("of the newest, half of what fits").isGreaterThan(0.7);
      assertThat(liveShare(cache)).isGreaterThan(0.90);
    }
  }

  @ParameterizedTest
  @EnumSource(Sizing.Cut.class)
  void shouldNotEmptyTheCacheForASizeThatPinsKeepOut(Sizing.Cut cut) {
    SplittableRandom random = new SplittableRandom(1);
    try (BlockCache cache = build(cut, 1)) {
      fill(cache, random, 0, 4096, 4096);
      List<PinnedBlock> pins = new ArrayList<>();
      for (long offset = 5 * CAPACITY; pins.size() < 1000; offset += 4096) {
        PinnedBlock pin = cache.pin(1, offset);
        if (pin != null) {
          pins.add(pin);
        }
      }
      fill(cache, random, 6 * CAPACITY, 65536, 65536);
      assertThat(liveShare(cache)).isGreaterThan(0.80);
      pins.forEach(PinnedBlock::close);
    }
  }

  /** What takes the space of one block for good, though the index does not know it. */
  enum Obstacle {
    NONE {
      @Override
      void put(BlockCache cache, FaultyMedium medium) {}
    },
    QUARANTINED_BLOCK {
      @Override
      void put(BlockCache cache, FaultyMedium medium) {
        medium.inject(Fault.BIT_FLIP);
        long offset = 5 * CAPACITY;
        while (cache.control().health().quarantinedBlocks() == 0) {
          assertThat(offset).as("a block that is corrupt").isLessThan(6 * CAPACITY);
          cache.get(1, offset, ByteBuffer.allocate(4096));
          offset += 4096;
        }
        medium.heal();
      }
    },
    PINNED_AND_INVALIDATED_BLOCK {
      @Override
      void put(BlockCache cache, FaultyMedium medium) {
        long offset = 5 * CAPACITY;
        while (cache.stats().pinnedBytes() == 0) {
          assertThat(offset).as("a block that can be pinned").isLessThan(6 * CAPACITY);
          cache.pin(1, offset);
          offset += 4096;
        }
        assertThat(cache.invalidate(1, offset - 4096)).isTrue();
      }
    };

    abstract void put(BlockCache cache, FaultyMedium medium);
  }

  @ParameterizedTest
  @CsvSource({
    "RUNS, NONE",
    "RUNS, QUARANTINED_BLOCK",
    "RUNS, PINNED_AND_INVALIDATED_BLOCK",
    "SLABS, NONE",
    "SLABS, QUARANTINED_BLOCK",
    "SLABS, PINNED_AND_INVALIDATED_BLOCK"
  })
  void shouldGoOnGivingUpSpaceThoughSomeCannotBeEmptied(Sizing.Cut cut, Obstacle obstacle) {
    SplittableRandom random = new SplittableRandom(1);
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(CAPACITY));
    // A pin needs memory; a bit flips only where the medium itself is asked to read.
    medium.showAddresses = obstacle == Obstacle.PINNED_AND_INVALIDATED_BLOCK;
    try (BlockCache cache = build(cut, 1, medium, Checksum.CRC32C)) {
      fill(cache, random, 0, 4096, 4096);
      obstacle.put(cache, medium);
      fill(cache, random, 6 * CAPACITY, 16384, 16384);
      long large = 0;
      for (BlockWalk walk = cache.control().walk(); walk.next(); ) {
        large += walk.lengthBytes() == 16384 ? 1 : 0;
      }
      // Without lookups to fade its mark, a victim that was spared outlives the new blocks for
      // long. Over 6 seeds slabs keep 0.89 to 0.92 without an obstacle, and 0.76 to 0.91 with one.
      double least = cut == Sizing.Cut.SLABS && obstacle == Obstacle.NONE ? 0.85 : 0.70;
      assertThat(large * 16384.0 / CAPACITY).isGreaterThan(least);
    }
  }

  /** Offers six capacities of blocks; maintenance runs as often as a woken thread would. */
  private static long fill(
      BlockCache cache, SplittableRandom random, long offset, int minLength, int maxLength) {
    ByteBuffer block = ByteBuffer.allocate(maxLength);
    long end = offset + 6 * CAPACITY;
    int offers = 0;
    while (offset < end) {
      int length = random.nextInt(minLength, maxLength + 1);
      OfferResult result = cache.offer(1, offset, block.clear().limit(length), Source.READ);
      if (result == OfferResult.NO_SPACE || ++offers % 100 == 0) {
        cache.control().maintain();
      }
      offset += length;
    }
    return offset;
  }

  private static BlockCache build(Sizing.Cut cut, long seed) {
    return build(cut, seed, NativeMedium.allocate(CAPACITY), Checksum.NONE);
  }

  private static BlockCache build(Sizing.Cut cut, long seed, Medium medium, Checksum checksum) {
    EngineSettings thresholds = new EngineSettings();
    thresholds.setMaxPinnedBytes(CAPACITY / 8);
    GuardSettings guards =
        new GuardSettings(checksum, 16, Duration.ofSeconds(1), Duration.ofSeconds(10), Set.of());
    return new EngineAssembly(medium, thresholds, AdmissionPresets.admitAll(), WorthEviction::new)
        .cut(cut)
        .blockSizes(4096, 64 << 10)
        .hashSeed(seed)
        .guards(guards)
        .assemble();
  }

  private static double liveShare(BlockCache cache) {
    return (double) cache.stats().blockBytes() / CAPACITY;
  }
}
