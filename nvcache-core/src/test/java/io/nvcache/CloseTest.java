// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the medium's memory goes: after the last call and the last pin, and not before. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class CloseTest {
  private static final int LENGTH = 4096;

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));

  /** Not the common pool, which has one thread on a machine of two processors. */
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private BlockCacheBuilder builder() {
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(LENGTH)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller();
  }

  private BlockCache build() {
    medium.showAddresses = true;
    BlockCache cache = builder().build();
    cache.offer(1, 0, TestBlock.of(1, 0, LENGTH), Source.READ);
    return cache;
  }

  @Test
  void shouldFreeTheMediumAtOnceWhenNothingHoldsIt() {
    build().close();
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  /** Or its own thread that it ends there could read freed memory. */
  @Test
  void shouldKeepTheMarksUntilThePolicyIsClosed() {
    CompletableFuture<Integer> mark = new CompletableFuture<>();
    BlockCache cache =
        builder()
            .eviction(
                context -> {
                  context.marks().set(0, 7);
                  HookedEviction policy = new HookedEviction(context);
                  policy.atClose = () -> mark.complete(context.marks().get(0));
                  return policy;
                })
            .build();
    cache.close();
    assertThat(mark).isCompletedWithValue(7);
  }

  @Test
  void shouldNotCloseThePolicyWhileStatisticsAskIt() throws Exception {
    HookedEviction[] policy = new HookedEviction[1];
    BlockCache cache =
        builder()
            .mediumStuckAfter(Duration.ofMinutes(10))
            .eviction(
                context -> {
                  policy[0] = new HookedEviction(context);
                  return policy[0];
                })
            .build();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    policy[0].inMetadataBytes =
        () -> {
          policy[0].inMetadataBytes = () -> {};
          asked.countDown();
          awaitQuietly(release);
        };
    CompletableFuture<CacheStats> stats = CompletableFuture.supplyAsync(cache::stats, threads);
    asked.await();
    Thread closing = new Thread(cache::close);
    closing.start();
    while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    assertThat(policy[0].closed).hasValue(0);

    release.countDown();
    closing.join();
    assertThat(policy[0].closed).hasValue(1);
    assertThat(stats.get().metadataBytes()).isPositive();
    CompletableFuture<Void> askedLate = new CompletableFuture<>();
    policy[0].inMetadataBytes = () -> askedLate.complete(null);
    assertThat(cache.stats().metadataBytes()).isEqualTo(stats.get().metadataBytes());
    assertThat(askedLate).isNotDone();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The cache was neither closed nor is it held. */
  @ParameterizedTest
  @ValueSource(strings = {"walk", "rewrite"})
  void shouldKeepTheMediumForWhatReadsItWithoutTheCache(String kind) throws Exception {
    Object reader = kind.equals("walk") ? build().control().walk() : build().rewrite();
    for (int i = 0; i < 20; i++) {
      System.gc();
      Thread.sleep(10); // The cleaner has a thread of its own.
    }
    assertThat(medium.closed.get()).isZero();

    Reference.reachabilityFence(reader);
    reader = null;
    while (medium.closed.get() == 0) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(reader).isNull();
  }

  @Test
  void shouldFreeTheMediumWithTheLastPin() {
    BlockCache cache = build();
    PinnedBlock first = cache.pin(1, 0);
    PinnedBlock second = cache.pin(1, 0);
    cache.close();
    first.close();
    assertThat(medium.closed.get()).isZero();
    ByteBuffer copy = ByteBuffer.allocate(LENGTH);
    second.copyTo(copy);
    TestBlock.assertMatches(copy.flip(), 1, 0, LENGTH);
    second.close();
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  @Test
  void shouldKeepTheMediumForACallThatIsInsideWhenTheLastPinEnds() throws Exception {
    BlockCache cache = build();
    PinnedBlock pin = cache.pin(1, 0);
    CountDownLatch release = new CountDownLatch(1);
    medium.holdWrites = release;
    CompletableFuture<OfferResult> inside =
        CompletableFuture.supplyAsync(
            () -> cache.offer(1, LENGTH, TestBlock.of(1, LENGTH, LENGTH), Source.READ), threads);
    while (medium.writes.get() < 2) {
      Thread.onSpinWait();
    }
    CompletableFuture<Void> closing = CompletableFuture.runAsync(cache::close, threads);
    while (cache.get(1, 0, ByteBuffer.allocate(LENGTH)) != BlockCache.MISS) {
      Thread.onSpinWait();
    }

    pin.close();

    assertThat(medium.closed.get()).as("a write is inside").isZero();
    release.countDown();
    assertThat(inside.get(1, TimeUnit.MINUTES)).isEqualTo(OfferResult.ADMITTED);
    closing.get(1, TimeUnit.MINUTES);
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  @Test
  void shouldFreeTheMediumWhenTheLastViewIsCollected() throws Exception {
    BlockCache cache = build();
    ByteBuffer view = view(cache);
    cache.close();
    assertThat(medium.closed.get()).isZero();
    TestBlock.assertMatches(view, 1, 0, LENGTH);
    view = ByteBuffer.allocate(1);
    assertThat(view.hasRemaining()).isTrue();
    while (medium.closed.get() == 0) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  /** By a separate call, so that no variable of the test keeps the pin. */
  private static ByteBuffer view(BlockCache cache) {
    try (PinnedBlock pin = cache.pin(1, 0)) {
      return pin.buffer();
    }
  }

  /** The background work, which tells the listener, can't wait for its own end. */
  @Test
  void shouldCloseWhenAListenerAsksForIt() throws Exception {
    BlockCache cache = buildInBackground();
    CompletableFuture<String> closed = new CompletableFuture<>();
    cache
        .control()
        .addListener(
            event -> {
              cache.close();
              closed.complete(Thread.currentThread().getName());
            });

    cache.control().takeOutOfService("to have something to tell");

    assertThat(closed.get(1, TimeUnit.MINUTES)).startsWith("nvcache-maintenance");
    awaitFreed();
  }

  @Test
  void shouldCloseWhileAListenerWaitsForIt() throws Exception {
    BlockCache cache = buildInBackground();
    CompletableFuture<Void> waited = new CompletableFuture<>();
    cache
        .control()
        .addListener(
            event -> {
              CompletableFuture.runAsync(cache::close, threads).join();
              waited.complete(null);
            });

    cache.control().takeOutOfService("to have something to tell");

    waited.get(1, TimeUnit.MINUTES);
    awaitFreed();
  }

  private BlockCache buildInBackground() {
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(LENGTH)
        .admission(AdmissionPresets.admitAll())
        .mediumStuckAfter(Duration.ofMillis(100))
        .build();
  }

  private void awaitFreed() {
    while (medium.closed.get() == 0) {
      Thread.onSpinWait();
    }
  }

  /**
   * A read of freed memory would end the JVM, and this test with it. Where there is one processor,
   * the reader has it most of the time.
   */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldOutliveReadsOfAPinThatOthersClose() throws Exception {
    for (int round = 0; round < 200; round++) {
      BlockCache cache =
          BlockCache.builder()
              .nativeMemory(1 << 20)
              .maxBlockBytes(LENGTH)
              .admission(AdmissionPresets.admitAll())
              .maintainedByCaller()
              .build();
      cache.offer(1, 0, TestBlock.of(1, 0, LENGTH), Source.READ);
      PinnedBlock pin = cache.pin(1, 0);
      CompletableFuture<Throwable> reader =
          CompletableFuture.supplyAsync(
              () ->
                  catchThrowable(
                      () -> {
                        while (true) {
                          pin.getLong(0);
                        }
                      }),
              threads);
      pin.getLong(8);
      cache.close();
      pin.close();
      assertThat(reader.get(1, TimeUnit.MINUTES)).isInstanceOf(IllegalStateException.class);
    }
  }
}
