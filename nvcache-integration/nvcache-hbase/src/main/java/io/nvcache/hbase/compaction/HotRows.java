// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.BlockCache;
import io.nvcache.KeyHeat;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of this server are read most, so that compactions find the outputs that these go to.
 * Counts rows while compactions carry heat; {@code NvCacheRegionObserver} reports the gets of a
 * region server. Thread-safe.
 */
public final class HotRows {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final BlockCache cache;
  private final long capacityBlocks;

  /** No table's name has such a byte. */
  private static final byte[] END = {0};

  private volatile @Nullable KeyHeat heat;

  /**
   * Makes a count that is yet to begin. It forgets as fast as the counts of blocks do, or the rows
   * would account for a part of the blocks' heat only, and the rest of it would go to outputs that
   * have none of these rows.
   *
   * @param capacityBlocks how many blocks the cache is expected to hold, ≥ 1
   */
  HotRows(BlockCache cache, long capacityBlocks) {
    this.cache = cache;
    this.capacityBlocks = capacityBlocks;
  }

  /** Begins to count if compactions carry heat, or forgets what was counted. */
  synchronized void count(CompactionOutputs outputs) {
    if (outputs != CompactionOutputs.CARRY) {
      heat = null;
    } else if (heat == null) {
      heat = new KeyHeat(capacityBlocks);
    }
  }

  /** Returns whether reads of rows are to be reported. */
  public boolean isCounting() {
    return heat != null;
  }

  /** Returns what tells the rows of one column family from all others' rows. */
  public static long storeOf(TableName table, byte[] family) {
    long ofTable = hash(FNV_OFFSET, table.getName(), 0, table.getName().length);
    return hash(hash(ofTable, END, 0, END.length), family, 0, family.length);
  }

  /**
   * Notes a read of a row.
   *
   * @param store of {@link #storeOf}
   */
  public void read(long store, byte[] row) {
    KeyHeat counting = heat;
    if (counting != null) {
      counting.lookedUp(keyOf(store, row, 0, row.length));
    }
  }

  /**
   * Notes that the calling thread's compaction continues to write cells of a row. Called once or
   * more for each row, before its first cell is written.
   *
   * @param cells of the row that are written before the next call, ≥ 1
   */
  public void written(long store, byte[] array, int offset, int length, int cells) {
    KeyHeat counting = heat;
    if (counting == null) {
      return;
    }
    CompactionScope scope = CompactionScope.current(cache);
    if (scope != null) {
      long key = keyOf(store, array, offset, length);
      scope.writes(key, counting.recentLookups(key), cells);
    }
  }

  private static long keyOf(long store, byte[] array, int offset, int length) {
    long mixed = hash(store, array, offset, length);
    mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8feb86659fd93L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xd6e8feb86659fd93L;
    return mixed ^ (mixed >>> 32);
  }

  /** FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo. */
  private static long hash(long from, byte[] array, int offset, int length) {
    long hash = from;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ (array[i] & 0xff)) * FNV_PRIME;
    }
    return hash;
  }
}
