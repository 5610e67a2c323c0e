// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import io.nvcache.VictimPricing;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Evicts the block that was looked up least of all recently: the lowest of a random sample, as
 * sampled LFU does (K. Psounis and B. Prabhakar, "A Randomized Web-Cache Replacement Scheme",
 * INFOCOM 2001), with counts that fade. It prices its victims, so that an admission policy can
 * compare.
 *
 * <pre>
 *   mark:  0 empty    1 … 129  worth + 1
 * </pre>
 *
 * <p>A hit adds {@link VictimPricing#LOOKUP_WORTH} to a block's worth, up to eight hits' worth; a
 * block hotter than that is not written to, and is forgotten in time when the hot set changes. A
 * hand passes over the slots with the lookups, one slot for {@value #LOOKUPS_PER_SLOT} lookups, and
 * takes about 1/6 of each worth, so that it halves in some eight lookups per slot. The hand keeps
 * time by lookups and not by evictions: where evictions are rare because writes are, what is no
 * longer used has to fade all the same.
 *
 * <p>A sample is three rows of {@value #ROW_SLOTS} neighbouring slots, a bucket of the index each;
 * their marks share a cache line, and their blocks have nothing in common but a hash.
 *
 * <p><b>Guarantees.</b> No lock, no memory but the marks. Marks are lossy: a hit or a step of the
 * hand may be forgotten, or leave a mark on a slot that was emptied under it; such a slot may be
 * given now and then until it is used again. A victim that could not be evicted counts as worth the
 * most, and is spared for a while. With one thread, the same calls give the same victims.
 */
public final class WorthEviction implements EvictionPolicy, VictimPricing {
  private static final int EMPTY = 0;
  private static final int LOWEST = 1;
  private static final int MAX_HITS = 8;
  private static final int HIGHEST = LOWEST + MAX_HITS * LOOKUP_WORTH;

  private static final int ROW_SLOTS = SlotMarks.ROW_SLOTS;
  private static final int ROWS_PER_SAMPLE = 3;

  /** How many slots a search looks at in an index that is nearly empty; the next one continues. */
  private static final int MOST_STEPS = 1 << 16;

  private static final int LOOKUPS_PER_SLOT = 2;

  /** Where no clock is given, an eviction represents so many slots' worth of it. */
  private static final int SLOTS_PER_EVICTION = 8;

  private static final int FADED_PART = 6;

  /** How far the hand moves at most in one call; it catches up in the next ones. */
  private static final int MOST_FADED_PER_CALL = 256;

  /** A cache is full again when it holds all but 1/64 of what it held when it last was. */
  private static final int FULL_SLACK = 64;

  private final int slots;
  private final int rows;
  private final SlotMarks marks;

  /** How many steps the hand has made. */
  private final AtomicLong faded = new AtomicLong();

  /** Whether {@link #advance} is called at all. */
  private volatile boolean timed;

  private final AtomicLong draws = new AtomicLong();
  private final AtomicInteger searched = new AtomicInteger();
  private final AtomicInteger blocks = new AtomicInteger();

  /** The victim that was priced last. */
  private final AtomicInteger prospect = new AtomicInteger(NO_VICTIM);

  /** How many blocks there were when a victim was last asked for. */
  private volatile int blocksWhenFull = Integer.MAX_VALUE;

  private volatile int expectedWorth = LOOKUP_WORTH;

  public WorthEviction(EvictionContext context) {
    this.slots = context.slots();
    this.rows = (slots + ROW_SLOTS - 1) / ROW_SLOTS;
    this.marks = context.marks();
  }

  @Override
  public void onAdmit(int slot) {
    marks.set(slot, LOWEST + expectedWorth);
    blocks.incrementAndGet();
  }

  @Override
  public void onRestore(int slot, int mark) {
    marks.set(slot, Math.max(LOWEST, Math.min(mark, HIGHEST)));
    blocks.incrementAndGet();
  }

  @Override
  public void onHit(int slot) {
    int mark = marks.get(slot);
    if (mark != EMPTY && mark < HIGHEST) {
      marks.set(slot, Math.min(mark + LOOKUP_WORTH, HIGHEST));
    }
  }

  @Override
  public void onRemove(int slot) {
    marks.set(slot, EMPTY);
    blocks.decrementAndGet();
  }

  @Override
  public void expect(int worth) {
    expectedWorth = Math.max(0, Math.min(worth, HIGHEST - LOWEST));
  }

  @Override
  public int victimWorth() {
    int full = blocksWhenFull;
    if (blocks.get() < full - full / FULL_SLACK) {
      return VictimPricing.NO_PRICE;
    }
    int slot = sample();
    prospect.set(slot);
    return slot == NO_VICTIM ? VictimPricing.NO_PRICE : Math.max(0, marks.get(slot) - LOWEST);
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
      slot = sample();
    }
    if (slot == NO_VICTIM) {
      slot = search();
    }
    if (slot != NO_VICTIM) {
      marks.set(slot, HIGHEST);
    }
    return slot;
  }

  private int sample() {
    int lowest = Integer.MAX_VALUE;
    int victim = NO_VICTIM;
    for (int draw = 0; draw < ROWS_PER_SAMPLE; draw++) {
      int first = (int) Math.multiplyHigh(random() >>> 1, 2L * rows) * ROW_SLOTS;
      long row = row(first);
      int place = MarkRow.lowest(row);
      if (place != MarkRow.NONE) {
        int mark = MarkRow.mark(row, place);
        if (mark < lowest) {
          lowest = mark;
          victim = first + place;
        }
      }
    }
    return victim;
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
    long z = draws.addAndGet(0x9e3779b97f4a7c15L);
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public void advance(long lookups) {
    if (!timed) {
      timed = true;
    }
    long due = lookups / LOOKUPS_PER_SLOT;
    long from = faded.get();
    if (due - from > slots) {
      faded.compareAndSet(from, due - slots); // More than a whole round behind: skip the rest.
      from = due - slots;
    }
    long to = Math.min(due, from + MOST_FADED_PER_CALL);
    if (to > from && faded.compareAndSet(from, to)) {
      fade(from, to);
    }
  }

  private void fade(long from, long to) {
    int slot = (int) (from % slots);
    for (long step = from; step < to; step++) {
      int mark = marks.get(slot);
      if (mark > LOWEST) {
        marks.set(slot, mark - (mark - LOWEST) / FADED_PART - 1);
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
  }

  @Override
  public int worth(int slot) {
    return marks.get(slot) - LOWEST;
  }

  @Override
  public double recentHits(int slot) {
    return (double) Math.max(0, marks.get(slot) - LOWEST) / LOOKUP_WORTH;
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
