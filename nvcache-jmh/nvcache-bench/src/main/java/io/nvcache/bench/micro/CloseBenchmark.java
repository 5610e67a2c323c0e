// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Closing a cache that threads read from. It frees memory that lookups may be inside of, so it has
 * to meet every thread once; the JVM's own shared arenas do that by a handshake, which is slow with
 * many threads (JDK-8335480).
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 20)
@Measurement(iterations = 100)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls open() first.
public class CloseBenchmark {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 1024;
  private static final long CAPACITY_BYTES = 16L << 20;

  /** As the handlers of a server do, which wait for requests most of the time. */
  private static final long PAUSE_NANOS = 1_000_000;

  @Param({"0", "1", "200"})
  public int readers;

  @Param({"native", "mapped"})
  public String medium;

  private BlockCache cache;
  private Path directory;
  private Thread[] threads;

  @Setup(Level.Invocation)
  public void open() throws IOException, InterruptedException {
    directory = Files.createTempDirectory("nvcache-jmh");
    // An index with room to spare displaces no block: a miss says that the cache is closed.
    var builder =
        BlockCache.builder().admission(AdmissionPresets.admitAll()).expectedBlockBytes(BLOCK_BYTES);
    cache =
        switch (medium) {
          case "native" -> builder.nativeMemory(CAPACITY_BYTES).build();
          case "mapped" -> builder.mappedFile(directory.resolve("blocks"), CAPACITY_BYTES).build();
          default -> throw new IllegalArgumentException("medium is none of native, mapped");
        };
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    for (int i = 0; i < BLOCKS; i++) {
      OfferResult result = cache.offer(1, (long) i * BLOCK_BYTES, block, Source.READ);
      if (result != OfferResult.ADMITTED) {
        throw new IllegalStateException("block " + i + " was answered with " + result);
      }
    }
    if (cache.stats().blocks() != BLOCKS) {
      throw new IllegalStateException("only " + cache.stats().blocks() + " blocks are cached");
    }
    CountDownLatch reading = new CountDownLatch(readers);
    threads = new Thread[readers];
    for (int i = 0; i < readers; i++) {
      int first = i;
      threads[i] = new Thread(() -> readUntilClosed(first, reading), "reader-" + i);
      threads[i].start();
    }
    reading.await();
  }

  private void readUntilClosed(int first, CountDownLatch reading) {
    ByteBuffer dst = ByteBuffer.allocateDirect(BLOCK_BYTES);
    boolean begun = false;
    for (int i = first; ; i++) {
      long offset = (long) (i % BLOCKS) * BLOCK_BYTES;
      if (cache.get(1, offset, dst.clear()) == BlockCache.MISS) {
        return;
      }
      if (!begun) {
        begun = true;
        reading.countDown();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Benchmark
  public void close() {
    cache.close();
  }

  @TearDown(Level.Invocation)
  public void join() throws IOException, InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    Files.deleteIfExists(directory.resolve("blocks"));
    Files.delete(directory);
  }
}
