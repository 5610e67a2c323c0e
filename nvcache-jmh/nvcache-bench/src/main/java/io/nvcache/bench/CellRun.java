// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.ContenderKind;
import io.nvcache.bench.contender.Lane;
import io.nvcache.bench.sample.BackgroundTime;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.bench.sample.KeyWalk;
import io.nvcache.bench.sample.PairedSampler;
import io.nvcache.bench.sample.PairedSampler.Side;
import io.nvcache.bench.sample.PairedSamples;
import io.nvcache.bench.sample.Quartiles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Measures cells of one contender that was filled before, and the limit against itself next to it.
 */
final class CellRun {
  private static final double ZIPFIAN_EXPONENT = 0.99;
  private static final int ZIPFIAN_LENGTH = 1 << 20;
  private static final int MOST_KEYS_CHECKED = 1 << 16;
  private static final int MOST_KEYS_REPLACED = 100;

  /** Of the time of a cell: a round of warming up, and the limit against itself. */
  private static final double WARM_UP_PART = 0.5;

  private static final double SELF_PART = 0.25;
  private static final double TOGETHER_PART = 1;

  /** Warming up ends when a round is hardly cheaper than the one before; some peers take long. */
  private static final double STILL_WARMING_UP = 0.97;

  private static final int MOST_WARM_UPS = 12;

  /** Lookups that miss are quicker than hits; with more of them, times are not reported. */
  private static final double LEAST_FOUND_RATIO = 0.999;

  private final Contender contender;
  private final Limit limit;
  private final ForkPlan plan;
  private final int[] held;
  private final Emitter out;
  private long newKey;

  /**
   * Prepares measurements.
   *
   * @param held the keys that the contender holds
   * @param out where the records go
   */
  CellRun(Contender contender, Limit limit, ForkPlan plan, int[] held, Emitter out) {
    this.contender = contender;
    this.limit = limit;
    this.plan = plan;
    this.held = held;
    this.out = out.with("entries", held.length);
    this.newKey = plan.blocks();
  }

  /** Does nothing if the contender can't do it. */
  void run(Cell cell) {
    ComparedOperation operation = cell.operation();
    if (operation == ComparedOperation.HIT_TOUCH && !contender.isZeroCopy()) {
      return;
    }
    if (operation == ComparedOperation.INSERT) {
      fillUp();
    }
    KeyWalk walk = walk(cell.keys());
    Side candidate = operation.candidate(contender);
    Side raw = operation.raw(limit);
    int perSample = operation.perSample(plan.blockBytes());
    PairedSampler pairs = new PairedSampler(candidate, raw, perSample, walk);
    warmUp(pairs, cell);
    List<Lane> lanes = lanes(cell);
    long firstNewKey = newKey;
    BackgroundTime background = new BackgroundTime();
    PairedSamples samples = pairs.run(lanes, plan.nanosPerCell());
    double backgroundNanos = background.nanos();
    newKey = lanes.stream().mapToLong(Lane::newKey).max().orElse(newKey);
    PairedSamples self = run(new PairedSampler(raw, raw, perSample, walk), cell, SELF_PART);
    check(operation, lanes);
    Emitter cellOut = emitter(cell);
    double operations = (double) samples.pairs() * perSample * cell.threads();
    if (foundEnough(operation, lanes, firstNewKey, operations, cellOut)) {
      report(cell, samples, self, cellOut);
      if (cell.threads() == 1) {
        // With more, the threads' waiting for each other is work of the process too.
        cellOut.value("background_cpu_nanos", backgroundNanos / operations, "ns/op");
      }
      reportOrders(cell, walk, cellOut);
    }
    if (cell.keys() == Cell.Keys.HOT && cell.threads() > 1) {
      cellOut.ratio("together_ratio_to_alone", togetherToAlone(candidate, cell, walk));
      cellOut.ratio("raw_together_ratio_to_alone", togetherToAlone(raw, cell, walk));
    }
  }

  /** What each order of copying costs, without a cache, and the one that NVCache has chosen. */
  private void reportOrders(Cell cell, KeyWalk walk, Emitter cellOut) {
    Side stroke = cell.operation().rawInOrder(limit, Limit.Order.STROKE);
    Side streams = cell.operation().rawInOrder(limit, Limit.Order.STREAMS);
    Side chosen = cell.operation().rawInOrder(limit, Limit.Order.CHOSEN);
    if (stroke == null
        || streams == null
        || chosen == null
        || plan.kind() != ContenderKind.NVCACHE
        || cell.keys() != Cell.Keys.UNIFORM) {
      return;
    }
    cellOut.ratio("raw_streams_ratio_to_raw", paired(streams, stroke, cell, walk));
    double toStroke = paired(chosen, stroke, cell, walk).median();
    double toStreams = paired(chosen, streams, cell, walk).median();
    cellOut.value("copies_ratio_to_better_order", Math.max(toStroke, toStreams), "ratio");
  }

  private Quartiles paired(Side candidate, Side raw, Cell cell, KeyWalk walk) {
    int perSample = cell.operation().perSample(plan.blockBytes());
    PairedSampler pairs = new PairedSampler(candidate, raw, perSample, walk);
    warmUp(pairs, cell);
    return run(pairs, cell, SELF_PART).cpuRatio();
  }

  private KeyWalk walk(Cell.Keys keys) {
    return switch (keys) {
      case UNIFORM -> KeyWalk.uniform(held, plan.seed());
      case ZIPFIAN -> KeyWalk.zipfian(held, ZIPFIAN_EXPONENT, ZIPFIAN_LENGTH, plan.seed());
      case HOT -> KeyWalk.uniform(new int[] {held[held.length / 2]}, plan.seed());
    };
  }

  private void warmUp(PairedSampler pairs, Cell cell) {
    double before = Double.MAX_VALUE;
    for (int i = 0; i < MOST_WARM_UPS; i++) {
      double ratio = run(pairs, cell, WARM_UP_PART).cpuRatio().median();
      if (ratio > STILL_WARMING_UP * before) {
        return;
      }
      before = ratio;
    }
  }

  private PairedSamples run(PairedSampler sampler, Cell cell, double part) {
    List<Lane> lanes = lanes(cell);
    PairedSamples samples = sampler.run(lanes, (long) (part * plan.nanosPerCell()));
    newKey = lanes.stream().mapToLong(Lane::newKey).max().orElse(newKey);
    return samples;
  }

  private List<Lane> lanes(Cell cell) {
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < cell.threads(); i++) {
      ByteBuffer buffer =
          switch (cell.buffer()) {
            case HEAP -> ByteBuffer.allocate(plan.blockBytes());
            case DIRECT -> ByteBuffer.allocateDirect(plan.blockBytes());
          };
      lanes.add(new Lane(buffer, newKey + i, cell.threads()));
    }
    return lanes;
  }

  /**
   * What an operation costs a thread while others do the same, divided by what it costs when each
   * has its turn alone: more than the limit's own ratio shows that threads write what they share.
   */
  private Quartiles togetherToAlone(Side side, Cell cell, KeyWalk walk) {
    int perSample = cell.operation().perSample(plan.blockBytes());
    return run(PairedSampler.togetherAndAlone(side, perSample, walk), cell, TOGETHER_PART)
        .cpuRatio();
  }

  /** Inserts until each insert evicts: all that is free, and as much again. */
  void fillUp() {
    ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
    int room = plan.capacityBlocks() - held.length;
    for (int i = 0; i < 2 * room; i++) {
      contender.put(newKey, block.putLong(0, Contender.stamp(newKey)));
      newKey++;
    }
  }

  private static void check(ComparedOperation operation, List<Lane> lanes) {
    for (Lane lane : lanes) {
      if (!lane.sawRightBytes()) {
        throw new IllegalStateException(operation + " found blocks with wrong bytes");
      }
      if (operation.isMiss() && lane.found() > 0) {
        throw new IllegalStateException("blocks were found that were never put in");
      }
    }
  }

  /**
   * Reports the share of lookups that found their block, or of the blocks written that are there.
   *
   * @return whether the times are of what should be measured
   */
  private boolean foundEnough(
      ComparedOperation operation,
      List<Lane> lanes,
      long firstNewKey,
      double operations,
      Emitter cellOut) {
    switch (operation) {
      case HIT_COPY, HIT_TOUCH -> {
        double found = lanes.stream().mapToLong(Lane::found).sum() / operations;
        cellOut.value("found_ratio", found, "ratio");
        return found >= LEAST_FOUND_RATIO;
      }
      case REPLACE -> {
        checkReplacing();
        cellOut.value("replace_retained_ratio", retained(held.length, i -> held[(int) i]), "ratio");
      }
      case INSERT -> {
        // The newest of them, a quarter of the capacity at most.
        long count = Math.min(newKey - firstNewKey, plan.capacityBlocks() / 4);
        double retained = retained(count, i -> newKey - count + i);
        cellOut.value("insert_retained_ratio", retained, "ratio");
      }
      case MISS, MISS_FILE -> {}
    }
    return true;
  }

  /** A cache that kept the old version would be the quickest of all. */
  private void checkReplacing() {
    ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
    int[] some = Arrays.copyOf(held, Math.min(MOST_KEYS_REPLACED, held.length));
    for (int key : some) {
      contender.replace(key, block.clear().putLong(0, ~Contender.stamp(key)));
    }
    contender.settle();
    for (int key : some) {
      if (contender.get(key, block.clear()) && block.getLong(0) != ~Contender.stamp(key)) {
        throw new IllegalStateException("a block that was replaced has its old bytes");
      }
      contender.replace(key, block.clear().putLong(0, Contender.stamp(key)));
    }
    contender.settle();
  }

  /** The share of keys that are there, of the last so many at most. */
  private double retained(long count, LongUnaryOperator key) {
    contender.settle();
    ByteBuffer dst = ByteBuffer.allocateDirect(plan.blockBytes());
    long checked = Math.min(MOST_KEYS_CHECKED, count);
    long found = 0;
    for (long i = count - checked; i < count; i++) {
      long expected = key.applyAsLong(i);
      if (contender.get(expected, dst.clear())) {
        found++;
        if (dst.getLong(0) != Contender.stamp(expected)) {
          throw new IllegalStateException("a block that was written has wrong bytes");
        }
      }
    }
    return (double) found / checked;
  }

  private void report(Cell cell, PairedSamples samples, PairedSamples self, Emitter cellOut) {
    String name = cell.operation().metric();
    cellOut.ratio(name + "_ratio_to_raw", samples.cpuRatio());
    cellOut.value(name + "_wall_ratio_to_raw", samples.wallRatio().median(), "ratio");
    cellOut.ratio("raw_self_ratio", self.cpuRatio());
    double perSample = (double) cell.operation().perSample(plan.blockBytes()) * cell.threads();
    double candidate = samples.medianCpuNanos(PairedSamples.CANDIDATE);
    cellOut.value(name + "_cpu_nanos", candidate / perSample, "ns/op");
    double raw = samples.medianCpuNanos(PairedSamples.RAW);
    cellOut.value("raw_cpu_nanos", raw / perSample, "ns/op");
    double allocated = samples.candidateAllocatedBytes() / perSample / samples.pairs();
    cellOut.value("alloc_bytes_per_op", allocated, "B/op");
    cellOut.value("pairs", samples.pairs(), "pairs");
  }

  private Emitter emitter(Cell cell) {
    return out.with("op", cell.operation().metric())
        .with("buffer", cell.bufferLabel())
        .with("dist", cell.keysLabel())
        .with("threads", cell.threads());
  }
}
