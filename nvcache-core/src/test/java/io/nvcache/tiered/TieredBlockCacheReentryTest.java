// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import static io.nvcache.tiered.FakeFiles.BLOCK;
import static io.nvcache.tiered.FakeFiles.block;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a loader, a policy of the second tier and an executor may call of the tiered cache: nothing
 * waits for itself, and nothing waits for ever for a thread that waits for it.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TieredBlockCacheReentryTest {
  private static final long FILE = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final FakeFiles files = new FakeFiles();
  private final AtomicLong now = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());

  /** What the admission policy of the second tier does, once. */
  private volatile @Nullable Runnable inDecide;

  private final BlockCache second =
      BlockCache.builder()
          .nativeMemory(8 << 20)
          .maxBlockBytes(BLOCK)
          .smallBypassDramBytes(0)
          .maintainedByCaller()
          .admission(context -> candidate -> decide())
          .build();

  private TieredBlockCache cache;

  @AfterEach
  void close() throws InterruptedException {
    inDecide = null;
    if (cache != null) {
      cache.close();
    }
    second.close();
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  private AdmissionDecision decide() {
    Runnable work = inDecide;
    if (work != null) {
      inDecide = null;
      work.run();
    }
    return AdmissionDecision.ADMIT;
  }

  private TieredBlockCacheBuilder builder(BlockLoader loader) {
    return TieredBlockCache.builder(8 << 20, loader)
        .secondTier(second)
        .executor(Runnable::run)
        .patience(PATIENCE)
        .nanoTime(now::get);
  }

  private void build(BlockLoader loader) {
    cache = builder(loader).build();
  }

  private ByteBuffer get(long offset) throws IOException {
    return cache.get(FILE, offset, Source.READ);
  }

  /** The work, with what it throws kept. */
  private Runnable caught(Runnable work) {
    return () -> {
      Throwable failure = catchThrowable(work::run);
      if (failure != null) {
        thrown.add(failure);
      }
    };
  }

  private void passPatience() {
    now.addAndGet(PATIENCE.toNanos() + 1);
  }

  /** Waits until this many callers have joined a load. */
  private void awaitJoined(int callers) {
    while (cache.stats().joinedLoads() < callers) {
      Thread.onSpinWait();
    }
  }

  /** Each loader wants the block that the other one loads, and both have begun. */
  @Test
  void shouldLetTwoLoadersAskForEachOthersBlock() throws Exception {
    CyclicBarrier bothLoad = new CyclicBarrier(2);
    ThreadLocal<Boolean> nested = ThreadLocal.withInitial(() -> false);
    build(
        (file, offset) -> {
          if (!nested.get()) {
            nested.set(true);
            await(bothLoad);
            long other = offset == 0 ? BLOCK : 0;
            assertThat(get(other)).isEqualTo(block(FILE, other, 0));
          }
          return files.load(file, offset);
        });
    Future<ByteBuffer> one = threads.submit(() -> get(0));
    Future<ByteBuffer> other = threads.submit(() -> get(BLOCK));

    assertThat(one.get()).isEqualTo(block(FILE, 0, 0));
    assertThat(other.get()).isEqualTo(block(FILE, BLOCK, 0));
    assertThat(cache.stats().separateLoads()).isBetween(1L, 2L);
    assertThat(cache.stats().dramBlocks()).isEqualTo(2);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** No order of reading can serve them. */
  @Test
  void shouldRefuseLoadersThatEndlesslyNeedEachOther() {
    CyclicBarrier bothLoad = new CyclicBarrier(2);
    ThreadLocal<Boolean> nested = ThreadLocal.withInitial(() -> false);
    build(
        (file, offset) -> {
          if (!nested.get()) {
            nested.set(true);
            await(bothLoad);
          }
          return get(offset == 0 ? BLOCK : 0);
        });
    List<Future<ByteBuffer>> callers =
        List.of(threads.submit(() -> get(0)), threads.submit(() -> get(BLOCK)));

    for (Future<ByteBuffer> caller : callers) {
      assertThatThrownBy(caller::get)
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the block that it is loading");
    }
  }

  @Test
  void shouldRefuseALoaderThatInvalidatesItsBlockAndAsksForIt() {
    build(
        (file, offset) -> {
          cache.invalidate(file, offset);
          return get(offset);
        });
    assertThatThrownBy(() -> get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the block that it is loading");
  }

  @Test
  void shouldLetALoaderInvalidateAndClose() throws Exception {
    build(
        (file, offset) -> {
          cache.invalidate(file, offset);
          cache.invalidate(file, offset + BLOCK);
          cache.invalidateFile(file);
          cache.close();
          return files.load(file, offset);
        });
    assertThat(get(0)).isEqualTo(block(FILE, 0, 0));
    assertThat(cache.stats().dramBlocks()).isZero();
  }

  /** The pool's only thread waits for the loader that waits for it. */
  @Test
  void shouldFailALoaderThatHasAnotherThreadAskForItsBlock() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    AtomicReference<Thread> loader = new AtomicReference<>();
    build(
        (file, offset) -> {
          loader.compareAndSet(null, Thread.currentThread());
          try {
            return pool.submit(() -> get(offset)).get();
          } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e.getCause());
          }
        });
    Future<ByteBuffer> caller = threads.submit(() -> get(0));
    awaitJoined(1);
    // Before it waits, nothing shows that the loader will: the join would end, and load itself.
    while (loader.get().getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    passPatience();

    assertThatThrownBy(caller::get)
        .rootCause()
        .hasMessageContaining("here waits the thread")
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(caller::get)
        .hasStackTraceContaining("a loader must not wait for another thread that asks")
        .hasStackTraceContaining("TieredBlockCacheReentryTest");
    assertThat(second.control().health().inService()).isTrue();
    pool.shutdownNow();
  }

  @Test
  void shouldLoadForItselfBesideALoaderThatTakesItsTime() throws Exception {
    CountDownLatch loading = new CountDownLatch(1);
    AtomicLong calls = new AtomicLong();
    boolean[] goOn = {false};
    build(
        (file, offset) -> {
          if (calls.incrementAndGet() == 1) {
            loading.countDown();
            while (!isSet(goOn)) {
              Thread.onSpinWait();
            }
          }
          return files.load(file, offset);
        });
    Future<ByteBuffer> leader = threads.submit(() -> get(0));
    loading.await();
    Future<ByteBuffer> joined = threads.submit(() -> get(0));
    awaitJoined(1);
    passPatience();

    assertThat(joined.get()).isEqualTo(block(FILE, 0, 0));
    assertThat(cache.stats().separateLoads()).isEqualTo(1);
    assertThat(cache.stats().dramBlocks()).as("the leader's to keep").isZero();
    set(goOn);
    assertThat(leader.get()).isEqualTo(block(FILE, 0, 0));
    assertThat(cache.stats().dramBlocks()).isEqualTo(1);
  }

  private static boolean isSet(boolean[] flag) {
    synchronized (flag) {
      return flag[0];
    }
  }

  private static void set(boolean[] flag) {
    synchronized (flag) {
      flag[0] = true;
    }
  }

  /** What changes the cache, and may wait for the end of an offer. */
  enum Change {
    INVALIDATE(cache -> cache.invalidate(FILE, 0)),
    INVALIDATE_ANOTHER(cache -> cache.invalidate(FILE + 1, 0)),
    INVALIDATE_FILE(cache -> cache.invalidateFile(FILE)),
    CLOSE(TieredBlockCache::close);

    private final Consumer<TieredBlockCache> call;

    Change(Consumer<TieredBlockCache> call) {
      this.call = call;
    }
  }

  private void assertRefusedOnce() {
    assertThat(thrown).hasSize(1);
    assertThat(thrown.get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("would wait for itself");
    assertThat(second.control().health().inService()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void shouldRefuseAPolicyThatChangesTheCacheDuringALoad(Change change) throws Exception {
    build(files);
    inDecide = caught(() -> change.call.accept(cache));
    assertThat(get(0)).isEqualTo(block(FILE, 0, 0));
    assertRefusedOnce();
    assertThat(cache.stats().dramBlocks()).isEqualTo(1);
    assertThat(second.stats().blocks()).isEqualTo(1);
    assertThat(cache.invalidate(FILE, 0)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void shouldRefuseAPolicyThatChangesTheCacheDuringAnOffer(Change change) {
    build(files);
    inDecide = caught(() -> change.call.accept(cache));
    assertThat(cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH))
        .isEqualTo(OfferResult.ADMITTED);
    assertRefusedOnce();
    assertThat(cache.invalidate(FILE, 0)).isTrue();
  }

  /** What is thrown at the executor goes to its own caller, the DRAM tier, which evicts itself. */
  @ParameterizedTest
  @EnumSource(Change.class)
  void shouldRefuseAnExecutorThatRunsAtOnceAndChangesTheCache(Change change) throws Exception {
    cache =
        builder(files)
            .executor(
                task -> {
                  task.run();
                  if (thrown.isEmpty()) {
                    caught(() -> change.call.accept(cache)).run();
                  }
                })
            .build();
    for (int i = 0; i < 10 && thrown.isEmpty(); i++) {
      assertThat(get((long) i * BLOCK)).isEqualTo(block(FILE, (long) i * BLOCK, 0));
    }
    assertRefusedOnce();
    assertThat(get(0)).isEqualTo(block(FILE, 0, 0));
  }

  @Test
  void shouldServeWithAnExecutorThatThrowsOrDropsItsWork() throws Exception {
    cache =
        TieredBlockCache.builder(4 * BLOCK, files)
            .executor(
                task -> {
                  throw new LinkageError("no threads here");
                })
            .build();
    for (int i = 0; i < 20; i++) {
      assertThat(get((long) i * BLOCK)).isEqualTo(block(FILE, (long) i * BLOCK, 0));
    }
    files.rewrite(FILE, 0);
    cache.invalidateFile(FILE);
    assertThat(get(0)).isEqualTo(block(FILE, 0, 1));
  }

  @Test
  void shouldLetAPolicyLookUpAndOfferOtherBlocks() throws Exception {
    build(files);
    inDecide =
        caught(
            () -> {
              try {
                assertThat(get(0)).isEqualTo(block(FILE, 0, 0));
                assertThat(get(BLOCK)).isEqualTo(block(FILE, BLOCK, 0));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
              assertThat(cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH))
                  .as("the block is being put in")
                  .isEqualTo(OfferResult.MEDIUM_BUSY);
              assertThat(cache.offer(FILE, 2 * BLOCK, block(FILE, 2 * BLOCK, 0), Source.FLUSH))
                  .isEqualTo(OfferResult.ADMITTED);
            });
    assertThat(get(0)).isEqualTo(block(FILE, 0, 0));
    assertThat(thrown).isEmpty();
    assertThat(second.stats().blocks()).isEqualTo(3);
  }

  /** Has the policy start an invalidation in another thread and wait for it. */
  private Future<?> offerThatWaitsFor(Change change) throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    inDecide =
        () -> {
          Future<?> other = threads.submit(() -> change.call.accept(cache));
          waiting.countDown();
          try {
            other.get();
          } catch (InterruptedException | ExecutionException e) {
            thrown.add(e);
          }
        };
    Future<?> offer = threads.submit(() -> get(0));
    waiting.await();
    return offer;
  }

  @ParameterizedTest
  @EnumSource(value = Change.class, mode = EnumSource.Mode.EXCLUDE, names = "INVALIDATE_ANOTHER")
  void shouldEndAPolicyThatWaitsForAnotherThreadsChange(Change change) throws Exception {
    build(files);
    Future<?> offer = offerThatWaitsFor(change);
    while (!offer.isDone()) {
      passPatience();
    }
    offer.get();
    assertThat(thrown).isEmpty();
    files.rewrite(FILE, 0);
    assertThat(second.get(FILE, 0, ByteBuffer.allocate(BLOCK)))
        .as("taken out when the offer ended")
        .isEqualTo(BlockCache.MISS);
    assertThat(get(0)).as("the new bytes").isEqualTo(block(FILE, 0, 1));
  }

  @ParameterizedTest
  @EnumSource(
      value = Change.class,
      names = {"INVALIDATE", "INVALIDATE_FILE"})
  void shouldKeepABlockOutOfUseWhoseOfferDoesNotEnd(Change change) throws Exception {
    build(files);
    CountDownLatch offering = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    inDecide =
        () -> {
          offering.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            thrown.add(e);
          }
        };
    Future<ByteBuffer> offer = threads.submit(() -> get(0));
    offering.await();
    files.rewrite(FILE, 0);
    Future<?> changing = threads.submit(() -> change.call.accept(cache));
    while (!changing.isDone()) {
      passPatience();
    }
    changing.get();

    assertThat(get(0)).as("from the file").isEqualTo(block(FILE, 0, 1));
    assertThat(cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH))
        .isEqualTo(OfferResult.MEDIUM_BUSY);
    assertThat(cache.stats().dramBlocks()).isZero();

    goOn.countDown();
    assertThat(offer.get()).as("asked before").isEqualTo(block(FILE, 0, 0));
    assertThat(second.get(FILE, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BlockCache.MISS);
    assertThat(get(0)).isEqualTo(block(FILE, 0, 1));
    assertThat(cache.stats().dramBlocks()).as("in use again").isEqualTo(1);
    assertThat(thrown).isEmpty();
  }

  @Test
  void shouldForgetThreadsThatHaveLeft() throws Exception {
    build(files);
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long offset = (long) i * BLOCK;
      callers.add(
          threads.submit(
              () -> {
                get(offset);
                cache.offer(FILE, offset + 1, block(FILE, offset, 0), Source.FLUSH);
                cache.invalidate(FILE, offset);
                return null;
              }));
    }
    for (Future<?> caller : callers) {
      caller.get();
    }
    assertThat(cache.operationsInFlight()).isZero();
  }

  @Test
  void shouldRefuseAPatienceOutOfItsRange() {
    for (Duration odd :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(999_999),
            Duration.ofHours(1).plusNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MIN_VALUE))) {
      assertThatThrownBy(() -> builder(files).patience(odd))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("patience")
          .hasMessageContaining("between 1 ms and 1 h");
    }
  }
}
