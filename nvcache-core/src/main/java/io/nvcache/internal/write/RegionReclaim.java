// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.policy.RegionPricing;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.RegionAllocator;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Empties the regions whose blocks are worth the least together, a few ahead of those that are
 * filled; and those without any block that counts, however many they are.
 *
 * <p>A census over the index adds up the worth of each region's blocks and chooses several of the
 * least, so that its cost is shared by them. Worth changes slowly, and blocks only leave a region
 * that was filled: what was chosen stays a good choice for the time that it takes to get to it.
 *
 * <p>Used by one thread at a time.
 */
public final class RegionReclaim {
  /** The part of all regions that is chosen at once. */
  private static final int REGIONS_PER_CENSUS = 64;

  private static final int SLOTS_AT_ONCE = 16;

  /** Of no block that counts. */
  private static final long NOTHING = -1;

  private final BlockIndex index;
  private final FileTable files;
  private final RegionAllocator allocator;
  private final GuardedAdmission admission;
  private final GuardedEviction eviction;
  private final Remover remover;
  private final SlotScan slots;
  private final StripedCounters counters;

  private final RegionPricing pricing;
  private final Reinsertion reinsertion;

  private final ArrayDeque<Victim> chosen = new ArrayDeque<>();

  /** The most that was in use since the last census, less what was emptied since. */
  private long mostUsedBytes;

  // Of the region that is emptied.
  private long droppedWorth;
  private int droppedBlocks;

  /** A region to be emptied, and the slots of its blocks. */
  private static final class Victim {
    final int region;
    final long generation;
    final long worth;
    int[] slots = new int[64];
    int count;

    Victim(int region, long generation, long worth) {
      this.region = region;
      this.generation = generation;
      this.worth = worth;
    }

    void add(int slot) {
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, 2 * count);
      }
      slots[count++] = slot;
    }
  }

  public RegionReclaim(
      BlockTables tables,
      RegionAllocator allocator,
      Policies policies,
      Remover remover,
      SlotScan slots,
      StripedCounters counters,
      RegionPricing pricing,
      Reinsertion reinsertion) {
    this.index = tables.index();
    this.files = tables.files();
    this.allocator = allocator;
    this.admission = policies.admission();
    this.eviction = policies.eviction();
    this.remover = remover;
    this.slots = slots;
    this.counters = counters;
    this.pricing = pricing;
    this.reinsertion = reinsertion;
  }

  /**
   * Frees as many regions as are wanted, and those that are found to be dead.
   *
   * @param between called now and then: other work must not wait for the end
   */
  void run(Runnable between) {
    if (hasLostMuch()) {
      chosen.clear();
      choose();
    }
    while (allocator.wantedRegions() > 0 || isNextDead()) {
      Victim victim = next();
      long before = allocator.usedBytes();
      if (victim == null || !empty(victim, between)) {
        return;
      }
      mostUsedBytes -= Math.max(0, before - allocator.usedBytes());
    }
  }

  /** Returns whether so much was invalidated that a census may find dead regions. */
  private boolean hasLostMuch() {
    long used = allocator.usedBytes();
    mostUsedBytes = Math.max(mostUsedBytes, used);
    long regions = 1L + allocator.regions() / REGIONS_PER_CENSUS;
    return mostUsedBytes - used >= regions * allocator.regionBytes() && isAnyFull();
  }

  private boolean isNextDead() {
    Victim victim = chosen.peekFirst();
    return victim != null && victim.worth == NOTHING;
  }

  /** Returns the next region to be emptied; null if none can be. */
  private @Nullable Victim next() {
    if (chosen.isEmpty() && isAnyFull()) {
      choose();
    }
    return chosen.pollFirst();
  }

  private boolean isAnyFull() {
    for (int region = 0; region < allocator.regions(); region++) {
      if (allocator.flushedGeneration(region) >= 0) {
        return true;
      }
    }
    return false;
  }

  private void choose() {
    mostUsedBytes = allocator.usedBytes();
    long[] worth = new long[allocator.regions()];
    Arrays.fill(worth, NOTHING);
    boolean counted = slots.forEach((slot, key, stripe) -> count(slot, key, worth));
    if (!counted) {
      return;
    }
    List<Victim> full = new ArrayList<>();
    for (int region = 0; region < worth.length; region++) {
      long generation = allocator.flushedGeneration(region);
      if (generation >= 0) {
        full.add(new Victim(region, generation, worth[region]));
      }
    }
    full.sort(
        Comparator.<Victim>comparingLong(victim -> victim.worth)
            .thenComparingLong(victim -> victim.generation));
    int dead = (int) full.stream().filter(victim -> victim.worth == NOTHING).count();
    List<Victim> least = full.subList(0, Math.min(full.size(), Math.max(most(), dead)));
    if (collect(least)) {
      chosen.addAll(least);
    }
  }

  private int most() {
    return Math.max(allocator.wantedRegions(), allocator.regions() / REGIONS_PER_CENSUS);
  }

  private void count(int slot, long key, long[] worth) {
    if (!files.isDropped(BucketLayout.fileNumber(key))) {
      int region = allocator.region(index.location(slot));
      worth[region] = Math.max(0, worth[region]) + Math.max(0, eviction.worth(slot));
    }
  }

  private boolean collect(List<Victim> victims) {
    @Nullable Victim[] byRegion = new Victim[allocator.regions()];
    victims.forEach(victim -> byRegion[victim.region] = victim);
    return slots.forEach(
        (slot, key, stripe) -> {
          Victim victim = byRegion[allocator.region(index.location(slot))];
          if (victim != null) {
            victim.add(slot);
          }
        });
  }

  /** Empties a region; false if its blocks have to stay. */
  private boolean empty(Victim victim, Runnable between) {
    if (victim.worth != NOTHING && !admission.mayEvict()) {
      counters.add(counters.stripe(), Counter.DEFERRED_EVICTIONS, 1);
      chosen.addFirst(victim);
      return false;
    }
    allocator.empty(victim.region);
    droppedWorth = 0;
    droppedBlocks = 0;
    for (int from = 0; from < victim.count; from += SLOTS_AT_ONCE) {
      int to = Math.min(victim.count, from + SLOTS_AT_ONCE);
      if (!slots.forEach(victim.slots, from, to, this::remove)) {
        return false;
      }
      between.run();
    }
    allocator.free(victim.region);
    pricing.reclaimed(droppedWorth, droppedBlocks);
    return true;
  }

  /** Takes a block out of the region that is emptied; one that is worth it is written anew. */
  private void remove(int slot, long key, int stripe) {
    if (files.isDropped(BucketLayout.fileNumber(key)) && remover.reclaimIfDropped(slot, stripe)) {
      return;
    }
    int worth = Math.max(0, eviction.worth(slot));
    if (pricing.isPriced() && reinsertion.reinserts(slot, worth - pricing.droppedWorth(), stripe)) {
      return;
    }
    if (remover.evictIfDraining(slot, Counter.EVICTIONS, stripe)) {
      droppedWorth += worth;
      droppedBlocks++;
    }
  }
}
