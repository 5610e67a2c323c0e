// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import java.util.List;
import java.util.Map;

/**
 * What was measured.
 *
 * @param cells one for each number of threads
 * @param deviceBytesRatio bytes that this process wrote to devices while the cache was filled,
 *     divided by those admitted; NaN where the system does not tell
 * @param safepointP99Millis by engine, the 99th percentile of what safepoints waited for threads
 *     that read blocks; NaN if that was not measured
 * @param wrongBlocks hits whose bytes were not those of the block; must be 0
 */
public record FlashBenchResult(
    List<Cell> cells,
    double deviceBytesRatio,
    Map<String, Double> safepointP99Millis,
    long wrongBlocks) {
  public FlashBenchResult {
    cells = List.copyOf(cells);
    safepointP99Millis = Map.copyOf(safepointP99Millis);
  }

  /**
   * Medians over the rounds.
   *
   * @param threads how many read at once
   * @param preadsPerSecond of the bare loop
   * @param hitsPerSecond of the cache
   * @param preadCpuMicros processor time of a bare read
   * @param hitCpuMicros processor time of a hit
   * @param hitsRatio hits a second, divided by bare reads a second
   * @param cpuRatio processor time of a hit, divided by that of a bare read
   * @param garbageBytes of the heap, for a hit
   */
  public record Cell(
      int threads,
      double preadsPerSecond,
      double hitsPerSecond,
      double preadCpuMicros,
      double hitCpuMicros,
      double hitsRatio,
      double cpuRatio,
      double garbageBytes) {}
}
