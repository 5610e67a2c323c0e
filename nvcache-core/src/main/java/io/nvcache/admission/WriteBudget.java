// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/**
 * How much may be written to the medium, how fast, and at what price. docs/understand/policies.md
 * has the equations and the reasons.
 *
 * <p>With {@code B} the overhead target, {@code C} the capacity in blocks, {@code w} the weight of
 * a removal and {@code κ = max(3/2, w)}:
 *
 * <ul>
 *   <li><b>Credit</b> starts at {@code κ·C} and grows by {@code B} a lookup, or less while writes
 *       do not pay, up to {@code C} beyond its reserve. An admission takes {@code κ + size}; a
 *       removal gives {@code κ − w}. So the room in the cache is paid for in advance, and at once,
 *       and a removal has been paid for when it comes.
 *   <li><b>Reserve</b>: the credit that stands for room is lent only as far as writes pay.
 *   <li><b>Pace</b> grows by {@value #PACE} B a lookup up to a small burst; an admission takes its
 *       size, and the weight of the removal that comes with it once the cache is full. It bounds
 *       the writes of any short stretch.
 *   <li><b>Price</b>, in recent lookups: what a block must be worth beyond its victim. It sinks
 *       with lookups, faster while credit is plenty, and rises with each block that is worth more,
 *       whether it is admitted or not: it follows demand, and where the two balance, as many blocks
 *       are worth the price as the budget can take.
 * </ul>
 *
 * <p><b>Guarantee.</b> Let {@code T} be the lookups, {@code N} the sizes of all blocks admitted and
 * not taken back, {@code n} the number of these and of the restored blocks, {@code R} the removals,
 * and {@code B} the highest target ever set. At any moment, whatever the stream and by any number
 * of threads,
 *
 * <pre>
 *   N + w·R ≤ B·T + κ·(C − (n − R))
 * </pre>
 *
 * that is, writes exceed the target by no more than the room in the cache (times κ), and not at all
 * while the cache is full.
 *
 * <p>Proof. Let {@code X} be the right side less the left one. At the start {@code X = κ·C =
 * credit}. A lookup adds {@code B} to X, and at most that to the credit. An admission takes {@code
 * κ + size} from both, and one taken back gives it back to both. A removal adds {@code κ − w ≥ 0}
 * to X, and to the credit as much, later. A restored block takes {@code κ} from both, at first as
 * many as there is room for, before the first admission. So {@code X ≥ credit} always, and an
 * admission leaves the credit at 0 or more, while nothing else lowers it. ∎
 *
 * <p>All methods are called under one lock, that of {@link WorthAdmission}.
 */
final class WriteBudget {
  /** Below three, with what a burst adds. */
  private static final double PACE = 2.8;

  /**
   * So that three fifths of an empty cache are filled at once, and the rest as the target allows.
   */
  private static final double ROOM = 1.5;

  private static final int MIN_BURST_BLOCKS = 64;
  private static final int CAPACITIES_PER_BURST = 1_000;

  /** The price sinks by a quarter in a capacity of lookups when credit is a sixth of it. */
  private static final double PRICE_STEP = 0.25;

  private static final double CREDIT_SCALE = 6;
  private static final double SLOWEST = 0.25;
  private static final double FASTEST = 6;
  private static final double MAX_PRICE = 16;
  private static final double MAX_RISE = 1;

  private final double capacity;
  private final double removalWeight;
  private final double room;
  private final double burst;
  private final WriteReturn yield;

  private long lookups;
  private long admitted;
  private long removed;
  private long restored;
  private double credit;
  private double pace;
  private double price;

  WriteBudget(long capacityBlocks, double removalWeight) {
    this.capacity = Math.max(1, capacityBlocks);
    this.removalWeight = removalWeight;
    this.room = Math.max(ROOM, removalWeight);
    this.burst = Math.max(MIN_BURST_BLOCKS, capacity / CAPACITIES_PER_BURST);
    this.yield = new WriteReturn(capacity);
    this.credit = room * capacity;
    this.pace = burst;
  }

  /** Lets time pass up to now, in lookups. */
  void advance(long now, double target) {
    long passed = now - lookups;
    if (passed <= 0) {
      return;
    }
    lookups = now;
    double spare = credit - reserve();
    double earned = target * passed * yield.worthwhile();
    credit += Math.max(0, Math.min(earned, capacity - spare));
    pace = Math.min(burst, pace + PACE * target * passed);
    double speed = Math.max(SLOWEST, Math.min(FASTEST, CREDIT_SCALE * spare / capacity));
    price = Math.max(0, price - PRICE_STEP * passed / capacity * speed);
    yield.advance(passed);
  }

  /**
   * Takes over how many blocks of an earlier cache have room here, which is no longer lent: as if
   * they had been admitted, without having been written. More than the capacity count as the
   * capacity.
   */
  void restored(long restoredBlocks) {
    long blocks = (long) Math.min(capacity, (double) restoredBlocks);
    credit -= (blocks - restored) * room;
    admitted += blocks - restored;
    restored = blocks;
  }

  /** Takes over what others counted: lookups that hit, and blocks taken out, so far. */
  void observe(long hits, long removedBlocks) {
    yield.observe(hits);
    if (removedBlocks > removed) {
      credit += (removedBlocks - removed) * (room - removalWeight);
      removed = removedBlocks;
    }
  }

  /**
   * Judges a candidate, and charges it if it is admitted.
   *
   * @param gain how much more it is worth than its victim, in recent lookups
   * @param leastGain the least gain that is worth the write at any price
   * @param size its length, in blocks of the expected one; ≥ 1
   */
  AdmissionDecision decide(double gain, double leastGain, double size, double target) {
    if (!(gain > Math.max(price * size, leastGain))) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    price = Math.min(MAX_PRICE, price + rise(target));
    return tryCharge(size, target) ? AdmissionDecision.ADMIT : AdmissionDecision.BYPASS_OVERHEAD;
  }

  private boolean tryCharge(double size, double target) {
    if (!(target > 0) || credit - reserve() < room + size || pace < size) {
      return false;
    }
    pace -= size + (free() > 0 ? 0 : removalWeight);
    charge(size);
    return true;
  }

  private void charge(double size) {
    credit -= room + size;
    admitted++;
    yield.written(size);
  }

  /**
   * Judges an output block of a rewrite, and charges it if it is admitted. It takes no part in pace
   * and price, which follow lookups: how many blocks come, and how fast, is up to the rewrite.
   */
  AdmissionDecision decideCarried(double gain, double leastGain, double size, double target) {
    if (!(gain > Math.max(price * size, leastGain))) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    if (!(target > 0) || credit - reserve() < room + size) {
      return AdmissionDecision.BYPASS_OVERHEAD;
    }
    charge(size);
    return AdmissionDecision.ADMIT;
  }

  /**
   * Judges a block that is written once more, and charges it like an admission; its removal comes
   * with it. Half of what a candidate has to gain is enough: the block proved its worth, where a
   * candidate's is a forecast. It is part of the demand, which the price follows.
   *
   * @param gain how much more it is worth than what reclaiming drops, in recent lookups
   * @param leastGain of a candidate, for each block of the expected length
   * @param size its length, in blocks of the expected one; ≥ 1
   */
  boolean readmits(double gain, double leastGain, double size, double target) {
    if (!(gain > Math.max(price, leastGain) * size / 2)) {
      return false;
    }
    price = Math.min(MAX_PRICE, price + rise(target));
    return tryCharge(size, target);
  }

  /** Takes an admission back. */
  void takeBack(double size, double target) {
    credit += room + size;
    pace = Math.min(burst, pace + size);
    price = Math.max(0, price - rise(target));
    admitted--;
    yield.written(-size);
  }

  /** Recent writes, with the removals that go with them, per lookup. */
  double overhead() {
    return yield.writesPerLookup() * (1 + removalWeight);
  }

  /** Where price neither rises nor sinks, target blocks a lookup are worth it. */
  private double rise(double target) {
    return Math.min(MAX_RISE, PRICE_STEP / (target * capacity));
  }

  private double reserve() {
    return room * free() * (1 - yield.trust());
  }

  private double free() {
    return Math.max(0, capacity - Math.max(0, admitted - removed));
  }
}
