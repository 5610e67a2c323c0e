// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.FileIdentity;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a file: its id in the cache, and what tells its bytes from a namesake's that
 * somebody else put in its place.
 */
public final class CachedFile {
  private final long id;
  private final long lengthBytes;
  private final byte[] footer;

  /**
   * The identity by which the next opening finds the blocks; null if there is none, or none yet.
   */
  private volatile @Nullable FileIdentity identity;

  private volatile boolean gone;
  private volatile boolean left;

  /** Which blocks are to be loaded; null for a file that no merge wrote, or whose are. */
  private volatile @Nullable HotBlocks hotBlocks;

  CachedFile(
      long id,
      long lengthBytes,
      byte[] footer,
      @Nullable FileIdentity identity,
      @Nullable HotBlocks hotBlocks) {
    this.id = id;
    this.lengthBytes = lengthBytes;
    this.footer = footer;
    this.identity = identity;
    this.hotBlocks = hotBlocks;
  }

  public long id() {
    return id;
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  @Nullable FileIdentity identity() {
    return identity;
  }

  /** Names a file that had no identity. */
  void identify(FileIdentity known) {
    identity = known;
  }

  boolean is(long otherLengthBytes, byte[] otherFooter) {
    return lengthBytes == otherLengthBytes && Arrays.equals(footer, otherFooter);
  }

  /**
   * Returns the files whose cached blocks a merge wrote the block from, if it has not been loaded;
   * else none.
   */
  Set<CachedFile> inputsOf(int block) {
    HotBlocks hot = hotBlocks;
    return hot == null ? Set.of() : hot.inputsOf(block);
  }

  /** Hands out which blocks are to be loaded, to one opening at a time. */
  public synchronized @Nullable HotBlocks takeHotBlocks() {
    HotBlocks hot = hotBlocks;
    hotBlocks = null;
    return hot;
  }

  /** Takes back what the next opening needs and one that is closed now has not loaded. */
  public synchronized void giveBack(HotBlocks hot) {
    if (!gone && !hot.blocks().isEmpty()) {
      hotBlocks = hot;
    }
  }

  /** Ends the file: from now on nothing of it is offered. */
  synchronized void end() {
    gone = true;
    hotBlocks = null; // Or files that are gone would keep those that they were merged of.
  }

  /** The same, but the blocks stay right: they are left to who opens the file next. */
  void leave() {
    left = true; // First: who sees the end is to see this.
    end();
  }

  /** Returns whether nothing of this file is offered any more. */
  public boolean isGone() {
    return gone;
  }

  /** Returns whether no block of this file may be cached any more. */
  boolean isForgotten() {
    return gone && !left;
  }
}
