// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.ShadowReport;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.testing.Race;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What shadows say compared with caches that really are of that size and have those settings. */
final class ShadowsTest {
  private static final int LENGTH = 512;
  private static final int CAPACITY_BLOCKS = 16_384;
  private static final int KEYS = 400_000;
  private static final int LOOKUPS = 2_400_000;
  private static final double ZIPF = 0.8;

  private final List<BlockCache> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(BlockCache::close);
  }

  private BlockCacheBuilder builder(double sizeFactor) {
    return BlockCache.builder()
        .nativeMemory(Math.round(CAPACITY_BLOCKS * sizeFactor) * LENGTH)
        .maxBlockBytes(4096)
        .expectedBlockBytes(LENGTH)
        .smallBypassDramBytes(0)
        .testing(TestHook.hashSeed(5))
        .maintainedByCaller();
  }

  private BlockCache open(BlockCacheBuilder builder) {
    BlockCache cache = builder.build();
    opened.add(cache);
    return cache;
  }

  /** Zipf's law by inversion of its continuous form, and now and then an update. */
  private static void run(BlockCache cache) {
    SplittableRandom random = new SplittableRandom(42);
    ByteBuffer block = ByteBuffer.allocate(LENGTH);
    double span = Math.pow(KEYS, 1 - ZIPF) - 1;
    for (int i = 0; i < LOOKUPS; i++) {
      long key = (long) Math.pow(random.nextDouble() * span + 1, 1 / (1 - ZIPF));
      long offset = key * LENGTH;
      if (random.nextInt(50) == 0) {
        cache.invalidate(1, offset);
        cache.offer(1, offset, block.clear(), Source.FLUSH);
      } else if (cache.get(1, offset, block.clear()) == BlockCache.MISS) {
        cache.offer(1, offset, block.clear(), Source.READ);
      }
      if (i % 2_000 == 0) {
        cache.control().maintain();
      }
    }
  }

  /** No policy of the cache is asked for them, and no miniature may hold what the cache can't. */
  @Test
  void shouldTakeNoBlocksThatAreTooLong() {
    BlockCache cache = open(builder(1).shadows(0.2, "admit-all"));
    ByteBuffer block = ByteBuffer.allocate(4097);
    for (int i = 0; i < 100_000; i++) {
      cache.get(1, (long) (i % 1_000) * 8192, block.clear());
      cache.offer(1, (long) (i % 1_000) * 8192, block.clear(), Source.READ);
      if (i % 1_000 == 0) {
        cache.control().maintain();
      }
    }
    ShadowReport report = cache.control().shadows().report();
    assertThat(report.sampledLookups()).isPositive();
    assertThat(report.candidates()).allSatisfy(it -> assertThat(it.hitRatio()).isZero());
  }

  @Test
  void shouldForetellOtherSizesAndSettings() {
    BlockCache cache = open(builder(1).shadows(0.2, "live@1%", "live@50%", "admit-all", "paper*2"));
    run(cache);
    ShadowReport report = cache.control().shadows().report();

    assertThat(report.droppedEvents()).isZero();
    assertThat(report.lookups()).isEqualTo(cache.stats().lookups());
    assertThat((double) report.sampledLookups() / report.lookups()).isBetween(0.1, 0.4);
    assertSays(report.sizes().get(1), builder(0.25));
    assertSays(report.sizes().get(4), builder(2));
    assertSays(report.candidates().get(0), builder(1).overheadTarget(0.01));
    assertSays(report.candidates().get(1), builder(1).overheadTarget(0.5));
    assertSays(report.candidates().get(2), builder(1).policies(PolicyPreset.ADMIT_ALL));
    assertSays(report.candidates().get(3), builder(2).policies(PolicyPreset.PAPER));
    assertThat(report.sizes().get(3).hitRatio())
        .as("at its own size it knows the truth")
        .isCloseTo(cache.stats().hitRatio(), within(1e-9));
    assertThat(report.candidates().get(1).extraWrites()).isPositive();
    assertThat(report.candidates().get(0).extraHits()).isNegative();
  }

  private static Offset<Double> within(double value) {
    return Offset.offset(value);
  }

  private void assertSays(ShadowReport.Candidate said, BlockCacheBuilder real) {
    BlockCache cache = open(real);
    run(cache);
    CacheStats stats = cache.stats();
    assertThat(said.hitRatio())
        .as("hits of %s", said.name())
        .isCloseTo(stats.hitRatio(), within(0.03)); // A fifth of the keys of a small cache.
    assertThat(said.writesPerLookup())
        .as("writes of %s", said.name())
        .isCloseTo(stats.writesPerLookup(), within(0.01 + 0.1 * stats.writesPerLookup()));
  }

  @Test
  void shouldDecideNothingForTheCacheItself() {
    BlockCache plain = open(builder(1));
    BlockCache shadowed = open(builder(1).shadows(0.2, "live@50%", "paper"));
    run(plain);
    run(shadowed);

    assertThat(shadowed.stats().hits()).isEqualTo(plain.stats().hits());
    assertThat(shadowed.stats().offers()).isEqualTo(plain.stats().offers());
  }

  @Test
  void shouldStartChangeAndEndWhileTheCacheRuns() throws Exception {
    BlockCache cache = open(builder(1));
    assertThat(cache.control().shadows().report()).isEqualTo(ShadowReport.OFF);

    Race.run(
        4,
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          ByteBuffer block = ByteBuffer.allocate(LENGTH);
          for (int i = 0; i < 100_000; i++) {
            long offset = random.nextInt(5_000) * (long) LENGTH;
            if (cache.get(1, offset, block.clear()) == BlockCache.MISS) {
              cache.offer(1, offset, block.clear(), Source.READ);
            }
            if (thread == 0 && i % 5_000 == 0) {
              cache
                  .control()
                  .shadows()
                  .setSampleRatio(i / 5_000 % 4 == 3 ? 0 : 0.05 * (i / 5_000 % 4 + 1));
              cache.control().shadows().setCandidates(List.of("live@" + i % 7 + "%"));
              cache.invalidateFile(2);
            }
          }
        });
    cache.control().shadows().reset();
    assertThat(cache.control().shadows().report().lookups()).isZero();
    cache.control().shadows().setSampleRatio(0);
    assertThat(cache.control().shadows().report()).isEqualTo(ShadowReport.OFF);
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  @Test
  void shouldChooseASampleByTheCapacity() {
    BlockCache cache = open(builder(1).shadows());
    assertThat(cache.control().shadows().sampleRatio()).isEqualTo(0.1);

    BlockCache large = open(builder(64).shadows());
    assertThat(large.control().shadows().sampleRatio()).isEqualTo(4096.0 / (64 * CAPACITY_BLOCKS));

    BlockCache small = open(builder(0.25).shadows());
    assertThat(small.control().shadows().sampleRatio()).isEqualTo(1024.0 / (CAPACITY_BLOCKS / 4));

    BlockCache tiny = open(builder(1 / 16.0).shadows());
    assertThat(tiny.control().shadows().sampleRatio()).isEqualTo(0.5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-2, 0.000001, 0.51, Double.NaN})
  void shouldRefuseRatiosOutOfRange(double ratio) {
    BlockCache cache = open(builder(1).shadows(0.01, "paper"));
    assertThatThrownBy(() -> cache.control().shadows().setSampleRatio(ratio))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.5");
    assertThat(cache.control().shadows().sampleRatio()).isEqualTo(0.01);
  }

  @Test
  void shouldRefuseCandidatesThatItCannotTry() {
    BlockCache cache = open(builder(1).shadows(0.01, "paper"));
    for (List<String> wrong :
        List.of(List.of("best"), List.of("live", "live@2000%"), List.of("live*0"))) {
      assertThatThrownBy(() -> cache.control().shadows().setCandidates(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(
            () -> cache.control().shadows().setCandidates(Collections.nCopies(9, "live")))
        .hasMessageContaining("at most 8");
    assertThat(cache.control().shadows().candidates()).containsExactly("paper");
  }

  @Test
  void shouldLeaveAPolicyAloneThatAllCachesWouldShare() {
    List<EvictionPolicy> shared = new ArrayList<>();
    BlockCache cache =
        open(
            builder(1)
                .eviction(
                    context -> {
                      shared.add(new ClockEviction(context));
                      return shared.get(0);
                    }));

    assertThatThrownBy(() -> cache.control().shadows().setSampleRatio(0.1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this eviction policy belongs to another cache; make a new one for each");
    assertThat(cache.control().shadows().sampleRatio()).isZero();
  }

  @Test
  void shouldGoOnWhenAPolicyThrowsInAShadowOnly() {
    BlockCache cache =
        open(
            builder(1)
                .admission(
                    context ->
                        context.capacityBlocks() < 1_000
                            ? candidate -> {
                              throw new IllegalStateException("injected");
                            }
                            : AdmissionPresets.admitAll().create(context))
                .shadows(0.1));
    run(cache);

    assertThat(cache.control().shadows().report().sampledLookups()).isPositive();
    assertThat(cache.control().ledger().policyFailures()).isZero();
  }

  @Test
  void shouldReadEventsWithAThreadOfItsOwn() throws Exception {
    BlockCache cache =
        open(
            BlockCache.builder()
                .nativeMemory(4 << 20)
                .maxBlockBytes(4096)
                .admission(AdmissionPresets.admitAll())
                .shadows(0.5));
    Race.run(
        4,
        thread -> {
          ByteBuffer block = ByteBuffer.allocate(LENGTH);
          for (int i = 0; i < 50_000; i++) {
            long offset = i % 500 * (long) LENGTH;
            if (cache.get(1, offset, block.clear()) == BlockCache.MISS) {
              cache.offer(1, offset, block.clear(), Source.READ);
            }
          }
        });
    ShadowReport report = cache.control().shadows().report();

    assertThat(report.sampledLookups()).isPositive();
    assertThat(report.lookups()).isEqualTo(200_000);
    assertThat(Thread.getAllStackTraces().keySet())
        .anyMatch(thread -> thread.getName().startsWith("nvcache-shadow-"));
  }
}
