// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * LRU that takes every block, in the plainest way and in bytes: what a miss-ratio curve represents.
 * The cache's own LRU of the trace policies hits less, since blocks take whole slots.
 */
final class PlainLru {
  private final Map<Integer, Integer> blocks = new LinkedHashMap<>(1 << 10, 0.75f, true);
  private final long capacityBytes;
  private long usedBytes;
  private long lookups;
  private long hits;

  private PlainLru(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** What of a trace's lookups it hits, as a ratio. */
  static double hitRatio(Trace trace, long capacityBytes) {
    PlainLru lru = new PlainLru(capacityBytes);
    for (int i = 0; i < trace.records(); i++) {
      int block = trace.block(i);
      switch (trace.op(i)) {
        case READ, SCAN -> lru.lookUp(block, trace.sizeBytes(i));
        case WRITE -> lru.put(block, trace.sizeBytes(i));
        case FREE -> lru.remove(block);
        case REWRITE_READ, REWRITE_WROTE, REWRITE_END -> {}
      }
    }
    return lru.lookups == 0 ? 0 : (double) lru.hits / lru.lookups;
  }

  private void lookUp(int block, int sizeBytes) {
    lookups++;
    if (blocks.get(block) == null) {
      put(block, sizeBytes);
    } else {
      hits++;
    }
  }

  private void put(int block, int sizeBytes) {
    remove(block);
    blocks.put(block, sizeBytes);
    usedBytes += sizeBytes;
    Iterator<Integer> eldest = blocks.values().iterator();
    while (usedBytes > capacityBytes) {
      usedBytes -= eldest.next();
      eldest.remove();
    }
  }

  private void remove(int block) {
    Integer sizeBytes = blocks.remove(block);
    usedBytes -= sizeBytes == null ? 0 : sizeBytes;
  }
}
