// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.Source;
import io.nvcache.VictimPricing;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.Traffic;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import io.nvcache.memory.Claims;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A miniature: a cache of a fraction of the size, fed with that fraction of the keys, that stores
 * nothing. Admission and eviction are the real code and are asked what the engine would ask them;
 * space is a sum of lengths, without size classes. Write limits and the writers' bound are left
 * out: they are not policy. Used by one thread at a time.
 */
final class ShadowCache implements AutoCloseable {
  /** The most victims for one block, as in the engine. */
  private static final int MAX_VICTIMS = 16;

  private static final long SWEEP_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);

  private final ShadowSpec spec;
  private final long capacityBytes;
  private final ShadowIndex index;
  private final AdmissionPolicy admission;
  private final EvictionPolicy eviction;
  private final Counts counts = new Counts();
  private final Offered candidate = new Offered();
  private long usedBytes;
  private long lastSweep;

  /** The block that is offered: one object for all. */
  private static final class Offered extends Candidate {
    Offered next(long fileId, long offset, int lengthBytes, Source source) {
      set(fileId, offset, lengthBytes, source, Double.NaN);
      return this;
    }
  }

  /** What its policies see. */
  private static final class Counts implements Traffic {
    private long lookups;
    private long hits;
    private long inserted;
    private long removed;

    @Override
    public long lookups() {
      return lookups;
    }

    @Override
    public long hits() {
      return hits;
    }

    @Override
    public long insertedBlocks() {
      return inserted;
    }

    @Override
    public long removedBlocks() {
      return removed;
    }
  }

  /**
   * Makes a miniature.
   *
   * @param scale its size and its share of the keys, as a ratio of the cache's
   */
  ShadowCache(ShadowSpec spec, ShadowContext context, double scale) {
    this.spec = spec;
    PolicyPair policies = context.policies(spec);
    this.capacityBytes =
        Math.max(
            context.expectedBlockBytes(),
            Math.round(context.capacityBytes() * spec.sizeFactor() * scale));
    long blocks = Math.max(1, capacityBytes / context.expectedBlockBytes());
    ShadowSettings settings =
        new ShadowSettings(context.settings(), spec.overheadTarget(), policies.evictionWindow());
    this.index = new ShadowIndex(blocks);
    this.eviction =
        policies.newEviction(
            new EvictionContext(index.slots(), index, settings, context.nanoTime()));
    try {
      this.admission =
          policies.newAdmission(
              new AdmissionContext(
                  counts,
                  context.dataSet(),
                  settings,
                  settings::overheadTarget,
                  context.removalWeight(),
                  context.writeHarm(),
                  blocks,
                  context.expectedBlockBytes(),
                  eviction instanceof VictimPricing priced ? priced : VictimPricing.UNPRICED,
                  context.hashSeed()),
              eviction);
    } catch (RuntimeException | Error e) {
      Claims.closeAfter(e, eviction);
      throw e;
    }
    this.lastSweep = context.nanoTime().getAsLong();
  }

  ShadowSpec spec() {
    return spec;
  }

  Traffic counts() {
    return counts;
  }

  /** Looks a block up; true on a hit. */
  boolean lookUp(long key) {
    counts.lookups++;
    OptionalInt slot = index.find(key);
    if (slot.isPresent()) {
      counts.hits++;
      eviction.onHit(slot.getAsInt());
    }
    return slot.isPresent();
  }

  void offer(long key, long fileId, long offset, int lengthBytes, Source source) {
    if (index.find(key).isPresent()
        || admission.decide(candidate.next(fileId, offset, lengthBytes, source))
            != AdmissionDecision.ADMIT) {
      return;
    }
    if (!makeRoom(key, lengthBytes)) {
      admission.refund(candidate);
      return;
    }
    int slot = place(key);
    index.put(slot, key, fileId, lengthBytes);
    usedBytes += lengthBytes;
    counts.inserted++;
    eviction.onAdmit(slot);
  }

  private boolean makeRoom(long key, int lengthBytes) {
    for (int i = 0; usedBytes + lengthBytes > capacityBytes && i < MAX_VICTIMS; i++) {
      int victim = i == 0 ? eviction.victim(index.home(key)) : eviction.victim();
      if (victim == EvictionPolicy.NO_VICTIM) {
        break;
      }
      remove(victim);
    }
    return usedBytes + lengthBytes <= capacityBytes;
  }

  /** Returns a free slot for the key, or the slot of the block worth the least where it may lie. */
  private int place(long key) {
    OptionalInt free = index.free(key);
    if (free.isPresent()) {
      return free.getAsInt();
    }
    int slot = index.candidate(key, 0);
    for (int i = 1; i < 2 * ShadowIndex.ROW_SLOTS; i++) {
      int other = index.candidate(key, i);
      if (eviction.worth(other) < eviction.worth(slot)) {
        slot = other;
      }
    }
    remove(slot);
    return slot;
  }

  private boolean remove(int slot) {
    if (!index.holds(slot)) {
      return false;
    }
    usedBytes -= index.lengthBytes(slot);
    index.clear(slot);
    counts.removed++;
    eviction.onRemove(slot);
    return true;
  }

  void invalidate(long key) {
    index.find(key).ifPresent(this::remove);
  }

  void invalidateFile(long fileId) {
    for (int slot = 0; slot < index.slots(); slot++) {
      if (index.holdsOf(slot, fileId)) {
        remove(slot);
      }
    }
  }

  /** Sweeps if a second has passed since the last time. */
  void tick(long nowNanos) {
    if (nowNanos - lastSweep >= SWEEP_PERIOD_NANOS) {
      lastSweep = nowNanos;
      eviction.sweep(new MiniatureSweep());
    }
  }

  @Override
  public void close() {
    Claims.release(admission).close();
    if ((Object) admission != eviction) {
      Claims.release(eviction).close();
    }
  }

  private final class MiniatureSweep implements Sweep {
    @Override
    public long usedBytes() {
      return usedBytes;
    }

    @Override
    public long capacityBytes() {
      return capacityBytes;
    }

    @Override
    public boolean mayEvict() {
      return admission.mayEvict();
    }

    @Override
    public boolean evict(int slot) {
      return remove(slot);
    }
  }
}
