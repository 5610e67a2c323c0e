// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The blocks that are being written: of threads that miss a block together, one writes it. Nothing
 * else would bound how often the same bytes are written, since all copies but one are taken back.
 *
 * <p>A block has one place, which its hash gives. Where another block holds it, a block is written
 * without being noted: that is rare, and costs a copy at most. Off the hit path; no lock.
 */
final class WritesUnderWay {
  private static final int PLACES = 1024;
  private static final long FREE = 0;

  private final AtomicLongArray keys = new AtomicLongArray(PLACES);

  /** What became of the wish to write a block. */
  enum Begun {
    /** It is noted, to be {@linkplain #end ended}. */
    NOTED,
    /** It may be written, but its place is another block's. */
    UNNOTED,
    /** Another thread writes it. */
    WRITTEN_ELSEWHERE
  }

  /** Returns whether a block is being written. */
  boolean has(long fileId, long offset) {
    long key = key(fileId, offset);
    return keys.get(place(key)) == key;
  }

  /** Notes that the calling thread is about to write a block. */
  Begun begin(long fileId, long offset) {
    long key = key(fileId, offset);
    int place = place(key);
    if (keys.compareAndSet(place, FREE, key)) {
      return Begun.NOTED;
    }
    return keys.get(place) == key ? Begun.WRITTEN_ELSEWHERE : Begun.UNNOTED;
  }

  /** The calling thread, which noted a block, does not write it any more. */
  void end(long fileId, long offset) {
    keys.set(place(key(fileId, offset)), FREE);
  }

  private static int place(long key) {
    return (int) (key >>> 1) & (PLACES - 1);
  }

  /** Returns a key that is not {@link #FREE}. Of two blocks with one key, one is not written. */
  private static long key(long fileId, long offset) {
    long z = fileId * 0x9e3779b97f4a7c15L + offset;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return (z ^ (z >>> 31)) | 1;
  }
}
