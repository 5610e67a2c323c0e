// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.load.Workload;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;

/**
 * One run, in the sizes of the real machine.
 *
 * @param workload the load
 * @param system what NVRAM is used for, and how
 * @param dramGb of the machine
 * @param nvramGb used by the system
 * @param pageCacheGb of the store; 0 = as the workload says
 * @param parameters of the machine
 * @param scale that sizes and durations are divided by
 * @param seed of all that is random
 */
public record Scenario(
    Workload workload,
    ModelSystem system,
    double dramGb,
    double nvramGb,
    double pageCacheGb,
    ModelParameters parameters,
    int scale,
    long seed) {
  private static final double MOST_PAGE_CACHE_GB = 40;
  private static final double GIGA = 1e9;

  /** The page cache: as set, as the workload has it, or half of the DRAM (SoCC '22, §4). */
  double pageCacheBytes() {
    double gb = pageCacheGb > 0 ? pageCacheGb : workload.pageCacheGb();
    return (gb > 0 ? gb : Math.min(MOST_PAGE_CACHE_GB, dramGb / 2)) * GIGA / scale;
  }

  /** What is left of memory for the kernel's buffer cache. */
  double bufferCacheBytes() {
    double gb =
        switch (system.use()) {
          case NOTHING -> dramGb;
          case CACHE -> dramGb - parameters.dramPerNvramByte() * nvramGb;
          case SYSTEM_MEMORY -> nvramGb;
        };
    return Math.max(0, (gb - parameters.kernelGb()) * GIGA / scale - pageCacheBytes());
  }

  double dramBytes() {
    return dramGb * GIGA / scale;
  }

  double nvramBytes() {
    return nvramGb * GIGA / scale;
  }

  double dataBytes() {
    return workload.dataGb() * GIGA / scale;
  }

  /** Its name in progress and messages. */
  public String name() {
    return workload.name() + " " + system.name();
  }
}
