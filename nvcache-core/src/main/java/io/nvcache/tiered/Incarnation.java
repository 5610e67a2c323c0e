// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The life of one file as the DRAM tier sees it. Every block in the tier points to the incarnation
 * it was read from, so that ending this one object hides all of them at once.
 */
final class Incarnation {
  private volatile boolean gone;

  boolean isGone() {
    return gone;
  }

  void end() {
    gone = true;
  }

  /**
   * The incarnations by file id. Values are held weakly: an incarnation is reachable exactly as
   * long as a block in the tier or a running call refers to it, and once nothing does there is
   * nothing left to hide. So the table needs no upkeep and is bounded by what the tier holds.
   */
  static final class Table {
    private final Cache<Long, Incarnation> byFileId;

    Table() {
      byFileId = Caffeine.newBuilder().weakValues().executor(Runnable::run).build();
    }

    /** Returns the file's incarnation; a new one if nothing refers to any. */
    Incarnation of(long fileId) {
      return byFileId.get(fileId, unknown -> new Incarnation());
    }

    /** Lets the next {@link #of} start again. */
    void forget(long fileId, Incarnation ended) {
      byFileId.asMap().remove(fileId, ended);
    }
  }
}
