// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While a block is laid out, the caller's code runs: it may take its time, and do what it likes.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class SlowLazyOfferTest {
  private static final int LENGTH = 4096;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger decided = new AtomicInteger();
  private final AtomicInteger takenBack = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
  private final BlockCache cache = build();

  private final class Counting implements AdmissionPolicy {
    private boolean closed;

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      decided.incrementAndGet();
      return AdmissionDecision.ADMIT;
    }

    @Override
    public void refund(Candidate candidate) {
      assertThat(closed).as("closed before it is told").isFalse();
      takenBack.incrementAndGet();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private BlockCache build() {
    medium.writeCost = new WriteCost(0, 1, 0);
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .admission(context -> new Counting())
        .eviction(FifoEviction::new)
        .mediumStuckAfter(Duration.ofSeconds(2))
        .testing(TestHook.nanoTime(now::get))
        .maintainedByCaller()
        .build();
  }

  @AfterEach
  void close() {
    cache.close();
    threads.shutdownNow();
    assertThat(medium.closed).hasValue(1);
  }

  private OfferResult offer(long offset) {
    return cache.offer(1, offset, TestBlock.of(1, offset, LENGTH), Source.READ);
  }

  /** Offers the block at 0, and does something else while it is laid out. */
  private OfferResult offerDoing(Runnable meanwhile) {
    return cache.offer(
        1,
        0,
        LENGTH,
        () -> {
          meanwhile.run();
          return TestBlock.of(1, 0, LENGTH);
        },
        Source.READ);
  }

  private void assertHit(long offset) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    assertThat(cache.get(1, offset, dst)).isEqualTo(LENGTH);
    TestBlock.assertMatches(dst.flip(), 1, offset, LENGTH);
  }

  private void assertCounted(OfferResult result, long offers) {
    assertThat(cache.stats().offers(result)).isEqualTo(offers);
    assertThat(cache.control().ledger().contradictions()).isEmpty();
    assertThat(cache.stats().offers(OfferResult.ADMITTED))
        .as("each decision to admit is carried out or taken back")
        .isEqualTo(decided.get() - takenBack.get());
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
  }

  private void elsewhere(Runnable work) {
    CompletableFuture.runAsync(work, threads).join();
  }

  @Test
  void shouldNotBeTakenForAMediumThatHangs() {
    OfferResult result =
        offerDoing(
            () -> {
              elsewhere(() -> pass(10));
              assertThat(cache.control().health().stuckCalls()).isZero();
            });

    assertThat(cache.control().health().inService()).isTrue();
    assertThat(cache.control().health().outages()).isZero();
    assertThat(result).isEqualTo(OfferResult.ADMITTED);
    assertCounted(OfferResult.ADMITTED, 1);
    assertHit(0);
  }

  @Test
  void shouldNotKeepAPermitToWrite() {
    OfferResult result =
        offerDoing(
            () -> elsewhere(() -> assertThat(offer(LENGTH)).isEqualTo(OfferResult.ADMITTED)));

    assertThat(result).isEqualTo(OfferResult.ADMITTED);
    assertCounted(OfferResult.ADMITTED, 2);
    assertHit(0);
    assertHit(LENGTH);
  }

  @Test
  void shouldNotLayOutWhatCannotBeWrittenNow() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    medium.holdWrites = release;
    CompletableFuture<OfferResult> writing =
        CompletableFuture.supplyAsync(() -> offer(LENGTH), threads);
    while (medium.writes.get() == 0) {
      Thread.onSpinWait();
    }
    AtomicInteger asked = new AtomicInteger();

    assertThat(offerDoing(asked::incrementAndGet)).isEqualTo(OfferResult.MEDIUM_BUSY);

    assertThat(asked).hasValue(0);
    release.countDown();
    assertThat(writing.get(1, TimeUnit.MINUTES)).isEqualTo(OfferResult.ADMITTED);
    assertCounted(OfferResult.MEDIUM_BUSY, 1);
  }

  @Test
  void shouldFindTheCacheClosed() {
    OfferResult result =
        offerDoing(
            () -> {
              cache.close();
              assertThat(medium.closed)
                  .as("freed at once: does not wait for the offer it is part of")
                  .hasValue(1);
            });

    assertThat(result).isEqualTo(OfferResult.CLOSED);
    assertThat(medium.writes).hasValue(0);
  }

  @Test
  void shouldFailAfterTheCacheWasClosedAsBefore() {
    IllegalStateException failure = new IllegalStateException("meant to fail");
    assertThatThrownBy(
            () ->
                offerDoing(
                    () -> {
                      cache.close();
                      throw failure;
                    }))
        .isSameAs(failure);
  }

  @Test
  void shouldFindTheMediumOutOfService() {
    OfferResult result = offerDoing(() -> cache.control().takeOutOfService("by hand"));

    assertThat(result).isEqualTo(OfferResult.OUT_OF_SERVICE);
    assertThat(medium.writes).hasValue(0);
    assertCounted(OfferResult.OUT_OF_SERVICE, 1);
  }

  @Test
  void shouldFindTheBlockThere() {
    OfferResult result = offerDoing(() -> assertThat(offer(0)).isEqualTo(OfferResult.ADMITTED));

    assertThat(result).isEqualTo(OfferResult.ALREADY_CACHED);
    assertThat(medium.writes).as("written once").hasValue(1);
    assertCounted(OfferResult.ALREADY_CACHED, 1);
    assertHit(0);
  }

  @Test
  void shouldBearThatTheFileIsForgottenMeanwhile() {
    offer(LENGTH);

    OfferResult result =
        offerDoing(
            () -> {
              cache.invalidateFile(1);
              cache.control().maintain();
            });

    assertThat(result).isEqualTo(OfferResult.ADMITTED);
    assertThat(cache.control().countBlocks(1)).isEqualTo(1);
    assertCounted(OfferResult.ADMITTED, 2);
    assertHit(0);
  }

  @Test
  void shouldBearThatEveryBlockIsReplacedMeanwhile() {
    OfferResult result =
        offerDoing(
            () -> {
              for (int i = 1; i <= 1000; i++) {
                assertThat(offer((long) i * LENGTH)).isEqualTo(OfferResult.ADMITTED);
              }
            });

    assertThat(result).isEqualTo(OfferResult.ADMITTED);
    assertCounted(OfferResult.ADMITTED, 1001);
    assertHit(0);
  }

  @Test
  void shouldRefuseNothingInPlaceOfABlock() {
    assertThatThrownBy(() -> cache.offer(1, 0, LENGTH, () -> null, Source.READ))
        .isInstanceOf(NullPointerException.class);
    assertThat(takenBack).hasValue(1);
    assertThat(offer(0)).isEqualTo(OfferResult.ADMITTED);
  }
}
