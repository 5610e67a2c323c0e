// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers which blocks were taken into the cache a moment ago.
 *
 * <p>Passing on every second lookup of HBase would count each miss twice and halve the overhead
 * (medium writes per lookup) that admission follows; passing on none would have every reader that
 * waits for a block go to the disk. This table detects the few second lookups that can hit.
 *
 * <p><b>Guarantees.</b> No locks. Lossy: a block may be forgotten early, when another one falls on
 * its place, which costs one disk read; a wrong yes costs one lookup.
 */
final class RecentOffers {
  private static final int PLACES = 4096;

  private final AtomicLongArray keys = new AtomicLongArray(PLACES);

  public void add(long fileId, long offset) {
    long key = mix(fileId, offset);
    keys.setOpaque(place(key), key);
  }

  public boolean contains(long fileId, long offset) {
    long key = mix(fileId, offset);
    return keys.getOpaque(place(key)) == key;
  }

  public void remove(long fileId, long offset) {
    long key = mix(fileId, offset);
    keys.compareAndSet(place(key), key, 0);
  }

  private static int place(long key) {
    return (int) (key >>> 52);
  }

  /** A block's name as a hash; never 0, the value of a free place. */
  static long mix(long fileId, long offset) {
    long hash = (fileId * 0x9E3779B97F4A7C15L) ^ offset;
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    return (hash ^ (hash >>> 32)) | 1;
  }
}
