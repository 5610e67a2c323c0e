// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.Source;
import io.nvcache.VictimPricing;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.rivals.Rival.Policies;
import io.nvcache.testing.ArrayMarks;
import io.nvcache.testing.ManualTraffic;
import io.nvcache.testing.MutableDataSet;
import io.nvcache.testing.MutableSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A full cache of equal blocks that calls a pair of policies as the engine does, and no more. */
final class MiniCache {
  final ManualTraffic traffic = new ManualTraffic();
  final MutableSettings settings = new MutableSettings();

  private final AdmissionPolicy admission;
  private final EvictionPolicy eviction;
  private final Map<Long, Integer> slots = new HashMap<>();
  private final Map<Integer, Long> blocks = new HashMap<>();
  private final Deque<Integer> free = new ArrayDeque<>();

  MiniCache(int capacity, Policies pair) {
    eviction =
        pair.eviction()
            .create(new EvictionContext(capacity, new ArrayMarks(capacity), settings, () -> 0));
    admission =
        pair.admission()
            .create(
                new AdmissionContext(
                    traffic,
                    new MutableDataSet(),
                    settings,
                    settings::overheadTarget,
                    1,
                    0,
                    capacity,
                    4096,
                    VictimPricing.UNPRICED,
                    0));
    for (int slot = 0; slot < capacity; slot++) {
      free.add(slot);
    }
  }

  /** Looks a block up and offers it if it is missing; whether it was there. */
  boolean request(long block) {
    traffic.lookUp(1);
    Integer slot = slots.get(block);
    if (slot != null) {
      eviction.onHit(slot);
      return true;
    }
    if (admission.decide(Candidate.of(1, block * 4096, 4096, Source.READ))
        == AdmissionDecision.ADMIT) {
      if (free.isEmpty()) {
        remove(eviction.victim());
      }
      int given = free.removeFirst();
      slots.put(block, given);
      blocks.put(given, block);
      traffic.insert(1);
      eviction.onAdmit(given);
    }
    return false;
  }

  void invalidate(long block) {
    Integer slot = slots.get(block);
    if (slot != null) {
      remove(slot);
    }
  }

  private void remove(int slot) {
    slots.remove(blocks.remove(slot));
    free.addFirst(slot);
    traffic.remove(1);
    eviction.onRemove(slot);
  }

  int size() {
    return slots.size();
  }
}
