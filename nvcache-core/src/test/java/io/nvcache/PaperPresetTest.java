// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.LfruEviction;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The paper's policies on the real engine: what a full cache does as time goes by. */
final class PaperPresetTest {
  private static final int LENGTH = 4096;
  private static final int BLOCKS = (1 << 20) / LENGTH;

  private final AtomicLong now = new AtomicLong();
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(LENGTH)
          .expectedBlockBytes(1024) // Roomy, so that the index displaces nothing.
          .testing(TestHook.hashSeed(1))
          .admission(AdmissionPresets.paper())
          .eviction(LfruEviction::new)
          .smallBypassDramBytes(0)
          .evictionWindow(Duration.ofSeconds(10))
          .testing(TestHook.nanoTime(now::get))
          .maintainedByCaller()
          .build();

  @AfterEach
  void close() {
    cache.close();
  }

  private boolean isHit(int block) {
    return cache.get(1, (long) block * LENGTH, ByteBuffer.allocate(LENGTH)) == LENGTH;
  }

  private OfferResult offer(int block) {
    long offset = (long) block * LENGTH;
    return cache.offer(1, offset, TestBlock.of(1, offset, LENGTH), Source.READ);
  }

  private void lookUpElsewhere(int times) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    for (int i = 0; i < times; i++) {
      cache.get(2, i, dst);
    }
  }

  private void passSeconds(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
  }

  private void fill() {
    lookUpElsewhere(100 * BLOCKS);
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(offer(block)).isEqualTo(OfferResult.ADMITTED);
    }
    assertThat(offer(BLOCKS)).as("evicts by sweeping only").isEqualTo(OfferResult.NO_SPACE);
    assertThat(cache.stats().evictions()).isZero();
  }

  @Test
  void shouldEvictThoughExtentsDoNotCoverTheMedium() {
    try (BlockCache odd =
        BlockCache.builder()
            .nativeMemory(21_900 << 10)
            .expectedBlockBytes(1024)
            .admission(AdmissionPresets.admitAll())
            .eviction(LfruEviction::new)
            .evictionWindow(Duration.ofSeconds(1))
            .testing(TestHook.nanoTime(now::get))
            .maintainedByCaller()
            .build()) {
      for (int block = 0; block < 10_000; block++) {
        long offset = (long) block * LENGTH;
        odd.offer(1, offset, TestBlock.of(1, offset, LENGTH), Source.READ);
      }
      for (int second = 0; second < 10; second++) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        odd.control().maintain();
      }
      assertThat(odd.stats().evictions()).isPositive();
    }
  }

  @Test
  void shouldAdmitNothingBeforeTheFirstLookup() {
    assertThat(offer(0)).isEqualTo(OfferResult.BYPASSED_OVERHEAD);
  }

  @Test
  void shouldEvictWhatWasNotUsedInTheWindowDownToTheFullTarget() {
    fill();
    passSeconds(8);
    for (int block = 0; block < 200; block++) {
      assertThat(isHit(block)).isTrue();
    }
    assertThat(cache.stats().evictions()).isZero();

    passSeconds(8);

    long evictions = cache.stats().evictions();
    assertThat(cache.stats().usedBytes()).isLessThan((long) (0.95 * (1 << 20)));
    assertThat(evictions).isBetween(13L, 14L);
    for (int block = 0; block < 200; block++) {
      assertThat(isHit(block)).as("used in the window: block %d", block).isTrue();
    }
    assertThat(offer(BLOCKS)).isEqualTo(OfferResult.ADMITTED);
  }

  @Test
  void shouldPutEvictionOffWhileOverheadIsHigh() {
    fill();
    cache.control().settings().setOverheadTarget(0);
    passSeconds(30);
    assertThat(cache.stats().evictions()).isZero();
    assertThat(cache.stats().deferredEvictions()).isPositive();

    cache.control().settings().setOverheadTarget(0.5);
    passSeconds(1);
    assertThat(cache.stats().evictions()).isPositive();
  }

  @Test
  void shouldSparePinnedBlocks() {
    fill();
    PinnedBlock[] pins = new PinnedBlock[BLOCKS / 16];
    for (int block = 0; block < pins.length; block++) {
      pins[block] = cache.pin(1, (long) block * LENGTH);
    }
    cache.control().settings().setFullTarget(0.01);

    passSeconds(60);

    assertThat(cache.stats().evictions()).isPositive();
    for (int block = 0; block < pins.length; block++) {
      TestBlock.assertMatches(pins[block].buffer(), 1, (long) block * LENGTH, LENGTH);
      assertThat(isHit(block)).isTrue();
      pins[block].close();
    }
  }

  /** The published rules, small bypass first, on counts that this test keeps for itself. */
  @Test
  void shouldAnswerOffersAsThePublishedRulesDo() {
    SplittableRandom random = new SplittableRandom(1122);
    long lookups = 0;
    long inserted = 0;
    Set<OfferResult> answers = EnumSet.noneOf(OfferResult.class);
    for (int i = 0; i < 60_000; i++) {
      if (i % 10_000 == 9_000) {
        cache
            .control()
            .dataSet()
            .register(3, BLOCKS * (long) LENGTH); // Half of it would fit in the DRAM.
        cache.control().settings().setSmallBypassDramBytes(BLOCKS * (long) LENGTH);
      } else if (i % 10_000 == 9_500) {
        cache.control().settings().setSmallBypassDramBytes(0);
      }
      int block = random.nextInt(4 * BLOCKS);
      if (random.nextInt(30) == 0) {
        cache.invalidate(1, (long) block * LENGTH);
      } else {
        boolean hit = isHit(block);
        lookups++;
        CacheStats stats = cache.stats();
        long resident = stats.usedBytes() / LENGTH;
        OfferResult expected;
        if (hit) {
          expected = OfferResult.ALREADY_CACHED;
        } else if (cache.control().settings().smallBypassDramBytes() > 0) {
          expected = OfferResult.BYPASSED_SMALL;
        } else if ((inserted + (inserted - resident)) * 100 / lookups > 10) {
          expected = OfferResult.BYPASSED_OVERHEAD;
        } else {
          expected = resident < BLOCKS ? OfferResult.ADMITTED : OfferResult.NO_SPACE;
        }
        OfferResult answer = offer(block);
        assertThat(answer).as("offer %s, of block %s", i, block).isEqualTo(expected);
        inserted += answer == OfferResult.ADMITTED ? 1 : 0;
        answers.add(answer);
      }
      if (i % 100 == 0) {
        passSeconds(1);
      }
    }
    assertThat(answers)
        .contains(
            OfferResult.ADMITTED,
            OfferResult.ALREADY_CACHED,
            OfferResult.BYPASSED_SMALL,
            OfferResult.BYPASSED_OVERHEAD);
  }
}
