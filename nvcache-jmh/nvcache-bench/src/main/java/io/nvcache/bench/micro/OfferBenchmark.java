// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.OfferResult;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Writes into a full cache. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OfferBenchmark {
  /** Keys that no thread used before. */
  @State(Scope.Thread)
  public static class NewKeys {
    private static final AtomicInteger WRITERS = new AtomicInteger();
    private static final long KEYS_PER_WRITER = 1L << 34;

    private long next;

    @Setup(Level.Trial)
    public void start() {
      next = (1 + WRITERS.getAndIncrement()) * KEYS_PER_WRITER;
    }
  }

  /** Each new block evicts an old one, except for the first few. */
  @Benchmark
  public OfferResult insert(FilledCache filled, Reader reader, NewKeys keys) {
    return admitted(filled.offer(keys.next++, reader.direct));
  }

  /** The old version is invalidated, as its space on the disk was given to the new one. */
  @Benchmark
  public OfferResult replace(FilledCache filled, Reader reader) {
    long key = reader.walk.next();
    filled.invalidate(key);
    return admitted(filled.offer(key, reader.direct));
  }

  private static OfferResult admitted(OfferResult result) {
    if (result != OfferResult.ADMITTED) {
      throw new IllegalStateException("an offer was answered with " + result);
    }
    return result;
  }
}
