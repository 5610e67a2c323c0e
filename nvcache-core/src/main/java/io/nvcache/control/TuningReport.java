// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.util.Locale;

/**
 * What the tuning of the overhead target knows and does.
 *
 * @param state what it is at
 * @param target the live overhead target, as a ratio
 * @param readNanosPerKib what reading a KiB of the medium takes while nothing is written; NaN while
 *     unknown
 * @param slowdownPerMibs by what part reads get slower for each MiB written a second; NaN while
 *     unknown
 * @param samples how many measurements that rests on
 * @param changes how often it moved the target since it was started
 * @param reason of the last change or end, in words
 */
public record TuningReport(
    State state,
    double target,
    double readNanosPerKib,
    double slowdownPerMibs,
    long samples,
    long changes,
    String reason) {
  /** What tuning can be at. */
  public enum State {
    /** Not started, stopped, or ended because somebody else set what it steers. */
    OFF,
    /** Varies the target between its bounds to see what writes do to reads. */
    EXPLORING,
    /** Keeps the target where lookups are the fastest. */
    STEERING,
    /**
     * Ended by itself: writes do not slow reads on this medium; the target is at its upper bound.
     */
    NO_INTERFERENCE
  }

  /** Of one that was never started. */
  public static final TuningReport OFF =
      new TuningReport(State.OFF, Double.NaN, Double.NaN, Double.NaN, 0, 0, "never started");

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s, target %s, reads %s (%d samples), %d changes, last: %s",
        state,
        known("%.2f %%", 100 * target),
        reads(),
        samples,
        changes,
        reason);
  }

  private String reads() {
    return Double.isNaN(readNanosPerKib) && Double.isNaN(slowdownPerMibs)
        ? "not known yet"
        : known("%.0f ns/KiB", readNanosPerKib)
            + " and "
            + known("%.2f %% slower", 100 * slowdownPerMibs)
            + " per MiB/s written";
  }

  private static String known(String form, double value) {
    return Double.isNaN(value) ? "not known yet" : String.format(Locale.ROOT, form, value);
  }
}
