// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheHealth;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each way for a medium to misbehave is a miss or a refusal, counted, and never a wrong byte. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class InjectedFaultsTest {
  private static final int LENGTH = 4096;
  private static final AtomicLong FILES = new AtomicLong();

  /** Another one in each test: memory may still hold the blocks of the test before. */
  private final long file = FILES.incrementAndGet();

  private final AtomicLong now = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private FaultyMedium medium;
  private BlockCache cache;

  @BeforeEach
  void open() {
    medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .eviction(FifoEviction::new)
            .checksum(Checksum.CRC32C)
            .maxMediumFailures(4)
            .mediumBackOff(Duration.ofSeconds(10))
            .mediumStuckAfter(Duration.ofSeconds(5))
            .testing(TestHook.debug(), TestHook.nanoTime(now::get))
            .maintainedByCaller()
            .build();
  }

  @AfterEach
  void close() {
    medium.heal();
    cache.close();
    threads.shutdownNow();
  }

  private OfferResult offer(long block) {
    long offset = block * LENGTH;
    return cache.offer(file, offset, TestBlock.of(file, offset, LENGTH), Source.READ);
  }

  private int get(long block) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    int length = cache.get(file, block * LENGTH, dst);
    if (length != BlockCache.MISS) {
      TestBlock.assertMatches(dst.flip(), file, block * LENGTH, LENGTH);
    }
    return length;
  }

  /** As the background does once a second. */
  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"READ_ERROR", "SHORT_READ", "BIT_FLIP", "TORN_WRITE"})
  void shouldMissAndCountWhatComesBackWrong(Fault fault) {
    medium.inject(fault);
    offer(0);
    offer(1);
    offer(2);
    assertThat(get(0)).isEqualTo(BlockCache.MISS);
    assertThat(cache.pin(file, LENGTH)).isNull();
    assertThat(cache.getRange(file, 2 * LENGTH, LENGTH - 8, ByteBuffer.allocate(8)))
        .isEqualTo(BlockCache.MISS);

    long failures = cache.stats().mediumFailures() + cache.control().health().checksumFailures();
    assertThat(failures).isEqualTo(3);
    assertThat(medium.injected.get()).isEqualTo(3);
    assertThat(cache.stats().misses()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"WRITE_ERROR", "OUT_OF_SPACE"})
  void shouldRefuseAndCountWhatCannotBeWritten(Fault fault) {
    medium.inject(fault);
    assertThat(offer(0)).isEqualTo(OfferResult.MEDIUM_FAILED);
    assertThat(get(0)).isEqualTo(BlockCache.MISS);
    assertThat(cache.stats().mediumFailures()).isEqualTo(1);
    assertThat(cache.stats().usedBytes()).isZero();
    medium.heal();
    assertThat(offer(0)).isEqualTo(OfferResult.ADMITTED);
    assertThat(get(0)).isEqualTo(LENGTH);
  }

  @Test
  void shouldQuarantineABlockThatChangedAndItsSpace() {
    offer(0);
    long usedBytes = cache.stats().usedBytes();
    medium.inject(Fault.BIT_FLIP);
    assertThat(get(0)).isEqualTo(BlockCache.MISS);
    medium.heal();

    assertThat(get(0)).as("the block is out").isEqualTo(BlockCache.MISS);
    CacheHealth health = cache.control().health();
    assertThat(health.checksumFailures()).isEqualTo(1);
    assertThat(health.quarantinedBlocks()).isEqualTo(1);
    assertThat(health.quarantinedBytes()).isEqualTo(LENGTH);
    assertThat(cache.stats().blocks()).isZero();
    assertThat(cache.stats().blockBytes()).isZero();
    assertThat(cache.stats().usedBytes()).as("its space is not reused").isEqualTo(usedBytes);

    offer(0);
    assertThat(get(0)).as("elsewhere it is fine").isEqualTo(LENGTH);
  }

  @Test
  void shouldReuseSpaceThatWentBadWhenItIsTooMuch() {
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < 8; i++) {
        medium.heal();
        offer(i);
        assertThat(get(i)).isEqualTo(LENGTH);
      }
      medium.inject(Fault.BIT_FLIP);
      get(round % 8);
      medium.heal();
    }
    assertThat(cache.control().health().quarantinedBlocks()).isEqualTo(100);
    assertThat(cache.stats().usedBytes()).isLessThan(cache.stats().capacityBytes() / 8);
  }

  /** A slot is many times as long as the shortest blocks, and all of it is withheld. */
  @Test
  void shouldWithholdNoMoreThanASixteenthOfTheMediumForTinyBlocks() {
    int length = 16;
    int rounds = 5000;
    ByteBuffer dst = ByteBuffer.allocate(length);
    for (int round = 0; round < rounds; round++) {
      medium.heal();
      for (int i = 0; i < 8; i++) {
        long offset = (long) i * LENGTH;
        cache.offer(file, offset, TestBlock.of(file, offset, length), Source.READ);
        assertThat(cache.get(file, offset, dst.clear())).isEqualTo(length);
      }
      medium.inject(Fault.BIT_FLIP);
      cache.get(file, round % 8 * (long) LENGTH, dst.clear());
    }
    medium.heal();
    cache.invalidateFile(file);
    cache.control().maintain();

    assertThat(cache.control().health().quarantinedBlocks()).isEqualTo(rounds);
    assertThat(cache.stats().blocks()).isZero();
    assertThat(cache.stats().usedBytes())
        .isPositive()
        .isLessThanOrEqualTo(cache.stats().capacityBytes() / 16);
  }

  @Test
  void shouldLeaveServiceWhenTheMediumFailsPersistentlyAndComeBack() {
    offer(0);
    medium.inject(Fault.READ_ERROR);
    for (int i = 0; i < 4; i++) {
      assertThat(get(0)).isEqualTo(BlockCache.MISS);
    }
    assertThat(cache.control().health().inService()).isFalse();
    assertThat(cache.control().health().reason())
        .contains("reads failed 4 times")
        .contains("injected");
    long reads = medium.reads.get();
    assertThat(get(0)).isEqualTo(BlockCache.MISS);
    assertThat(cache.pin(file, 0)).isNull();
    assertThat(offer(1)).isEqualTo(OfferResult.OUT_OF_SERVICE);
    assertThat(medium.reads.get()).as("the medium is left alone").isEqualTo(reads);
    assertThat(cache.control().health().refusedLookups()).isEqualTo(2);
    assertThat(cache.stats().offers(OfferResult.OUT_OF_SERVICE)).isEqualTo(1);

    pass(9);
    assertThat(cache.control().health().inService()).isFalse();
    pass(1);
    assertThat(cache.control().health().inService()).as("on probation").isTrue();
    get(0);
    assertThat(cache.control().health().inService()).as("one failure ends it").isFalse();
    assertThat(cache.control().health().outages()).isEqualTo(2);

    medium.heal();
    pass(19);
    assertThat(cache.control().health().inService()).as("twice as long").isFalse();
    pass(1);
    assertThat(get(0)).isEqualTo(LENGTH);
    medium.inject(Fault.READ_ERROR);
    get(0);
    assertThat(cache.control().health().inService()).as("one in two").isFalse();
    medium.heal();
    pass(40);
    assertThat(get(0)).isEqualTo(LENGTH);
    assertThat(get(0)).isEqualTo(LENGTH);
    medium.inject(Fault.READ_ERROR);
    get(0);
    assertThat(cache.control().health().inService()).as("more succeeded than failed").isTrue();
    pass(80);
    get(0);
    get(0);
    assertThat(cache.control().health().inService()).as("the probation is over").isTrue();
  }

  @Test
  void shouldStayInServiceWhileMostOfItWorks() {
    offer(0);
    offer(1);
    // The second block's place only: blocks are laid out in order.
    medium.inject(Fault.READ_ERROR, offset -> offset >= LENGTH);
    for (int i = 0; i < 100; i++) {
      assertThat(get(0)).isEqualTo(LENGTH);
      assertThat(get(0)).isEqualTo(LENGTH);
      assertThat(get(1)).isEqualTo(BlockCache.MISS);
    }
    assertThat(cache.control().health().inService()).isTrue();
    assertThat(cache.stats().mediumFailures()).isEqualTo(100);
  }

  @Test
  void shouldCarryOutInvalidationsWhileOutOfService() {
    offer(0);
    offer(1);
    cache.control().takeOutOfService("the DIMM is to be replaced");
    assertThat(cache.control().health().reason()).isEqualTo("the DIMM is to be replaced");
    assertThat(cache.invalidate(file, 0)).isTrue();
    pass(100_000);
    assertThat(cache.control().health().inService()).as("what was told is not undone").isFalse();
    cache.control().returnToService();
    assertThat(cache.control().health().inService()).isTrue();
    assertThat(get(0)).isEqualTo(BlockCache.MISS);
    assertThat(get(1)).isEqualTo(LENGTH);
  }

  @Test
  void shouldLeaveServiceWhileTheMediumSaysThatItIsBroken() {
    medium.broken = "the file is gone";
    pass(1);
    assertThat(cache.control().health().reason()).contains("the file is gone");
    pass(100);
    assertThat(cache.control().health().inService()).isFalse();
    assertThat(cache.control().health().outages()).isEqualTo(1);
    medium.broken = null;
    pass(10);
    assertThat(cache.control().health().inService()).isTrue();
  }

  @Test
  void shouldServeOtherBlocksAndMissesWhileAReadIsStuck() throws Exception {
    offer(0);
    offer(1);
    medium.inject(Fault.STUCK_READ, offset -> offset < LENGTH);
    CompletableFuture<Integer> stuck = CompletableFuture.supplyAsync(() -> get(0), threads);
    medium.awaitInjection();
    assertThat(get(1)).isEqualTo(LENGTH);
    assertThat(get(2)).isEqualTo(BlockCache.MISS);
    assertThat(offer(2)).isEqualTo(OfferResult.ADMITTED);
    assertThat(cache.invalidate(file, 0)).as("even of that block").isTrue();

    pass(7);
    assertThat(cache.control().health().stuckCalls()).isEqualTo(1);
    assertThat(cache.control().health().inService()).as("before all readers are stuck").isFalse();
    assertThat(cache.control().health().reason()).contains("hangs");
    pass(100);
    assertThat(cache.control().health().inService()).isFalse();

    medium.heal();
    assertThat(stuck.get(1, TimeUnit.MINUTES)).as("invalidated").isEqualTo(BlockCache.MISS);
    pass(11);
    assertThat(cache.control().health().stuckCalls()).isZero();
    assertThat(cache.control().health().inService()).isTrue();
    assertThat(get(1)).isEqualTo(LENGTH);
  }

  @Test
  void shouldServeReadersAndOtherWritersWhileAWriteIsStuck() throws Exception {
    offer(0);
    medium.inject(Fault.STUCK_WRITE, offset -> offset == LENGTH);
    CompletableFuture<OfferResult> stuck = CompletableFuture.supplyAsync(() -> offer(1), threads);
    medium.awaitInjection();
    assertThat(get(0)).isEqualTo(LENGTH);
    assertThat(get(1)).isEqualTo(BlockCache.MISS);
    assertThat(offer(2)).isEqualTo(OfferResult.ADMITTED);
    pass(7);
    assertThat(offer(3)).as("nobody else gets stuck").isEqualTo(OfferResult.OUT_OF_SERVICE);
    medium.heal();
    assertThat(stuck.get(1, TimeUnit.MINUTES)).isEqualTo(OfferResult.ADMITTED);
  }
}
