// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.space.Sizing;

/** The index by itself. */
final class IndexChain implements AutoCloseable {
  /** What a lookup returns that finds nothing. */
  static final long ABSENT = -1;

  private static final int BLOCKS_PER_FILE = 4096;
  private static final int BLOCK_BYTES = 4096;

  private static final BlockIndex.SlotListener NOBODY =
      new BlockIndex.SlotListener() {
        @Override
        public void inserted(int slot) {}

        @Override
        public void removed(int slot, long key) {}
      };

  /** Always 0. Not final: what is combined with it has to be waited for. */
  private static long nothing;

  private final BlockIndex index;

  private IndexChain(long slots, long seed) {
    this.index = new BlockIndex(slots, seed);
  }

  /**
   * An index as large as a cache of so many blocks makes it, of the blocks from 0 to {@code
   * entries} − 1, except for those few that find no slot.
   */
  static IndexChain filled(int entries, long seed) {
    IndexChain chain = withSlots(slotsFor(entries), seed);
    var unused = chain.insert(entries);
    return chain;
  }

  private static long slotsFor(int entries) {
    return new Sizing(Sizing.Cut.SLABS, 1, 1, entries, 1, 1).indexSlots();
  }

  /** An empty index of at least so many slots. */
  static IndexChain withSlots(long slots, long seed) {
    return new IndexChain(slots, seed);
  }

  /** Inserts the blocks from 0 to {@code entries} − 1; how many of them found no slot. */
  int insert(int entries) {
    int refused = 0;
    for (int number = 0; number < entries; number++) {
      if (index.insert(key(number), number, 0, NOBODY) != BlockIndex.Insertion.DONE) {
        refused++;
      }
    }
    return refused;
  }

  private static long key(long number) {
    int file = 1 + (int) (number / BLOCKS_PER_FILE);
    return BucketLayout.key(file, number % BLOCKS_PER_FILE * BLOCK_BYTES);
  }

  /**
   * Reads what a hit reads of the index; the number of the block found, or {@link #ABSENT}. Either
   * is known only when the bucket has come: a miss would otherwise be found by a branch that the
   * processor foresees.
   */
  long lookup(long number) {
    long key = key(number);
    long found = index.find(key);
    int slot = BlockIndex.slot(found);
    if (slot < 0) {
      long bucket = index.firstBucket(index.hash(key));
      return ABSENT + (Bucket.hash(bucket, 0) & nothing);
    }
    long location = index.location(slot) + index.slack(slot);
    return Bucket.isUnchanged(index.bucketOf(slot), BlockIndex.version(found)) ? location : ABSENT;
  }

  public int slots() {
    return index.slots();
  }

  long metadataBytes() {
    return index.metadataBytes();
  }

  @Override
  public void close() {
    index.close();
  }
}
