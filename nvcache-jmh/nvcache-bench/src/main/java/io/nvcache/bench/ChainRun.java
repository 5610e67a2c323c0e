// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.BlockCache;
import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.Lane;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.bench.sample.KeyWalk;
import io.nvcache.bench.sample.PairedSampler;
import io.nvcache.bench.sample.PairedSampler.Side;
import io.nvcache.bench.sample.PairedSamples;
import io.nvcache.memory.OffHeapBytes;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * The latency of a lookup: each one waits for the one before, because its key is computed with what
 * that one found, and so is compared with memory reads of which each needs the one before. What is
 * computed is always 0, which neither compiler nor processor can know.
 *
 * <p>For the index alone ({@code index_lookup_ratio_to_dram_read}, {@code
 * index_miss_ratio_to_dram_read}), and, where that many blocks are worth the time, for all of
 * {@code get} but the copy ({@code lookup_ratio_to_dram_read}): there the blocks lie on an {@link
 * EmptyMedium}, and what a lookup finds is the length, which is kept in the index.
 */
final class ChainRun {
  private static final int LOOKUPS_PER_SAMPLE = 4096;
  private static final double WARM_UP_PART = 1;
  private static final int MOST_BLOCKS_OF_CACHE = 10_000_000;

  /** Where the index is filled to the brim: enough for a ratio, and quick. */
  private static final int MOST_BLOCKS_OF_OVERFLOW = 1_000_000;

  private final ForkPlan plan;
  private final Emitter out;

  private ChainRun(ForkPlan plan, Emitter out) {
    this.plan = plan;
    this.out = out.with("dist", "uniform").with("threads", 1);
  }

  static void run(ForkPlan plan, Emitter out) {
    ChainRun run = new ChainRun(plan, out);
    run.index();
    if (plan.blocks() <= MOST_BLOCKS_OF_CACHE) {
      run.cache();
    }
    if (plan.blocks() <= MOST_BLOCKS_OF_OVERFLOW) {
      run.overflow();
    }
  }

  private void index() {
    try (IndexChain chain = IndexChain.filled(plan.blocks(), plan.seed())) {
      int[] keys = present(plan.blocks(), key -> chain.lookup(key) == key);
      Emitter filled = out.with("entries", keys.length);
      double bytes = (double) chain.metadataBytes() / keys.length;
      filled.with("op", "index_lookup").value("index_bytes_per_entry", bytes, "B");
      compare("index_lookup", hits(chain), chain.metadataBytes(), keys);
      compare("index_miss", misses(chain, plan.blocks()), chain.metadataBytes(), keys);
    }
  }

  private void cache() {
    try (BlockCache cache = EmptyMedium.cacheFor(plan.blocks())) {
      int[] held = EmptyMedium.fill(cache, plan.blocks());
      compare("lookup", gets(cache), cache.stats().metadataBytes(), held);
    }
  }

  /**
   * How many entries of an index find no slot, the fuller it is. In a cache, others are evicted.
   */
  private void overflow() {
    for (int percent : new int[] {70, 80, 85, 90, 95, 100}) {
      try (IndexChain chain = IndexChain.withSlots(plan.blocks(), plan.seed())) {
        int wanted = (int) (chain.slots() / 100.0 * percent);
        int refused = chain.insert(wanted);
        out.with("op", "index_insert")
            .with("entries", wanted)
            .with("load", String.format(Locale.ROOT, "%.2f", percent / 100.0))
            .value("index_refused_ratio", (double) refused / wanted, "ratio");
      }
    }
  }

  private static int[] present(int count, IntPredicate isPresent) {
    int[] keys = new int[count];
    int present = 0;
    for (int key = 0; key < count; key++) {
      if (isPresent.test(key)) {
        keys[present++] = key;
      }
    }
    return present == count ? keys : Arrays.copyOf(keys, present);
  }

  private static Side hits(IndexChain chain) {
    return (walk, lane, operations) -> {
      long carried = 0;
      for (int i = 0; i < operations; i++) {
        long key = walk.next() + carried;
        carried = chain.lookup(key) - key;
      }
      lane.found(carried, Contender.stamp(0));
    };
  }

  private static Side misses(IndexChain chain, long absent) {
    return (walk, lane, operations) -> {
      long carried = 0;
      for (int i = 0; i < operations; i++) {
        carried = chain.lookup(walk.next() + absent + carried) - IndexChain.ABSENT;
      }
      lane.found(carried, Contender.stamp(0));
    };
  }

  private static Side gets(BlockCache cache) {
    return (walk, lane, operations) -> {
      ByteBuffer dst = lane.buffer();
      long carried = 0;
      for (int i = 0; i < operations; i++) {
        carried = EmptyMedium.lookup(cache, walk.next() + carried, dst.clear());
      }
      lane.found(carried, Contender.stamp(0));
    };
  }

  /** Reads of memory as large as the index, in the order of the keys. */
  private static Side dram(OffHeapBytes memory, int keys) {
    long base = memory.address();
    double bytesPerKey = (double) (memory.sizeBytes() - Long.BYTES) / keys;
    long fixedPoint = (long) (bytesPerKey * (1 << 16));
    return (walk, lane, operations) -> {
      long carried = 0;
      for (int i = 0; i < operations; i++) {
        long at = (((walk.next() + carried) * fixedPoint) >>> 16) & -Long.BYTES;
        carried = RawMemory.getLong(base + at);
      }
      lane.found(carried, Contender.stamp(0));
    };
  }

  private void compare(String name, Side candidate, long indexBytes, int[] keys) {
    KeyWalk walk = KeyWalk.uniform(keys, plan.seed());
    try (OffHeapBytes memory = OffHeapBytes.filled(indexBytes, Lane.LINE_BYTES, (byte) 0)) {
      Side raw = dram(memory, plan.blocks());
      PairedSampler pairs = new PairedSampler(candidate, raw, LOOKUPS_PER_SAMPLE, walk);
      long nanos = plan.nanosPerCell();
      pairs.run(lanes(), (long) (WARM_UP_PART * nanos));
      List<Lane> lanes = lanes();
      PairedSamples samples = pairs.run(lanes, nanos);
      PairedSamples self =
          new PairedSampler(raw, raw, LOOKUPS_PER_SAMPLE, walk).run(lanes(), nanos / 4);
      if (!lanes.get(0).sawRightBytes()) {
        throw new IllegalStateException(name + " did not find what was put in, and nothing else");
      }
      Emitter chainOut = out.with("op", name).with("entries", keys.length);
      chainOut.ratio(name + "_ratio_to_dram_read", samples.cpuRatio());
      chainOut.ratio("raw_self_ratio", self.cpuRatio());
      double lookup = samples.medianCpuNanos(PairedSamples.CANDIDATE) / LOOKUPS_PER_SAMPLE;
      chainOut.value(name + "_cpu_nanos", lookup, "ns/op");
      double read = samples.medianCpuNanos(PairedSamples.RAW) / LOOKUPS_PER_SAMPLE;
      chainOut.value("raw_cpu_nanos", read, "ns/op");
    }
  }

  private static List<Lane> lanes() {
    return List.of(new Lane(ByteBuffer.allocateDirect(EmptyMedium.BLOCK_BYTES), 0, 1));
  }
}
