// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.internal.regions.BlockRead;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A block in regions that many threads want at once is read from the medium once. */
@Timeout(120)
final class JoinedReadsTest {
  private static final int LENGTH = 4000;
  private static final int PAGE = 4096;
  private static final long FILE = 7;
  private static final int THREADS = 8;

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(4 << 20));
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger hits = new AtomicInteger();
  private final AtomicInteger misses = new AtomicInteger();
  private BlockCache cache = open();

  private BlockCache open() {
    return BlockCache.builder()
        .medium(medium)
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE / 4) // So that no bucket of the index is ever full.
        .maxMediumFailures(Integer.MAX_VALUE)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller()
        .build();
  }

  /** More than the buffer holds, so that the first ones are on the medium. */
  @BeforeEach
  void fill() {
    for (int block = 0; block < 500; block++) {
      ByteBuffer bytes = TestBlock.of(FILE, (long) block * PAGE, LENGTH);
      assertThat(cache.offer(FILE, (long) block * PAGE, bytes, Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
    }
  }

  @AfterEach
  void close() throws InterruptedException {
    medium.heal();
    join();
    cache.close();
  }

  private void get(int block) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    if (cache.get(FILE, (long) block * PAGE, dst) == BlockCache.MISS) {
      misses.incrementAndGet();
    } else {
      TestBlock.assertMatches(dst.flip(), FILE, (long) block * PAGE, LENGTH);
      hits.incrementAndGet();
    }
  }

  private void start(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    threads.add(thread);
  }

  private void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Until all threads wait, one for the medium and the others for it. */
  private void awaitWaiting() {
    for (Thread thread : threads) {
      while (!waitsForTheMedium(thread)) {
        Thread.onSpinWait();
      }
    }
  }

  /** A thread also waits where another one loads a class. */
  private static boolean waitsForTheMedium(Thread thread) {
    return (thread.getState() == Thread.State.WAITING
            || thread.getState() == Thread.State.TIMED_WAITING)
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(
                call ->
                    call.getClassName().equals(BlockRead.class.getName())
                        || call.getClassName().equals(FaultyMedium.class.getName()));
  }

  /** The others come once it can be seen: two that begin at the same moment may both read. */
  @Test
  void shouldReadABlockOnce() throws InterruptedException {
    long before = medium.reads.get();
    medium.inject(Fault.STUCK_READ);
    start(() -> get(0));
    medium.awaitInjection();
    for (int i = 1; i < THREADS; i++) {
      start(() -> get(0));
    }
    awaitWaiting();
    medium.heal();
    join();

    assertThat(hits).hasValue(THREADS);
    assertThat(medium.reads.get() - before).isOne();
    assertThat(cache.stats().hits()).isEqualTo(THREADS);
  }

  @Test
  void shouldReadEachOfSeveralBlocksOnce_AndKeepThemApart() throws InterruptedException {
    long before = medium.reads.get();
    medium.inject(Fault.STUCK_READ);
    for (int i = 0; i < THREADS; i++) {
      int block = i % 3;
      start(() -> get(block));
    }
    medium.awaitInjection();
    awaitWaiting();
    medium.heal();
    join();

    assertThat(hits).hasValue(THREADS);
    assertThat(medium.reads.get() - before).isBetween(3L, 5L); // Two may want one place.
  }

  @Test
  void shouldReadAPartBesideTheWhole() throws InterruptedException {
    medium.inject(Fault.STUCK_READ);
    ByteBuffer part = ByteBuffer.allocateDirect(100);
    start(() -> get(0));
    medium.awaitInjection();
    start(() -> cache.getRange(FILE, 0, 1234, part));
    awaitWaiting();
    medium.heal();
    join();

    ByteBuffer whole = TestBlock.of(FILE, 0, LENGTH);
    assertThat(part.flip()).isEqualTo(whole.slice(1234, 100));
  }

  /** Whether it is gone is said by the index, which is asked first. */
  @Test
  void shouldNotWaitForTheReadOfABlockThatIsGone() throws InterruptedException {
    medium.inject(Fault.STUCK_READ);
    start(() -> get(0));
    medium.awaitInjection();
    cache.invalidate(FILE, 0);
    start(() -> get(0));
    join(threads.get(1));
    medium.heal();
    join();

    assertThat(hits.get()).isZero();
    assertThat(misses).hasValue(2);
  }

  private static void join(Thread thread) throws InterruptedException {
    thread.join();
  }
}
