// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.Race;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers that go through the same blocks in step: one of them writes a block, not each. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StepWritersTest {
  private static final int LENGTH = 4096;

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(4 << 20));
  private BlockCache cache;

  @BeforeEach
  void open() {
    cache =
        BlockCache.builder()
            .medium(medium)
            .placement(BlockPlacement.IN_PLACE)
            .expectedBlockBytes(LENGTH / 4) // So that no bucket of the index is ever full.
            .maxBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .eviction(ClockEviction::new)
            .maintainedByCaller()
            .build();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private OfferResult offer(long offset) {
    return cache.offer(1, offset, ByteBuffer.allocate(LENGTH), Source.READ);
  }

  private OfferResult offerOnDemand(long offset) {
    return cache.offer(1, offset, LENGTH, () -> ByteBuffer.allocate(LENGTH), Source.READ);
  }

  /** Offers while a write hangs, which ends then: by the clock of no one. */
  private OfferResult offerWhile(CountDownLatch hold, Runnable others) throws Exception {
    medium.holdWrites = hold;
    long before = medium.writes.get();
    FutureTask<OfferResult> first = new FutureTask<>(() -> offer(0));
    new Thread(first).start();
    while (medium.writes.get() == before) {
      Thread.onSpinWait();
    }
    medium.holdWrites = null; // Of the others.
    try {
      others.run();
    } finally {
      hold.countDown();
    }
    return first.get();
  }

  @Test
  void shouldWriteABlockOnceThatManyOffer() throws Exception {
    OfferResult first =
        offerWhile(
            new CountDownLatch(1),
            () -> {
              for (int i = 0; i < 50; i++) {
                assertThat(offer(0)).isEqualTo(OfferResult.ALREADY_CACHED);
                assertThat(offerOnDemand(0)).isEqualTo(OfferResult.ALREADY_CACHED);
              }
              assertThat(offer(LENGTH)).as("another block").isEqualTo(OfferResult.ADMITTED);
            });
    assertThat(first).isEqualTo(OfferResult.ADMITTED);
    assertThat(cache.stats().mediumWrittenBytes()).isEqualTo(2 * LENGTH);
    assertThat(cache.stats().admittedBytes()).isEqualTo(2 * LENGTH);
  }

  @Test
  void shouldTakeABlockAgainAfterAWriteThatFailed() throws Exception {
    medium.failWrites = true;
    assertThat(offerWhile(new CountDownLatch(1), () -> {})).isEqualTo(OfferResult.MEDIUM_FAILED);
    medium.failWrites = false;
    assertThat(offer(0)).isEqualTo(OfferResult.ADMITTED);
    assertThat(offer(0)).isEqualTo(OfferResult.ALREADY_CACHED);
    cache.invalidate(1, 0);
    assertThat(offerOnDemand(0)).isEqualTo(OfferResult.ADMITTED);
  }

  /** Many blocks, of which some share a place: all come in, and few are written twice. */
  @Test
  void shouldWriteNearlyNothingTwiceWhenReadersGoInStep() throws Exception {
    int threads = 4;
    int blocks = 500;
    CyclicBarrier step = new CyclicBarrier(threads);
    Race.run(
        threads,
        thread -> {
          for (long block = 0; block < blocks; block++) {
            step.await();
            offer(block * LENGTH);
          }
        });
    assertThat(cache.stats().offers(OfferResult.ADMITTED)).isEqualTo(blocks);
    assertThat(cache.stats().mediumWrittenBytes()).isEqualTo(cache.stats().admittedBytes());
  }
}
