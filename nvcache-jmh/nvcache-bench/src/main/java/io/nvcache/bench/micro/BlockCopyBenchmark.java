// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.bench.sample.KeyWalk;
import io.nvcache.medium.NativeMedium;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
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
 * Blocks copied out of native memory and into it, in random order: in one pass, which is the limit
 * that {@code scripts/bench} compares with, and in streams, which caches choose where they are
 * quicker. A locked instruction follows each write, as an insert's does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls fill() first.
public class BlockCopyBenchmark {
  @Param({"4096", "16384", "65536"})
  public int blockBytes;

  @Param("256")
  public int copiedMiB;

  private NativeMedium memory;
  private long address;
  private KeyWalk walk;
  private ByteBuffer direct;
  private final AtomicLong written = new AtomicLong();

  @Setup(Level.Trial)
  public void fill() {
    long bytes = (long) copiedMiB << 20;
    memory = NativeMedium.allocate(bytes);
    address = memory.address(0, bytes);
    RawMemory.fill(address, bytes, (byte) 1);
    walk = KeyWalk.uniform(IntStream.range(0, (int) (bytes / blockBytes)).toArray(), 42);
    direct = ByteBuffer.allocateDirect(blockBytes);
  }

  @TearDown(Level.Trial)
  public void free() {
    memory.close();
  }

  @Benchmark
  public ByteBuffer read() {
    RawMemory.copyOut(next(), direct, 0, blockBytes);
    return direct;
  }

  @Benchmark
  public ByteBuffer readInStreams() {
    long block = next();
    RawMemory.copyStreamsOut(block, direct, 0, blockBytes);
    return direct;
  }

  @Benchmark
  public long write() {
    RawMemory.copyIn(direct, 0, next(), blockBytes);
    return written.incrementAndGet();
  }

  @Benchmark
  public long writeInStreams() {
    long block = next();
    RawMemory.copyStreamsIn(direct, 0, block, blockBytes);
    return written.incrementAndGet();
  }

  private long next() {
    return address + (long) walk.next() * blockBytes;
  }
}
