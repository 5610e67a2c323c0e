// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred thousand virtual threads, all alive at the same time, on one cache. */
final class VirtualThreadsTest {
  private static final int THREADS = 100_000;
  private static final int BLOCK = 256;
  private static final int BLOCKS = 8192;
  private static final int LOOKUPS = 4;
  private static final long FILE = 7;

  /** Of a block on flash. */
  private static final int PAGES = 16 << 10;

  /** More than the buffer holds, and fewer than the cache. */
  private static final int FLASH_BLOCKS = 2500;

  /** From here on a thread that waits for a monitor gives its carrier away. */
  private static final int MONITORS_DO_NOT_PIN = 24;

  @TempDir Path directory;

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder admitted = new LongAdder();

  /** As a JDK 17 knows none, the compiler must not. */
  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  private static ByteBuffer block(long number) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (int i = 0; i < BLOCK; i += Long.BYTES) {
      block.putLong(i, number);
    }
    return block;
  }

  private void lookUp(BlockCache cache, long number, ByteBuffer dst) {
    if (cache.get(FILE, number * BLOCK, dst.clear()) == BLOCK) {
      hits.increment();
      for (int i = 0; i < BLOCK; i += Long.BYTES) {
        if (dst.getLong(i) != number) {
          throw new AssertionError("block " + number + " has bytes of " + dst.getLong(i));
        }
      }
    } else if (cache.offer(FILE, number * BLOCK, block(number), Source.READ)
        == OfferResult.ADMITTED) {
      admitted.increment();
    }
  }

  /**
   * Looks up and inserts, waits until all threads have done so, and looks up again while the cache
   * is closed.
   */
  private void use(BlockCache cache, long seed, CountDownLatch allAlive, CountDownLatch closing) {
    long number = seed;
    ByteBuffer dst = ByteBuffer.allocate(BLOCK);
    try {
      for (int i = 0; i < LOOKUPS; i++) {
        number = Math.floorMod(number * 0x5851_f42d_4c95_7f2dL + 1, (long) BLOCKS);
        lookUp(cache, number, dst);
      }
      allAlive.countDown();
      closing.await();
      for (int i = 0; i < LOOKUPS; i++) {
        number = Math.floorMod(number * 0x5851_f42d_4c95_7f2dL + 1, (long) BLOCKS);
        lookUp(cache, number, dst);
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      failures.add(e);
      allAlive.countDown();
    }
  }

  private static BlockCache cache() {
    return BlockCache.builder()
        .nativeMemory((long) BLOCKS / 2 * BLOCK + (4 << 20))
        .expectedBlockBytes(BLOCK)
        .policies(PolicyPreset.ADMIT_ALL)
        .build();
  }

  /** Waiting for the JVM to load a class pins a thread, whatever the class does. */
  private void loadClasses() {
    try (BlockCache cache = cache()) {
      for (long i = 0; i < 4L * BLOCKS; i++) {
        lookUp(cache, i % BLOCKS, ByteBuffer.allocate(BLOCK));
      }
    }
    hits.reset();
    admitted.reset();
  }

  @Test
  void shouldServeThemAndCloseUnderThem() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
    loadClasses();
    assertUnpinned(this::run);
  }

  private interface Work {
    void run() throws Exception;
  }

  private void assertUnpinned(Work work) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
      recording.start();

      work.run();

      recording.stop();
      Path file = directory.resolve("pinned.jfr");
      recording.dump(file);
      if (Runtime.version().feature() >= MONITORS_DO_NOT_PIN) {
        assertThat(RecordingFile.readAllEvents(file))
            .filteredOn(event -> String.valueOf(event.getStackTrace()).contains("io.nvcache."))
            .isEmpty();
      }
    }
  }

  /** Lookups, batches and pins, several of the same blocks, so that reads are joined. */
  @Test
  void shouldNotBePinnedByReadsOfFlash() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
    try (BlockCache cache =
        BlockCache.builder()
            .flash(directory.resolve("flash"), 64 << 20)
            .expectedBlockBytes(PAGES)
            .maxBlockBytes(PAGES)
            .policies(PolicyPreset.ADMIT_ALL)
            .build()) {
      for (int i = 0; i < FLASH_BLOCKS; i++) {
        ByteBuffer block = ByteBuffer.allocate(PAGES).putLong(0, i);
        while (cache.offer(FILE, (long) i * PAGES, block, Source.READ) == OfferResult.MEDIUM_BUSY) {
          Thread.onSpinWait(); // The drive is slower than this loop.
        }
      }
      readFlash(cache, 4); // Waiting for the JVM to load a class pins a thread.
      hits.reset();
      assertUnpinned(() -> readFlash(cache, 200));
      assertThat(failures).isEmpty();
      assertThat(hits.sum()).isGreaterThan(200 * LOOKUPS);
    }
  }

  private void readFlash(BlockCache cache, int count) throws Exception {
    ExecutorService threads = virtualThreads();
    for (int i = 0; i < count; i++) {
      int first = i % 20 * 32;
      threads.execute(
          () -> {
            try {
              for (int lookup = 0; lookup < LOOKUPS; lookup++) {
                readFlash(cache, first + lookup * 8L);
              }
            } catch (RuntimeException | Error e) {
              failures.add(e);
            }
          });
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  private void readFlash(BlockCache cache, long first) {
    ByteBuffer[] dsts = new ByteBuffer[8];
    long[] offsets = new long[8];
    long[] files = new long[8];
    for (int i = 0; i < 8; i++) {
      dsts[i] = ByteBuffer.allocate(PAGES);
      offsets[i] = (first + i) * PAGES;
      files[i] = FILE;
    }
    hits.add(cache.getAll(8, files, offsets, dsts, new int[8]));
    if (cache.get(FILE, offsets[7], dsts[7].clear()) == PAGES) {
      hits.increment();
      assertThat(dsts[7].getLong(0)).isEqualTo(first + 7);
    }
    try (PinnedBlock pin = cache.pin(FILE, offsets[0])) {
      if (pin != null) {
        hits.increment();
        assertThat(pin.buffer().getLong(0)).isEqualTo(first);
      }
    }
  }

  private void run() throws Exception {
    BlockCache cache = cache();
    CountDownLatch allAlive = new CountDownLatch(THREADS);
    CountDownLatch closing = new CountDownLatch(1);
    AtomicLong seed = new AtomicLong();
    ExecutorService threads = virtualThreads();
    for (int i = 0; i < THREADS; i++) {
      threads.execute(() -> use(cache, seed.getAndIncrement(), allAlive, closing));
    }
    assertThat(allAlive.await(2, TimeUnit.MINUTES)).isTrue();
    CacheStats stats = cache.stats();
    assertThat(stats.hits()).isEqualTo(hits.sum());
    assertThat(stats.hits() + stats.misses()).isEqualTo((long) THREADS * LOOKUPS);
    assertThat(stats.offers(OfferResult.ADMITTED)).isEqualTo(admitted.sum());

    closing.countDown();
    cache.close();

    threads.shutdown();
    assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    assertThat(failures).isEmpty();
    assertThat(hits.sum()).isPositive();
    assertThat(admitted.sum()).isPositive();
  }
}
