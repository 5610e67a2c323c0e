// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.load.KeyDistribution;
import io.nvcache.model.load.TraceOperations;
import io.nvcache.model.load.Workload;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import io.nvcache.trace.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts, on a user's numbers, what each system would come to. The first result belongs to the
 * machine without a second tier, which the others are compared with.
 */
public final class WhatIf {
  private static final double GIGA = 1e9;

  /** The cache fills, and what follows the clock settles; the paper's window is as long. */
  private static final double WARM_UP_MINUTES = 30;

  private static final double MEASURED_MINUTES = 30;

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
      ModelParameters parameters, long dramBytes, long nvramBytes, long pageCacheBytes) {
    /** The page cache that there will be. */
    public double pageBytes() {
      return pageCacheBytes > 0 ? pageCacheBytes : Scenario.pageCacheGb(dramBytes / GIGA) * GIGA;
    }

    /** The DRAM that the index of the second tier takes. */
    public double indexBytes() {
      return parameters.dramPerNvramByte() * nvramBytes;
    }
  }

  /**
   * What one system came to.
   *
   * @param warmUpSeconds that passed for the store before, and are left out
   */
  public record Prediction(ModelSystem system, RunResult result, double warmUpSeconds) {
    /** Whether the run was long enough for what the system does by the clock. */
    public boolean isSettled() {
      return warmUpSeconds + result.seconds() >= system.settling().toSeconds();
    }
  }

  /** How fine a prediction for so much data is. */
  public static Granularity granularity(Host host, double dataBytes) {
    return Granularity.of(dataBytes, (double) host.nvramBytes(), host.parameters().blockBytes());
  }

  /** How fine one for a trace is. */
  public static Granularity granularity(Trace trace) {
    return Granularity.ofTrace(trace.meanBlockBytes());
  }

  /** Runs a mix of operations on so much data, several systems at a time. */
  public static List<Prediction> predict(
      Host host, Workload workload, List<ModelSystem> systems, long seed) {
    int scale = granularity(host, workload.dataGb() * GIGA).scale();
    Workload timed = workload.lasting(WARM_UP_MINUTES + MEASURED_MINUTES);
    return withNone(systems).parallelStream()
        .map(
            system -> {
              Scenario scenario = scenario(host, timed, system, host.parameters(), scale, seed);
              return new Prediction(
                  system, ModelRun.run(scenario, WARM_UP_MINUTES), 60 * WARM_UP_MINUTES);
            })
        .toList();
  }

  /**
   * Replays a trace, all of it counted; all blocks have its mean length.
   *
   * @param threads that ask for the trace's blocks in turn
   */
  public static List<Prediction> predict(
      Host host, Trace trace, int threads, List<ModelSystem> systems, long seed) {
    int blockBytes = granularity(trace).blockBytes();
    ModelParameters parameters = host.parameters().withBlockBytes(blockBytes);
    Workload workload =
        new Workload(
            "trace",
            List.of(),
            KeyDistribution.UNIFORM,
            0,
            trace.blocks() * (double) blockBytes / GIGA,
            0,
            0,
            1);
    return withNone(systems).parallelStream()
        .map(
            system -> {
              Scenario scenario = scenario(host, workload, system, parameters, 1, seed);
              return new Prediction(
                  system,
                  ModelRun.replay(scenario, store -> new TraceOperations(trace), threads),
                  0);
            })
        .toList();
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
