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

/**
 * What readers did together in one turn.
 *
 * @param reads how many
 * @param readsPerSecond by the clock of each reader, summed
 * @param cpuNanos of the readers' threads
 * @param garbageBytes that the readers' threads allocated
 */
record ReadTurn(long reads, double readsPerSecond, long cpuNanos, long garbageBytes) {
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

  double cpuMicrosPerRead() {
    return cpuNanos / 1e3 / reads;
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
      ReadTurn all = new ReadTurn(0, 0, 0, 0);
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
    long thread = Thread.currentThread().getId();
    long garbage = THREADS.getThreadAllocatedBytes(thread);
    long cpu = THREADS.getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    long reads = 0;
    long now = begin;
    while (now - begin < nanos) {
      reader.read(blocks[random.nextInt(blocks.length)]);
      reads++;
      now = System.nanoTime();
    }
    return new ReadTurn(
        reads,
        reads * 1e9 / (now - begin),
        THREADS.getCurrentThreadCpuTime() - cpu,
        THREADS.getThreadAllocatedBytes(thread) - garbage);
  }

  private ReadTurn plus(ReadTurn other) {
    return new ReadTurn(
        reads + other.reads,
        readsPerSecond + other.readsPerSecond,
        cpuNanos + other.cpuNanos,
        garbageBytes + other.garbageBytes);
  }
}
