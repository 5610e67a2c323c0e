// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.Condition;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.medium.SparseMedium;
import io.nvcache.medium.SparseMedium.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an invalidation waits for where a later cache could bring its block back. */
@Timeout(60)
final class RevocationWaitTest {
  private static final int PAGE = 4096;
  private static final int SUPERBLOCKS = 2 * PAGE;
  private static final int LENGTH = 4000;
  private static final int BLOCKS = 60;

  private final SparseMedium medium = new SparseMedium(2 << 20, PAGE, 64 << 10);

  private static BlockCacheBuilder builder(SparseMedium of) {
    return BlockCache.builder()
        .medium(of)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE / 4)
        .maxMediumFailures(Integer.MAX_VALUE)
        .admission(AdmissionPresets.admitAll());
  }

  private static void fill(BlockCache cache, long file) {
    cache.identify(file, FileIdentity.of("test", Long.toString(file)));
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * PAGE;
      OfferResult result = OfferResult.MEDIUM_BUSY;
      while (result == OfferResult.MEDIUM_BUSY) {
        result = cache.offer(file, offset, TestBlock.of(file, offset, LENGTH), Source.READ);
      }
      assertThat(result).isEqualTo(OfferResult.ADMITTED);
    }
  }

  private static int hitsAfter(SparseMedium left, long file) {
    try (BlockCache cache = builder(left).maintainedByCaller().build()) {
      cache.control().maintain();
      assertThat(cache.control().restore().state()).isEqualTo(State.RESTORED);
      cache.identify(file, FileIdentity.of("test", Long.toString(file)));
      int hits = 0;
      for (int block = 0; block < BLOCKS; block++) {
        hits += cache.get(file, (long) block * PAGE, ByteBuffer.allocate(LENGTH)) < 0 ? 0 : 1;
      }
      return hits;
    }
  }

  private static boolean isUnsaved(BlockCache cache) {
    return cache.control().conditions().containsKey(Condition.INVALIDATIONS_UNSAVED);
  }

  /** With background threads, none of which has anything to do but this. */
  @Test
  void shouldKeepABlockAway_WhenTheProcessIsKilledBehindTheCall() {
    try (BlockCache cache = builder(medium).build()) {
      fill(cache, 1);
      fill(cache, 2);
      assertThat(cache.invalidate(1, 0)).isTrue();
      SparseMedium killed = medium.afterKill();
      SparseMedium dark = medium.afterPowerLoss();
      assertThat(isUnsaved(cache)).isFalse();
      assertThat(hitsAfter(killed, 1)).isZero();
      assertThat(hitsAfter(dark, 1)).isZero();
      assertThat(hitsAfter(medium.afterKill(), 2)).isPositive();
    }
  }

  private static void failSuperblocks(Operation operation, long offset) throws IOException {
    if (operation == Operation.WRITE && offset < SUPERBLOCKS) {
      throw new IOException("injected");
    }
  }

  @Test
  void shouldSayThatItIsNotWritten_UntilItIs() {
    try (BlockCache cache = builder(medium).maintainedByCaller().build()) {
      fill(cache, 1);
      medium.interpose(RevocationWaitTest::failSuperblocks);
      assertThat(cache.invalidate(1, 0)).isTrue();
      assertThat(isUnsaved(cache)).isTrue();
      assertThat(cache.control().conditions().get(Condition.INVALIDATIONS_UNSAVED))
          .contains("the medium fails, and does not have 1 of the invalidations");
      cache.control().maintain();
      assertThat(isUnsaved(cache)).as("tried again, in vain").isTrue();
      medium.interpose((operation, offset) -> {});
      cache.control().maintain();
      assertThat(isUnsaved(cache)).isFalse();
      assertThat(hitsAfter(medium.afterPowerLoss(), 1)).isZero();
    }
  }

  @Test
  void shouldNotWaitLongForAMediumThatHangs() throws InterruptedException {
    CountDownLatch released = new CountDownLatch(1);
    try (BlockCache cache = builder(medium).mediumStuckAfter(Duration.ofMillis(20)).build()) {
      fill(cache, 1);
      fill(cache, 2);
      fill(cache, 3);
      medium.interpose(
          (operation, offset) -> {
            if (operation == Operation.WRITE && offset < SUPERBLOCKS) {
              awaitQuietly(released);
            }
          });
      assertThat(cache.invalidate(1, 0)).isTrue();
      assertThat(isUnsaved(cache)).isTrue();
      assertThat(cache.invalidate(2, 0)).as("does not wait at all").isTrue();
      released.countDown();
      while (isUnsaved(cache)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      SparseMedium left = medium.afterPowerLoss();
      assertThat(hitsAfter(left, 1)).isZero();
      assertThat(hitsAfter(medium.afterPowerLoss(), 2)).isZero();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** More regions than a superblock can say are free: two starts later, all are read again. */
  @Test
  void shouldKeepABlockAway_WhenNoRegionCouldBeReadAtOneStart() {
    SparseMedium large = new SparseMedium(8 << 20, PAGE, 64 << 10);
    try (BlockCache cache = builder(large).maintainedByCaller().build()) {
      for (int file = 10; file < 32; file++) {
        fill(cache, file);
      }
      fill(cache, 1);
      fill(cache, 2);
      cache.control().maintain();
      assertThat(cache.invalidate(1, 0)).isTrue();
    }
    SparseMedium unread =
        large
            .afterKill()
            .interpose(
                (operation, offset) -> {
                  if (operation == Operation.READ && offset >= SUPERBLOCKS) {
                    throw new IOException("injected");
                  }
                });
    SparseMedium killed;
    try (BlockCache cache = builder(unread).maintainedByCaller().build()) {
      cache.control().maintain();
      assertThat(cache.control().restore().restoredBlocks()).isZero();
      fill(cache, 3);
      fill(cache, 4);
      cache.control().maintain();
      killed = unread.afterKill();
    }
    assertThat(hitsAfter(killed.afterKill(), 2)).as("found after all").isPositive();
    assertThat(hitsAfter(killed, 1)).isZero();
  }

  /** Files without blocks are forgotten if there are many; regions may list blocks of them. */
  @Test
  void shouldKeepABlockAwayOfAFileThatWasForgotten() {
    try (BlockCache cache = builder(medium).maintainedByCaller().build()) {
      cache.identify(1, FileIdentity.of("test", "1"));
      cache.offer(1, 0, TestBlock.of(1, 0, LENGTH), Source.READ);
      fill(cache, 2);
      medium.interpose(RevocationWaitTest::failReads);
      assertThat(cache.get(1, 0, ByteBuffer.allocate(LENGTH))).as("left").isNegative();
      medium.interpose((operation, offset) -> {});
      assertThat(hitsAfter(medium.afterKill(), 1)).as("listed still").isOne();
      for (int file = 100; file < 100 + (1 << 17); file++) {
        cache.identify(file, new FileIdentity(0, file));
      }
      cache.invalidate(1, 0);
    }
    assertThat(hitsAfter(medium.afterKill(), 1)).isZero();
  }

  private static void failReads(Operation operation, long offset) throws IOException {
    if (operation == Operation.READ) {
      throw new IOException("injected");
    }
  }

  /** The page with the newest superblock rots: the older one knows as much. */
  @Test
  void shouldKeepABlockAway_WhicheverCopyOfTheSuperblockRots() throws IOException {
    try (BlockCache cache = builder(medium).maintainedByCaller().build()) {
      fill(cache, 1);
      fill(cache, 2);
      cache.invalidate(1, 0);
    }
    for (int copy = 0; copy < SUPERBLOCKS; copy += PAGE) {
      SparseMedium rotten = medium.afterKill();
      rotten.write(copy, ByteBuffer.allocate(PAGE), 0, PAGE);
      assertThat(hitsAfter(rotten.afterKill(), 1)).isZero();
      assertThat(hitsAfter(rotten.afterKill(), 2)).isPositive();
      int lost = copy;
      SparseMedium unreadable =
          medium
              .afterKill()
              .interpose(
                  (operation, offset) -> {
                    if (operation == Operation.READ && offset == lost) {
                      throw new IOException("injected");
                    }
                  });
      assertThat(hitsAfter(unreadable, 1)).isZero();
    }
  }
}
