// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.nio.file.Path;
import java.util.List;

/**
 * What to compare, and how.
 *
 * @param engines in the order of the table
 * @param capacityBytes of each second level
 * @param rows of a kilobyte in the table
 * @param reads that are measured; twice as many warm a server up
 * @param threads of a load generator
 * @param verifiedKeys that LoadTestTool writes and reads
 * @param servers what the servers have in common
 * @param clientClassPath of HBase's load generators
 * @param directory where data and logs go
 */
public record ClientsSettings(
    List<ClientsEngine> engines,
    long capacityBytes,
    int rows,
    int reads,
    int threads,
    int verifiedKeys,
    ServerBase servers,
    String clientClassPath,
    Path directory) {
  /** Makes settings with a copy of the list. */
  public ClientsSettings {
    engines = List.copyOf(engines);
  }
}
