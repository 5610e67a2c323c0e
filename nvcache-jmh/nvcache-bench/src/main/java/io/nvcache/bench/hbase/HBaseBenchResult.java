// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.util.List;

/**
 * What was measured.
 *
 * @param settings what was to be measured
 * @param cells one for each scenario and engine that ran
 * @param windows of the engines that ran {@link HBaseScenario#COMPACTION}, in order
 * @param costs what each of these compactions cost over all of its windows
 * @param choices which blocks were carried there, one for each order of keys
 * @param prefetches of the engines that ran {@link HBaseScenario#REOPEN} and {@link
 *     HBaseScenario#PREFETCH}
 * @param wrongValues reads that gave something else than was written, of all that there were, not
 *     of the measured ones alone; must be 0
 * @param notes what did not run, and why
 */
public record HBaseBenchResult(
    HBaseBenchSettings settings,
    List<Cell> cells,
    List<CompactionWindow> windows,
    List<CompactionCost> costs,
    List<CarriedChoice> choices,
    List<PrefetchFigures> prefetches,
    long wrongValues,
    List<String> notes) {
  public HBaseBenchResult {
    cells = List.copyOf(cells);
    windows = List.copyOf(windows);
    costs = List.copyOf(costs);
    choices = List.copyOf(choices);
    prefetches = List.copyOf(prefetches);
    notes = List.copyOf(notes);
  }

  /**
   * One engine in one scenario.
   *
   * @param cpuMicrosPerOp processor time of the whole process for a read, median over the rounds
   * @param wallMicrosPerOp time of a turn for each of its reads, median over the rounds
   * @param ratioToNone how many times less processor time than without a second level, median over
   *     the rounds; NaN if that did not run
   * @param readsRatioToNone reads a second, divided by those without a second level, median over
   *     the rounds; NaN if that did not run
   * @param servedP99Micros 99th percentile of the times of the reads that read no file
   * @param hitRatio reads that did not go to the file
   * @param hitRatioBefore the same before the scans of {@link HBaseScenario#SCAN}; NaN otherwise
   * @param mediumBytesWritten by all of the scenario, warming included, in whole units of the
   *     device; for BucketCache blocks inserted times their length
   * @param writtenBytesPerRead the same of the measured reads alone
   * @param wrongValues reads that gave something else than was written
   */
  public record Cell(
      HBaseScenario scenario,
      HBaseEngine engine,
      double cpuMicrosPerOp,
      double wallMicrosPerOp,
      double ratioToNone,
      double readsRatioToNone,
      double servedP99Micros,
      double hitRatio,
      double hitRatioBefore,
      long mediumBytesWritten,
      double writtenBytesPerRead,
      long wrongValues) {
    /** By all threads together, median over the rounds. */
    public double readsPerSecond() {
      return 1e6 / wallMicrosPerOp;
    }
  }

  /** The windows of one order of keys. */
  List<CompactionWindow> windows(KeyOrder keys) {
    return windows.stream().filter(window -> window.keys() == keys).toList();
  }
}
