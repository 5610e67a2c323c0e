// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.internal.space.BlockTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up, over the index, what the blocks of each region are worth, and finds the regions that are
 * worth the least.
 *
 * <p>Used by one thread at a time.
 */
public final class RegionCensus {
  private final BlockIndex index;
  private final FileTable files;
  private final AppendLog log;
  private final RegionTable table;
  private final GuardedEviction eviction;
  private final SlotScan slots;

  /** A region to be emptied, and the slots of its blocks. */
  static final class Victim {
    final int region;
    private final long generation;
    private final Sum sum;
    private int[] slots = new int[64];
    private int count;

    Victim(int region, long generation, Sum sum) {
      this.region = region;
      this.generation = generation;
      this.sum = sum;
    }

    /** Returns whether no block of it counted. */
    boolean isDead() {
      return sum.blocks == 0;
    }

    /** Returns how many slots there are. */
    int count() {
      return count;
    }

    private void add(int slot) {
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, 2 * count);
      }
      slots[count++] = slot;
    }
  }

  /** What the blocks of a region that count are worth together. */
  private static final class Sum {
    long worth;
    int blocks;
  }

  public RegionCensus(BlockTables tables, AppendLog log, GuardedEviction eviction, SlotScan slots) {
    this.index = tables.index();
    this.files = tables.files();
    this.log = log;
    this.table = log.table();
    this.eviction = eviction;
    this.slots = slots;
  }

  /** Returns whether all of any region is on the medium. */
  boolean isAnyFull() {
    for (int region = 0; region < table.count(); region++) {
      if (log.flushedGeneration(region) >= 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Finds full regions that are worth the least, those first, and all that are dead; none if the
   * cache was closed before.
   *
   * @param most of those that are not dead
   */
  List<Victim> least(int most) {
    Sum[] sums = new Sum[table.count()];
    Arrays.setAll(sums, region -> new Sum());
    boolean counted = slots.forEach((slot, key, stripe) -> count(slot, key, sums));
    if (!counted) {
      return List.of();
    }
    List<Victim> full = new ArrayList<>();
    for (int region = 0; region < sums.length; region++) {
      long generation = log.flushedGeneration(region);
      if (generation >= 0) {
        full.add(new Victim(region, generation, sums[region]));
      }
    }
    full.sort(
        Comparator.<Victim>comparingInt(victim -> victim.isDead() ? 0 : 1)
            .thenComparingLong(victim -> victim.sum.worth)
            .thenComparingLong(victim -> victim.generation));
    int dead = (int) full.stream().filter(Victim::isDead).count();
    List<Victim> least = full.subList(0, Math.min(full.size(), Math.max(most, dead)));
    return collect(least) ? least : List.of();
  }

  private void count(int slot, long key, Sum[] sums) {
    if (!files.isDropped(BucketLayout.fileNumber(key))) {
      Sum sum = sums[log.region(index.location(slot))];
      sum.worth += Math.max(0, eviction.worth(slot));
      sum.blocks++;
    }
  }

  private boolean collect(List<Victim> victims) {
    @Nullable Victim[] byRegion = new Victim[table.count()];
    victims.forEach(victim -> byRegion[victim.region] = victim);
    return slots.forEach(
        (slot, key, stripe) -> {
          Victim victim = byRegion[log.region(index.location(slot))];
          if (victim != null) {
            victim.add(slot);
          }
        });
  }

  /**
   * Shows some of a victim's slots that seem to hold a block; false if the cache was closed before.
   */
  boolean forEach(Victim victim, int from, int to, SlotScan.Visitor visitor) {
    return slots.forEach(victim.slots, from, to, visitor);
  }
}
