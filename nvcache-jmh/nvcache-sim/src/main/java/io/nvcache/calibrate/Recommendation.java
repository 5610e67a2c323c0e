// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.device.DeviceParameters;
import java.util.List;
import java.util.Locale;

/**
 * The overhead target for a medium, by the rule that docs/reference/calibration.md derives: what
 * the paper's 10 % cost its readers.
 *
 * @param harm bytes not read for each byte written, with all readers and one writer; NaN if nothing
 *     was written
 * @param readers how many those were
 * @param overheadTarget writes per lookup; {@link #OFF} if they need no bound
 * @param reason why, in words
 */
public record Recommendation(double harm, int readers, double overheadTarget, String reason) {
  /** The largest target that a cache takes; nothing ever exceeds it. */
  public static final double OFF = 10;

  /** What the paper found good on its medium (SoCC '22, §3.2.3). */
  private static final double PAPERS_TARGET = 0.10;

  private static final double LEAST_TARGET = 0.01;

  /**
   * From here on a target is none: a lookup brings one block at most, so that one write per lookup
   * refuses nothing, and a threefold target made no difference to the paper (§3.2.3: 30 %).
   */
  private static final double NO_BOUND = 1.0 / 3;

  /** Whether overhead should be bounded at all. */
  public boolean isOff() {
    return overheadTarget == OFF;
  }

  /**
   * The harm carried over to what policies see ({@link DeviceParameters#policyHarm}); 0 where the
   * recommendation is off, not a number where nothing is known.
   */
  public double policyHarm() {
    return isOff()
        ? 0
        : harm * DeviceParameters.OPTANE.policyHarm() / DeviceParameters.OPTANE.harm(readers);
  }

  /**
   * Applies the rule.
   *
   * @param points of the medium
   * @param maxReadLoss the part of read bandwidth that overhead may cost at worst; 1 = no bound
   */
  static Recommendation of(List<PointResult> points, double maxReadLoss) {
    int readers = points.stream().mapToInt(result -> result.point().readers()).max().orElseThrow();
    PointResult alone = find(points, new Point(readers, 0));
    PointResult beside = find(points, new Point(readers, 1));
    double written = beside.writes().mean();
    if (!(written > 0)) {
      return new Recommendation(
          Double.NaN,
          readers,
          wholePercent(PAPERS_TARGET, bound(Double.POSITIVE_INFINITY, maxReadLoss)),
          "the writer never had its turn, so this is no more than a default; use fewer readers, or"
              + " measure longer");
    }
    double lost = alone.reads().mean() - beside.reads().mean();
    double noise = Math.hypot(alone.reads().halfWidth(), beside.reads().halfWidth());
    double harm = Math.max(0, lost) / written;
    if (!(lost > noise)) {
      return withinNoise(harm, (Math.max(0, lost) + noise) / written, readers, maxReadLoss);
    }
    double target = target(harm, readers);
    double bound = bound(harm, maxReadLoss);
    String cost = String.format(Locale.ROOT, "a byte written keeps %.2g from being read", harm);
    return Math.min(target, bound) >= NO_BOUND
        ? new Recommendation(harm, readers, OFF, cost + ", too few to bound writes for")
        : new Recommendation(harm, readers, wholePercent(target, bound), cost);
  }

  /** What was not seen is taken for nothing only where it would have been seen if it mattered. */
  private static Recommendation withinNoise(
      double harm, double mostHarm, int readers, double maxReadLoss) {
    double bound = bound(mostHarm, maxReadLoss);
    return Math.min(target(mostHarm, readers), bound) >= NO_BOUND
        ? new Recommendation(
            harm, readers, OFF, "a writer takes nothing from the readers beyond the noise")
        : new Recommendation(
            harm,
            readers,
            wholePercent(PAPERS_TARGET, bound),
            "the noise hides what a writer takes, so this is no more than a default; measure"
                + " longer, on a quiet machine");
  }

  private static double target(double harm, int readers) {
    return PAPERS_TARGET * DeviceParameters.OPTANE.harm(readers) / harm;
  }

  private static double bound(double harm, double maxReadLoss) {
    return maxReadLoss < 1 ? maxReadLoss / (1 - maxReadLoss) / harm : OFF;
  }

  private static PointResult find(List<PointResult> points, Point point) {
    return points.stream()
        .filter(result -> result.point().equals(point))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(point + " was not measured"));
  }

  /** Nobody measures better; but the bound is one. */
  private static double wholePercent(double target, double bound) {
    double percent = Math.min(Math.rint(target * 100), Math.floor(bound * 100));
    return Math.max(LEAST_TARGET, percent / 100);
  }
}
