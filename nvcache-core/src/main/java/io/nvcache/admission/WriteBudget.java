// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/**
 * The budget of medium writes: how many, how fast, and at what price. docs/inside/policies.md has
 * the equations and the reasons.
 *
 * <p>With {@code B} the overhead target, {@code C} the capacity in blocks, {@code w} the weight of
 * a removal:
 *
 * <ul>
 *   <li><b>Credit</b> starts at 0 and grows by {@code B} a lookup, or less while writes do not pay,
 *       up to {@code C}. An admission takes {@code size + w}: its removal is paid for in advance,
 *       and costs nothing when it comes.
 *   <li><b>Loan</b>: credit may be overdrawn by up to {@code C − E/2}, where {@code E} is the sum
 *       of the targets in force at all lookups so far. So a new cache is filled at once, and half
 *       of the target repays it. The loan ends for good at {@code E = 2·C}. Next to it, credit may
 *       be overdrawn by the {@code w·C} of the removals of a full cache, which are yet to come. For
 *       room, both are lent only as far as writes pay.
 *   <li><b>Fill</b>: what comes unasked into room that is free takes credit and loan as well,
 *       whether writes pay or not, because no one has asked for it yet: up to {@code C} in the life
 *       of the cache.
 *   <li><b>Pace</b> grows by {@value #PACE} B a lookup, or {@value #FILL_PACE} B while 1/64 of the
 *       cache is free, up to a small burst; an admission takes what it takes of the credit. A block
 *       longer than the burst is admitted when the pace is full, and leaves it below zero. So the
 *       writes of any stretch are bounded by its lookups, a burst and one block.
 *   <li><b>Price</b>, in recent lookups: what a block must be worth beyond its victim. It sinks
 *       with lookups, faster while credit is plenty, and rises with each block that is worth more,
 *       whether it is admitted or not: it follows demand, and where the two balance, as many blocks
 *       are worth the price as the budget can take.
 * </ul>
 *
 * <p><b>Guarantee.</b> Let {@code N} be the sizes of all blocks admitted and not taken back,
 * reinsertions and carried blocks among them, {@code n} the number of these and of the restored
 * blocks, and {@code R} the removals. At any moment, whatever the stream and by any number of
 * threads,
 *
 * <pre>
 *   N + w·R  ≤  E + max(0, C − E/2) + w·(C − (n − R))
 * </pre>
 *
 * that is, writes exceed the target by the capacity at most, and not at all once the target has
 * allowed for two capacities. Where removals weigh something, those that made the room in the cache
 * come on top.
 *
 * <p>Proof. Let {@code S = N + w·n}. {@code credit ≤ E − S} always: both are 0 at the start; a
 * lookup adds {@code B} to E and at most that to the credit; an admission takes as much from both,
 * and one taken back returns it to both. A restored block takes {@code w} from both, at first
 * before the first admission. An admission leaves {@code credit ≥ −max(0, C − E/2) − w·C},
 * therefore {@code S ≤ E + max(0, C − E/2) + w·C}. S grows by nothing else, and the right side
 * never sinks. Subtract {@code w·(n − R)} on both sides. ∎
 *
 * <p>All methods are called under one lock, which {@link WorthAdmission} holds.
 */
final class WriteBudget {
  /** Below three, with what a burst adds. */
  private static final double PACE = 2.8;

  /** One write a lookup at a target of 0.10: what a cache misses is its fill. */
  private static final double FILL_PACE = 10;

  /** A cache is being filled while it has room, and as long as this part of it is free. */
  private static final double FREE_WHILE_FILLED = 1.0 / 64;

  /** The part of the target that repays the loan. */
  private static final double REPAID = 0.5;

  private static final int MIN_BURST_BLOCKS = 64;
  private static final int CAPACITIES_PER_BURST = 1_000;

  /** The rise of the price by a capacity of candidates. */
  private static final double PRICE_STEP = 2.5;

  /** Demand of one target's worth of blocks keeps the price when credit is 1/6 of capacity. */
  private static final double CREDIT_SCALE = 6;

  private static final double SLOWEST = 0.25;
  private static final double FASTEST = 6;
  private static final double MAX_PRICE = 16;

  private final double capacity;
  private final double removalWeight;
  private final double burst;
  private final WriteReturn yield;

  private long lookups;
  private long admitted;
  private long removed;
  private long restored;

  /** At the last call. */
  private double lastTarget = Double.MAX_VALUE;

  /** The sum of the targets in force at all lookups: E. */
  private double allowed;

  /** The sizes of what came unasked into free room, up to the capacity. */
  private double filled;

  private Room room = Room.FREE;
  private double credit;
  private double pace;
  private double price;

  /** What pays for an admission, next to the credit, which pays for all. */
  enum Pool {
    /** The pace. The demand raises the price. */
    DEMAND,
    /** The pace of a block that was part of the demand already. */
    KNOWN_DEMAND,
    /**
     * An output block of a rewrite needs nothing else: pace and price follow lookups, and how many
     * blocks come, and how fast, is up to the rewrite.
     */
    REWRITE,
    /** The one capacity of blocks that no lookup asks for and that may take free room. */
    FILL
  }

  /** Whether the cache has room for a block. */
  enum Room {
    FREE,
    /** None without an eviction. */
    NONE
  }

  WriteBudget(long capacityBlocks, double removalWeight) {
    this.capacity = Math.max(1, capacityBlocks);
    this.removalWeight = removalWeight;
    this.burst = Math.max(MIN_BURST_BLOCKS, capacity / CAPACITIES_PER_BURST);
    this.yield = new WriteReturn(capacity);
    this.pace = burst;
  }

  /**
   * Lets time pass.
   *
   * @param now lookups so far
   * @param target in force now; where it was another at the last call, the lower one counts
   */
  void advance(long now, double target) {
    double inForce = Math.min(target, lastTarget);
    lastTarget = target;
    long passed = now - lookups;
    if (passed <= 0) {
      return;
    }
    lookups = now;
    double more = inForce * passed;
    allowed += more;
    credit += Math.max(0, Math.min(more * yield.worthwhile(), capacity - credit));
    boolean isFilled = room == Room.NONE || free() <= FREE_WHILE_FILLED * capacity;
    pace = Math.min(burst, pace + (isFilled ? PACE : FILL_PACE) * more);
    double speed = Math.max(SLOWEST, Math.min(FASTEST, CREDIT_SCALE * spare() / capacity));
    price = Math.max(0, price - PRICE_STEP * more / capacity * speed);
    yield.advance(passed);
  }

  /**
   * Takes over how many blocks of an earlier cache have room here: as if they had been admitted,
   * without having been written. Nothing is lent for their room. More than the capacity count as
   * the capacity.
   */
  void restored(long restoredBlocks) {
    long blocks = (long) Math.min(capacity, (double) restoredBlocks);
    credit -= (blocks - restored) * removalWeight;
    admitted += blocks - restored;
    restored = blocks;
  }

  /**
   * Takes over whether a block has to be evicted for one that comes. A cache may be full below its
   * capacity in blocks, where they are longer than expected or some room is never used.
   */
  void observe(Room found) {
    room = found;
  }

  /** Takes over what others counted: lookups that hit, and blocks taken out, so far. */
  void observe(long hits, long removedBlocks) {
    yield.observe(hits);
    removed = Math.max(removed, removedBlocks);
  }

  /**
   * Judges a candidate, and charges it if it is admitted.
   *
   * @param pool what pays; by {@link Pool#FILL}, neither gain matters
   * @param gain how much more it is worth than its victim, in recent lookups
   * @param leastGain the least gain that is worth the write at any price
   * @param size its length, in blocks of the expected one; ≥ 1
   */
  AdmissionDecision decide(Pool pool, double gain, double leastGain, double size, double target) {
    if (pool == Pool.FILL) {
      return decideFilling(size, target);
    }
    if (!(gain > Math.max(price * size, leastGain))) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    if (pool == Pool.DEMAND) {
      raisePrice(target);
    }
    if (pool != Pool.REWRITE) {
      return tryCharge(size, target) ? AdmissionDecision.ADMIT : AdmissionDecision.BYPASS_OVERHEAD;
    }
    if (!affords(size, target)) {
      return AdmissionDecision.BYPASS_OVERHEAD;
    }
    charge(size);
    return AdmissionDecision.ADMIT;
  }

  /**
   * Judges a block that no lookup has asked for and that takes free room, and charges it if it is
   * admitted. Neither its worth nor pace and price matter: no block is evicted, and what comes
   * while a store warms up comes at once. That holds for one capacity of blocks in the life of the
   * cache; later ones have to be worth it.
   */
  private AdmissionDecision decideFilling(double size, double target) {
    double lent = credit + removalWeight * capacity + loan();
    boolean isOver = filled + size > capacity - restored || free() < size;
    if (!(target > 0) || isOver || lent < cost(size)) {
      return AdmissionDecision.BYPASS_OVERHEAD;
    }
    filled += size;
    credit -= cost(size);
    admitted++;
    yield.filled(size);
    return AdmissionDecision.ADMIT;
  }

  /**
   * Judges a block that is written once more, and charges it like an admission. Half of what a
   * candidate has to gain is enough: the block proved its worth, where a candidate's is a forecast.
   * It is part of the demand, which the price follows.
   *
   * @param gain how much more it is worth than what reclaiming drops, in recent lookups
   * @param leastGain of a candidate for each block of the expected length
   * @param size its length, in blocks of the expected one; ≥ 1
   */
  boolean readmits(double gain, double leastGain, double size, double target) {
    if (!(gain > Math.max(price, leastGain) * size / 2)) {
      return false;
    }
    raisePrice(target);
    return tryCharge(size, target);
  }

  /** Raises the price, but not while nothing may be written: it could not sink for hours. */
  private void raisePrice(double target) {
    if (target > 0) {
      price = Math.min(MAX_PRICE, price + rise());
    }
  }

  private boolean tryCharge(double size, double target) {
    if (!affords(size, target) || pace < Math.min(size, burst)) {
      return false; // A block longer than the burst waits for all of it, and leaves a debt.
    }
    pace -= cost(size);
    charge(size);
    return true;
  }

  private boolean affords(double size, double target) {
    return target > 0 && spare() >= cost(size);
  }

  private void charge(double size) {
    credit -= cost(size);
    admitted++;
    yield.written(size);
  }

  /**
   * Takes an admission back.
   *
   * @param pool what paid for it
   */
  void refund(Pool pool, double size) {
    credit += cost(size);
    admitted--;
    if (pool == Pool.FILL) {
      filled = Math.max(0, filled - size);
      yield.filled(-size);
      return;
    }
    yield.written(-size);
    if (pool != Pool.REWRITE) {
      pace = Math.min(burst, pace + cost(size));
    }
    if (pool == Pool.DEMAND) {
      price = Math.max(0, price - rise());
    }
  }

  /**
   * Returns recent writes, with the removals that go with them, per lookup. Changes nothing.
   *
   * @param now lookups so far
   */
  double overhead(long now) {
    return yield.writesPerLookup(Math.max(0, now - lookups)) * (1 + removalWeight);
  }

  /** Where price neither rises nor sinks, target blocks a lookup are worth it. */
  private double rise() {
    return Math.min(1, PRICE_STEP / capacity);
  }

  /** Returns the cost of a write and of the removal that will follow. */
  private double cost(double size) {
    return size + removalWeight;
  }

  /** The removals of cached blocks are paid for and still to come, so they are not missing. */
  private double spare() {
    double free = free();
    return credit
        + removalWeight * (capacity - free)
        + yield.trust() * (loan() + removalWeight * free);
  }

  private double loan() {
    return Math.max(0, capacity - restored - REPAID * allowed);
  }

  /** Returns how many blocks there is room for, as far as removals are known. */
  double free() {
    return Math.max(0, capacity - Math.max(0, admitted - removed));
  }
}
