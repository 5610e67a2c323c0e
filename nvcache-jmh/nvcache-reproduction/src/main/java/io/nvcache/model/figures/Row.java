// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

/**
 * One finding.
 *
 * @param figure that it belongs to
 * @param row what is found, in words
 * @param system that it is found of
 * @param workload under which
 * @param scale of the runs behind it
 * @param unit of the values
 * @param paper what the paper has; NaN where it has no number
 * @param bar what the model has to come to
 * @param model what the model came to
 */
public record Row(
    String figure,
    String row,
    String system,
    String workload,
    int scale,
    String unit,
    double paper,
    Bar bar,
    double model) {

  /** Whether the model has a bar here. */
  public boolean isGated() {
    return !bar.equals(Bar.NONE);
  }

  /** Whether the model is where it should be. */
  public boolean isInside() {
    return bar.holds(model);
  }
}
