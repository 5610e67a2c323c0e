// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;
import java.util.List;

/**
 * One figure of one scale and seed.
 *
 * @param id its name on the command line
 * @param title what it shows
 * @param note what a reader has to know
 * @param scale of its runs
 * @param seed of its runs
 * @param seconds that its runs took on one processor
 * @param rows its findings
 * @param runs what they were found from; none where a bare device is measured
 */
public record FigureResult(
    String id,
    String title,
    String note,
    int scale,
    long seed,
    double seconds,
    List<Row> rows,
    List<Run> runs) {

  /**
   * A run that a figure is made of.
   *
   * @param scenario what was run
   * @param result what it came to
   */
  public record Run(Scenario scenario, RunResult result) {}
}
