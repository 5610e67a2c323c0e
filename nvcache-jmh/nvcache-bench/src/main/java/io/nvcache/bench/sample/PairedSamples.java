// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import java.util.Arrays;
import java.util.List;

/**
 * The readings of many pairs, candidate next to limit. Ratios are taken pair by pair, because what
 * slows a machine down for longer than a pair slows both of its sides.
 */
public final class PairedSamples {
  /** The sides of a pair, and the indexes of their readings. */
  public static final int CANDIDATE = 0;

  public static final int RAW = 1;

  private long[][] cpuNanos = {new long[256], new long[256]};
  private long[][] wallNanos = {new long[256], new long[256]};
  private int pairs;
  private long candidateAllocatedBytes;

  /** Starts a pair. */
  void nextPair() {
    pairs++;
    if (pairs > cpuNanos[CANDIDATE].length) {
      cpuNanos = longer(cpuNanos);
      wallNanos = longer(wallNanos);
    }
  }

  private static long[][] longer(long[][] readings) {
    return Arrays.stream(readings)
        .map(side -> Arrays.copyOf(side, 2 * side.length))
        .toArray(long[][]::new);
  }

  /** Adds one thread's reading to the pair that was started last. */
  void add(int side, long cpu, long wall, long allocatedBytes) {
    cpuNanos[side][pairs - 1] += cpu;
    wallNanos[side][pairs - 1] += wall;
    if (side == CANDIDATE) {
      candidateAllocatedBytes += allocatedBytes;
    }
  }

  /** The readings of several threads, which took the same pairs at the same time. */
  static PairedSamples sum(List<PairedSamples> lanes) {
    PairedSamples sum = new PairedSamples();
    int pairs = lanes.stream().mapToInt(PairedSamples::pairs).min().orElse(0);
    for (int pair = 0; pair < pairs; pair++) {
      sum.nextPair();
      for (PairedSamples lane : lanes) {
        for (int side : new int[] {CANDIDATE, RAW}) {
          sum.add(side, lane.cpuNanos[side][pair], lane.wallNanos[side][pair], 0);
        }
      }
    }
    lanes.forEach(lane -> sum.candidateAllocatedBytes += lane.candidateAllocatedBytes);
    return sum;
  }

  public int pairs() {
    return pairs;
  }

  /** Candidate ÷ limit in processor time of the measuring threads. */
  public Quartiles cpuRatio() {
    return ratio(cpuNanos);
  }

  /** Candidate ÷ limit in elapsed time, in which other threads' work and waiting show. */
  public Quartiles wallRatio() {
    return ratio(wallNanos);
  }

  private Quartiles ratio(long[][] nanos) {
    double[] ratios = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      ratios[pair] = (double) nanos[CANDIDATE][pair] / Math.max(1, nanos[RAW][pair]);
    }
    return Quartiles.of(ratios);
  }

  /** The median processor time of a side's readings. */
  public double medianCpuNanos(int side) {
    return Quartiles.of(Arrays.stream(cpuNanos[side], 0, pairs).asDoubleStream().toArray())
        .median();
  }

  /** What the measuring threads allocated on the candidate's side, in all pairs. */
  public long candidateAllocatedBytes() {
    return candidateAllocatedBytes;
  }
}
