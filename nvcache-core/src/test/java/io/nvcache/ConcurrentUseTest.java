// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.FifoEviction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight threads look up, pin, offer and invalidate self-describing blocks in a cache far too small
 * for them: no byte of another block may ever be seen, the budget may never be exceeded, and once
 * all files are forgotten nothing may be left.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public final class ConcurrentUseTest {
  private static final int THREADS = 8;
  private static final int OPERATIONS = Integer.getInteger("nvcache.test.operations", 10_400_000);

  /** A drive is slower, so it is given fewer operations. */
  private static final int MEMORY_OVER_DRIVE = 10;

  /** Of so many operations one must hit. A drive that falls behind its writes has few hits. */
  private static final int OPERATIONS_PER_HIT = 1000;

  private static final int FILES = 24;
  private static final int BLOCKS_PER_FILE = 96;
  private static final int MIN_LENGTH = 64;
  private static final int MAX_LENGTH = 4096;
  private static final long MAX_PINNED_BYTES = 16 << 10;

  /** What pins being refused just now may show in the level. */
  private static final long SLIP_BYTES = THREADS * MAX_LENGTH;

  @TempDir Path directory;

  @Test
  void shouldNeverMixUpBlocksInNativeMemory() throws Exception {
    run(BlockCache.builder().nativeMemory(1 << 20), ClockEviction::new, 0x5eedL);
  }

  @Test
  void shouldNeverMixUpBlocksOnFlash() throws Exception {
    Path file = directory.resolve("flash");
    run(
        BlockCache.builder().flash(file, 1 << 20),
        FifoEviction::new,
        0xf1a5L,
        OPERATIONS / MEMORY_OVER_DRIVE);
  }

  @Test
  void shouldNeverMixUpBlocksInMappedFile() throws Exception {
    Path file = directory.resolve("medium");
    run(BlockCache.builder().mappedFile(file, 1 << 20), FifoEviction::new, 0xf00dL);
  }

  /** The test, for a medium of 1 MiB; other modules have some, too. */
  public static void run(BlockCacheBuilder builder, EvictionFactory eviction, long seed)
      throws Exception {
    run(builder, eviction, seed, OPERATIONS);
  }

  private static void run(
      BlockCacheBuilder builder, EvictionFactory eviction, long seed, int operations)
      throws Exception {
    try (BlockCache cache =
        builder
            .maxBlockBytes(4096)
            .expectedBlockBytes(1024)
            .maxPinnedBytes(MAX_PINNED_BYTES)
            .admission(AdmissionPresets.admitAll())
            .eviction(eviction)
            .build()) {
      Files files = new Files();
      List<Tally> tallies = runThreads(cache, files, seed, operations);

      assertThat(tallies.stream().mapToLong(t -> t.wrong).sum())
          .as("wrong, seed %d", seed)
          .isZero();
      assertThat(tallies.stream().mapToLong(t -> t.overBudget).sum()).isZero();
      long hits = tallies.stream().mapToLong(t -> t.hits).sum();
      assertThat(hits)
          .as("a test without hits shows nothing")
          .isGreaterThan(operations / OPERATIONS_PER_HIT);
      assertAccounts(cache.stats(), tallies);
      // The replaced ones too: an offer may have come after its file was gone.
      for (long fileId = 1; fileId <= files.last(); fileId++) {
        cache.invalidateFile(fileId);
      }
      cache.control().maintain();
      assertEmpty(cache.stats());
    }
  }

  private static List<Tally> runThreads(BlockCache cache, Files files, long seed, int operations)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      SplittableRandom random = new SplittableRandom(seed);
      List<Callable<Tally>> workers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        workers.add(new Worker(cache, files, random.split(), operations));
      }
      List<Tally> tallies = new ArrayList<>();
      for (Future<Tally> tally : threads.invokeAll(workers)) {
        tallies.add(tally.get());
      }
      return tallies;
    } finally {
      threads.shutdownNow();
    }
  }

  private static void assertAccounts(CacheStats stats, List<Tally> tallies) {
    assertThat(stats.lookups()).isEqualTo(tallies.stream().mapToLong(t -> t.lookups).sum());
    assertThat(stats.hits()).isEqualTo(tallies.stream().mapToLong(t -> t.hits).sum());
    assertThat(stats.offers().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(tallies.stream().mapToLong(t -> t.offers).sum())
        .isEqualTo(stats.offersBySource().values().stream().mapToLong(Long::longValue).sum());
    assertThat(stats.mediumWrittenBytes()).isGreaterThanOrEqualTo(stats.admittedBytes());
    assertThat(stats.pinnedBytes()).isZero();
  }

  private static void assertEmpty(CacheStats stats) {
    assertThat(stats.blocks()).isZero();
    assertThat(stats.blockBytes()).isZero();
    assertThat(stats.usedBytes()).isZero();
    assertThat(stats.offers(OfferResult.ADMITTED))
        .isEqualTo(
            stats.evictions()
                + stats.displacements()
                + stats.rebalancings()
                + stats.invalidations());
    assertThat(stats.admittedBytes()).isEqualTo(stats.evictedBytes() + stats.invalidatedBytes());
  }

  /** The store's files: each has one incarnation at a time, and a new one after it was deleted. */
  private static final class Files {
    private final long[] incarnations = new long[FILES];
    private long next = 1;

    Files() {
      for (int i = 0; i < FILES; i++) {
        incarnations[i] = next++;
      }
    }

    synchronized long incarnation(int file) {
      return incarnations[file];
    }

    synchronized long last() {
      return next - 1;
    }

    synchronized long replace(int file) {
      long old = incarnations[file];
      incarnations[file] = next++;
      return old;
    }
  }

  private static final class Tally {
    long lookups;
    long hits;
    long offers;
    long wrong;
    long overBudget;
  }

  private static final class Worker implements Callable<Tally> {
    private final BlockCache cache;
    private final Files files;
    private final SplittableRandom random;
    private final Tally tally = new Tally();
    private final ByteBuffer heap = ByteBuffer.allocate(MAX_LENGTH);
    private final ByteBuffer direct = ByteBuffer.allocateDirect(MAX_LENGTH);
    private final int operations;

    Worker(BlockCache cache, Files files, SplittableRandom random, int operations) {
      this.operations = operations;
      this.cache = cache;
      this.files = files;
      this.random = random;
    }

    @Override
    public Tally call() {
      for (int i = 0; i < operations / THREADS; i++) {
        int file = random.nextInt(FILES);
        long fileId = files.incarnation(file);
        // Skewed, so that some blocks are hit while they are being replaced.
        long offset =
            4096L * Math.min(random.nextInt(BLOCKS_PER_FILE), random.nextInt(BLOCKS_PER_FILE));
        int length = TestBlock.length(fileId, offset, MIN_LENGTH, MAX_LENGTH);
        int what = random.nextInt(1000);
        if (what < 550) {
          get(fileId, offset, length, (what & 1) == 0 ? heap : direct);
        } else if (what < 700) {
          pin(fileId, offset, length);
        } else if (what < 950) {
          offer(fileId, offset, length);
        } else if (what < 999) {
          cache.invalidate(fileId, offset);
        } else {
          cache.invalidateFile(files.replace(file));
        }
        if (i % 1024 == 0) {
          CacheStats stats = cache.stats();
          if (stats.usedBytes() > stats.capacityBytes()
              || stats.pinnedBytes() > MAX_PINNED_BYTES + SLIP_BYTES) {
            tally.overBudget++;
          }
        }
      }
      return tally;
    }

    private void get(long fileId, long offset, int length, ByteBuffer dst) {
      dst.clear();
      tally.lookups++;
      int got = cache.get(fileId, offset, dst);
      if (got != BlockCache.MISS) {
        tally.hits++;
        if (got != length || !TestBlock.matches(dst.flip(), fileId, offset, length)) {
          tally.wrong++;
        }
      }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Gives the others time to evict what is pinned.
    private void pin(long fileId, long offset, int length) {
      tally.lookups++;
      try (PinnedBlock pin = cache.pin(fileId, offset)) {
        if (pin == null) {
          return;
        }
        tally.hits++;
        if (random.nextInt(8) == 0) {
          Thread.yield();
        }
        if (!TestBlock.matches(pin.buffer(), fileId, offset, length)) {
          tally.wrong++;
        }
      }
    }

    private void offer(long fileId, long offset, int length) {
      heap.clear();
      TestBlock.write(heap, fileId, offset, length);
      tally.offers++;
      cache.offer(fileId, offset, heap.flip(), Source.READ);
    }
  }
}
