// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;

/**
 * The TinyLFU filter before an LRU: a block is admitted if the sketch has seen it more often than
 * the block that would be evicted (G. Einziger et al., TOS 2017). W-TinyLFU, as in Caffeine, puts a
 * small LRU before the filter; a block that passed through it would have been written already, so
 * here there is none: the DRAM tier is that window.
 */
public final class TinyLfu implements EvictionPolicy {
  private final Object lock = new Object();
  private final LruEviction lru;
  private final SlotNames names;
  private FrequencySketch sketch = new FrequencySketch(1);

  private TinyLfu(EvictionContext context) {
    this.lru = new LruEviction(context);
    this.names = new SlotNames(context.slots());
  }

  /** Both halves of the policy, for one cache. */
  public static RivalPolicies pair() {
    return RivalPolicies.linked(TinyLfu::new, TinyLfu::filter);
  }

  private AdmissionPolicy filter(AdmissionContext context) {
    synchronized (lock) {
      sketch = new FrequencySketch(context.capacityBlocks());
    }
    return candidate -> decide(candidate.fileId(), candidate.offset());
  }

  private AdmissionDecision decide(long fileId, long offset) {
    long name = names.offer(fileId, offset);
    int victim = lru.nextVictim();
    synchronized (lock) {
      sketch.count(name);
      boolean worth =
          victim == NO_VICTIM || sketch.frequency(name) > sketch.frequency(names.of(victim));
      return worth ? AdmissionDecision.ADMIT : AdmissionDecision.NOT_WORTH_IT;
    }
  }

  @Override
  public void onAdmit(int slot) {
    names.admit(slot);
    lru.onAdmit(slot);
  }

  @Override
  public void onHit(int slot) {
    lru.onHit(slot);
    synchronized (lock) {
      sketch.count(names.of(slot));
    }
  }

  @Override
  public void onRemove(int slot) {
    lru.onRemove(slot);
  }

  @Override
  public int victim() {
    return lru.victim();
  }

  @Override
  public void sweep(Sweep sweep) {}

  @Override
  public long metadataBytes() {
    return lru.metadataBytes();
  }

  @Override
  public void close() {
    lru.close();
  }
}
