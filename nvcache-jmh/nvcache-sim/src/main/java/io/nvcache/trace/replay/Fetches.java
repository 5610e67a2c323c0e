// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;

/**
 * What the backend below the cache is asked for: the bytes of all lookups that miss, and the
 * requests that bring them. Neighbouring blocks that are missed by one lookup after the other come
 * with one request, as a disk would serve them; the time of a disk's head follows from the two (D.
 * Wong et al., "Baleen: ML Admission &amp; Prefetching for Flash Caches", FAST 2024).
 */
final class Fetches {
  private static final int NONE = -1;

  private long bytes;
  private long requests;
  private long lastFile = NONE;
  private long nextOffset;

  /** Counts a lookup that misses. */
  void missed(long fileId, long offset, int sizeBytes) {
    bytes += sizeBytes;
    if (fileId != lastFile || offset != nextOffset) {
      requests++;
    }
    lastFile = fileId;
    nextOffset = offset + Trace.BLOCK_DISTANCE_BYTES;
  }

  /** Counts one that hits. */
  void hit() {
    lastFile = NONE;
  }

  long bytes() {
    return bytes;
  }

  long requests() {
    return requests;
  }
}
