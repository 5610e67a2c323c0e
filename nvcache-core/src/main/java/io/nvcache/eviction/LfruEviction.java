// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import io.nvcache.control.Settings;
import io.nvcache.memory.Claims;
import io.nvcache.memory.OffHeapBytes;

/**
 * The paper's eviction (SoCC '22, §3.1), by the rules and constants of WiredTiger's block cache:
 * once a second the hand sweeps over all blocks, and of those not hit for a window it evicts the
 * ones with the fewest hits. It evicts only when the cache is nearly full and overhead allows; an
 * insert that finds no room in between is refused, because there is no {@linkplain #victim victim
 * on demand}.
 *
 * <p><b>Rules.</b> A block has {@code references}, its hits, and a {@code recency} that starts at
 * 1, is raised to at least 1 by a hit and otherwise by one, and is lowered by one each sweep. A
 * block is <i>expired</i> when its recency is under minus the window in seconds. {@code
 * minReferences}, at first 1000, sinks to the references of any expired block met. A block met is
 * kept for <i>another reason</i> if it is pinned (it then does not touch minReferences), if the
 * cache holds less than its full target, or if overhead is high; otherwise it is evicted if it is
 * expired and has less than minReferences + 20 references; otherwise it is <i>no candidate</i>.
 * When a pass has kept no block for another reason, minReferences rises by 20.
 *
 * <p><b>The same decisions with less work.</b> Recency is stored as the sweep at which it reaches
 * 0, so that sweeps write to no block they keep. Overhead can only rise by what the sweep itself
 * evicts, so it is asked before each eviction, and once more at the end of a pass for the blocks
 * met since.
 *
 * <p><b>Deviations.</b> A call looks at no more than {@link #MAX_SLOTS_PER_CALL} slots; in larger
 * caches a pass takes several calls, and recency goes down by one each call, so that the window is
 * in seconds all the same. References and recency stop at 2<sup>24</sup>, where a hit writes no
 * more than once a second. Lookups that come in during a sweep may bring overhead down unnoticed by
 * the blocks met until the next candidate.
 *
 * <pre>
 *   record of a slot, 8 bytes:
 *   0             4             8
 *   ├─────────────┼─────────────┤
 *   │ references  │   expiry    │   recency = expiry − sweeps so far
 *   └─────────────┴─────────────┘
 * </pre>
 *
 * <p><b>Guarantees.</b> A slot's mark is 1 while it holds a block and 0 otherwise, written under
 * the engine's bucket lock. Records are plain and racy: a hit may be lost or, when the slot is
 * reused at that very moment, hand its old block's history to the new one; it never makes an empty
 * slot look occupied. The sweep's state belongs to the one thread that sweeps.
 */
public final class LfruEviction implements EvictionPolicy {
  private static final int REFERENCES_OFFSET = 0;
  private static final int EXPIRY_OFFSET = REFERENCES_OFFSET + Integer.BYTES;
  private static final int RECORD_BYTES = EXPIRY_OFFSET + Integer.BYTES;
  private static final int ALIGNMENT_BYTES = 64;

  private static final int EMPTY = 0;
  private static final int OCCUPIED = 1;

  private static final int INITIAL_MIN_REFERENCES = 1_000;
  private static final int MIN_REFERENCES_STEP = 20;

  /** Where references, recency and minReferences stop counting. */
  private static final int MAX_COUNT = 1 << 24;

  private static final int MAX_SLOTS_PER_CALL = 4 << 20;

  private final int slots;
  private final int slotsPerCall;
  private final SlotMarks marks;
  private final Settings settings;
  private final OffHeapBytes records;

  /** Sweeps so far; written by the sweeping thread, read by hits. */
  private volatile int sweeps;

  // The state of a pass, which may take several sweeps.
  private int hand;
  private int minReferences = INITIAL_MIN_REFERENCES;
  private boolean keptForAnotherReason;
  private boolean metSinceEviction;

  public LfruEviction(EvictionContext context) {
    this(context, MAX_SLOTS_PER_CALL);
  }

  LfruEviction(EvictionContext context, int slotsPerCall) {
    this.slots = context.slots();
    this.slotsPerCall = slotsPerCall;
    this.marks = context.marks();
    this.settings = context.settings();
    this.records = OffHeapBytes.zeroed((long) slots * RECORD_BYTES, ALIGNMENT_BYTES);
  }

  @Override
  public void onAdmit(int slot) {
    put(slot, 0, sweeps + 1);
    marks.set(slot, OCCUPIED);
  }

  @Override
  public void onHit(int slot) {
    int now = sweeps;
    int references = references(slot);
    int expiry = expiry(slot);
    int moreReferences = Math.min(references + 1, MAX_COUNT);
    int laterExpiry = Math.min(Math.max(expiry, now) + 1, now + MAX_COUNT);
    if (moreReferences != references || laterExpiry != expiry) {
      put(slot, moreReferences, laterExpiry);
    }
  }

  @Override
  public void onRemove(int slot) {
    marks.set(slot, EMPTY);
  }

  @Override
  public int victim() {
    return NO_VICTIM;
  }

  /** Its references: the paper evicts the blocks with the fewest. */
  @Override
  public int worth(int slot) {
    return references(slot);
  }

  @Override
  public double recentHits(int slot) {
    return references(slot);
  }

  @Override
  public void sweep(Sweep sweep) {
    int end = (int) Math.min((long) hand + slotsPerCall, slots);
    visit(hand, end, sweep);
    hand = end;
    if (hand == slots) {
      endPass(sweep);
    }
    int before = sweeps;
    sweeps = before + 1;
  }

  private void visit(int from, int to, Sweep sweep) {
    long fullBytes = (long) (sweep.capacityBytes() * settings.fullTarget());
    int lastExpired = sweeps - windowSeconds() - 1;
    boolean full = sweep.usedBytes() >= fullBytes;
    boolean met = metSinceEviction;
    for (int slot = from; slot < to; slot++) {
      if (marks.get(slot) == EMPTY) {
        continue;
      }
      boolean evicted = visit(slot, expiry(slot) <= lastExpired, full, sweep);
      met = !evicted;
      if (evicted) {
        full = sweep.usedBytes() >= fullBytes;
      }
    }
    metSinceEviction = met;
  }

  /** Judges one block; true if it was evicted. */
  private boolean visit(int slot, boolean expired, boolean full, Sweep sweep) {
    int references = references(slot);
    boolean few = expired && references < minReferences + MIN_REFERENCES_STEP;
    if (!few && keptForAnotherReason) {
      return false; // Nothing to learn from it any more.
    }
    if ((!few && !full) || sweep.pinned(slot)) {
      keptForAnotherReason = true;
      return false;
    }
    if (!few) {
      return false; // No candidate, unless overhead is high: asked at the end of the pass.
    }
    minReferences = Math.min(minReferences, references);
    if (full && sweep.mayEvict() && sweep.evict(slot)) {
      return true;
    }
    keptForAnotherReason = true;
    return false;
  }

  private void endPass(Sweep sweep) {
    boolean noCandidates = !keptForAnotherReason && (!metSinceEviction || sweep.mayEvict());
    if (noCandidates) {
      minReferences = Math.min(minReferences + MIN_REFERENCES_STEP, MAX_COUNT);
    }
    hand = 0;
    keptForAnotherReason = false;
    metSinceEviction = false;
  }

  private int windowSeconds() {
    return (int) Math.min(settings.evictionWindow().toSeconds(), Integer.MAX_VALUE / 2);
  }

  @Override
  public long metadataBytes() {
    return records.sizeBytes();
  }

  @Override
  public void close() {
    Claims.requireNotHeld(this);
    records.close();
  }

  private int references(int slot) {
    return records.getInt(at(slot) + REFERENCES_OFFSET);
  }

  private int expiry(int slot) {
    return records.getInt(at(slot) + EXPIRY_OFFSET);
  }

  private void put(int slot, int references, int expiry) {
    records.putInt(at(slot) + REFERENCES_OFFSET, references);
    records.putInt(at(slot) + EXPIRY_OFFSET, expiry);
  }

  private static long at(int slot) {
    return (long) slot * RECORD_BYTES;
  }
}
