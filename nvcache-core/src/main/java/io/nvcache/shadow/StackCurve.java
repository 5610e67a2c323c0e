// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.Source;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * LRU's miss-ratio curve, at all sizes in one pass: a lookup hits in every cache that holds the
 * block and all that was used since (R. Mattson et al., "Evaluation techniques for storage
 * hierarchies", IBM Systems Journal 1970), counted in bytes. Remembers each sampled block's length
 * and source on the way, for those who need to know. Used by one thread.
 *
 * <p>Blocks that lie deeper than the largest size are forgotten, so that memory is bounded.
 */
final class StackCurve {
  private static final int FIRST_PLACES = 1 << 12;

  /** A block that was seen. */
  static final class Seen {
    private final long key;
    private final long fileId;
    private int place;
    private int lengthBytes;
    private Source source;

    Seen(long key, long fileId, int lengthBytes, Source source) {
      this.key = key;
      this.fileId = fileId;
      this.lengthBytes = lengthBytes;
      this.source = source;
    }

    int lengthBytes() {
      return lengthBytes;
    }

    /** Returns what brings it when a lookup missed it. */
    Source source() {
      return source;
    }
  }

  private final long[] sizes;
  private final long[] hits;
  private final Map<Long, Seen> seen = new HashMap<>();
  private Seen[] byPlace = new Seen[FIRST_PLACES];
  private ByteTree bytes = new ByteTree(FIRST_PLACES);
  private long totalBytes;
  private int oldest;
  private int next;

  /**
   * Makes a curve.
   *
   * @param sizes in bytes, ascending
   */
  StackCurve(long[] sizes) {
    this.sizes = sizes.clone();
    this.hits = new long[sizes.length];
  }

  @Nullable Seen find(long key) {
    return seen.get(key);
  }

  /** A lookup of a block that was seen: counts it where it hits, and moves it to the top. */
  void lookUp(Seen block) {
    long distance = totalBytes - bytes.before(block.place);
    int i = Arrays.binarySearch(sizes, distance);
    int smallest = i < 0 ? -i - 1 : i;
    if (smallest < sizes.length) {
      hits[smallest]++;
    }
    takeOut(block);
    putOnTop(block);
  }

  /** A block comes in, or is seen to have another length. */
  void put(long key, long fileId, int lengthBytes, Source source) {
    Seen block = seen.get(key);
    if (block == null) {
      block = new Seen(key, fileId, lengthBytes, source);
      seen.put(key, block);
      putOnTop(block);
    } else {
      bytes.add(block.place, lengthBytes - block.lengthBytes);
      totalBytes += lengthBytes - block.lengthBytes;
      block.lengthBytes = lengthBytes;
      block.source = source;
    }
    while (totalBytes > sizes[sizes.length - 1] && seen.size() > 1) {
      forgetOldest();
    }
  }

  void remove(long key) {
    Seen block = seen.remove(key);
    if (block != null) {
      takeOut(block);
    }
  }

  void removeFile(long fileId) {
    seen.values()
        .removeIf(
            block -> {
              boolean gone = block.fileId == fileId;
              if (gone) {
                takeOut(block);
              }
              return gone;
            });
  }

  private void forgetOldest() {
    while (byPlace[oldest] == null) {
      oldest++;
    }
    Seen block = byPlace[oldest];
    seen.remove(block.key);
    takeOut(block);
  }

  private void takeOut(Seen block) {
    bytes.add(block.place, -block.lengthBytes);
    totalBytes -= block.lengthBytes;
    byPlace[block.place] = null;
  }

  private void putOnTop(Seen block) {
    if (next == byPlace.length) {
      compact();
    }
    block.place = next++;
    byPlace[block.place] = block;
    bytes.add(block.place, block.lengthBytes);
    totalBytes += block.lengthBytes;
  }

  /** Closes the gaps, and makes room for as many places again as are taken. */
  private void compact() {
    int taken = 0;
    Seen[] old = byPlace;
    for (Seen block : old) {
      taken += block == null ? 0 : 1;
    }
    byPlace = new Seen[Math.max(FIRST_PLACES, 2 * taken)];
    bytes = new ByteTree(byPlace.length);
    next = 0;
    oldest = 0;
    for (Seen block : old) {
      if (block != null) {
        block.place = next++;
        byPlace[block.place] = block;
        bytes.add(block.place, block.lengthBytes);
      }
    }
  }

  /** Returns the lookups that hit at each size. */
  long[] hits() {
    long[] cumulative = hits.clone();
    Arrays.parallelPrefix(cumulative, Long::sum);
    return cumulative;
  }
}
