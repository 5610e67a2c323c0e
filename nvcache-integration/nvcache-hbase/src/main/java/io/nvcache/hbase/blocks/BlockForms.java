// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.hbase.files.StoreFileNames;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a store's readers expect the data blocks of its files: packed, as in the file,
 * where {@code hbase.block.data.cachecompressed} is on for the column family, and unpacked
 * otherwise. HBase takes the form of a cached block for granted and fails on the other one, so a
 * block of the wrong form must be a miss. The setting changes with {@code alter}, and a file that a
 * clone links to is read by two tables, which need not agree: then no data block of it is given. Of
 * files that are not registered, any form is given. Thread-safe.
 */
public final class BlockForms {
  /**
   * Where a block's header says how long header and data are in the file: without checksums, and
   * with them once HBase from 2.6.3 on has prepared the block for a cache.
   */
  private static final int DATA_BYTES_AT =
      BlockType.MAGIC_LENGTH + 2 * Integer.BYTES + Long.BYTES + Byte.BYTES + Integer.BYTES;

  private static final int CHECKSUM_BYTES = Integer.BYTES;

  /** The readers of each file that some store has open. */
  private final ConcurrentMap<String, Readers> readers = new ConcurrentHashMap<>();

  /** How many open stores of a file expect each form. */
  private record Readers(int packed, int unpacked) {
    @Nullable Readers with(boolean packs, int more) {
      Readers now =
          packs ? new Readers(packed + more, unpacked) : new Readers(packed, unpacked + more);
      return now.packed <= 0 && now.unpacked <= 0 ? null : now;
    }
  }

  /** Notes that a store opened a file. */
  public void opened(String hfileName, boolean packed) {
    readers.merge(
        StoreFileNames.fileOf(hfileName),
        packed ? new Readers(1, 0) : new Readers(0, 1),
        (before, one) -> before.with(packed, 1));
  }

  /** Notes that a store closed a file. */
  public void closed(String hfileName, boolean packed) {
    readers.computeIfPresent(
        StoreFileNames.fileOf(hfileName), (name, before) -> before.with(packed, -1));
  }

  /** Returns whether all readers of a file can use a block. */
  public boolean fits(String hfileName, Cacheable block) {
    if (!(block instanceof HFileBlock data)
        || data.getBlockType().getCategory() != BlockType.BlockCategory.DATA) {
      return true;
    }
    boolean packed = !data.isUnpacked();
    Readers now = readers.get(StoreFileNames.fileOf(hfileName));
    return now == null || (packed ? now.unpacked : now.packed) == 0 || isPlain(data);
  }

  /**
   * Returns whether a block is neither compressed nor encrypted: then both forms are one. It may
   * pass for packed where a file has checksums of another number of bytes than the default.
   */
  private static boolean isPlain(HFileBlock block) {
    int plainBytes = block.headerSize() + block.getUncompressedSizeWithoutHeader();
    int dataBytes = block.getBufferReadOnly().getInt(DATA_BYTES_AT);
    int chunks = (plainBytes - 1) / HFile.DEFAULT_BYTES_PER_CHECKSUM + 1;
    return dataBytes == plainBytes
        || (dataBytes == plainBytes + chunks * CHECKSUM_BYTES
            && dataBytes == block.getOnDiskSizeWithHeader());
  }
}
