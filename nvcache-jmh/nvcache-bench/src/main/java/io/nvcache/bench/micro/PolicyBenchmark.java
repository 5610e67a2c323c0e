// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.bench.sample.KeyWalk;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.eviction.SlotMarks;
import io.nvcache.eviction.Sweep;
import io.nvcache.eviction.WorthEviction;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the default policies cost: of a hit, the part that eviction takes; of a miss, an offer that
 * is refused. To be run with {@code -p blockBytes=16384 -p medium=native}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PolicyBenchmark {
  /** Caches that differ in what a hit does apart from copying. */
  @State(Scope.Benchmark)
  public static class Hit extends FilledCache {
    /**
     * Nothing; what the default does once blocks are known to be hot; the same, and more than it
     * ever does, at each hit.
     */
    @Param({"none", "worth", "worth, writing each time"})
    public String eviction = "";

    @Override
    EvictionFactory eviction() {
      return switch (eviction) {
        case "none" -> FifoEviction::new;
        case "worth" -> WorthEviction::new;
        default -> AlwaysCold::new;
      };
    }
  }

  /** One thread's buffer and way. */
  @State(Scope.Thread)
  @SuppressWarnings("NullAway.Init") // JMH calls prepare() first.
  public static class Walk {
    private ByteBuffer block;
    private KeyWalk keys;

    @Setup(Level.Trial)
    public void prepare(Hit filled) {
      block = ByteBuffer.allocateDirect(filled.blockBytes);
      keys = KeyWalk.uniform(filled.cachedKeys, 42);
    }
  }

  @Benchmark
  public int hit(Hit filled, Walk walk) {
    int length = filled.get(walk.keys.next(), walk.block.clear());
    if (length == BlockCache.MISS) {
      throw new IllegalStateException("a cached block was missed");
    }
    return length;
  }

  /** A full cache under the default policies, and blocks that are asked for once. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH calls fill() first.
  public static class Refusing {
    private static final int BLOCK_BYTES = 16 << 10;
    private static final long CAPACITY_BYTES = 256 << 20;

    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private BlockCache cache;
    private long next;

    @Setup(Level.Trial)
    public void fill() {
      cache =
          BlockCache.builder()
              .nativeMemory(CAPACITY_BYTES)
              .expectedBlockBytes(BLOCK_BYTES)
              .smallBypassDramBytes(0)
              .policies(PolicyPreset.DEFAULT)
              .build();
      for (int i = 0; i < 20 * (CAPACITY_BYTES / BLOCK_BYTES); i++) {
        offerNext();
      }
    }

    OfferResult offerNext() {
      long offset = next++ * BLOCK_BYTES;
      cache.get(1, offset, block.clear());
      return cache.offer(1, offset, block.clear(), Source.READ);
    }

    @TearDown(Level.Trial)
    public void close() {
      cache.close();
    }
  }

  /** A miss and its offer: counted, priced, and nearly always refused. */
  @Benchmark
  public OfferResult missAndOffer(Refusing cache) {
    return cache.offerNext();
  }

  /** Makes each hit write the mark, twice. */
  private static final class AlwaysCold implements EvictionPolicy {
    private final SlotMarks marks;
    private final EvictionPolicy worth;

    AlwaysCold(EvictionContext context) {
      this.marks = context.marks();
      this.worth = new WorthEviction(context);
    }

    @Override
    public void onAdmit(int slot) {
      worth.onAdmit(slot);
    }

    @Override
    public void onHit(int slot) {
      marks.set(slot, 1);
      worth.onHit(slot);
    }

    @Override
    public void onRemove(int slot) {
      worth.onRemove(slot);
    }

    @Override
    public int victim() {
      return worth.victim();
    }

    @Override
    public void sweep(Sweep sweep) {}

    @Override
    public long metadataBytes() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
