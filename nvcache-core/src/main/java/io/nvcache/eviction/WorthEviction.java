// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import io.nvcache.VictimPricing;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Evicts the block that was looked up least of all recently: the lowest of a random sample, as
 * sampled LFU does (K. Psounis and B. Prabhakar, "A Randomized Web-Cache Replacement Scheme",
 * INFOCOM 2001), with counts that fade. Where it turns out that blocks that were not looked up for
 * the longest are the better victims ({@link Prospects}), it evicts those, as where popularity
 * moves. It prices its victims, so that an admission policy can compare.
 *
 * <pre>
 *   mark:  0 empty    1 + 41·freshness + worth    freshness 0 … 5, worth 0 … 40 ({@link MarkScale})
 * </pre>
 *
 * <p>A hit adds {@link VictimPricing#LOOKUP_WORTH} to a block's worth, up to eight hits' worth, and
 * makes it fresh; a block hotter than that is not written to, and is forgotten in time when the hot
 * set changes. A hand passes over the slots with the lookups, two slots a lookup. It makes each
 * block less fresh, and takes about 1/6 of each worth every fourth time, so that it halves in some
 * eight lookups per slot; every time of a worth that says that the block comes often, when it did
 * not come for some two and a half lookups per slot. The hand keeps time by lookups and not by
 * evictions: where evictions are rare because writes are, what is no longer used has to fade all
 * the same.
 *
 * <p>A sample is three rows of {@value #ROW_SLOTS} neighbouring slots, a bucket of the index each;
 * their marks share a cache line, and their blocks have nothing in common but a hash.
 *
 * <p><b>Guarantees.</b> No lock on a hit, no memory but the marks and what {@link Prospects} takes.
 * Marks are lossy: a hit or a step of the hand may be forgotten, or leave a mark on a slot that was
 * emptied under it; such a slot may be given now and then until it is used again. A victim that
 * could not be evicted counts as worth the most, and is spared for a while. With one thread, the
 * same calls give the same victims.
 */
public final class WorthEviction implements EvictionPolicy, VictimPricing {
  private static final int EMPTY = 0;
  private static final int HIGHEST = MarkScale.mark(MarkScale.FRESHEST, MarkScale.MOST_WORTH);

  /** Looked up within the last two passes of the hand, a capacity of lookups or so. */
  private static final int RECENT = MarkScale.FRESHEST - 1;

  private static final int ROW_SLOTS = SlotMarks.ROW_SLOTS;
  private static final int ROWS_PER_SAMPLE = 3;

  /** The most slots that a search looks at in a nearly empty index; the next one continues. */
  private static final int MOST_STEPS = 1 << 16;

  /** Where no clock is given, an eviction represents so many slots' worth of it. */
  private static final int SLOTS_PER_EVICTION = 48;

  private static final int FADED_PART = 6;

  /** Passes of the hand in which each block loses worth once. */
  private static final int PASSES_PER_LOSS = 4;

  /** A block that has earned more comes often: once it does not, it is likely to be dead. */
  private static final int OFTEN = 5 * LOOKUP_WORTH;

  /** The most slots that the hand moves in one call; it catches up in the next ones. */
  private static final int MOST_FADED_PER_CALL = 1024;

  private static final int SLOTS_PER_LOOKUP = 2;

  /** How often blocks are watched and looked at, at most. */
  private static final int LOOKS_PER_CAPACITY = 1024;

  /** Blocks are evicted if one was in so many lookups: 1/8 of the blocks. */
  private static final int PARTS_OF_CAPACITY = 8;

  /** A cache is full again when it holds all but 1/64 of what it held when it last was. */
  private static final int FULL_SLACK = 64;

  private final int slots;
  private final int rows;
  private final SlotMarks marks;

  /** Steps that the hand has made. */
  private final AtomicLong faded = new AtomicLong();

  private final Prospects prospects = new Prospects();
  private final Prospects.Marks wasHit;

  /** Whether a block went since blocks were last looked at that are watched. */
  private volatile boolean someWent;

  /** When some did, in lookups; in regions many go at once. */
  private volatile long wentAt = Long.MIN_VALUE / 2;

  /** When blocks were last looked at that are watched. */
  private final AtomicLong lookedAt = new AtomicLong();

  /** Whether {@link #advance} is called at all. */
  private volatile boolean timed;

  private final AtomicLong draws = new AtomicLong();
  private final AtomicInteger searched = new AtomicInteger();
  private final AtomicInteger blocks = new AtomicInteger();

  /** The victim that was priced last. */
  private final AtomicInteger prospect = new AtomicInteger(NO_VICTIM);

  /** Blocks that were cached when a victim was last asked for. */
  private volatile int blocksWhenFull = Integer.MAX_VALUE;

  private volatile int expectedWorth = LOOKUP_WORTH;

  public WorthEviction(EvictionContext context) {
    this.slots = context.slots();
    this.rows = (slots + ROW_SLOTS - 1) / ROW_SLOTS;
    this.marks = context.marks();
    this.wasHit = slot -> MarkScale.freshness(marks.get(slot)) == MarkScale.FRESHEST;
  }

  @Override
  public void onAdmit(int slot) {
    marks.set(slot, MarkScale.mark(MarkScale.FRESHEST, expectedWorth));
    blocks.incrementAndGet();
  }

  @Override
  public void onRestore(int slot, int mark) {
    marks.set(slot, Math.max(1, Math.min(mark, HIGHEST)));
    blocks.incrementAndGet();
  }

  @Override
  public void onHit(int slot) {
    int mark = marks.get(slot);
    if (mark != EMPTY && mark != HIGHEST) {
      marks.set(slot, MarkScale.hit(mark));
    }
  }

  @Override
  public void onRemove(int slot) {
    prospects.removed(slot);
    if (!someWent) {
      someWent = true;
    }
    marks.set(slot, EMPTY);
    blocks.decrementAndGet();
  }

  @Override
  public void expect(int worth) {
    expectedWorth = Math.max(0, Math.min(worth, MarkScale.MOST_WORTH));
  }

  @Override
  public int priceNextVictim() {
    int full = blocksWhenFull;
    if (blocks.get() < full - full / FULL_SLACK) {
      return VictimPricing.NO_PRICE;
    }
    int slot = sample(prospects.oldestIsBetter());
    prospect.set(slot);
    return price(slot);
  }

  @Override
  public int leastWorth() {
    int priced = prospect.get();
    return price(priced == NO_VICTIM ? sample(prospects.oldestIsBetter()) : priced);
  }

  private int price(int slot) {
    return slot == NO_VICTIM ? VictimPricing.NO_PRICE : Math.max(0, worth(slot));
  }

  /** Returns the victim that was priced last, or else the lowest of a sample. */
  @Override
  public int victim() {
    blocksWhenFull = blocks.get();
    if (!timed) {
      long from = faded.getAndAdd(SLOTS_PER_EVICTION);
      fade(from, from + SLOTS_PER_EVICTION);
    }
    int slot = prospect.getAndSet(NO_VICTIM);
    if (slot == NO_VICTIM || marks.get(slot) == EMPTY) {
      slot = sample(prospects.oldestIsBetter());
    }
    if (slot == NO_VICTIM) {
      slot = search();
    }
    if (slot != NO_VICTIM) {
      marks.set(slot, HIGHEST);
    }
    return slot;
  }

  private int sample(boolean byAge) {
    return byAge ? oldest() : leastUsed();
  }

  /** Returns the least fresh of the blocks that were looked up the least. */
  private int leastUsed() {
    int lowest = Integer.MAX_VALUE;
    int victim = NO_VICTIM;
    for (int draw = 0; draw < ROWS_PER_SAMPLE; draw++) {
      int first = draw();
      long row = row(first);
      for (int place = 0; place < ROW_SLOTS; place++) {
        int mark = MarkRow.mark(row, place);
        int order = MarkScale.byUse(mark);
        if (mark != EMPTY && order < lowest) {
          lowest = order;
          victim = first + place;
        }
      }
    }
    return victim;
  }

  /** Returns the least looked up of the least fresh blocks: the one with the lowest mark. */
  private int oldest() {
    int lowest = Integer.MAX_VALUE;
    int victim = NO_VICTIM;
    for (int draw = 0; draw < ROWS_PER_SAMPLE; draw++) {
      int first = draw();
      long row = row(first);
      int place = MarkRow.lowest(row);
      int mark = MarkRow.mark(row, place);
      if (mark != EMPTY && mark < lowest) {
        lowest = mark;
        victim = first + place;
      }
    }
    return victim;
  }

  private int draw() {
    return (int) Math.multiplyHigh(random() >>> 1, 2L * rows) * ROW_SLOTS;
  }

  /** Returns the marks of a row; marks of slots that are not there are empty. */
  private long row(int first) {
    if (first + ROW_SLOTS <= slots) {
      return marks.row(first);
    }
    long row = 0;
    for (int slot = first; slot < slots; slot++) {
      row |= (long) marks.get(slot) << ((slot - first) * Byte.SIZE);
    }
    return row;
  }

  /** Any block, when samples find none. */
  private int search() {
    for (int step = 0; step < Math.min(slots, MOST_STEPS); step++) {
      int slot = Integer.remainderUnsigned(searched.getAndIncrement(), slots);
      if (marks.get(slot) != EMPTY) {
        return slot;
      }
    }
    return NO_VICTIM;
  }

  /**
   * SplitMix64: G. Steele et al., "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
   */
  private long random() {
    return mix(draws.addAndGet(0x9e3779b97f4a7c15L));
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public void advance(long lookups) {
    if (!timed) {
      timed = true;
    }
    long due = lookups * SLOTS_PER_LOOKUP;
    long from = faded.get();
    long round = (long) slots * PASSES_PER_LOSS;
    if (due - from > round) {
      faded.compareAndSet(from, due - round); // More than a loss for each behind: skip the rest.
      from = due - round;
    }
    long to = Math.min(due, from + MOST_FADED_PER_CALL);
    if (to > from && faded.compareAndSet(from, to)) {
      fade(from, to);
    }
    watch(lookups);
  }

  private void fade(long from, long to) {
    long pass = from / slots;
    int slot = (int) (from % slots);
    for (long step = from; step < to; step++) {
      int mark = marks.get(slot);
      if (mark > 1) {
        int less = faded(mark, pass, slot);
        if (less != mark) {
          marks.set(slot, less);
        }
      }
      if (++slot == slots) {
        slot = 0;
        pass++;
      }
    }
  }

  private static int faded(int mark, long pass, int slot) {
    int freshness = Math.max(0, MarkScale.freshness(mark) - 1);
    int worth = MarkScale.worth(mark);
    boolean isDead = worth > OFTEN && MarkScale.freshness(mark) == 0;
    if (worth > 0 && (isDead || (pass + slot) % PASSES_PER_LOSS == 0)) {
      worth = Math.max(0, worth - worth / FADED_PART - 1);
      int lot = (int) mix(pass << Integer.SIZE | slot) & Integer.MAX_VALUE;
      return MarkScale.mark(freshness, worth, lot);
    }
    return MarkScale.mark(freshness, worth);
  }

  /** Watches what either rule would evict, and looks how those fare that are watched. */
  private void watch(long now) {
    long before = lookedAt.get();
    int cached = blocks.get();
    if (now - before < Math.max(1, cached / LOOKS_PER_CAPACITY)
        || !lookedAt.compareAndSet(before, now)) {
      return;
    }
    prospects.poll(now, cached, wasHit);
    if (someWent) {
      someWent = false;
      wentAt = now;
    }
    if (now - wentAt > cached / PARTS_OF_CAPACITY) {
      return; // While no block gives way, nothing is learned about those that would.
    }
    int rule = (int) (random() >>> 63);
    int slot = sample(rule == Prospects.OLDEST);
    if (slot != NO_VICTIM && prospects.wants(rule, slot, cached)) {
      int mark = marks.get(slot);
      if (mark != EMPTY) {
        // Less than fresh, so that the next hit shows.
        int freshness = Math.min(MarkScale.freshness(mark), MarkScale.FRESHEST - 1);
        marks.set(slot, MarkScale.mark(freshness, MarkScale.worth(mark)));
        prospects.watch(rule, slot, now, cached);
      }
    }
  }

  /**
   * Returns what the block was looked up recently; where the oldest are evicted, of one that was
   * not looked up recently next to nothing, however often it was before.
   */
  @Override
  public int worth(int slot) {
    int mark = marks.get(slot);
    if (mark == EMPTY) {
      return -1;
    }
    int freshness = MarkScale.freshness(mark);
    return prospects.oldestIsBetter() && freshness < RECENT ? freshness : MarkScale.worth(mark);
  }

  @Override
  public double victimForecast() {
    return prospects.forecast();
  }

  @Override
  public double recentHits(int slot) {
    int mark = marks.get(slot);
    return mark == EMPTY ? 0 : (double) MarkScale.worth(mark) / LOOKUP_WORTH;
  }

  @Override
  public void sweep(Sweep sweep) {}

  @Override
  public long metadataBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
