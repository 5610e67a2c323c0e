// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the debug checks see, and that they see nothing where nothing is wrong. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class DebugChecksTest {
  private static final int LENGTH = 4096;
  private static final long FILE = 1;

  private final AtomicLong now = new AtomicLong();
  private FaultyMedium medium;
  private BlockCache cache;

  @BeforeEach
  void open() {
    medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    medium.showAddresses = true;
    cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .eviction(FifoEviction::new)
            .mediumStuckAfter(Duration.ofMillis(50))
            .testing(TestHook.debug(DebugCheck.values()), TestHook.nanoTime(now::get))
            .maintainedByCaller()
            .build();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private OfferResult offer(long block) {
    return offer(block, LENGTH);
  }

  private OfferResult offer(long block, int length) {
    long offset = block * LENGTH;
    return cache.offer(FILE, offset, TestBlock.of(FILE, offset, length), Source.READ);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
  }

  @Test
  void shouldFindNothingWhereNothingIsWrong() {
    for (int i = 0; i < 5_000; i++) {
      offer(i, i % 3 == 0 ? LENGTH : 512 + i % 7 * 256);
      if (i % 5 == 0) {
        cache.invalidate(FILE, Math.max(0, i - 3L) * LENGTH);
      }
      if (i % 500 == 0) {
        pass(1);
      }
    }
    cache.invalidateFile(FILE);
    pass(3);
    assertThat(cache.control().health().indexFaults()).isZero();
    assertThat(cache.control().health().spaceFaults()).isZero();
    assertThat(cache.control().health().inService()).isTrue();
    assertThat(cache.stats().blocks()).isZero();
  }

  @Test
  void shouldPoisonFreedSpace() throws Exception {
    offer(0);
    cache.invalidate(FILE, 0);
    ByteBuffer freed = ByteBuffer.allocate(LENGTH);
    medium.read(0, freed, LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      assertThat(freed.get(i)).isEqualTo((byte) 0xDB);
    }
  }

  /** In a full cache a victim's space goes to its successor, mostly of the same size. */
  @Test
  void shouldPoisonTheSpaceOfEachVictim() {
    for (int i = 0; i < 1000; i++) {
      assertThat(offer(i)).isEqualTo(OfferResult.ADMITTED);
    }
    long gone = 1000 - cache.stats().blocks();
    assertThat(gone).isGreaterThan(500);
    assertThat(medium.writtenBytes.get()).isEqualTo((1000 + gone) * LENGTH);
    assertThat(medium.reads.get()).as("looked at before they are used again").isPositive();
  }

  @Test
  void shouldSeeAWriteToFreeSpace() throws Exception {
    offer(0);
    offer(1);
    cache.invalidate(FILE, 0);
    medium.write(100, ByteBuffer.wrap(new byte[] {1}), 0, 1);
    for (int i = 2; i < 300; i++) {
      offer(i);
    }
    assertThat(cache.control().health().spaceFaults()).isEqualTo(1);
  }

  @Test
  void shouldNameWhoKeepsAPin() {
    offer(0);
    offer(1);
    PinnedBlock kept = cache.pin(FILE, 0);
    cache.pin(FILE, LENGTH).close();
    assertThat(cache.control().health().openPins()).isEqualTo(1);
    String log = logOf(() -> pass(61));
    assertThat(log)
        .contains("a pin of block 0 of file 1 is open for 60 s")
        .contains("DebugChecksTest.shouldNameWhoKeepsAPin")
        .doesNotContain("block 4096");
    assertThat(logOf(() -> pass(100))).as("once").doesNotContain("a pin of block");
    assertThat(logOf(cache::close)).contains("a pin of block 0 of file 1 is open for 161 s");
    assertThat(medium.closed.get()).isZero();
    kept.close();
    kept.close();
    assertThat(cache.control().health().openPins()).isZero();
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  @Test
  void shouldCloseInTimeThoughACallIsStuckAndFreeTheMemoryLater() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    medium.holdWrites = release;
    List<OfferResult> results = new ArrayList<>();
    Thread stuck = new Thread(() -> results.add(offer(0)));
    stuck.start();
    while (medium.writes.get() == 0) {
      Thread.onSpinWait();
    }
    long began = System.nanoTime();
    CompletableFuture.runAsync(cache::close).get(1, TimeUnit.MINUTES);
    System.out.printf(
        "closed %d ms after it was asked to, beside a write that is stuck%n",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    assertThat(medium.closed.get()).as("a write is inside").isZero();
    assertThat(cache.get(FILE, 0, ByteBuffer.allocate(LENGTH))).isEqualTo(BlockCache.MISS);
    release.countDown();
    stuck.join();
    assertThat(results).containsExactly(OfferResult.ADMITTED);
    while (medium.closed.get() == 0) {
      Thread.sleep(1);
    }
    cache.close();
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  @Test
  void shouldReadTheChecksFromTheProperty() {
    assertThat(DebugChecks.parse("")).isEmpty();
    assertThat(DebugChecks.parse("all")).isEqualTo(EnumSet.allOf(DebugCheck.class));
    assertThat(DebugChecks.parse("poison_freed, Track_Leases"))
        .containsExactlyInAnyOrder(DebugCheck.POISON_FREED, DebugCheck.TRACK_LEASES);
    assertThatThrownBy(() -> DebugChecks.parse("poison"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names poison; it takes all, or some of");
  }

  /** What simple-slf4j prints meanwhile. */
  private static String logOf(Runnable work) {
    java.io.PrintStream before = System.err;
    java.io.ByteArrayOutputStream log = new java.io.ByteArrayOutputStream();
    System.setErr(new java.io.PrintStream(log, true, java.nio.charset.StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(java.nio.charset.StandardCharsets.UTF_8);
  }
}
