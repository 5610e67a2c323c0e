// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What to compare, and how.
 *
 * @param engines in the order of the table
 * @param loads that each engine gets, one after the other
 * @param phases in which each load is measured
 * @param capacityBytes of each second level
 * @param dramBytes of HBase's DRAM cache
 * @param rows of a kilobyte in the table
 * @param reads of a phase; twice as many warm a server up
 * @param threads of a load generator
 * @param verifiedKeys that LoadTestTool writes and reads
 * @param delay of each read of a store file
 * @param memoryBytes what a server may use more once it serves, or 0 without a limit
 * @param serverClassPath of the server, as HBase was released, with NVCache's one jar
 * @param clientClassPath of HBase's load generators
 * @param directory where data and logs go
 */
public record ClientsSettings(
    List<ClientsEngine> engines,
    List<ClientsLoad> loads,
    List<ClientsPhase> phases,
    long capacityBytes,
    long dramBytes,
    int rows,
    int reads,
    int threads,
    int verifiedKeys,
    Duration delay,
    long memoryBytes,
    String serverClassPath,
    String clientClassPath,
    Path directory) {
  /** Makes settings with copies of the lists. */
  public ClientsSettings {
    engines = List.copyOf(engines);
    loads = List.copyOf(loads);
    phases = List.copyOf(phases);
  }
}
