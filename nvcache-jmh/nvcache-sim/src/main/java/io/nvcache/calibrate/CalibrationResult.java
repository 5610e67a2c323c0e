// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.calibrate.CalibrationRun.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A calibration that was carried out.
 *
 * @param settings how
 * @param rounds how many count; fewer than asked for if it was interrupted
 * @param media the calibrated one first, then what it is compared with
 * @param recommendation for the first
 */
public record CalibrationResult(
    Settings settings, int rounds, List<MediumResult> media, Recommendation recommendation) {
  /** The label of a medium that is what all media are compared with. */
  private static final String SAME_AS_DRAM = "native";

  /** Measurements of the same memory that differ by more saw something else than the memory. */
  private static final double SAME = 0.25;

  /** The medium that was to be calibrated. */
  public MediumResult calibrated() {
    return media.get(0);
  }

  /**
   * Why the recommendation can't be trusted, in words; empty if nothing speaks against it. Only
   * what was measured of the recommendation's kind counts: bandwidths, of the medium and of what it
   * is compared with.
   */
  public List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    long wide =
        media.stream().flatMap(CalibrationResult::estimates).filter(Estimate::isWide).count();
    if (wide > 0) {
      long all = media.stream().flatMap(CalibrationResult::estimates).count();
      doubts.add(
          wide + " of " + all + " confidence intervals are wider than a third of their mean");
    }
    if (calibrated().label().equals(SAME_AS_DRAM)) {
      double difference = difference(calibrated(), media.get(media.size() - 1));
      if (difference > SAME) {
        doubts.add(
            "native memory and dram are the same memory, and yet came out %.0f %% apart"
                .formatted(100 * difference));
      }
    }
    return List.copyOf(doubts);
  }

  private static Stream<Estimate> estimates(MediumResult medium) {
    return medium.points().stream()
        .flatMap(
            result ->
                Stream.concat(
                    result.point().readers() > 0 ? Stream.of(result.reads()) : Stream.empty(),
                    result.point().writers() > 0 ? Stream.of(result.writes()) : Stream.empty()));
  }

  /** The largest relative difference of two media at one point. */
  private static double difference(MediumResult one, MediumResult other) {
    List<Estimate> first = estimates(one).toList();
    List<Estimate> second = estimates(other).toList();
    return IntStream.range(0, first.size())
        .mapToDouble(
            i ->
                Math.abs(first.get(i).mean() - second.get(i).mean())
                    / Math.max(first.get(i).mean(), second.get(i).mean()))
        .max()
        .orElse(0);
  }

  /** Whether it ended before its time. */
  public boolean isInterrupted() {
    return rounds < settings.rounds();
  }
}
