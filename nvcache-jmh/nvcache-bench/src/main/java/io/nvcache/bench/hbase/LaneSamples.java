// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** What was measured of one lane, round by round. */
final class LaneSamples {
  private final BenchLane lane;
  private final List<Double> cpuMicros = new ArrayList<>();
  private final List<Double> wallMicros = new ArrayList<>();
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
    int reads = settings.readsPerSlice();
    if (scenario == HBaseScenario.SCAN) {
      long before = StoreFiles.bytesRead();
      lane.read(reads);
      hitsBefore += hitRatio(before, reads);
      lane.scan(cold);
    }
    long cpu = ProcessorTime.nanos();
    long wall = System.nanoTime();
    if (scenario == HBaseScenario.MIXED) {
      lane.rewriteOne();
    }
    long bytes = StoreFiles.bytesRead();
    lane.read(reads);
    cpuMicros.add((ProcessorTime.nanos() - cpu) / 1e3 / reads);
    wallMicros.add((System.nanoTime() - wall) / 1e3 / reads);
    hits += hitRatio(bytes, reads);
  }

  /** Reads a file has to be read for read a block each. */
  private static double hitRatio(long bytesBefore, int reads) {
    double misses =
        (double) (StoreFiles.bytesRead() - bytesBefore) / HBaseBenchSettings.BLOCK_BYTES;
    return Math.max(0, 1 - misses / reads);
  }

  HBaseBenchResult.Cell cell(HBaseScenario scenario, List<LaneSamples> lanes) {
    int rounds = cpuMicros.size();
    return new HBaseBenchResult.Cell(
        scenario,
        lane.engine(),
        median(cpuMicros),
        median(wallMicros),
        ratioToNone(lanes),
        hits / rounds,
        scenario == HBaseScenario.SCAN ? hitsBefore / rounds : Double.NaN,
        lane.writtenBytes(),
        lane.wrongValues());
  }

  private double ratioToNone(List<LaneSamples> lanes) {
    for (LaneSamples other : lanes) {
      if (other.lane.engine() == HBaseEngine.NONE) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < cpuMicros.size(); i++) {
          ratios.add(other.cpuMicros.get(i) / cpuMicros.get(i));
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
