// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.util.List;

/**
 * A calibration that was carried out.
 *
 * @param settings how
 * @param rounds how many count; fewer than asked for if it was interrupted
 * @param media the calibrated one first, then what it is compared with
 * @param recommendation for the first
 */
public record CalibrationResult(
    CalibrationSettings settings,
    int rounds,
    List<MediumResult> media,
    Recommendation recommendation) {
  /** The medium that was to be calibrated. */
  public MediumResult calibrated() {
    return media.get(0);
  }

  /** Whether it ended before its time. */
  public boolean isInterrupted() {
    return rounds < settings.rounds();
  }
}
