// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.BlockCache;
import io.nvcache.bench.contender.BlockNumbering;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Misses: in a file of which other blocks are cached, and in a file that the cache never saw. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MissBenchmark {
  private static final long UNKNOWN_FILE = Long.MAX_VALUE;

  @Benchmark
  public int blockNotCached(FilledCache filled, Reader reader) {
    long key = reader.walk.next();
    // Between two cached blocks.
    long offset = BlockNumbering.offset(key, filled.blockBytes) + 1;
    return miss(filled, reader, BlockNumbering.fileId(key), offset);
  }

  @Benchmark
  public int fileNotCached(FilledCache filled, Reader reader) {
    long offset = BlockNumbering.offset(reader.walk.next(), filled.blockBytes);
    return miss(filled, reader, UNKNOWN_FILE, offset);
  }

  private static int miss(FilledCache filled, Reader reader, long fileId, long offset) {
    int length = filled.cache.get(fileId, offset, reader.direct);
    if (length != BlockCache.MISS) {
      throw new IllegalStateException("a block that was never offered was found");
    }
    return length;
  }
}
