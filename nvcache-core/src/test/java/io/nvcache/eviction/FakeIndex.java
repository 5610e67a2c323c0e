// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import io.nvcache.testing.ArrayMarks;
import io.nvcache.testing.MutableSettings;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Stands in for the engine: knows which slots hold a block of one byte, and calls the policy as the
 * engine does, admissions and removals of one slot never at the same time.
 */
final class FakeIndex implements Sweep, AutoCloseable {
  final MutableSettings settings = new MutableSettings();
  final ArrayMarks marks;
  final EvictionPolicy policy;
  final AtomicInteger refusedEvictions = new AtomicInteger();

  private final AtomicInteger resident = new AtomicInteger();
  private final AtomicBoolean[] occupied;
  private final AtomicBoolean[] pinned;
  private BooleanSupplier mayEvict = () -> true;

  FakeIndex(int slots, EvictionFactory factory) {
    marks = new ArrayMarks(slots);
    occupied = new AtomicBoolean[slots];
    pinned = new AtomicBoolean[slots];
    for (int slot = 0; slot < slots; slot++) {
      occupied[slot] = new AtomicBoolean();
      pinned[slot] = new AtomicBoolean();
    }
    policy = factory.create(new EvictionContext(slots, marks, settings, () -> 0));
  }

  int slots() {
    return occupied.length;
  }

  int resident() {
    return resident.get();
  }

  boolean isOccupied(int slot) {
    return occupied[slot].get();
  }

  boolean hasEvictable() {
    for (int slot = 0; slot < slots(); slot++) {
      if (isOccupied(slot) && !pinned(slot)) {
        return true;
      }
    }
    return false;
  }

  boolean admit(int slot) {
    synchronized (occupied[slot]) {
      if (occupied[slot].getAndSet(true)) {
        return false;
      }
      resident.incrementAndGet();
      policy.onAdmit(slot);
      return true;
    }
  }

  boolean remove(int slot) {
    synchronized (occupied[slot]) {
      if (!occupied[slot].getAndSet(false)) {
        return false;
      }
      resident.decrementAndGet();
      policy.onRemove(slot);
      return true;
    }
  }

  void pin(int slot) {
    pinned[slot].set(true);
  }

  void unpin(int slot) {
    pinned[slot].set(false);
  }

  void mayEvict(BooleanSupplier answer) {
    mayEvict = answer;
  }

  @Override
  public boolean evict(int slot) {
    if (pinned[slot].get() || !remove(slot)) {
      refusedEvictions.incrementAndGet();
      return false;
    }
    return true;
  }

  @Override
  public boolean pinned(int slot) {
    return pinned[slot].get();
  }

  @Override
  public boolean mayEvict() {
    return mayEvict.getAsBoolean();
  }

  @Override
  public long usedBytes() {
    return resident.get();
  }

  @Override
  public long capacityBytes() {
    return slots();
  }

  @Override
  public void close() {
    policy.close();
  }
}
