// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.MissReason;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.NoDirectMemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What may happen to a medium that is written in regions costs blocks, and never gives others'. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RegionFaultsTest {
  private static final int LENGTH = 4000;
  private static final int CAPACITY = 4 << 20;
  private static final int PAGE = 4096;
  private static final long FILE = 7;

  /** More than the buffer holds and less than the medium. */
  private static final int BLOCKS = 500;

  private final Medium inner = NativeMedium.allocate(CAPACITY);
  private final FaultyMedium medium = new FaultyMedium(inner);

  private BlockCacheBuilder builder() {
    return BlockCache.builder()
        .medium(medium)
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE / 4) // So that no bucket of the index is ever full.
        .maxMediumFailures(Integer.MAX_VALUE)
        .mediumStuckAfter(Duration.ofMillis(100))
        .admission(AdmissionPresets.admitAll());
  }

  @AfterEach
  void heal() {
    medium.heal();
  }

  /** Every other one fills a page, and has no header. */
  private static int length(long block) {
    return block % 2 == 0 ? LENGTH : PAGE;
  }

  private static OfferResult offer(BlockCache cache, long block) {
    return cache.offer(
        FILE, block * PAGE, TestBlock.of(FILE, block * PAGE, length(block)), Source.READ);
  }

  private static boolean get(BlockCache cache, long block) {
    ByteBuffer dst = ByteBuffer.allocate(PAGE);
    boolean hit = cache.get(FILE, block * PAGE, dst) != BlockCache.MISS;
    if (hit) {
      TestBlock.assertMatches(dst.flip(), FILE, block * PAGE, length(block));
    }
    return hit;
  }

  private static int hits(BlockCache cache, int blocks) {
    int hits = 0;
    for (int block = 0; block < blocks; block++) {
      hits += get(cache, block) ? 1 : 0;
    }
    return hits;
  }

  private static void fill(BlockCache cache) {
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(offer(cache, block)).isEqualTo(OfferResult.ADMITTED);
    }
  }

  @Test
  void shouldServeBlocksFromItsBufferAndThenFromTheMedium() {
    try (BlockCache cache = builder().maintainedByCaller().build()) {
      assertThat(offer(cache, 0)).isEqualTo(OfferResult.ADMITTED);
      assertThat(get(cache, 0)).isTrue();
      assertThat(medium.writes.get() + medium.reads.get()).isZero();
      cache.invalidate(FILE, 0);
      fill(cache);
      assertThat(hits(cache, BLOCKS)).isEqualTo(BLOCKS);
      assertThat(medium.writes.get()).isPositive();
      assertThat(medium.reads.get()).isBetween(1L, (long) BLOCKS - 1);
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  @Test
  void shouldDropTheBlocksThatItCouldNotWriteAndGoOn() {
    try (BlockCache cache = builder().maintainedByCaller().build()) {
      fill(cache);
      int before = hits(cache, BLOCKS);
      medium.inject(Fault.WRITE_ERROR);
      for (int block = BLOCKS; block < 2 * BLOCKS; block++) {
        assertThat(offer(cache, block)).isIn(OfferResult.ADMITTED, OfferResult.NO_SPACE);
      }
      assertThat(cache.stats().mediumFailures()).isPositive();
      assertThat(cache.control().health().quarantinedBlocks()).isPositive();
      medium.heal();

      int written = 0;
      for (int block = 0; block < 2 * BLOCKS; block++) {
        written += get(cache, block) ? 1 : 0;
      }
      assertThat(written).isLessThan(before + BLOCKS).isPositive();
      assertThat(cache.control().health().checksumFailures()).isZero();
      assertThat(offer(cache, 9 * BLOCKS)).isEqualTo(OfferResult.ADMITTED);
      assertThat(get(cache, 9 * BLOCKS)).isTrue();
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BIT_FLIP", "SHORT_READ", "FLIPPED_WRITE", "TORN_WRITE"})
  void shouldMissAndDropABlockThatCameBackChanged(Fault fault) {
    try (BlockCache cache = builder().maintainedByCaller().build()) {
      medium.inject(fault);
      fill(cache);
      assertThat(hits(cache, BLOCKS)).isLessThan(BLOCKS);
      medium.heal();
      int hits = hits(cache, BLOCKS);
      assertThat(cache.control().health().checksumFailures()).isEqualTo(BLOCKS - hits);
      assertThat(hits(cache, BLOCKS)).as("those that are left stay").isEqualTo(hits);
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  @Test
  void shouldMissAndDropABlockThatCannotBeRead() {
    try (BlockCache cache = builder().maintainedByCaller().build()) {
      fill(cache);
      medium.inject(Fault.READ_ERROR);
      int hits = hits(cache, BLOCKS);
      assertThat(hits).isLessThan(BLOCKS);
      assertThat(cache.stats().mediumFailures()).isEqualTo(BLOCKS - hits);
      medium.heal();
      assertThat(hits(cache, BLOCKS)).as("not read again").isEqualTo(hits);
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  /** Each page of the medium, one at a time: as it was before, another one's, or rotten. */
  @Test
  void shouldNeverTakeStaleOrMisplacedPagesForABlock() throws IOException {
    SplittableRandom random = new SplittableRandom(24);
    try (BlockCache cache = builder().verifiedReads(1).maintainedByCaller().build()) {
      fill(cache);
      ByteBuffer earlier = ByteBuffer.allocate(CAPACITY);
      inner.read(0, earlier, 0, CAPACITY);
      // The same blocks again, at other places in part, so that all that is stale was theirs once.
      for (int round = 0; round < 3; round++) {
        for (int block = 0; block < BLOCKS; block++) {
          cache.invalidate(FILE, (long) block * PAGE);
          offer(cache, block);
        }
      }
      assertThat(hits(cache, BLOCKS)).isPositive();
      for (int page = 0; page < CAPACITY; page += PAGE) {
        switch (random.nextInt(4)) {
          case 0 -> inner.write(page, earlier, page, PAGE);
          case 1 -> inner.write(page, earlier, random.nextInt(CAPACITY / PAGE) * PAGE, PAGE);
          case 2 -> {
            ByteBuffer rotten = ByteBuffer.allocate(PAGE);
            inner.read(page, rotten, 0, PAGE);
            int at = random.nextInt(PAGE);
            inner.write(page, rotten.put(at, (byte) ~rotten.get(at)), 0, PAGE);
          }
          default -> {} // Left as it is.
        }
      }
      int hits = hits(cache, BLOCKS);
      assertThat(hits).isBetween(1, BLOCKS - 1);
      assertThat(cache.control().health().checksumFailures()).isPositive();
    }
  }

  @Test
  void shouldRefuseOffersServeReadsAndCloseWhileAWriteHangs() {
    CountDownLatch stuck = new CountDownLatch(1);
    // By this clock the write never takes too long, however long this test is kept waiting.
    BlockCache cache = builder().testing(TestHook.nanoTime(() -> 0)).build();
    try {
      medium.holdWrites = stuck;
      long block = 0;
      while (offer(cache, block) == OfferResult.ADMITTED) {
        block++;
      }
      while (medium.writes.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(offer(cache, block)).isEqualTo(OfferResult.MEDIUM_BUSY);
      assertThat(get(cache, block - 1)).isTrue();
      assertThat(get(cache, 0)).isTrue();
      assertThat(cache.control().health().inService()).isTrue();
    } finally {
      cache.close(); // Though the write has not ended.
      assertThat(medium.closed.get()).isZero();
      stuck.countDown();
    }
    while (medium.closed.get() == 0) {
      Thread.onSpinWait();
    }
  }

  /** The owner's round is no call, so that closing has to wait for it apart. */
  @Test
  void shouldFreeNothingWhileItsOwnerMaintainsIt() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    BlockCache cache = builder().maintainedByCaller().testing(TestHook.nanoTime(() -> 0)).build();
    medium.holdWrites = stuck;
    Thread owner =
        new Thread(
            () -> {
              for (long block = 0; medium.writes.get() == 0; block++) {
                offer(cache, block);
                cache.control().maintain();
              }
            });
    owner.start();
    try {
      while (medium.writes.get() == 0) {
        Thread.onSpinWait();
      }
    } finally {
      cache.close(); // Though the round has not ended.
      assertThat(medium.closed.get()).isZero();
      stuck.countDown();
    }
    while (medium.closed.get() == 0) {
      Thread.onSpinWait();
    }
    owner.join();
  }

  @Test
  void shouldKeepABlockThatThereIsNoMemoryToReadInto() {
    AtomicBoolean scarce = new AtomicBoolean();
    Medium without =
        new FaultyMedium(inner) {
          @Override
          public void read(long offset, ByteBuffer dst, int length) throws IOException {
            if (scarce.get()) {
              throw new NoDirectMemoryException("injected", new OutOfMemoryError("injected"));
            }
            super.read(offset, dst, length);
          }
        };
    try (BlockCache cache = builder().medium(without).maintainedByCaller().build()) {
      fill(cache);
      scarce.set(true);
      int hits = hits(cache, BLOCKS);
      assertThat(hits).isLessThan(BLOCKS);
      scarce.set(false);
      assertThat(cache.control().ledger().misses(MissReason.NO_DIRECT_MEMORY))
          .isEqualTo(BLOCKS - hits);
      assertThat(cache.stats().mediumFailures()).isZero();
      assertThat(cache.control().health().quarantinedBlocks()).isZero();
      assertThat(hits(cache, BLOCKS)).isEqualTo(BLOCKS);
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  /** Or a limit would run out by what is never written. */
  @Test
  void shouldGiveBackWhatAWriteLimitWasCharged_IfMakingRoomFails() {
    Medium without =
        new FaultyMedium(inner) {
          @Override
          public void write(long offset, ByteBuffer src, int position, int length) {
            throw new OutOfMemoryError("injected");
          }
        };
    BlockCacheBuilder limited =
        builder()
            .medium(without)
            .maintainedByCaller()
            .testing(TestHook.nanoTime(() -> 0))
            .writeLimitBytesPerSecond(CAPACITY / 2);
    try (BlockCache cache = limited.build()) {
      long failed = 0;
      for (long block = 0; block < 2L * CAPACITY / PAGE; block++) {
        try {
          assertThat(offer(cache, block)).isEqualTo(OfferResult.ADMITTED);
        } catch (OutOfMemoryError e) {
          failed++;
        }
      }
      assertThat(failed).isGreaterThan(CAPACITY / PAGE);
    }
  }

  @Test
  void shouldKeepThePieceThatThereIsNoMemoryToWriteFrom() {
    AtomicBoolean scarce = new AtomicBoolean(true);
    Medium without =
        new FaultyMedium(inner) {
          @Override
          public void write(long offset, ByteBuffer src, int position, int length)
              throws IOException {
            if (scarce.get()) {
              throw new NoDirectMemoryException("injected", new OutOfMemoryError("injected"));
            }
            super.write(offset, src, position, length);
          }
        };
    BlockCacheBuilder strict = builder().medium(without).maxMediumFailures(1);
    try (BlockCache cache = strict.maintainedByCaller().build()) {
      long admitted = 0;
      while (offer(cache, admitted) == OfferResult.ADMITTED) {
        admitted++;
        cache.control().maintain();
      }
      assertThat(cache.stats().blocks()).isEqualTo(admitted);
      assertThat(cache.stats().mediumFailures()).as("to be seen").isPositive();
      assertThat(cache.control().health().inService()).isTrue();
      assertThat(cache.control().health().quarantinedBlocks()).isZero();

      scarce.set(false);
      cache.control().maintain();
      assertThat(offer(cache, admitted)).isEqualTo(OfferResult.ADMITTED);
      assertThat(hits(cache, (int) admitted)).isEqualTo((int) admitted);
    }
  }
}
