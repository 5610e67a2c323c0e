// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import io.nvcache.rivals.Rival.Policies;

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
  public static Policies pair() {
    return Policies.linked(TinyLfu::new, TinyLfu::filter);
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

  /**
   * Counts how often names were seen lately, in little memory: a count-min sketch of four rows with
   * counters up to 15, all halved when ten times the cache's blocks have been counted (G. Einziger
   * et al., "TinyLFU: A Highly Efficient Cache Admission Policy", TOS 2017). Not thread-safe.
   */
  static final class FrequencySketch {
    private static final int ROWS = 4;
    private static final int COUNTERS_PER_BLOCK = 8;
    private static final int SAMPLE_PER_BLOCK = 10;
    private static final int MAX_COUNT = 15;
    private static final long MAX_COUNTERS = 1 << 28;

    private final byte[] counters;
    private final int rowMask;
    private final long sample;
    private long counted;

    FrequencySketch(long capacityBlocks) {
      long wanted = Math.min(MAX_COUNTERS, Math.max(64, COUNTERS_PER_BLOCK * capacityBlocks));
      int row = (int) Long.highestOneBit(2 * wanted / ROWS - 1);
      this.rowMask = row - 1;
      this.counters = new byte[ROWS * row];
      this.sample = SAMPLE_PER_BLOCK * capacityBlocks;
    }

    void count(long name) {
      for (int row = 0; row < ROWS; row++) {
        int at = at(name, row);
        counters[at] = (byte) Math.min(MAX_COUNT, counters[at] + 1);
      }
      if (++counted >= sample) {
        for (int i = 0; i < counters.length; i++) {
          counters[i] = (byte) (counters[i] / 2);
        }
        counted /= 2;
      }
    }

    int frequency(long name) {
      int least = MAX_COUNT;
      for (int row = 0; row < ROWS; row++) {
        least = Math.min(least, counters[at(name, row)]);
      }
      return least;
    }

    private int at(long name, int row) {
      return row * (rowMask + 1) + ((int) SlotNames.mix(name + row) & rowMask);
    }
  }
}
