// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;
import io.nvcache.model.load.Workload;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.util.function.Function;

/** Where figures get the results of their runs from: all of one scale and one seed. */
final class Runs {
  private final int scale;
  private final long seed;
  private final Function<Scenario, RunResult> results;

  Runs(int scale, long seed, Function<Scenario, RunResult> results) {
    this.scale = scale;
    this.seed = seed;
    this.results = results;
  }

  /** What sizes and durations are divided by. */
  int scale() {
    return scale;
  }

  /** The same no coarser than that, where blocks on their way would be much of the cache. */
  Runs noCoarserThan(int coarsest) {
    return new Runs(Math.min(scale, coarsest), seed, results);
  }

  /** One run; page caches are as the workload has them. */
  RunResult of(Workload workload, ModelSystem system, double dramGb, double nvramGb) {
    return of(workload, system, dramGb, nvramGb, 0);
  }

  RunResult of(
      Workload workload, ModelSystem system, double dramGb, double nvramGb, double pageCacheGb) {
    return run(workload, system, dramGb, nvramGb, pageCacheGb, ModelParameters.PAPER);
  }

  /** A run without NVRAM. */
  RunResult without(Workload workload, double dramGb) {
    return of(workload, Systems.NONE, dramGb, 0);
  }

  /** A run on another machine. */
  RunResult on(
      ModelParameters parameters,
      Workload workload,
      ModelSystem system,
      double dramGb,
      double nvramGb) {
    return run(workload, system, dramGb, nvramGb, 0, parameters);
  }

  private RunResult run(
      Workload workload,
      ModelSystem system,
      double dramGb,
      double nvramGb,
      double pageCacheGb,
      ModelParameters parameters) {
    return results.apply(
        new Scenario(workload, system, dramGb, nvramGb, pageCacheGb, parameters, scale, seed));
  }
}
