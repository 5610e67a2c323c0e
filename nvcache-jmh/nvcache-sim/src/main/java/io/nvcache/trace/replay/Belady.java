// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;
import java.util.TreeMap;

/**
 * What a cache could hit that knew the future and might write as it liked: L. A. Belady's MIN ("A
 * Study of Replacement Algorithms for a Virtual-Storage Computer", IBM Systems Journal 1966) with
 * bypass. A block is taken if it is asked for again sooner than what would be evicted, the blocks
 * asked for again last. Exact where all blocks are of one size, else close to the best.
 */
final class Belady {
  private final FutureUse future;
  private final Trace trace;
  private final long capacityBytes;

  /** Cached blocks by the record that asks for them again, which is another for each. */
  private final TreeMap<Integer, Integer> byNextUse = new TreeMap<>();

  private final int[] nextUse;
  private long usedBytes;
  private long hits;

  private Belady(Trace trace, FutureUse future, long capacityBytes) {
    this.trace = trace;
    this.future = future;
    this.capacityBytes = capacityBytes;
    this.nextUse = new int[trace.blocks()];
  }

  /** The hit ratio. */
  static double hitRatio(Trace trace, FutureUse future, long capacityBytes) {
    Belady run = new Belady(trace, future, capacityBytes);
    for (int i = 0; i < trace.records(); i++) {
      run.step(i);
    }
    return (double) run.hits / trace.lookups();
  }

  private void step(int index) {
    int block = trace.block(index);
    boolean cached = nextUse[block] != 0;
    if (cached) {
      drop(block);
      hits += trace.op(index).isLookup() ? 1 : 0;
    }
    int next = future.nextLookup(index);
    if (next != FutureUse.NONE) {
      keep(block, next);
    }
  }

  private void keep(int block, int next) {
    int size = trace.largestSizeBytes(block);
    nextUse[block] = next;
    byNextUse.put(next, block);
    usedBytes += size;
    while (usedBytes > capacityBytes) {
      drop(byNextUse.lastEntry().getValue());
    }
  }

  private void drop(int block) {
    byNextUse.remove(nextUse[block]);
    nextUse[block] = 0;
    usedBytes -= trace.largestSizeBytes(block);
  }
}
