// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.nio.file.Path;
import java.util.List;

/**
 * What to compare, and how.
 *
 * @param engines in the order of the table
 * @param loads that each engine gets, one after the other
 * @param phases in which each load is measured
 * @param capacityBytes of each second level
 * @param rows of a kilobyte in the table
 * @param reads of a phase; twice as many warm a server up
 * @param threads of a load generator
 * @param verifiedKeys that LoadTestTool writes and reads
 * @param servers what the servers have in common
 * @param clientClassPath of HBase's load generators
 * @param directory where data and logs go
 */
public record ClientsSettings(
    List<ClientsEngine> engines,
    List<ClientsLoad> loads,
    List<ClientsPhase> phases,
    long capacityBytes,
    int rows,
    int reads,
    int threads,
    int verifiedKeys,
    ServerBase servers,
    String clientClassPath,
    Path directory) {
  /** Makes settings with copies of the lists. */
  public ClientsSettings {
    engines = List.copyOf(engines);
    loads = List.copyOf(loads);
    phases = List.copyOf(phases);
  }
}
