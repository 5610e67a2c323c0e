// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import java.util.Comparator;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.jspecify.annotations.Nullable;

/** One block on HBase's pages. The time it was cached is not kept: its age is shown as 0. */
record WalkedBlock(
    String filename, long offset, long sizeBytes, @Nullable BlockType blockType, long toldAt)
    implements CachedBlock {
  private static final Comparator<CachedBlock> BY_PLACE =
      Comparator.comparing(CachedBlock::getFilename).thenComparingLong(CachedBlock::getOffset);

  WalkedBlock(String filename, long offset, long sizeBytes, @Nullable BlockType blockType) {
    this(filename, offset, sizeBytes, blockType, System.nanoTime());
  }

  /** Returns {@code MULTI}: all blocks compete alike, as HBase's blocks of multiple accesses do. */
  @Override
  public BlockPriority getBlockPriority() {
    return BlockPriority.MULTI;
  }

  @Override
  public @Nullable BlockType getBlockType() {
    return blockType;
  }

  @Override
  public long getOffset() {
    return offset;
  }

  @Override
  public long getSize() {
    return sizeBytes;
  }

  @Override
  public long getCachedTime() {
    return toldAt;
  }

  @Override
  public String getFilename() {
    return filename;
  }

  @Override
  public int compareTo(CachedBlock other) {
    return BY_PLACE.compare(this, other);
  }
}
