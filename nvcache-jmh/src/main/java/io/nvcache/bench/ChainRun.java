// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.BlockCache;
import io.nvcache.internal.IndexChain;
import io.nvcache.memory.OffHeapBytes;
import io.nvcache.memory.RawMemory;
import io.nvcache.report.JsonRecords;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The latency of a lookup: each one waits for the one before, because its key is computed with what
 * that one found, and so is compared with memory reads of which each needs the one before. What is
 * computed is always 0, which neither compiler nor processor can know.
 *
 * <p>Once for the index alone ({@code index_lookup_ratio_to_dram_read}), and once for all of {@code
 * get} but the copy ({@code lookup_ratio_to_dram_read}): there the blocks lie on an {@link
 * EmptyMedium}, and what a lookup finds is the length, which is kept in the index.
 */
final class ChainRun {
  private static final int LOOKUPS_PER_SAMPLE = 4096;
  private static final int LINE_BYTES = 64;
  private static final double WARM_UP_PART = 1;

  private ChainRun() {}

  static void run(ForkPlan plan, Consumer<JsonRecords.Entry> out) {
    try (IndexChain chain = new IndexChain(plan.blocks(), plan.seed())) {
      int[] keys =
          IntStream.range(0, plan.blocks()).filter(key -> chain.lookup(key) == key).toArray();
      compare(plan, "index_lookup", index(chain), chain.metadataBytes(), keys, out);
    }
    try (BlockCache cache = EmptyMedium.cacheFor(plan.blocks())) {
      int[] held = EmptyMedium.fill(cache, plan.blocks());
      compare(plan, "lookup", cache(cache), cache.stats().metadataBytes(), held, out);
    }
  }

  private static Side index(IndexChain chain) {
    return (walk, lane, operations) -> {
      long carried = 0;
      for (int i = 0; i < operations; i++) {
        long key = walk.next() + carried;
        carried = chain.lookup(key) - key;
      }
      lane.found(carried, Contender.stamp(0));
    };
  }

  private static Side cache(BlockCache cache) {
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

  private static void compare(
      ForkPlan plan,
      String name,
      Side candidate,
      long indexBytes,
      int[] keys,
      Consumer<JsonRecords.Entry> out) {
    KeyWalk walk = KeyWalk.uniform(keys, plan.seed());
    try (OffHeapBytes memory = OffHeapBytes.zeroed(indexBytes, LINE_BYTES)) {
      Side raw = dram(memory, plan.blocks());
      PairedSampler pairs = new PairedSampler(candidate, raw, LOOKUPS_PER_SAMPLE, walk);
      long nanos = plan.nanosPerCell();
      pairs.run(lanes(), (long) (WARM_UP_PART * nanos));
      List<Lane> lanes = lanes();
      PairedSamples samples = pairs.run(lanes, nanos);
      PairedSamples self =
          new PairedSampler(raw, raw, LOOKUPS_PER_SAMPLE, walk).run(lanes(), nanos / 4);
      if (!lanes.get(0).sawRightBytes()) {
        throw new IllegalStateException(name + " did not find what was put in");
      }
      Map<String, String> labels = new TreeMap<>(plan.labels());
      labels.put("op", name);
      labels.put("dist", "uniform");
      labels.put("threads", "1");
      labels.put("entries", Integer.toString(keys.length));
      emit(out, labels, name + "_ratio_to_dram_read", samples.cpuRatio());
      emit(out, labels, "raw_self_ratio", self.cpuRatio());
      double nanosPerLookup = samples.medianCpuNanos(PairedSamples.CANDIDATE) / LOOKUPS_PER_SAMPLE;
      out.accept(new JsonRecords.Entry(name + "_cpu_nanos", labels, nanosPerLookup, "ns/op"));
    }
  }

  private static List<Lane> lanes() {
    return List.of(new Lane(ByteBuffer.allocateDirect(EmptyMedium.BLOCK_BYTES), 0, 1));
  }

  private static void emit(
      Consumer<JsonRecords.Entry> out, Map<String, String> labels, String metric, Quartiles ratio) {
    out.accept(new JsonRecords.Entry(metric, labels, ratio.median(), "ratio"));
    out.accept(new JsonRecords.Entry(metric + "_q1", labels, ratio.lower(), "ratio"));
    out.accept(new JsonRecords.Entry(metric + "_q3", labels, ratio.upper(), "ratio"));
  }
}
