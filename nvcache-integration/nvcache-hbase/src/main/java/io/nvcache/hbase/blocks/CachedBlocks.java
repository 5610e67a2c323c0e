// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.BlockCache;
import io.nvcache.control.BlockWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.jspecify.annotations.Nullable;

/**
 * The cached blocks as HBase's pages want them, from a walk over the engine's index: nothing is
 * kept on the heap for a block. A block's type is read from its first bytes, which no statistic
 * counts.
 */
public final class CachedBlocks implements Iterator<CachedBlock> {
  private final BlockWalk walk;
  private final Map<Long, String> names;
  private final ByteBuffer magic = ByteBuffer.allocate(BlockType.MAGIC_LENGTH);
  private @Nullable CachedBlock next;

  public CachedBlocks(BlockCache cache, Map<Long, String> namesById) {
    this.walk = cache.control().walk();
    this.names = namesById;
  }

  @Override
  public boolean hasNext() {
    while (next == null && walk.next()) {
      String name = names.get(walk.fileId());
      if (name != null) { // Else the file came after the walk began.
        next = new WalkedBlock(name, walk.offset(), walk.lengthBytes(), type());
      }
    }
    return next != null;
  }

  /** The type of the block that the walk is at; null if it is no HFile block, or gone. */
  private @Nullable BlockType type() {
    if (walk.peek(magic.clear()) != BlockType.MAGIC_LENGTH) {
      return null;
    }
    try {
      return BlockType.parse(magic.array(), 0, BlockType.MAGIC_LENGTH);
    } catch (IOException e) {
      return null; // A Cacheable of another kind.
    }
  }

  @Override
  public CachedBlock next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more cached blocks");
    }
    CachedBlock block = next;
    next = null;
    return Objects.requireNonNull(block);
  }
}
