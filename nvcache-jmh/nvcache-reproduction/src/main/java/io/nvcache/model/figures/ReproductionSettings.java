// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import java.util.List;

/**
 * What is to be reproduced.
 *
 * @param figures by their names
 * @param extent how much of each
 * @param scales that sizes and durations are divided by
 * @param seeds of all that is random
 * @param threads runs at a time
 */
public record ReproductionSettings(
    List<String> figures, Extent extent, List<Integer> scales, List<Long> seeds, int threads) {
  /** How much of a figure is wanted. */
  public enum Extent {
    /** The few rows that tell in seconds whether all is well. */
    SMOKE,
    /** All rows. */
    FULL
  }
}
