// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What to compare, and how long.
 *
 * @param engines in the order of the tables
 * @param scenarios in the order of the tables
 * @param capacityBytes of each second level
 * @param dramBytes of HBase's DRAM cache in front
 * @param blockBytes of the HFiles' blocks, about
 * @param threads that read at once
 * @param delay of each read of a store file while it is measured
 * @param memoryBytes what the process may use more once the caches are opened, or 0 without a limit
 * @param rounds how often each engine has its turn in a scenario
 * @param readsPerSlice of a turn
 * @param seed of the reads
 * @param directory where the caches' files go
 * @param storeDirectory where the HFiles go
 */
public record HBaseBenchSettings(
    List<HBaseEngine> engines,
    List<HBaseScenario> scenarios,
    long capacityBytes,
    long dramBytes,
    int blockBytes,
    int threads,
    Duration delay,
    long memoryBytes,
    int rounds,
    int readsPerSlice,
    int seed,
    Path directory,
    Path storeDirectory) {
  public HBaseBenchSettings {
    engines = List.copyOf(engines);
    scenarios = List.copyOf(scenarios);
  }

  /** What fills a cache that takes a block for every ten lookups. */
  int warmingReads() {
    return (int) (12 * capacityBytes / blockBytes);
  }
}
