// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.control.ShadowReport;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The curves of a tenth of the keys are within two points of the truth, over a factor of 64. */
final class MissRatioCurveTest {
  private static final int LENGTH = 512;
  private static final int CAPACITY_BLOCKS = 8_192;
  private static final double SAMPLE = 0.1;
  private static final double MEAN_ERROR = 0.02;
  private static final double[] SIZES = {0.125, 0.25, 0.5, 2, 4, 8};

  /** A cache below the trace, on a clock that goes by its lookups. */
  private static final class Below implements RecordedLikeTrace.Replay, AutoCloseable {
    private static final long NANOS_PER_LOOKUP = TimeUnit.MICROSECONDS.toNanos(50);

    private final ByteBuffer block = ByteBuffer.allocate(LENGTH);
    private final BlockCache cache;
    private long lookups;

    Below(double size, double sample) {
      cache =
          BlockCache.builder()
              .nativeMemory(Math.round(CAPACITY_BLOCKS * size) * LENGTH)
              .maxBlockBytes(4096)
              .expectedBlockBytes(LENGTH)
              .smallBypassDramBytes(0)
              .testing(TestHook.hashSeed(5), TestHook.nanoTime(() -> lookups * NANOS_PER_LOOKUP))
              .shadows(sample)
              .maintainedByCaller()
              .build();
    }

    @Override
    public void lookUp(long key) {
      if (cache.get(1, key * LENGTH, block.clear()) == BlockCache.MISS) {
        cache.offer(1, key * LENGTH, block.clear(), Source.READ);
      }
      if (++lookups % 2_000 == 0) {
        cache.control().maintain();
      }
    }

    @Override
    public void update(long key) {
      cache.invalidate(1, key * LENGTH);
      cache.offer(1, key * LENGTH, block.clear(), Source.FLUSH);
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  /** LRU that takes every block, in the plainest way. */
  private static final class PlainLru implements RecordedLikeTrace.Replay {
    private final Map<Long, Boolean> blocks;
    private long hits;

    PlainLru(int capacityBlocks) {
      blocks =
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
              return size() > capacityBlocks;
            }
          };
    }

    @Override
    public void lookUp(long key) {
      if (blocks.get(key) != null) {
        hits++;
      } else {
        blocks.put(key, true);
      }
    }

    @Override
    public void update(long key) {
      blocks.remove(key);
      blocks.put(key, true);
    }
  }

  private static ShadowReport foretold() {
    try (Below sampled = new Below(1, SAMPLE)) {
      RecordedLikeTrace.replay(sampled);
      return sampled.cache.control().shadows().report();
    }
  }

  private static double[] real() {
    double[] ratios = new double[SIZES.length];
    for (int i = 0; i < SIZES.length; i++) {
      try (Below cache = new Below(SIZES[i], 0)) {
        RecordedLikeTrace.replay(cache);
        ratios[i] = cache.cache.stats().hitRatio();
      }
    }
    return ratios;
  }

  private static double[] realLru() {
    double[] ratios = new double[SIZES.length];
    for (int i = 0; i < SIZES.length; i++) {
      PlainLru lru = new PlainLru((int) (CAPACITY_BLOCKS * SIZES[i]));
      RecordedLikeTrace.replay(lru);
      ratios[i] = (double) lru.hits / RecordedLikeTrace.LOOKUPS;
    }
    return ratios;
  }

  @Test
  void shouldBeWithinTwoPointsInTheMean() {
    ShadowReport report = foretold();
    assertThat(report.droppedEvents()).isZero();

    double[] sizes = new double[SIZES.length];
    double[] lru = new double[SIZES.length];
    for (int i = 0; i < SIZES.length; i++) {
      double size = SIZES[i];
      sizes[i] =
          only(report.sizes().stream().filter(each -> each.sizeFactor() == size).toList())
              .hitRatio();
      lru[i] =
          only(report.lru().stream()
                  .filter(point -> Math.abs(point.sizeFactor() / size - 1) < 1e-6)
                  .toList())
              .hitRatio();
    }
    assertClose("the cache's own policies", sizes, real());
    assertClose("LRU", lru, realLru());
  }

  private static <T> T only(List<T> found) {
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  /** A curve that says the same everywhere would be close to one that is flat. */
  private static void assertClose(String whose, double[] said, double[] real) {
    assertThat(real[SIZES.length - 1] - real[0])
        .as("what size matters to %s", whose)
        .isGreaterThan(0.15);
    double sum = 0;
    for (int i = 0; i < SIZES.length; i++) {
      sum += Math.abs(said[i] - real[i]);
    }
    assertThat(sum / SIZES.length).as("mean error of %s", whose).isLessThanOrEqualTo(MEAN_ERROR);
  }
}
