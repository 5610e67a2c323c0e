// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A report on the tuning of the overhead target.
 *
 * @param state what it is at
 * @param target the live overhead target, as a ratio; empty if the cache has none
 * @param readNanosPerKib what reading a KiB of the medium takes while nothing is written; empty
 *     while unknown
 * @param slowdownPerMibs by what part reads get slower for each MiB written a second; empty while
 *     unknown
 * @param samples how many measurements that rests on
 * @param changes how often it moved the target since it was started
 * @param reason of the last change or end, in words
 */
public record TuningReport(
    State state,
    OptionalDouble target,
    OptionalDouble readNanosPerKib,
    OptionalDouble slowdownPerMibs,
    long samples,
    long changes,
    String reason) {
  /** What tuning can be at. */
  public enum State {
    /**
     * Not started, stopped, or ended because another caller set what it steers, or no test read of
     * the medium succeeded.
     */
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

  /** The report of a tuning that was never started. */
  public static final TuningReport OFF =
      new TuningReport(
          State.OFF,
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          0,
          0,
          "never started");

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s, target %s, reads %s (%d samples), %d changes, last: %s",
        state,
        known("%.2f %%", target, 100),
        reads(),
        samples,
        changes,
        reason);
  }

  private String reads() {
    return readNanosPerKib.isEmpty() && slowdownPerMibs.isEmpty()
        ? "not known yet"
        : known("%.0f ns/KiB", readNanosPerKib, 1)
            + " and "
            + known("%.2f %% slower", slowdownPerMibs, 100)
            + " per MiB/s written";
  }

  private static String known(String form, OptionalDouble value, double unit) {
    return value.isEmpty()
        ? "not known yet"
        : String.format(Locale.ROOT, form, unit * value.getAsDouble());
  }
}
