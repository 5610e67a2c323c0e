// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;

/** What was measured of one lane, round by round. */
final class LaneSamples {
  private final BenchLane lane;
  private final List<Double> cpuMicros = new ArrayList<>();
  private final List<Double> wallMicros = new ArrayList<>();
  private final List<long[]> servedNanos = new ArrayList<>();
  private long writtenBytes;
  private long reads;
  private double hits;
  private double hitsBefore;

  LaneSamples(BenchLane lane) {
    this.lane = lane;
  }

  BenchLane lane() {
    return lane;
  }

  void measure(HBaseScenario scenario, HBaseBenchSettings settings, List<Path> cold)
      throws IOException {
    int slice = settings.readsPerSlice();
    if (scenario == HBaseScenario.SCAN) {
      hitsBefore += (double) lane.read(slice).length / slice;
      lane.scan(cold);
    }
    long cpu = ProcessorTime.nanos();
    long wall = System.nanoTime();
    if (scenario == HBaseScenario.MIXED) {
      lane.rewriteOne();
    }
    long writtenBefore = lane.writtenBytes();
    long[] served = lane.read(slice);
    cpuMicros.add((ProcessorTime.nanos() - cpu) / 1e3 / slice);
    wallMicros.add((System.nanoTime() - wall) / 1e3 / slice);
    servedNanos.add(served);
    hits += (double) served.length / slice;
    writtenBytes += lane.writtenBytes() - writtenBefore;
    reads += slice;
  }

  /** Of all reads that read no file, in microseconds; NaN if there were none. */
  private double servedP99Micros() {
    long[] nanos = servedNanos.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return nanos.length == 0 ? Double.NaN : nanos[(int) (nanos.length * 0.99)] / 1e3;
  }

  HBaseBenchResult.Cell cell(HBaseScenario scenario, List<LaneSamples> lanes) {
    int rounds = cpuMicros.size();
    return new HBaseBenchResult.Cell(
        scenario,
        lane.engine(),
        median(cpuMicros),
        median(wallMicros),
        ratio(lanes, other -> other.cpuMicros, cpuMicros),
        ratio(lanes, other -> other.wallMicros, wallMicros),
        servedP99Micros(),
        hits / rounds,
        scenario == HBaseScenario.SCAN ? hitsBefore / rounds : Double.NaN,
        lane.writtenBytes(),
        (double) writtenBytes / reads,
        lane.wrongValues());
  }

  /** How many times less than without a second level, median over the rounds. */
  private static double ratio(
      List<LaneSamples> lanes, Function<LaneSamples, List<Double>> figure, List<Double> own) {
    for (LaneSamples other : lanes) {
      if (other.lane.engine() == HBaseEngine.NONE) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
          ratios.add(figure.apply(other).get(i) / own.get(i));
        }
        return median(ratios);
      }
    }
    return Double.NaN;
  }

  private static double median(List<Double> samples) {
    List<Double> sorted = samples.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
