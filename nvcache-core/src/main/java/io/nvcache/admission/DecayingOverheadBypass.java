// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

/**
 * The paper's overhead bypass (SoCC '22, §3.2.3, lesson 2) with a memory that fades: takes nothing
 * while medium writes per lookup are over the target, both weighted by age. A lookup and a write
 * count for half after a <i>half-life</i> of further lookups, so that an idle phase saves up no
 * more than a small part of the cache in writes, and the far past neither pays for nor blocks the
 * present.
 *
 * <p><b>Charges.</b> A block is charged when it is admitted, with its insert and, beforehand, with
 * its removal: {@code cost = 1 + removalWeight}. Deciding and charging are one step under a lock,
 * so that racing deciders can't spend the same budget twice, and freeing a file of many blocks does
 * not shut admission: that was paid for. {@link #refund} gives a charge back.
 *
 * <p><b>Guarantee.</b> With {@code B} the highest target ever set, inserts plus weighted removals
 * never exceed {@code B} times the lookups, at any moment, by any number of threads.
 *
 * <p>Proof. Let {@code T} be the lookups, {@code N} the charges not given back, {@code L} and
 * {@code W} the decayed sums of both, {@code rest = B·T − N} and {@code D = B·L − W}; all start at
 * 0.
 *
 * <ul>
 *   <li>A lookup turns {@code L} into {@code d·L + 1} and {@code W} into {@code d·W} for some
 *       {@code 0 < d ≤ 1}. It adds {@code B} to {@code rest}, and {@code B − (1 − d)·D} to {@code
 *       D}.
 *   <li>An admission takes {@code cost} from both. It needs {@code W + cost ≤ target·L ≤ B·L}.
 *   <li>A charge given back adds {@code cost} to {@code rest}, and as much to {@code D} or less
 *       where {@code W} stops at 0.
 * </ul>
 *
 * <p>None of these makes {@code D} negative, therefore none adds more to {@code D} than to {@code
 * rest}: {@code rest ≥ D ≥ 0}. Inserts are charged before they are made, and removals with them. ∎
 *
 * <p>The same condition read from the other side: at most {@code B · halfLife / ln 2} blocks can be
 * written at once, however long the cache was idle; with two capacities of half-life and a target
 * of 10 %, 29 % of the cache.
 */
public final class DecayingOverheadBypass implements AdmissionPolicy {
  private static final long MIN_HALF_LIFE = 1_000;

  /** Longer ones would not differ from none in the arithmetic below. */
  private static final double MAX_HALF_LIFE = 1e12;

  private static final double CAPACITIES_PER_HALF_LIFE = 2;

  /**
   * Below this many admissions per half-life at full spending, decay would eat the budget before it
   * buys a block; the half-life is stretched instead. At 16, an unused budget fades by under 5 %
   * between two admissions.
   */
  private static final double ADMISSIONS_PER_HALF_LIFE = 16;

  private final Traffic traffic;
  private final DoubleSupplier overheadTarget;
  private final double cost;
  private final double halfLife;

  /** Guards the fields below, and is held for arithmetic only. */
  private final Object lock = new Object();

  private long lookupsSeen;
  private double lookups;
  private double charges;

  public DecayingOverheadBypass(AdmissionContext context) {
    this(context, Math.max(MIN_HALF_LIFE, CAPACITIES_PER_HALF_LIFE * context.capacityBlocks()));
  }

  /**
   * Chooses the half-life.
   *
   * @param halfLife in lookups, more than 0
   */
  public DecayingOverheadBypass(AdmissionContext context, double halfLife) {
    if (!(halfLife > 0 && halfLife <= MAX_HALF_LIFE)) {
      throw new IllegalArgumentException(
          "halfLife is "
              + halfLife
              + " lookups; it must be more than 0 and at most "
              + MAX_HALF_LIFE);
    }
    this.traffic = context.traffic();
    this.overheadTarget = context.overheadTarget();
    this.cost = 1 + context.removalWeight();
    this.halfLife = halfLife;
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    double target = overheadTarget.getAsDouble();
    long now = traffic.lookups(); // Outside: this sums counters that hits write.
    synchronized (lock) {
      decay(now, target);
      if (!(charges + cost <= target * lookups)) {
        return AdmissionDecision.BYPASS_OVERHEAD;
      }
      charges += cost;
      return AdmissionDecision.ADMIT;
    }
  }

  @Override
  public void refund(Candidate candidate) {
    synchronized (lock) {
      // Part of the charge may have decayed since; see the proof why it may be given back in full.
      charges = Math.max(0, charges - cost);
    }
  }

  /** Returns false only after the target was lowered, until the charges made before have faded. */
  @Override
  public boolean mayEvict() {
    double target = overheadTarget.getAsDouble();
    long now = traffic.lookups(); // Outside: this sums counters that hits write.
    synchronized (lock) {
      decay(now, target);
      return charges <= target * lookups;
    }
  }

  /** Returns decayed charges, removals paid in advance included, per decayed lookup. */
  @Override
  public OptionalDouble overhead() {
    double target = overheadTarget.getAsDouble();
    long now = traffic.lookups(); // Outside: this sums counters that hits write.
    synchronized (lock) {
      decay(now, target);
      return OptionalDouble.of(charges == 0 ? 0 : charges / lookups);
    }
  }

  /** Brings the sums up to the present: {@code n} lookups at once, as a geometric series. */
  private void decay(long now, double target) {
    long n = now - lookupsSeen;
    if (n <= 0) {
      return;
    }
    lookupsSeen = now;
    double rate = Math.log(2) / stretchedHalfLife(target);
    double kept = Math.exp(-rate * n);
    lookups = lookups * kept + Math.expm1(-rate * n) / Math.expm1(-rate);
    charges *= kept;
  }

  private double stretchedHalfLife(double target) {
    return target > 0
        ? Math.min(MAX_HALF_LIFE, Math.max(halfLife, ADMISSIONS_PER_HALF_LIFE * cost / target))
        : halfLife;
  }
}
