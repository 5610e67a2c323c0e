// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.bench.contender.BlockNumbering;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Hits in uniformly random order. Run with {@code -prof gc}: copying hits allocate nothing, and a
 * pin costs at most itself.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HitBenchmark {
  @Benchmark
  public int getHeap(FilledCache filled, Reader reader) {
    return get(filled, reader, reader.heap);
  }

  @Benchmark
  public int getDirect(FilledCache filled, Reader reader) {
    return get(filled, reader, reader.direct);
  }

  private static int get(FilledCache filled, Reader reader, ByteBuffer dst) {
    dst.clear();
    int length = filled.get(reader.walk.next(), dst);
    if (length == BlockCache.MISS) {
      throw new IllegalStateException("a cached block was missed");
    }
    return length;
  }

  @Benchmark
  public long pin(FilledCache filled, Reader reader) {
    long key = reader.walk.next();
    try (PinnedBlock block =
        filled.cache.pin(
            BlockNumbering.fileId(key), BlockNumbering.offset(key, filled.blockBytes))) {
      if (block == null) {
        throw new IllegalStateException("a cached block was missed");
      }
      return block.getLong(0);
    }
  }
}
