// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The DRAM tier above the cache under test, as an exact LRU of blocks bounded in bytes. What it
 * does depends on the trace alone, so it is run once and leaves the records that get past it:
 * lookups that it can't answer, writes, frees and rewrites. As in {@code TieredBlockCache}, blocks
 * enter it when they are read, not when they are written.
 */
final class DramFilter {
  private static final int ABSENT = -1;

  private final long capacityBytes;
  private final int ring;
  private final int[] next;
  private final int[] previous;
  private final int[] sizes;
  private long usedBytes;

  private DramFilter(int blocks, long capacityBytes) {
    this.capacityBytes = capacityBytes;
    this.ring = blocks;
    this.next = new int[blocks + 1];
    this.previous = new int[blocks + 1];
    this.sizes = new int[blocks];
    Arrays.fill(next, ABSENT);
    next[ring] = ring;
    previous[ring] = ring;
  }

  /** What gets past a DRAM tier of this size; the trace itself if it has none. */
  static Trace apply(Trace trace, long capacityBytes) {
    if (capacityBytes == 0) {
      return trace;
    }
    DramFilter tier = new DramFilter(trace.blocks(), capacityBytes);
    BitSet passed = new BitSet(trace.records());
    for (int i = 0; i < trace.records(); i++) {
      int block = trace.block(i);
      if (trace.op(i).isLookup()) {
        passed.set(i, !tier.lookUp(block, trace.sizeBytes(i)));
      } else {
        if (!trace.op(i).isOfRewrite()) {
          tier.remove(block);
        }
        passed.set(i);
      }
    }
    return trace.select(passed);
  }

  private boolean lookUp(int block, int sizeBytes) {
    boolean hit = next[block] != ABSENT;
    remove(block);
    if (sizeBytes <= capacityBytes) {
      while (usedBytes + sizeBytes > capacityBytes) {
        remove(previous[ring]);
      }
      append(block, sizeBytes);
    }
    return hit;
  }

  private void append(int block, int sizeBytes) {
    sizes[block] = sizeBytes;
    usedBytes += sizeBytes;
    next[block] = next[ring];
    previous[block] = ring;
    previous[next[ring]] = block;
    next[ring] = block;
  }

  private void remove(int block) {
    if (next[block] == ABSENT) {
      return;
    }
    usedBytes -= sizes[block];
    next[previous[block]] = next[block];
    previous[next[block]] = previous[block];
    next[block] = ABSENT;
  }
}
