// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.BlockCache;
import io.nvcache.control.RestoreReport;

/** The block cache below, and the length that files are cut by for it. Thread-safe. */
public final class FileBlocks {
  private final BlockCache cache;
  private final int blockBytes;
  private volatile boolean closed;

  public FileBlocks(BlockCache cache, int blockBytes) {
    this.cache = cache;
    this.blockBytes = blockBytes;
  }

  public BlockCache cache() {
    return cache;
  }

  /** Returns the bytes of a block; the last one of a file may have fewer. */
  public int blockBytes() {
    return blockBytes;
  }

  /** Returns whether blocks may be found again by another process. */
  public boolean restartsWarm() {
    return cache.control().restore().state() != RestoreReport.State.OFF;
  }

  /** Has all who ask see that the cache is about to be closed. */
  public void end() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }
}
