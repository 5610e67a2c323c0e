// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.ContenderKind;
import io.nvcache.bench.contender.Lane;
import io.nvcache.bench.contender.NvCacheContender;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.bench.sample.KeyWalk;
import io.nvcache.bench.sample.PairedSampler;
import io.nvcache.bench.sample.PairedSamples;
import java.nio.ByteBuffer;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Inserts into a full cache, one by one: how long the slowest take, next to bare writes of the same
 * bytes, whose slowest ones tell what the machine itself does; and, for NVCache, what remains of an
 * insert when nothing is copied: allocation, index and eviction.
 */
final class InsertRun {
  private static final double[] PERCENTILES = {50, 99, 99.9, 99.99, 100};
  private static final int SIGNIFICANT_DIGITS = 3;

  /** So many for each millisecond of a cell; a default run thus has enough for the 99.99th. */
  private static final int INSERTS_PER_MILLI = 600;

  private InsertRun() {}

  static void run(ForkPlan plan, Emitter out) {
    Emitter insertOut =
        out.with("op", "insert")
            .with("buffer", "direct")
            .with("dist", "uniform")
            .with("threads", 1);
    try (Limit limit = new Limit(plan.kind().region(), plan.blockBytes(), plan.blocks())) {
      try (Contender contender = plan.kind().open(plan.blockBytes(), plan.capacityBlocks())) {
        latencies(contender, limit, plan, insertOut);
      }
      if (plan.kind() == ContenderKind.NVCACHE) {
        withoutCopy(limit, plan, insertOut);
      }
    }
  }

  private static void latencies(Contender contender, Limit limit, ForkPlan plan, Emitter out) {
    ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
    KeyWalk places = KeyWalk.uniform(Loader.keys(plan.blocks()), plan.seed());
    Histogram inserts = new Histogram(SIGNIFICANT_DIGITS);
    Histogram writes = new Histogram(SIGNIFICANT_DIGITS);
    long count = plan.millisPerCell() * INSERTS_PER_MILLI;
    // Twice what fits, so that each one measured evicts, and code is compiled.
    long warmUps = 2L * plan.capacityBlocks();
    for (long key = 0; key < warmUps + count; key++) {
      if (key == warmUps) {
        contender.settle();
        inserts.reset();
        writes.reset();
      }
      block.putLong(0, Contender.stamp(key));
      long start = System.nanoTime();
      contender.put(key, block);
      long between = System.nanoTime();
      limit.write(places.next(), block);
      inserts.recordValue(between - start);
      writes.recordValue(System.nanoTime() - between);
    }
    Emitter full = out.with("entries", plan.blocks());
    report("insert_latency", inserts, full);
    report("raw_write_latency", writes, full);
  }

  private static void report(String metric, Histogram latencies, Emitter out) {
    for (double percentile : PERCENTILES) {
      String label =
          percentile == Math.rint(percentile)
              ? Integer.toString((int) percentile)
              : Double.toString(percentile);
      double micros = latencies.getValueAtPercentile(percentile) / 1e3;
      out.with("percentile", label).value(metric, micros, "us");
    }
  }

  private static void withoutCopy(Limit limit, ForkPlan plan, Emitter out) {
    EmptyMedium nothing = EmptyMedium.of((long) plan.blockBytes() * plan.capacityBlocks());
    try (Contender contender = NvCacheContender.on(nothing, plan.blockBytes())) {
      ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
      long newKey = 0;
      while (newKey < 2L * plan.capacityBlocks()) {
        contender.put(newKey++, block);
      }
      ComparedOperation insert = ComparedOperation.INSERT;
      int perSample = insert.perSample(plan.blockBytes());
      KeyWalk places = KeyWalk.uniform(Loader.keys(plan.blocks()), plan.seed());
      PairedSampler pairs =
          new PairedSampler(insert.candidate(contender), insert.raw(limit), perSample, places);
      Lane lane = new Lane(block, newKey, 1);
      pairs.run(List.of(lane), plan.nanosPerCell());
      PairedSamples samples = pairs.run(List.of(lane), plan.nanosPerCell());
      Emitter full = out.with("entries", plan.blocks());
      full.ratio("insert_without_copy_ratio_to_raw", samples.cpuRatio());
      double nanos = samples.medianCpuNanos(PairedSamples.CANDIDATE) / perSample;
      full.value("insert_without_copy_cpu_nanos", nanos, "ns/op");
    }
  }
}
