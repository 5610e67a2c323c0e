// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What readers did together in one turn.
 *
 * @param reads how many
 * @param readsPerSecond by the clock of each reader, summed
 * @param cpuNanos of the readers' threads
 * @param garbageBytes that the readers' threads allocated
 * @param nanos how long each read took
 */
record ReadTurn(
    long reads, double readsPerSecond, long cpuNanos, long garbageBytes, Histogram nanos) {
  private static final int DIGITS = 2;
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double LAST_HUNDREDTH = 99;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Reads one block; used by one thread. */
  @FunctionalInterface
  interface BlockReader {
    void read(int block) throws IOException;
  }

  /** Makes a reader for each thread. */
  @FunctionalInterface
  interface ReaderMaker {
    BlockReader make() throws IOException;
  }

  /** Returns the 99th percentile of the reads. */
  double p99Micros() {
    return nanos.getValueAtPercentile(LAST_HUNDREDTH) / 1e3;
  }

  double cpuMicrosPerRead() {
    return cpuNanos / 1e3 / reads;
  }

  double garbagePerRead() {
    return (double) garbageBytes / reads;
  }

  /** Returns the same with the processor time of other threads as well. */
  ReadTurn withMoreCpu(long moreNanos) {
    return new ReadTurn(reads, readsPerSecond, cpuNanos + moreNanos, garbageBytes, nanos);
  }

  /** Has each thread read random blocks for a time. */
  static ReadTurn run(ReaderMaker readers, int threads, int[] blocks, long nanos, long seed)
      throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<ReadTurn>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        BlockReader reader = readers.make();
        SplittableRandom random = new SplittableRandom(seed * threads + i);
        parts.add(pool.submit(() -> read(reader, blocks, nanos, random)));
      }
      ReadTurn all = new ReadTurn(0, 0, 0, 0, histogram());
      for (Future<ReadTurn> part : parts) {
        all = all.plus(part.get());
      }
      return all;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static ReadTurn read(
      BlockReader reader, int[] blocks, long nanos, SplittableRandom random) throws IOException {
    Histogram took = histogram();
    long thread = Thread.currentThread().getId();
    long garbage = THREADS.getThreadAllocatedBytes(thread);
    long cpu = THREADS.getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    long reads = 0;
    long now = begin;
    while (now - begin < nanos) {
      reader.read(blocks[random.nextInt(blocks.length)]);
      reads++;
      long before = now;
      now = System.nanoTime();
      took.recordValue(Math.min(MOST_NANOS, now - before));
    }
    return new ReadTurn(
        reads,
        reads * 1e9 / (now - begin),
        THREADS.getCurrentThreadCpuTime() - cpu,
        THREADS.getThreadAllocatedBytes(thread) - garbage,
        took);
  }

  /** Of a fixed range, so that it allocates nothing while it is filled. */
  private static Histogram histogram() {
    return new Histogram(MOST_NANOS, DIGITS);
  }

  private ReadTurn plus(ReadTurn other) {
    nanos.add(other.nanos);
    return new ReadTurn(
        reads + other.reads,
        readsPerSecond + other.readsPerSecond,
        cpuNanos + other.cpuNanos,
        garbageBytes + other.garbageBytes,
        nanos);
  }
}
