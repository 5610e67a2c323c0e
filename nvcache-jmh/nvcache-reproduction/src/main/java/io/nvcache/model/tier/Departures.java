// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import io.nvcache.model.machine.IntStack;

/**
 * Which blocks left a cache, whatever for: its policy knows slots only, so the place that was
 * offered last is kept for the slot it went to.
 */
final class Departures {
  private final IntStack left = new IntStack();
  private int[] places = new int[0];
  private int offered;

  /** A policy that is listened to. */
  EvictionFactory watching(EvictionFactory factory) {
    return context -> {
      places = new int[context.slots()];
      return new Watched(factory.create(context));
    };
  }

  /** The next block to come is this place's. */
  void offering(int place) {
    offered = place;
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  /** The place of a block that left, each returned once. */
  int next() {
    return left.pop();
  }

  private final class Watched implements EvictionPolicy {
    private final EvictionPolicy policy;

    Watched(EvictionPolicy policy) {
      this.policy = policy;
    }

    @Override
    public void onAdmit(int slot) {
      places[slot] = offered;
      policy.onAdmit(slot);
    }

    @Override
    public void onHit(int slot) {
      policy.onHit(slot);
    }

    @Override
    public void onRemove(int slot) {
      left.push(places[slot]);
      policy.onRemove(slot);
    }

    @Override
    public int victim() {
      return policy.victim();
    }

    @Override
    public int victim(int near) {
      return policy.victim(near);
    }

    @Override
    public int worth(int slot) {
      return policy.worth(slot);
    }

    @Override
    public void sweep(Sweep sweep) {
      policy.sweep(sweep);
    }

    @Override
    public long metadataBytes() {
      return policy.metadataBytes();
    }

    @Override
    public void close() {
      policy.close();
    }
  }
}
