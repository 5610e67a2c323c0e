// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** On the real engine, medium writes per lookup stay within the target, whatever the stream. */
final class OverheadLawTest {
  private static final int LENGTH = 4096;
  private static final int BLOCKS = 4_000;
  private static final int OPERATIONS = 200_000;

  static Stream<Arguments> streams() {
    return Stream.of("random", "updates", "random, regions", "updates, regions")
        .flatMap(
            stream ->
                Stream.of(
                    Arguments.of(stream, "paper", AdmissionPresets.paper(), 1.0),
                    Arguments.of(stream, "standard", AdmissionPresets.standard(), 0.0),
                    Arguments.of(
                        stream, "standard, dear removals", AdmissionPresets.standard(), 1.0)));
  }

  private static BlockCache build(
      AdmissionFactory admission, double removalWeight, long dram, BlockPlacement placement) {
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(4 << 20));
    medium.writeCost = new WriteCost(removalWeight, Integer.MAX_VALUE, 0);
    return BlockCache.builder()
        .medium(medium)
        .placement(placement)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .admission(admission)
        .smallBypassDramBytes(dram)
        .maintainedByCaller()
        .build();
  }

  @ParameterizedTest(name = "{0} stream, {1}")
  @MethodSource("streams")
  void shouldHoldTheTarget(
      String stream, String name, AdmissionFactory admission, double removalWeight) {
    boolean inRegions = stream.endsWith("regions");
    BlockPlacement placement = inRegions ? BlockPlacement.REGIONS : BlockPlacement.IN_PLACE;
    try (BlockCache cache = build(admission, removalWeight, 0, placement)) {
      run(cache, stream.startsWith("updates") ? 40 : 0);

      CacheStats stats = cache.stats();
      long removals =
          stats.evictions()
              + stats.displacements()
              + stats.rebalancings()
              + stats.invalidations()
              + stats.reinsertions();
      long writes = stats.offers(OfferResult.ADMITTED) + stats.reinsertions();
      double cost = writes + removalWeight * removals;
      // The paper's gate divides whole numbers and sees a write only after it: a point, and what
      // goes at once, a block or the blocks of a region.
      double slip = 0.01 + (inRegions ? 16.0 : 1.0) / stats.lookups();
      assertThat(cost / stats.lookups()).isLessThanOrEqualTo(0.10 + slip);
      assertThat(stats.offers(OfferResult.BYPASSED_OVERHEAD)).isPositive();
      assertThat(stats.offers(OfferResult.ADMITTED))
          .as("a gate that lets nothing through holds any target")
          .isGreaterThan(stats.lookups() / 100);
      assertThat(stats.hits()).isPositive();
    }
  }

  @Test
  void shouldAdmitNothingWhileTheDataSetIsSmall() {
    try (BlockCache cache =
        build(AdmissionPresets.standard(), 0, (long) BLOCKS * LENGTH, BlockPlacement.IN_PLACE)) {
      cache.control().dataSet().register(1, (long) BLOCKS * LENGTH);
      run(cache, 10);

      assertThat(cache.stats().offers(OfferResult.ADMITTED)).isZero();
      assertThat(cache.stats().offers(OfferResult.BYPASSED_SMALL)).isPositive();
      assertThat(cache.stats().mediumWrittenBytes()).isZero();

      cache.control().dataSet().register(2, 10L * BLOCKS * LENGTH);
      run(cache, 10);
      assertThat(cache.stats().offers(OfferResult.ADMITTED)).as("once it grew").isPositive();
    }
  }

  /** Reads through the cache; {@code updatePercent} of the operations replace a block instead. */
  private static void run(BlockCache cache, int updatePercent) {
    SplittableRandom random = new SplittableRandom(2022);
    ByteBuffer block = ByteBuffer.allocate(LENGTH);
    for (int i = 0; i < OPERATIONS; i++) {
      long offset = (long) LENGTH * Math.min(random.nextInt(BLOCKS), random.nextInt(BLOCKS));
      if (random.nextInt(100) < updatePercent) {
        cache.invalidate(1, offset);
        cache.offer(1, offset, block.clear(), Source.FLUSH);
      } else if (cache.get(1, offset, block.clear()) == BlockCache.MISS) {
        cache.offer(1, offset, block.clear(), Source.READ);
      }
    }
  }
}
