// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.BlockCache;
import io.nvcache.bench.sample.KeyWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What shadows cost a hit: every hit is asked whether its key is sampled, and one in so many is
 * reported to the shadows. To be run with {@code -p blockBytes=16384 -p medium=native}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ShadowBenchmark {
  /** A cache whose shadows see this part of the keys; 0 for none. */
  @State(Scope.Benchmark)
  public static class Shadowed extends FilledCache {
    @Param({"0", "0.001", "0.01"})
    public double sample;

    @Override
    @Setup(Level.Trial)
    public void fill() throws IOException {
      super.fill();
      cache.control().shadows().setSampleRatio(sample);
    }
  }

  /** One thread's buffer and way. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls prepare() first.
  public static class Walk {
    private ByteBuffer block;
    private KeyWalk keys;

    @Setup(Level.Trial)
    public void prepare(Shadowed filled) {
      block = ByteBuffer.allocateDirect(filled.blockBytes);
      keys = KeyWalk.uniform(filled.cachedKeys, 42);
    }
  }

  @Benchmark
  public int hit(Shadowed filled, Walk walk) {
    int length = filled.get(walk.keys.next(), walk.block.clear());
    if (length == BlockCache.MISS) {
      throw new IllegalStateException("a cached block was missed");
    }
    return length;
  }
}
