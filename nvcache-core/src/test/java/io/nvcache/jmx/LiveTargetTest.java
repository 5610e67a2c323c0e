// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.TestHook;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.MBeanServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The overhead target is changed over JMX under load, 10 % to 1 % to 50 %, and admission follows
 * within a second. Seconds are virtual: {@value #LOOKUPS_PER_SECOND} lookups each.
 */
final class LiveTargetTest {
  private static final int LENGTH = 512;
  private static final int CAPACITY_BLOCKS = 4_096;
  private static final int LOOKUPS_PER_SECOND = 20_000;
  private static final int KEYS = 400_000;
  private static final int BURST_BLOCKS = 64;

  /** What the default may spend of saved credit in any stretch: docs/inside/policies.md. */
  private static final double SMOOTHING = 2.8;

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final SplittableRandom random = new SplittableRandom(11);
  private final ByteBuffer block = ByteBuffer.allocate(LENGTH);
  private long lookups;

  /**
   * One second of a load whose hot keys move on, so that there is always something worth a write.
   */
  private double writesPerLookupInASecond(BlockCache cache) {
    CacheStats before = cache.stats();
    for (int i = 0; i < LOOKUPS_PER_SECOND; i++) {
      lookups++;
      long hot = lookups / 10;
      long key = hot + (long) (Math.pow(random.nextDouble(), 6) * KEYS);
      if (cache.get(1, key * LENGTH, block.clear()) == BlockCache.MISS) {
        cache.offer(1, key * LENGTH, block.clear(), Source.READ);
      }
    }
    cache.control().maintain();
    CacheStats after = cache.stats();
    return (double) (after.offers(OfferResult.ADMITTED) - before.offers(OfferResult.ADMITTED))
        / LOOKUPS_PER_SECOND;
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "PAPER", "DECAYING"})
  void shouldFollowATargetSetOverJmxWithinASecond(PolicyPreset policies) throws Exception {
    try (BlockCache cache =
            BlockCache.builder()
                .nativeMemory((long) CAPACITY_BLOCKS * LENGTH)
                .maxBlockBytes(4096)
                .expectedBlockBytes(LENGTH)
                .smallBypassDramBytes(0)
                .testing(TestHook.hashSeed(3))
                .policies(policies)
                .testing(
                    TestHook.nanoTime(
                        () -> lookups * (TimeUnit.SECONDS.toNanos(1) / LOOKUPS_PER_SECOND)))
                .maintainedByCaller()
                .build();
        NvCacheMBeanRegistration registration =
            NvCacheMBeanRegistration.register(cache, "live-" + policies)) {
      cache.control().settings().setEvictionWindow(Duration.ofSeconds(1));
      double atTen = 0;
      for (int second = 0; second < 30; second++) {
        atTen = writesPerLookupInASecond(cache);
      }
      double burst = (double) BURST_BLOCKS / LOOKUPS_PER_SECOND;
      assertThat(atTen).as("at 10 %%").isBetween(0.005, 0.30);

      set(registration, 1);
      double firstSecond = writesPerLookupInASecond(cache);
      assertThat(firstSecond)
          .as("in the first second at 1 %%")
          .isLessThanOrEqualTo(0.01 * SMOOTHING + burst);
      double sum = 0;
      for (int second = 0; second < 10; second++) {
        sum += writesPerLookupInASecond(cache);
      }
      assertThat(sum / 10).as("after it").isLessThanOrEqualTo(0.01 * SMOOTHING + burst);

      set(registration, 50);
      assertThat(writesPerLookupInASecond(cache))
          .as("in the first second at 50 %%")
          .isGreaterThan(0.01)
          .isGreaterThan(3 * firstSecond);
    }
  }

  private void set(NvCacheMBeanRegistration registration, double percent) throws Exception {
    server.setAttribute(registration.objectName(), new Attribute("OverheadTargetPercent", percent));
  }
}
