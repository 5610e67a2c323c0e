// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.bench.sample.Quartiles;
import io.nvcache.report.Measurements;
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

  /**
   * Adds what was measured: of reads a second and processor time the median over the rounds, and
   * how many times less they are than without a second level.
   */
  void report(HBaseScenario scenario, List<LaneSamples> lanes, Measurements scenarioOut) {
    int rounds = cpuMicros.size();
    double wall = median(wallMicros);
    scenarioOut
        .with("engine", lane.engine().label())
        .add("cpu_us_per_op", median(cpuMicros), "us")
        .add("wall_us_per_op", wall, "us")
        .add("ratio_to_none", ratio(lanes, other -> other.cpuMicros, cpuMicros), "ratio")
        .add("reads_per_s", 1e6 / wall, "1/s")
        .add("reads_ratio_to_none", ratio(lanes, other -> other.wallMicros, wallMicros), "ratio")
        .add("served_p99_us", servedP99Micros(), "us")
        .add("hit_ratio", hits / rounds, "ratio")
        .add(
            "hit_ratio_before_scan",
            scenario == HBaseScenario.SCAN ? hitsBefore / rounds : Double.NaN,
            "ratio")
        .add("medium_bytes_written", lane.writtenBytes(), "bytes")
        .add("written_bytes_per_read", (double) writtenBytes / reads, "bytes")
        .add("wrong_values", lane.wrongValues(), "reads");
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
    return Quartiles.of(samples.stream().mapToDouble(Double::doubleValue).toArray()).median();
  }
}
