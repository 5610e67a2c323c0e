// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever the medium does, the store gets right bytes or a miss, and the failure is counted. */
final class MediumFaultsTest {
  private static final int LENGTH = 4096;

  private FaultyMedium medium;
  private BlockCache cache;

  @BeforeEach
  void open() {
    medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    medium.writeCost = new WriteCost(0, 1, 0);
    cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .eviction(FifoEviction::new)
            .maintainedByCaller()
            .build();
  }

  @AfterEach
  void close() {
    cache.close();
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  private OfferResult offer(long offset) {
    return cache.offer(1, offset, TestBlock.of(1, offset, LENGTH), Source.READ);
  }

  private int get(long offset) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    int length = cache.get(1, offset, dst);
    if (length != BlockCache.MISS) {
      TestBlock.assertMatches(dst.flip(), 1, offset, LENGTH);
    }
    return length;
  }

  @Test
  void shouldReadAndPinThroughAMediumWithoutAddresses() {
    offer(0);
    assertThat(get(0)).isEqualTo(LENGTH);
    try (PinnedBlock pin = cache.pin(1, 0)) {
      TestBlock.assertMatches(pin.buffer(), 1, 0, LENGTH);
    }
    assertThat(medium.reads.get()).isEqualTo(2);
  }

  @Test
  void shouldMissWhenAReadFailsAndHitAgainLater() {
    offer(0);
    medium.failReads = true;
    assertThat(get(0)).isEqualTo(BlockCache.MISS);
    assertThat(cache.pin(1, 0)).isNull();
    assertThat(cache.stats().mediumFailures()).isEqualTo(2);
    medium.failReads = false;
    assertThat(get(0)).isEqualTo(LENGTH);
  }

  @Test
  void shouldGiveTheSpaceBackWhenAWriteFails() {
    medium.failWrites = true;
    assertThat(offer(0)).isEqualTo(OfferResult.MEDIUM_FAILED);
    assertThat(get(0)).isEqualTo(BlockCache.MISS);
    assertThat(cache.stats().usedBytes()).isZero();
    assertThat(cache.stats().mediumFailures()).isEqualTo(1);
    medium.failWrites = false;
    assertThat(offer(0)).isEqualTo(OfferResult.ADMITTED);
  }

  @Test
  void shouldSendWritersAwayWhileTheMediumIsStuckAndGoOnServing() throws Exception {
    offer(0);
    CountDownLatch release = new CountDownLatch(1);
    medium.holdWrites = release;
    CompletableFuture<OfferResult> stuck = CompletableFuture.supplyAsync(() -> offer(LENGTH));
    while (medium.writes.get() < 2) {
      Thread.onSpinWait();
    }
    assertThat(offer(2 * LENGTH)).isEqualTo(OfferResult.MEDIUM_BUSY);
    assertThat(get(0)).isEqualTo(LENGTH);
    assertThat(get(LENGTH)).as("not visible before it is all there").isEqualTo(BlockCache.MISS);
    release.countDown();
    assertThat(stuck.get(1, TimeUnit.MINUTES)).isEqualTo(OfferResult.ADMITTED);
    assertThat(get(LENGTH)).isEqualTo(LENGTH);
  }

  @Test
  void shouldWriteBlockBytesOnlyAndNothingOnRemoval() {
    int blocks = 2000; // Eight times what fits.
    for (int i = 0; i < blocks; i++) {
      assertThat(offer((long) i * LENGTH)).isEqualTo(OfferResult.ADMITTED);
    }
    assertThat(cache.stats().evictions()).isGreaterThan(blocks / 2);
    assertThat(medium.writtenBytes.get()).isEqualTo((long) blocks * LENGTH);

    for (int i = 0; i < blocks; i += 2) {
      cache.invalidate(1, (long) i * LENGTH);
    }
    cache.invalidateFile(1);
    cache.control().maintain();

    assertThat(cache.stats().blocks()).isZero();
    assertThat(cache.stats().usedBytes()).isZero();
    assertThat(medium.writtenBytes.get()).isEqualTo((long) blocks * LENGTH);
    assertThat(cache.stats().mediumWrittenBytes()).isEqualTo((long) blocks * LENGTH);
  }

  @Test
  void shouldRefuseABlockLongerThanTheLongest() {
    ByteBuffer block = ByteBuffer.allocate(LENGTH + 1);
    assertThat(cache.offer(1, 0, block, Source.READ)).isEqualTo(OfferResult.TOO_LARGE);
    assertThat(medium.writes.get()).isZero();
  }
}
