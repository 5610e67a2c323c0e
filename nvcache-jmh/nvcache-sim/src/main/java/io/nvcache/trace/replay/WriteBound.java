// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * No policy can hit more with so much space and so many writes, not even one that knows the future.
 *
 * <p><b>Method.</b> Offline caching as an integer program over intervals from one use of a block to
 * the next (A. Bar-Noy et al., "A Unified Approach to Approximating Resource Allocation and
 * Scheduling", JACM 2001; D. Berger et al., "Practical Bounds on Optimal Caching with Variable
 * Object Sizes", SIGMETRICS 2018), with a second constraint on the intervals that begin with a
 * write:
 *
 * <pre>
 *   maximise    Σ kept(i)
 *   so that     Σ bytes(i) · length(i) · kept(i) ≤ capacity · lookups     (space and time)
 *               Σ [kept(i), but not the interval before it]  ≤ writes
 * </pre>
 *
 * <p>The first line is weaker than the true one, which holds at each lookup. Both constraints are
 * moved into the objective with prices λ and μ, which leaves a choice for each block alone, solved
 * exactly in one pass. By weak duality the result is a bound for any prices ≥ 0; the best ones are
 * searched for, and searching badly makes the bound loose but not wrong.
 */
final class WriteBound {
  private static final int SEARCH_STEPS = 18;

  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private final long lookups;
  private final double space;
  private final double writes;

  /** Intervals by block and in order: space-time each takes, and whether it follows the last. */
  private final double[] takes;

  private final boolean[] follows;

  private double best = Double.POSITIVE_INFINITY;
  private double bestSpacePrice;
  private double bestWritePrice;

  private WriteBound(Trace trace, FutureUse future, long capacityBytes, double writes) {
    this.lookups = trace.lookups();
    this.space = (double) capacityBytes * lookups;
    this.writes = writes;
    int[] starts = starts(trace);
    this.takes = new double[trace.records()];
    this.follows = new boolean[trace.records()];
    long[] lookupsBefore = new long[trace.records()];
    long count = 0;
    for (int i = 0; i < trace.records(); i++) {
      count += trace.op(i).isLookup() ? 1 : 0;
      lookupsBefore[i] = count;
    }
    Arrays.fill(takes, Double.POSITIVE_INFINITY); // No next use: never worth keeping.
    int[] at = starts.clone();
    for (int i = 0; i < trace.records(); i++) {
      int block = trace.block(i);
      int interval = at[block]++;
      follows[interval] = interval > starts[block] && trace.op(i).isLookup();
      int next = future.nextLookup(i);
      if (next != FutureUse.NONE) {
        takes[interval] = (double) trace.sizeBytes(next) * (lookupsBefore[next] - lookupsBefore[i]);
      }
    }
  }

  private static int[] starts(Trace trace) {
    int[] starts = new int[trace.blocks()];
    int[] counts = new int[trace.blocks()];
    for (int i = 0; i < trace.records(); i++) {
      counts[trace.block(i)]++;
    }
    for (int block = 1; block < starts.length; block++) {
      starts[block] = starts[block - 1] + counts[block - 1];
    }
    return starts;
  }

  /**
   * The bound on the hit ratio.
   *
   * @param writes how many blocks may be written in all
   */
  static double hitRatio(Trace trace, FutureUse future, long capacityBytes, double writes) {
    return of(trace, future, capacityBytes, writes).hitRatio();
  }

  /** Searches for the best prices. */
  static WriteBound of(Trace trace, FutureUse future, long capacityBytes, double writes) {
    WriteBound bound = new WriteBound(trace, future, capacityBytes, writes);
    // From free to prices at which nothing is worth having, on scales that are fine near 0.
    minimum(
        space ->
            minimum(
                write -> bound.value(Math.pow(space, 3), trace.lookups() * Math.pow(write, 5))));
    return bound;
  }

  /** The bound on the hit ratio. */
  double hitRatio() {
    return Math.min(1, best / lookups);
  }

  /** What the best choice for each block comes to at the best prices. */
  Bounds.AtBound choices() {
    double perByteLookup = bestSpacePrice * lookups / space;
    double gone = 0;
    double held = Double.NEGATIVE_INFINITY;
    Tally ofGone = Tally.NONE;
    Tally ofHeld = Tally.NONE;
    for (int i = 0; i < takes.length; i++) {
      double gain = 1 - perByteLookup * takes[i];
      double before = follows[i] ? held : Double.NEGATIVE_INFINITY;
      Tally ofBest = gone >= held ? ofGone : ofHeld;
      double most = Math.max(gone, held);
      if (Double.isInfinite(takes[i])) {
        held = Double.NEGATIVE_INFINITY;
      } else {
        boolean writes = most - bestWritePrice > before;
        ofHeld = writes ? ofBest.written(follows[i] ? 0 : 1) : ofHeld.hit();
        held = Math.max(before, most - bestWritePrice) + gain;
      }
      gone = most;
      ofGone = ofBest;
    }
    Tally all = gone >= held ? ofGone : ofHeld;
    double written = Math.max(1, all.writes);
    return new Bounds.AtBound(all.hits / written, all.atFirst / written);
  }

  /** What the choices so far come to. */
  private record Tally(long hits, long writes, long atFirst) {
    static final Tally NONE = new Tally(0, 0, 0);

    Tally hit() {
      return new Tally(hits + 1, writes, atFirst);
    }

    Tally written(int first) {
      return new Tally(hits + 1, writes + 1, atFirst + first);
    }
  }

  /** The least value that golden-section search finds between 0 and 1, the low end included. */
  private static double minimum(DoubleUnaryOperator function) {
    double low = 0;
    double high = 1;
    double left = high - GOLDEN * (high - low);
    double right = low + GOLDEN * (high - low);
    double atLeft = function.applyAsDouble(left);
    double atRight = function.applyAsDouble(right);
    double best = function.applyAsDouble(low);
    for (int step = 0; step < SEARCH_STEPS; step++) {
      best = Math.min(best, Math.min(atLeft, atRight));
      if (atLeft < atRight) {
        high = right;
        right = left;
        atRight = atLeft;
        left = high - GOLDEN * (high - low);
        atLeft = function.applyAsDouble(left);
      } else {
        low = left;
        left = right;
        atLeft = atRight;
        right = low + GOLDEN * (high - low);
        atRight = function.applyAsDouble(right);
      }
    }
    return best;
  }

  /**
   * The dual's value: what the prices bring in, and the best that each block can make of them.
   *
   * @param spacePrice hits that all the space costs, per lookup
   * @param writePrice hits that a write costs
   */
  private double value(double spacePrice, double writePrice) {
    double perByteLookup = spacePrice * lookups / space;
    double total = spacePrice * lookups + writePrice * writes;
    double gone = 0; // Best so far with the block not cached now,
    double held = Double.NEGATIVE_INFINITY; // and with it cached.
    for (int i = 0; i < takes.length; i++) {
      double gain = 1 - perByteLookup * takes[i];
      double before = follows[i] ? held : Double.NEGATIVE_INFINITY;
      double best = Math.max(gone, held);
      held =
          Double.isInfinite(takes[i])
              ? Double.NEGATIVE_INFINITY
              : Math.max(before, best - writePrice) + gain;
      gone = best;
    }
    double value = total + Math.max(gone, held);
    if (value < best) {
      best = value;
      bestSpacePrice = spacePrice;
      bestWritePrice = writePrice;
    }
    return value;
  }
}
