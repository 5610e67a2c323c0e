// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.bench.clients.ServerBase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What to compare, and how.
 *
 * @param engines in the order of the tables
 * @param capacityBytes of each second level
 * @param rows of a kilobyte in the table
 * @param threads of the client
 * @param writePercent of the client's calls that write
 * @param turn how long an engine is read at a time; a day has 12 to 15 turns
 * @param servers what the servers have in common
 * @param directory where data and logs go
 */
public record DaySettings(
    List<DayEngine> engines,
    long capacityBytes,
    int rows,
    int threads,
    int writePercent,
    Duration turn,
    ServerBase servers,
    Path directory) {
  /** Makes settings with a copy of the list. */
  public DaySettings {
    engines = List.copyOf(engines);
  }
}
