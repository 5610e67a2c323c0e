// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.report.JsonRecords;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Measures cells of one contender that was filled before, and the limit against itself beside. */
final class CellRun {
  private static final double ZIPFIAN_EXPONENT = 0.99;
  private static final int ZIPFIAN_LENGTH = 1 << 20;
  private static final int MOST_KEYS_CHECKED = 1 << 16;

  /** Of the time of a cell: to warm both sides up, and for the limit against itself. */
  private static final double WARM_UP_PART = 1;

  private static final double SELF_PART = 0.25;

  private final Contender contender;
  private final Limit limit;
  private final ForkPlan plan;
  private final int[] held;
  private final Consumer<JsonRecords.Entry> out;
  private long newKey;

  /**
   * Prepares measurements.
   *
   * @param held the keys that the contender holds
   * @param out where the records go
   */
  CellRun(
      Contender contender,
      Limit limit,
      ForkPlan plan,
      int[] held,
      Consumer<JsonRecords.Entry> out) {
    this.contender = contender;
    this.limit = limit;
    this.plan = plan;
    this.held = held;
    this.out = out;
    this.newKey = plan.blocks();
  }

  /** Does nothing if the contender can't do it. */
  void run(Cell cell) {
    Operation operation = cell.operation();
    if (operation == Operation.HIT_TOUCH && !contender.isZeroCopy()) {
      return;
    }
    if (operation == Operation.INSERT) {
      fillUp();
    }
    KeyWalk walk =
        switch (cell.keys()) {
          case UNIFORM -> KeyWalk.uniform(held, plan.seed());
          case ZIPFIAN -> KeyWalk.zipfian(held, ZIPFIAN_EXPONENT, ZIPFIAN_LENGTH, plan.seed());
        };
    Side candidate = operation.candidate(contender);
    Side raw = operation.raw(limit);
    int perSample = operation.perSample(plan.blockBytes());
    PairedSampler pairs = new PairedSampler(candidate, raw, perSample, walk);
    run(pairs, cell, WARM_UP_PART);
    List<Lane> lanes = lanes(cell);
    long firstNewKey = newKey;
    PairedSamples samples = pairs.run(lanes, plan.nanosPerCell());
    newKey = lanes.stream().mapToLong(Lane::newKey).max().orElse(newKey);
    PairedSamples self = run(new PairedSampler(raw, raw, perSample, walk), cell, SELF_PART);
    long operations = (long) samples.pairs() * perSample * cell.threads();
    check(operation, lanes);
    report(cell, samples, self, operations);
    if (operation.isHit()) {
      long found = lanes.stream().mapToLong(Lane::found).sum();
      emit("found_ratio", cell, (double) found / operations, "ratio");
    } else if (operation == Operation.INSERT) {
      emit("insert_retained_ratio", cell, retained(firstNewKey), "ratio");
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

  /** Inserts until each insert evicts: all that is free, and as much again. */
  private void fillUp() {
    ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
    int room = plan.capacityBlocks() - held.length;
    for (int i = 0; i < 2 * room; i++) {
      contender.put(newKey, block.putLong(0, Contender.stamp(newKey)));
      newKey++;
    }
  }

  private static void check(Operation operation, List<Lane> lanes) {
    for (Lane lane : lanes) {
      if (!lane.sawRightBytes()) {
        throw new IllegalStateException(operation + " found blocks with wrong bytes");
      }
      if (operation == Operation.MISS && lane.found() > 0) {
        throw new IllegalStateException("blocks were found that nobody put in");
      }
    }
  }

  /** The share of the blocks put in last, a quarter of the capacity at most, that is there. */
  private double retained(long firstNewKey) {
    contender.settle();
    ByteBuffer dst = ByteBuffer.allocateDirect(plan.blockBytes());
    long checked =
        Math.min(MOST_KEYS_CHECKED, Math.min(newKey - firstNewKey, plan.capacityBlocks() / 4));
    long found = 0;
    for (long key = newKey - checked; key < newKey; key++) {
      if (contender.get(key, dst.clear())) {
        found++;
      }
    }
    return (double) found / checked;
  }

  private void report(Cell cell, PairedSamples samples, PairedSamples self, long operations) {
    String name = cell.operation().metric();
    emit(name + "_ratio_to_raw", cell, samples.cpuRatio());
    emit(name + "_wall_ratio_to_raw", cell, samples.wallRatio().median(), "ratio");
    emit("raw_self_ratio", cell, self.cpuRatio());
    double perOperation = 1.0 / cell.operation().perSample(plan.blockBytes()) / cell.threads();
    double nanos = samples.medianCpuNanos(PairedSamples.CANDIDATE) * perOperation;
    emit(name + "_cpu_nanos", cell, nanos, "ns/op");
    double allocated = (double) samples.candidateAllocatedBytes() / operations;
    emit("alloc_bytes_per_op", cell, allocated, "B/op");
    emit("pairs", cell, samples.pairs(), "pairs");
  }

  private void emit(String metric, Cell cell, Quartiles ratio) {
    emit(metric, cell, ratio.median(), "ratio");
    emit(metric + "_q1", cell, ratio.lower(), "ratio");
    emit(metric + "_q3", cell, ratio.upper(), "ratio");
  }

  private void emit(String metric, Cell cell, double value, String unit) {
    Map<String, String> labels = new TreeMap<>(plan.labels());
    labels.put("op", cell.operation().metric());
    labels.put("buffer", cell.bufferLabel());
    labels.put("dist", cell.keysLabel());
    labels.put("threads", Integer.toString(cell.threads()));
    labels.put("entries", Integer.toString(held.length));
    out.accept(new JsonRecords.Entry(metric, labels, value, unit));
  }
}
