// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tuning;

import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Decides where the overhead target should be. Knows no clock, no cache and no medium: it is given
 * once a second what was measured, and answers with a target or none. Used by one thread.
 *
 * <p>The cost of a lookup at a target {@code T}, at which the shadows would hit {@code h} and write
 * {@code w} blocks of {@code B} bytes a lookup, with {@code L} lookups a second, is
 *
 * <pre>
 *   cost(T) = (1 − h)·miss + h·B·(base + slope·w·B·L)
 * </pre>
 *
 * {@code base} and {@code slope} are of {@link InterferenceFit}. To learn them the target goes from
 * bound to bound at first, until it is 95 % sure that writes slow reads by more than {@value
 * #FLAT_PERCENT} % or by less; if by less, tuning ends at the upper bound. What can't be said in
 * five minutes is taken as the line has it. Afterwards it steps to the cheapest target if that was
 * better by {@value #GAIN_PERCENT} % in {@value #DECISIONS_AGREED} decisions in a row.
 */
public final class TargetTuner {
  private static final int TARGETS = 7;
  private static final int TICKS_AT_A_BOUND = 3;
  private static final int LEAST_EXPLORATION = 30;
  private static final int LONGEST_EXPLORATION = 300;
  private static final int TICKS_PER_DECISION = 10;
  private static final int DECISIONS_AGREED = 2;
  private static final int GAIN_PERCENT = 2;
  private static final int FLAT_PERCENT = 5;
  private static final double FLAT = FLAT_PERCENT / 100.0;
  private static final double FADING = 0.9;

  /**
   * What a second brought.
   *
   * @param readNanosPerByte what test reads of the medium took; NaN if there were none
   * @param writtenBytesPerSecond to the medium
   * @param lookupsPerSecond of the cache
   * @param blockBytes the mean length of a block
   */
  public record Second(
      double readNanosPerByte,
      double writtenBytesPerSecond,
      double lookupsPerSecond,
      double blockBytes) {}

  /** What another target would bring, by the shadows. */
  public record Prospect(double target, double hitRatio, double writesPerLookup) {}

  private final TuningBounds bounds;
  private final InterferenceFit fit = new InterferenceFit();
  private TuningReport.State state = TuningReport.State.EXPLORING;
  private final double initialTarget;
  private double target;
  private double lookupsPerSecond;
  private double blockBytes;
  private long ticks;
  private double agreedTarget = Double.NaN;
  private int agreed;
  private long changes;
  private String reason = "started";

  /**
   * Starts at a target.
   *
   * @param target the live one, as a ratio
   */
  public TargetTuner(TuningBounds bounds, double target) {
    this.bounds = bounds;
    this.initialTarget = target;
    this.target = target;
  }

  /**
   * Returns the targets to have shadows of, ascending from bound to bound; fewer if those are
   * close.
   */
  public List<Double> targets() {
    double ratio = bounds.mostTarget() / bounds.leastTarget();
    return IntStream.range(0, TARGETS)
        .mapToDouble(i -> bounds.leastTarget() * Math.pow(ratio, (double) i / (TARGETS - 1)))
        .map(exact -> Math.rint(exact * 1e5) / 1e5)
        .distinct()
        .map(rounded -> Math.max(bounds.leastTarget(), Math.min(bounds.mostTarget(), rounded)))
        .boxed()
        .toList();
  }

  /**
   * Takes a second in.
   *
   * @param liveTarget the overhead target as it is; if that is not where the tuner left it, another
   *     caller set it, and tuning ends
   * @param prospects what the shadows say of each of {@link #targets}; empty while they know
   *     nothing
   * @return the target to set now; empty to leave it
   */
  public OptionalDouble second(Second second, double liveTarget, List<Prospect> prospects) {
    if (!isOver() && liveTarget != target) {
      target = liveTarget;
      end(
          String.format(
              Locale.ROOT,
              "the overhead target was set to %.2f %%; tuning ends",
              100 * liveTarget));
    }
    if (isOver()) {
      return OptionalDouble.empty();
    }
    ticks++;
    if (!Double.isNaN(second.readNanosPerByte)) {
      fit.add(second.writtenBytesPerSecond, second.readNanosPerByte);
    }
    lookupsPerSecond = faded(lookupsPerSecond, second.lookupsPerSecond);
    blockBytes = faded(blockBytes, second.blockBytes);
    return state == TuningReport.State.EXPLORING ? explore() : steer(prospects);
  }

  /** Returns whether it has nothing more to say. */
  public boolean isOver() {
    return state == TuningReport.State.OFF || state == TuningReport.State.NO_INTERFERENCE;
  }

  /** Ends it for a reason that it can't see itself. */
  public void end(String why) {
    state = TuningReport.State.OFF;
    reason = why;
  }

  private double faded(double mean, double value) {
    return ticks == 1 ? value : mean * FADING + value * (1 - FADING);
  }

  private OptionalDouble explore() {
    boolean isLong = ticks >= LONGEST_EXPLORATION;
    if (isLong && fit.samples() == 0) {
      end("no test read of the medium succeeded; tuning ends where it began");
      return moveTo(initialTarget, reason);
    }
    if (ticks >= LEAST_EXPLORATION && fit.isKnown()) {
      double high = fit.highRate();
      if (fit.mostSlowdownAt(high) < FLAT) {
        state = TuningReport.State.NO_INTERFERENCE;
        return moveTo(
            bounds.mostTarget(),
            String.format(
                Locale.ROOT,
                "writes do not slow reads: surely less than %d %% at %.1f MiB/s; tuning ends",
                FLAT_PERCENT,
                high / (1 << 20)));
      }
      if (isLong || fit.leastSlowdownAt(high) > FLAT) {
        state = TuningReport.State.STEERING;
        ticks = 0;
      }
    } else if (isLong) {
      reason = "the write rate follows the target too little to learn from; keeps trying";
      ticks = 1;
    }
    boolean atMost = ticks / TICKS_AT_A_BOUND % 2 == 1;
    return moveTo(
        atMost ? bounds.mostTarget() : bounds.leastTarget(), "exploring what writes do to reads");
  }

  private OptionalDouble steer(List<Prospect> prospects) {
    if (ticks % TICKS_PER_DECISION != 0 || prospects.isEmpty()) {
      return OptionalDouble.empty();
    }
    Prospect best = prospects.get(0);
    for (Prospect prospect : prospects) {
      best = cost(prospect) < cost(best) ? prospect : best;
    }
    double here = cost(nearest(prospects, target));
    double gain = 1 - cost(best) / here;
    if (100 * gain < GAIN_PERCENT) {
      agreed = 0;
      return OptionalDouble.empty();
    }
    agreed = best.target == agreedTarget ? agreed + 1 : 1;
    agreedTarget = best.target;
    if (agreed < DECISIONS_AGREED) {
      return OptionalDouble.empty();
    }
    agreed = 0;
    return moveTo(
        best.target,
        String.format(
            Locale.ROOT,
            "a lookup would take %.1f us instead of %.1f us",
            cost(best) / 1000,
            here / 1000));
  }

  private static Prospect nearest(List<Prospect> prospects, double target) {
    Prospect nearest = prospects.get(0);
    for (Prospect prospect : prospects) {
      if (Math.abs(Math.log(prospect.target / target))
          < Math.abs(Math.log(nearest.target / target))) {
        nearest = prospect;
      }
    }
    return nearest;
  }

  /** Returns the cost of a lookup in nanoseconds. */
  private double cost(Prospect prospect) {
    double written = prospect.writesPerLookup * blockBytes * lookupsPerSecond;
    double hit = blockBytes * (fit.base() + fit.slope() * written);
    return (1 - prospect.hitRatio) * bounds.missCost().toNanos() + prospect.hitRatio * hit;
  }

  private OptionalDouble moveTo(double wanted, String why) {
    if (wanted == target) {
      return OptionalDouble.empty();
    }
    target = wanted;
    changes++;
    reason = why;
    return OptionalDouble.of(wanted);
  }

  /** Returns what is known, and why the target is where it is. */
  public TuningReport report() {
    boolean known = fit.isKnown();
    return new TuningReport(
        state,
        OptionalDouble.of(target),
        known ? OptionalDouble.of(fit.base() * 1024) : OptionalDouble.empty(),
        known && fit.base() > 0
            ? OptionalDouble.of(fit.slope() * (1 << 20) / fit.base())
            : OptionalDouble.empty(),
        fit.samples(),
        changes,
        reason);
  }
}
