// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What to read, and how long.
 *
 * @param threads how many readers at once, in the order of the table
 * @param capacityBytes of the cache
 * @param blockBytes of each block
 * @param rounds how often either side has its turn
 * @param turn how long one takes
 * @param directory where the cache's file goes
 */
public record FlashBenchSettings(
    List<Integer> threads,
    long capacityBytes,
    int blockBytes,
    int rounds,
    Duration turn,
    Path directory) {
  public FlashBenchSettings {
    threads = List.copyOf(threads);
  }
}
