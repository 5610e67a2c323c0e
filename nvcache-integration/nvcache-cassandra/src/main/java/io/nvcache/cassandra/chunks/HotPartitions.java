// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.KeyHeat;
import java.nio.ByteBuffer;

/**
 * Counts how often the partitions of this node were queried lately, so that compactions find the
 * chunks that the hot ones go to. Thread-safe.
 */
final class HotPartitions {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long MIXING_PRIME = 0xd6e8feb86659fd93L;
  private static final int TYPICAL_CHUNK_BYTES = 8192;

  private final KeyHeat heat;

  HotPartitions(long capacityBytes) {
    this.heat = new KeyHeat(Math.max(1, capacityBytes / TYPICAL_CHUNK_BYTES));
  }

  void queried(int table, ByteBuffer key) {
    heat.lookedUp(hash(table, key));
  }

  int recentLookups(int table, ByteBuffer key) {
    return heat.recentLookups(hash(table, key));
  }

  /** FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo, mixed at the end. */
  private static long hash(int table, ByteBuffer key) {
    long hash = (FNV_OFFSET ^ table) * FNV_PRIME;
    for (int i = key.position(); i < key.limit(); i++) {
      hash = (hash ^ (key.get(i) & 0xff)) * FNV_PRIME;
    }
    hash = (hash ^ (hash >>> 32)) * MIXING_PRIME;
    hash = (hash ^ (hash >>> 32)) * MIXING_PRIME;
    return hash ^ (hash >>> 32);
  }
}
