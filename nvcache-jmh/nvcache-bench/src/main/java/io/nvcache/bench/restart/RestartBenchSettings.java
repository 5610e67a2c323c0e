// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import java.nio.file.Path;
import java.util.List;

/**
 * What to restart.
 *
 * @param engines in the order of the table
 * @param stops in the order of the table
 * @param blocks how many, one run each
 * @param listed how many whose bytes are dropped, one run of NVCache each
 * @param blockBytes of each block
 * @param heapBytes of the forked JVMs
 * @param directory where the files go
 */
public record RestartBenchSettings(
    List<RestartEngine> engines,
    List<RestartStop> stops,
    List<Long> blocks,
    List<Long> listed,
    int blockBytes,
    long heapBytes,
    Path directory) {
  /** Copies the lists. */
  public RestartBenchSettings {
    engines = List.copyOf(engines);
    stops = List.copyOf(stops);
    blocks = List.copyOf(blocks);
    listed = List.copyOf(listed);
  }
}
