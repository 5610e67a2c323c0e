// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock with a small count instead of its one bit (GCLOCK; A. J. Smith, "Sequentiality and
 * Prefetching in Database Systems", TODS 1978): a hit raises a block's mark, the passing hand
 * lowers it, and a block found at the lowest mark is evicted. Blocks start at that mark: one that
 * is not hit before the hand comes by goes before any that was.
 *
 * <pre>
 *   mark:  0 empty    1 lowest    2 … 7 hit so often, at least, since the hand last came by
 * </pre>
 *
 * <p>The order of the slots is the order of the index, which is by hash: a block meets the hand at
 * a random moment of its first round.
 *
 * <p><b>Guarantees.</b> No lock, no memory but the marks. Threads that ask for a victim step the
 * hand together, so that each slot of a round is looked at by one of them. Marks are lossy: a hit
 * may be forgotten, or leave a mark on a slot that was emptied under it; such a slot may be given
 * once each round, until it is used again.
 */
public final class ClockEviction implements EvictionPolicy {
  private static final int EMPTY = 0;
  private static final int LOWEST = 1;
  private static final int HIGHEST = 7;

  private static final int ROW_SLOTS = SlotMarks.ROW_SLOTS;

  /** Blocks in a row that are enough to choose among. */
  private static final int ENOUGH_BLOCKS = 6;

  /** Slots that a call looks at when it has found a block, though not at the lowest mark. */
  static final int ENOUGH_STEPS = 128;

  /** The most slots that a call looks at in a nearly empty index; the next call continues. */
  private static final int MOST_STEPS = 1 << 16;

  private final int slots;
  private final SlotMarks marks;
  private final AtomicLong hand = new AtomicLong();

  public ClockEviction(EvictionContext context) {
    this.slots = context.slots();
    this.marks = context.marks();
  }

  @Override
  public void onAdmit(int slot) {
    marks.set(slot, LOWEST);
  }

  @Override
  public void onHit(int slot) {
    int mark = marks.get(slot);
    if (mark != EMPTY && mark < HIGHEST) {
      marks.set(slot, mark + 1);
    }
  }

  @Override
  public void onRemove(int slot) {
    marks.set(slot, EMPTY);
  }

  /**
   * Returns the first block at the lowest mark from the hand on; after {@link #ENOUGH_STEPS} the
   * lowest seen, the first of equals. None if the next 65,536 slots are empty.
   */
  @Override
  public int victim() {
    int victim = NO_VICTIM;
    int lowest = HIGHEST + 1;
    int steps = Math.min(slots, MOST_STEPS);
    for (int step = 0; step < steps && (victim == NO_VICTIM || step < ENOUGH_STEPS); step++) {
      int slot = slotAt((int) (hand.getAndIncrement() % slots));
      int mark = marks.get(slot);
      if (mark == LOWEST) {
        return slot;
      }
      if (mark != EMPTY) {
        marks.set(slot, mark - 1);
        if (mark < lowest) {
          victim = slot;
          lowest = mark;
        }
      }
    }
    return victim;
  }

  /**
   * Returns the lowest of the row, which its own hand passes as often as that takes: each of its
   * blocks is lowered by as much as the lowest was above {@link #LOWEST}. Of equals the first from
   * {@code near} on. From a row with few blocks there is little to choose; then the hand of all
   * gives one.
   */
  @Override
  public int victim(int near) {
    int first = near & -ROW_SLOTS;
    if (first + ROW_SLOTS > slots) {
      return victim();
    }
    int start = near - first;
    long row = MarkRow.from(marks.row(first), start);
    if (MarkRow.blocks(row) < ENOUGH_BLOCKS) {
      return victim();
    }
    int place = MarkRow.lowest(row);
    int lowest = MarkRow.mark(row, place);
    if (lowest > LOWEST) {
      lowerRow(first, lowest - LOWEST);
    }
    return first + ((start + place) & (ROW_SLOTS - 1));
  }

  private void lowerRow(int row, int by) {
    for (int slot = row; slot < row + ROW_SLOTS; slot++) {
      int mark = marks.get(slot);
      if (mark != EMPTY) {
        marks.set(slot, Math.max(LOWEST, mark - by));
      }
    }
  }

  /**
   * Returns the slots in the order of the hand: one of each row of {@link #ROW_SLOTS} and then the
   * next of each. Neighbouring slots share a bucket of the index; emptied in a row, they would
   * leave empty buckets behind the hand and full ones before it, which displace blocks that are no
   * victims.
   */
  private int slotAt(int turn) {
    return slots % ROW_SLOTS == 0
        ? turn % (slots / ROW_SLOTS) * ROW_SLOTS + turn / (slots / ROW_SLOTS)
        : turn;
  }

  @Override
  public int worth(int slot) {
    return marks.get(slot);
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
