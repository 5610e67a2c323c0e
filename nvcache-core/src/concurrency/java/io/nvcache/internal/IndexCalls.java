// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * The index, for Lincheck: two buckets, of which the one that all keys prefer is full at first, so
 * that they spill into the other until room is made.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
public class IndexCalls {
  static final int NONE = -1;

  private static final BlockIndex.SlotListener NOBODY =
      new BlockIndex.SlotListener() {
        @Override
        public void inserted(int slot) {}

        @Override
        public void removed(int slot, long key) {}
      };

  final BlockIndex index = new BlockIndex(2 * BucketLayout.SLOTS, 1);
  private final List<Long> fillers = new ArrayList<>();
  private final List<Long> keys = new ArrayList<>();

  public IndexCalls() {
    for (long offset = 0; keys.size() < 3; offset += 512) {
      long key = BucketLayout.key(1, offset);
      if (index.firstSlot(index.hash(key)) == 0) {
        if (fillers.size() < BucketLayout.SLOTS) {
          index.insert(key, 0, 0, NOBODY);
          fillers.add(key);
        } else {
          keys.add(key);
        }
      }
    }
  }

  @Operation
  public boolean insert(
      @Param(name = "key") int key,
      @Param(gen = IntGen.class, conf = "1:100") int location) {
    return index.insert(keys.get(key), location & 0xFFFF, 0, NOBODY) == BlockIndex.Insertion.DONE;
  }

  @Operation
  public int find(@Param(name = "key") int key) {
    while (true) {
      long found = index.find(keys.get(key));
      if (found == BlockIndex.NOT_FOUND) {
        return NONE;
      }
      if (found != BlockIndex.BUSY) {
        int location = (int) index.location(BlockIndex.slot(found));
        if (stands(found)) {
          return location;
        }
      }
    }
  }

  boolean stands(long found) {
    return Bucket.isUnchanged(index.bucketOf(BlockIndex.slot(found)), BlockIndex.version(found));
  }

  @Operation
  public int remove(@Param(name = "key") int key) {
    long place = index.remove(keys.get(key), (anyKey, anyLocation) -> true, NOBODY);
    return place == BlockIndex.NOT_REMOVED ? NONE : (int) BlockIndex.locationOf(place);
  }

  /** Frees a slot of the first bucket. */
  @Operation(nonParallelGroup = "fillers")
  public boolean makeRoom(@Param(gen = IntGen.class, conf = "0:7") int filler) {
    return index.remove(fillers.get(filler), (anyKey, anyLocation) -> true, NOBODY)
        != BlockIndex.NOT_REMOVED;
  }

  @Validate
  public void close() {
    index.close();
  }

  /** A reader that does not ask whether what it found still stands. */
  public static class Broken extends IndexCalls {
    @Override
    boolean stands(long found) {
      return true;
    }
  }

  /** What it must look like. */
  public static class Specification {
    private final Integer[] locations = new Integer[3];
    private final boolean[] gone = new boolean[BucketLayout.SLOTS];

    public boolean insert(int key, int location) {
      if (locations[key] != null) {
        return false;
      }
      locations[key] = location & 0xFFFF;
      return true;
    }

    public int find(int key) {
      return locations[key] == null ? NONE : locations[key];
    }

    public int remove(int key) {
      int location = find(key);
      locations[key] = null;
      return location;
    }

    public boolean makeRoom(int filler) {
      boolean there = !gone[filler];
      gone[filler] = true;
      return there;
    }
  }
}
