// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import static io.nvcache.tiered.FakeFiles.BLOCK;
import static io.nvcache.tiered.FakeFiles.block;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nvcache.OfferResult;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TieredBlockCacheJoinTest {
  private static final long FILE = 3;
  private static final int THREADS = 16;

  private final FakeFiles files = new FakeFiles();
  private final TieredBlockCache cache =
      TieredBlockCache.builder(64 << 20, files).secondTier(new ReferenceBlockCache()).build();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() throws InterruptedException {
    cache.close();
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldLoadEachBlockOnceForAHerd() throws Exception {
    int blocks = 300;
    CyclicBarrier together = new CyclicBarrier(THREADS);
    List<Future<?>> herd = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      herd.add(
          threads.submit(
              () -> {
                for (int i = 0; i < blocks; i++) {
                  together.await();
                  long offset = (long) i * BLOCK;
                  assertThat(cache.get(FILE, offset, BLOCK, Source.READ))
                      .isEqualTo(block(FILE, offset, 0));
                }
                return null;
              }));
    }
    for (Future<?> one : herd) {
      one.get();
    }
    assertThat(files.loads).hasValue(blocks);
    assertThat(cache.stats().loads()).isEqualTo(blocks);
    assertThat(cache.stats().secondTier().offers(OfferResult.ADMITTED)).isEqualTo(blocks);
    assertThat(cache.stats().lookups()).isEqualTo((long) blocks * THREADS);
  }

  /**
   * Loads that end at once, so that many a caller misses in DRAM just before its block gets there.
   */
  @Test
  void shouldNotLoadAgainWhatArrivedBetweenLookupAndTurn() throws Exception {
    int blocks = 200_000;
    ByteBuffer bytes = ByteBuffer.allocate(1);
    CyclicBarrier together = new CyclicBarrier(4);
    try (TieredBlockCache fast =
        TieredBlockCache.builder(512 << 20, (file, offset) -> bytes).build()) {
      List<Future<?>> racers = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        racers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < blocks; i++) {
                    if (i % 1000 == 0) {
                      together.await();
                    }
                    fast.get(FILE, i, Source.READ);
                  }
                  return null;
                }));
      }
      for (Future<?> racer : racers) {
        racer.get();
      }
      assertThat(fast.stats().loads()).isEqualTo(blocks);
    }
  }

  /** Starts a load, lets others join it, and then lets it read on. */
  private List<Future<ByteBuffer>> herdOnOneBlock(Source leading, Source joining) throws Exception {
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    FakeFiles.Hook then = files.afterRead;
    files.afterRead =
        key -> {
          loading.countDown();
          await(goOn);
          then.run(key);
        };
    List<Future<ByteBuffer>> callers = new ArrayList<>();
    callers.add(threads.submit(() -> cache.get(FILE, 0, leading)));
    loading.await();
    for (int i = 1; i < THREADS; i++) {
      callers.add(threads.submit(() -> cache.get(FILE, 0, joining)));
    }
    while (cache.stats().joinedLoads() < THREADS - 1) {
      Thread.onSpinWait();
    }
    goOn.countDown();
    return callers;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldGiveTheLoadedBytesToAllJoinedCallers() throws Exception {
    for (Future<ByteBuffer> caller : herdOnOneBlock(Source.READ, Source.READ)) {
      assertThat(caller.get()).isEqualTo(block(FILE, 0, 0));
    }
    assertThat(files.loads).hasValue(1);
  }

  @Test
  void shouldFillDramForAJoinedCallerWhoseSourceEntersIt() throws Exception {
    for (Future<ByteBuffer> caller : herdOnOneBlock(Source.COMPACTION, Source.READ)) {
      caller.get();
    }
    assertThat(cache.stats().dramBlocks()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(classes = {IOException.class, IllegalStateException.class, StackOverflowError.class})
  void shouldThrowTheLoadersVeryExceptionToAllAndForgetIt(Class<? extends Throwable> type)
      throws Exception {
    Throwable failure = type.getConstructor(String.class).newInstance("disk on fire");
    files.afterRead = key -> TieredBlockCacheJoinTest.<IOException>sneak(failure);
    for (Future<ByteBuffer> caller : herdOnOneBlock(Source.READ, Source.READ)) {
      assertThat(catchThrowable(caller::get)).hasRootCause(failure);
      assertThat(catchThrowable(caller::get).getCause()).isSameAs(failure);
    }
    TieredStats failed = cache.stats();
    assertThat(failed.loads()).isEqualTo(1);
    assertThat(failed.loadFailures()).isEqualTo(1);
    assertThat(failed.loadedBytes()).isZero();
    assertThat(failed.dramBlocks()).isZero();

    files.afterRead = key -> {};
    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));
    assertThat(cache.stats().loads()).isEqualTo(2);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void shouldFailALoadOfNothing() {
    try (TieredBlockCache empty =
        TieredBlockCache.builder(1 << 20, (file, offset) -> ByteBuffer.allocate(0)).build()) {
      assertThatThrownBy(() -> empty.get(FILE, 512, Source.READ))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("512");
      assertThat(empty.stats().loadFailures()).isEqualTo(1);
    }
  }

  @Test
  void shouldLetALoaderAskForOtherBlocksButNotForItsOwn() throws IOException {
    AtomicReference<TieredBlockCache> self = new AtomicReference<>();
    BlockLoader chained =
        (fileId, offset) ->
            offset == 0 ? files.load(fileId, 0) : self.get().get(fileId, offset - 1, Source.READ);
    try (TieredBlockCache chain = TieredBlockCache.builder(1 << 20, chained).build()) {
      self.set(chain);
      assertThat(chain.get(FILE, 50, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(chain.stats().loads()).isEqualTo(51);
    }
    BlockLoader circular = (fileId, offset) -> self.get().get(fileId, offset, Source.READ);
    try (TieredBlockCache circle = TieredBlockCache.builder(1 << 20, circular).build()) {
      self.set(circle);
      assertThatThrownBy(() -> circle.get(FILE, 0, Source.READ))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("loader");
    }
  }

  @Test
  void shouldLetAnInterruptedCallerLeaveTheLoadItJoined() throws Exception {
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    files.afterRead =
        key -> {
          loading.countDown();
          await(goOn);
        };
    Future<ByteBuffer> leader = threads.submit(() -> cache.get(FILE, 0, Source.READ));
    loading.await();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> cache.get(FILE, 0, Source.READ))
        .isInstanceOf(InterruptedIOException.class);

    assertThat(Thread.interrupted()).isTrue();
    goOn.countDown();
    assertThat(leader.get()).isEqualTo(block(FILE, 0, 0));
  }
}
