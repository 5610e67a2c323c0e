// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.trace.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts, on a user's numbers, what each system would come to. The first result is that of the
 * machine without a second tier, which the others are compared with.
 */
public final class WhatIf {
  private static final double GIGA = 1e9;

  /** Blocks of the data set that a run aims at; finer takes longer. */
  private static final double BLOCKS = 9000;

  private static final int COARSEST_SCALE = 1000;
  private static final double MINUTES_AT_COARSEST = 60;
  private static final int LEAST_BLOCK_BYTES = 4096;
  private static final int MOST_BLOCK_BYTES = 16 << 20;

  private WhatIf() {}

  /**
   * A machine.
   *
   * @param parameters its devices and the store's costs
   * @param dramBytes of memory
   * @param nvramBytes of the second tier
   * @param pageCacheBytes of the store; 0 = half of the DRAM, at most 40 GB
   */
  public record Host(
      ModelParameters parameters, long dramBytes, long nvramBytes, long pageCacheBytes) {}

  /** What one system came to. */
  public record Prediction(ModelSystem system, RunResult result) {}

  /** Runs a mix of operations on so much data. */
  public static List<Prediction> predict(
      Host host, Workload workload, List<ModelSystem> systems, long seed) {
    double blocks = workload.dataGb() * GIGA / host.parameters().blockBytes();
    int scale = (int) Math.max(1, Math.min(COARSEST_SCALE, blocks / BLOCKS));
    Workload timed = workload.lasting(MINUTES_AT_COARSEST * scale / COARSEST_SCALE);
    List<Prediction> predictions = new ArrayList<>();
    for (ModelSystem system : withNone(systems)) {
      Scenario scenario = scenario(host, timed, system, host.parameters(), scale, seed);
      predictions.add(new Prediction(system, ModelRun.run(scenario)));
    }
    return predictions;
  }

  /**
   * Replays a trace; all blocks have its mean length.
   *
   * @param threads that ask for the trace's blocks in turn
   */
  public static List<Prediction> predict(
      Host host, Trace trace, int threads, List<ModelSystem> systems, long seed) {
    long mean = Math.max(LEAST_BLOCK_BYTES, Math.min(MOST_BLOCK_BYTES, trace.meanBlockBytes()));
    ModelParameters parameters = host.parameters().withBlockBytes((int) mean);
    Workload workload =
        new Workload(
            "trace",
            List.of(),
            KeyDistribution.UNIFORM,
            0,
            trace.blocks() * (double) mean / GIGA,
            0,
            0,
            1);
    List<Prediction> predictions = new ArrayList<>();
    for (ModelSystem system : withNone(systems)) {
      Scenario scenario = scenario(host, workload, system, parameters, 1, seed);
      RunResult result = ModelRun.replay(scenario, store -> new TraceOperations(trace), threads);
      predictions.add(new Prediction(system, result));
    }
    return predictions;
  }

  private static List<ModelSystem> withNone(List<ModelSystem> systems) {
    List<ModelSystem> all = new ArrayList<>(List.of(Systems.NONE));
    systems.stream().filter(system -> !system.equals(Systems.NONE)).forEach(all::add);
    return all;
  }

  private static Scenario scenario(
      Host host,
      Workload workload,
      ModelSystem system,
      ModelParameters parameters,
      int scale,
      long seed) {
    double nvramGb = system.equals(Systems.NONE) ? 0 : host.nvramBytes() / GIGA;
    return new Scenario(
        workload,
        system,
        host.dramBytes() / GIGA,
        nvramGb,
        host.pageCacheBytes() / GIGA,
        parameters,
        scale,
        seed);
  }
}
