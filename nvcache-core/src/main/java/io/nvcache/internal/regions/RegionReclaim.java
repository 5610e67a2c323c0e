// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.policy.RegionPricing;
import io.nvcache.internal.remove.Remover;
import io.nvcache.stats.Counter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Empties the regions whose blocks are worth the least together, a few ahead of those that are
 * filled; and those without any block that counts, however many they are.
 *
 * <p>A {@linkplain RegionCensus census} chooses several of the least, so that its cost is shared by
 * them. Worth changes slowly, and blocks only leave a region that was filled: what was chosen stays
 * a good choice for the time that it takes to get to it.
 *
 * <p>Used by one thread at a time.
 */
public final class RegionReclaim {
  /** The part of all regions that is chosen at once. */
  private static final int REGIONS_PER_CENSUS = 64;

  private static final int SLOTS_AT_ONCE = 16;

  private final RegionCensus census;
  private final AppendLog log;
  private final RegionTable table;
  private final GuardedAdmission admission;
  private final GuardedEviction eviction;
  private final Remover remover;
  private final RegionPricing pricing;
  private final Reinsertion reinsertion;
  private final BlockIndex.Removal inEmptied;
  private final ArrayDeque<RegionCensus.Victim> chosen = new ArrayDeque<>();

  /** The most that was in use since the last census, less what was emptied since. */
  private long mostUsedBytes;

  // The region that is emptied, and what of it is dropped.
  private int emptied;
  private long droppedWorth;
  private int droppedBlocks;

  public RegionReclaim(
      RegionCensus census,
      AppendLog log,
      Policies policies,
      Remover remover,
      RegionPricing pricing,
      Reinsertion reinsertion) {
    this.census = census;
    this.log = log;
    this.table = log.table();
    this.admission = policies.admission();
    this.eviction = policies.eviction();
    this.remover = remover;
    this.pricing = pricing;
    this.reinsertion = reinsertion;
    this.inEmptied = (key, location) -> log.region(location) == emptied;
  }

  /** Forgets what was chosen: regions have gone out of use. */
  void chooseAgain() {
    chosen.clear();
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
    while (table.wanted() > 0 || isNextDead()) {
      RegionCensus.Victim victim = next();
      long before = log.usedBytes();
      if (victim == null || !empty(victim, between)) {
        return;
      }
      mostUsedBytes -= Math.max(0, before - log.usedBytes());
    }
  }

  /** Returns whether so much was invalidated that a census may find dead regions. */
  private boolean hasLostMuch() {
    long used = log.usedBytes();
    mostUsedBytes = Math.max(mostUsedBytes, used);
    long regions = 1L + table.count() / REGIONS_PER_CENSUS;
    return mostUsedBytes - used >= regions * table.regionBytes() && census.isAnyFull();
  }

  private boolean isNextDead() {
    RegionCensus.Victim victim = chosen.peekFirst();
    return victim != null && victim.isDead();
  }

  /** Returns the next region to be emptied; null if none can be. */
  private RegionCensus.@Nullable Victim next() {
    if (chosen.isEmpty() && census.isAnyFull()) {
      choose();
    }
    return chosen.pollFirst();
  }

  private void choose() {
    mostUsedBytes = log.usedBytes();
    chosen.addAll(census.least(Math.max(table.wanted(), table.count() / REGIONS_PER_CENSUS)));
  }

  /** Empties a region; false if its blocks have to stay. */
  private boolean empty(RegionCensus.Victim victim, Runnable between) {
    if (!victim.isDead() && !admission.mayEvict()) {
      chosen.addFirst(victim);
      return false;
    }
    emptied = victim.region;
    droppedWorth = 0;
    droppedBlocks = 0;
    for (int from = 0; from < victim.count(); from += SLOTS_AT_ONCE) {
      int to = Math.min(victim.count(), from + SLOTS_AT_ONCE);
      if (!census.forEach(victim, from, to, this::remove)) {
        return false;
      }
      between.run();
    }
    table.free(victim.region);
    pricing.reclaimed(droppedWorth, droppedBlocks);
    return true;
  }

  /** Takes a block out of the region that is emptied; one that is worth it is written again. */
  private void remove(int slot, long key, int stripe) {
    if (remover.reclaimIfDropped(slot, key, stripe)) {
      return;
    }
    int worth = Math.max(0, eviction.worth(slot));
    if (pricing.isPriced()
        && reinsertion.reinserts(slot, emptied, worth - pricing.droppedWorth(), stripe)) {
      return;
    }
    if (remover.evictFrom(inEmptied, slot, Counter.EVICTIONS, stripe)) {
      droppedWorth += worth;
      droppedBlocks++;
    }
  }
}
