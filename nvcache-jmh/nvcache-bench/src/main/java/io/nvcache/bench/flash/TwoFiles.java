// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import io.nvcache.BlockCache;
import io.nvcache.bench.flash.FlashBench.Settings;
import io.nvcache.control.MissReason;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A cache on two files next to one on one file, in turns; then one of the two files is deleted
 * while all that is read is checked, as when a volume is pulled.
 */
final class TwoFiles implements AutoCloseable {
  /** That read while a file is pulled. */
  private static final int PULL_THREADS = 4;

  /** In which the cache has to find that a file is gone: it looks once a second. */
  private static final long NOTICE_NANOS = 20_000_000_000L;

  private final Settings settings;
  private final List<Path> files;
  private final FilledCache cache;

  TwoFiles(Settings settings, List<Path> files, Progress progress, StopSignal stop)
      throws IOException {
    this.settings = settings;
    this.files = files;
    this.cache =
        new FilledCache(
            BlockCache.builder().flash(files, settings.capacityBytes()),
            settings.capacityBytes(),
            settings.blockBytes(),
            progress,
            stop);
  }

  /** Has both caches take turns. */
  void compare(FilledCache one, Progress progress, StopSignal stop, Measurements out)
      throws IOException {
    for (int threads : settings.threads()) {
      try (Progress.Phase phase = progress.begin("one and two files", settings.rounds())) {
        double ratio =
            Rounds.of(
                    settings.rounds(),
                    phase,
                    stop,
                    round -> turn(one, threads, round),
                    round -> turn(cache, threads, round))
                .ratio(ReadTurn::readsPerSecond);
        out.with("threads", threads).add("two_files_ratio_to_one", ratio, "ratio");
      }
    }
  }

  private ReadTurn turn(FilledCache of, int threads, long seed) throws IOException {
    return ReadTurn.run(of::reader, threads, of.blocks(), settings.turn().toNanos(), seed);
  }

  /** What was read in a while. */
  private record Reads(long reads, long hits, long failed) {
    Reads plus(Reads other) {
      return new Reads(reads + other.reads, hits + other.hits, failed + other.failed);
    }
  }

  /** Pulls one of the files in the middle of reads. */
  void pull(Measurements out) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(PULL_THREADS);
    try {
      Reads before = read(pool, settings.turn().toNanos());
      List<Future<Reads>> during = begin(pool, NOTICE_NANOS);
      Files.delete(files.get(1));
      Reads meanwhile = sum(during);
      Map<MissReason, Long> missesBefore = cache.misses();
      Reads after = read(pool, settings.turn().toNanos());
      Map<MissReason, Long> misses = cache.misses();
      if (cache.lostDrives() != 1) {
        throw new IllegalStateException(files.get(1) + " was deleted, and not missed");
      }
      Reads all = before.plus(meanwhile).plus(after);
      out.add("volume_pulled_reads", all.reads(), "reads")
          .add("volume_pulled_failed_reads", all.failed() + cache.wrongBlocks(), "reads")
          .add(
              "volume_pulled_hits_ratio",
              (double) after.hits() / after.reads() / ((double) before.hits() / before.reads()),
              "ratio");
      misses.forEach(
          (reason, count) -> {
            long more = count - missesBefore.getOrDefault(reason, 0L);
            if (more > 0) {
              out.with("reason", reason).add("volume_pulled_misses", more, "reads");
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private Reads read(ExecutorService pool, long nanos) throws InterruptedException {
    return sum(begin(pool, nanos));
  }

  private List<Future<Reads>> begin(ExecutorService pool, long nanos) {
    int[] blocks = cache.blocks();
    long lostBefore = nanos == NOTICE_NANOS ? cache.lostDrives() : Long.MAX_VALUE;
    List<Future<Reads>> parts = new ArrayList<>();
    for (int i = 0; i < PULL_THREADS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      parts.add(pool.submit(() -> read(blocks, random, nanos, lostBefore)));
    }
    return parts;
  }

  /** Reads for a time, or until another drive is lost. */
  private Reads read(int[] blocks, SplittableRandom random, long nanos, long lostBefore) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(settings.blockBytes());
    long began = System.nanoTime();
    long reads = 0;
    long hits = 0;
    long failed = 0;
    while (System.nanoTime() - began < nanos && cache.lostDrives() <= lostBefore) {
      for (int i = 0; i < 100; i++) {
        reads++;
        try {
          hits += cache.contains(blocks[random.nextInt(blocks.length)], buffer) ? 1 : 0;
        } catch (RuntimeException | Error e) {
          failed++;
        }
      }
    }
    return new Reads(reads, hits, failed);
  }

  private static Reads sum(List<Future<Reads>> parts) throws InterruptedException {
    Reads all = new Reads(0, 0, 0);
    for (Future<Reads> part : parts) {
      try {
        all = all.plus(part.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
    return all;
  }

  /** Returns how many hits gave other bytes than their block's. */
  long wrongBlocks() {
    return cache.wrongBlocks();
  }

  @Override
  public void close() throws IOException {
    cache.close();
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
