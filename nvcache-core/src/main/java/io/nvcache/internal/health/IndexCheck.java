// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import static io.nvcache.internal.index.BucketLayout.EMPTY_KEY;
import static io.nvcache.internal.index.BucketLayout.SLOTS;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.LocationCodec;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through the index for entries that can't be: in a bucket that is not theirs, twice, without
 * their own space, longer than their space, or of no file. Each would be a bug here, or somebody
 * else's stray write. Locks one bucket at a time; used by one thread at a time.
 */
final class IndexCheck {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCheck.class);

  private final BlockIndex index;
  private final LocationCodec locations;
  private final BlockSpace blocks;
  private final FileTable files;

  /** Granules in which a block of this round lies. */
  private final BitSet seen = new BitSet();

  private final AtomicLong faults = new AtomicLong();

  IndexCheck(BlockTables tables) {
    this.index = tables.index();
    this.locations = tables.locations();
    this.blocks = tables.blocks();
    this.files = tables.files();
  }

  /** Entries found, over all rounds: one that stays is found again in each. */
  long faults() {
    return faults.get();
  }

  /** Begins a round. */
  void begin() {
    seen.clear();
  }

  /** Looks at the bucket of a slot; the caller is inside the gate. */
  void look(int firstSlot) {
    long bucket = index.bucketOf(firstSlot);
    Bucket.lock(bucket);
    try {
      for (int i = 0; i < SLOTS; i++) {
        if (index.keyIn(bucket, i) != EMPTY_KEY) {
          String fault = fault(bucket, i, firstSlot + i);
          if (fault != null) {
            report(firstSlot + i, index.keyIn(bucket, i), fault);
          }
        }
      }
    } finally {
      Bucket.unlockUnchanged(bucket);
    }
  }

  private void report(int slot, long key, String fault) {
    faults.incrementAndGet();
    LOG.error("index slot {} with key {} is corrupt: {}", slot, Long.toHexString(key), fault);
  }

  private @Nullable String fault(long bucket, int i, int slot) {
    long key = index.keyIn(bucket, i);
    long location = Bucket.location(bucket, i);
    if (!index.isHome(bucket, key)) {
      return "it does not belong in this bucket";
    }
    if (Bucket.find(bucket, index.hash(key)) != i) {
      return "its key is there twice";
    }
    if (!files.isCounted(BucketLayout.fileNumber(key))) {
      return "no file has that number";
    }
    if (!blocks.isTaken(location)) {
      return "its space, at " + location + ", is free";
    }
    if (Bucket.slack(bucket, i) >= locations.slotBytes(location)) {
      return "it is longer than its space";
    }
    long from = locations.granule(location);
    int lengthBytes = locations.slotBytes(location) - Bucket.slack(bucket, i);
    long to = from + blocks.spaceBytes(location, lengthBytes) / locations.granuleBytes();
    if (to <= Integer.MAX_VALUE) {
      int met = seen.nextSetBit((int) from);
      if (met >= 0 && met < to && isElsewhere(from, to, slot)) {
        return "its space, at " + location + ", is another block's";
      }
      seen.set((int) from, (int) to);
    }
    return null;
  }

  /** Not only a block that has gone since and passed its space on. */
  private boolean isElsewhere(long from, long to, int slot) {
    for (int other = 0; other < index.slots(); other++) {
      if (other != slot && index.key(other) != EMPTY_KEY) {
        long location = index.location(other);
        long start = locations.granule(location);
        int lengthBytes = locations.slotBytes(location) - index.slack(other);
        int granules = blocks.spaceBytes(location, lengthBytes) / locations.granuleBytes();
        if (start < to && start + granules > from) {
          return true;
        }
      }
    }
    return false;
  }
}
