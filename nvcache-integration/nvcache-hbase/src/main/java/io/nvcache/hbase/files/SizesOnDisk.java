// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The lengths on disk of the blocks that a compaction writes, by file and offset: 12 bytes of heap
 * for a block. A reader of HBase that does not know how long a block is reads its header first, and
 * each read of a store far away takes a trip. One thread notes, and others read after it.
 */
public final class SizesOnDisk {
  /** What HBase takes for a length that its caller does not know. */
  static final long UNKNOWN = -1;

  /** 12 MiB of heap, and 64 GiB of blocks of 64 KiB. */
  private static final int MOST_BLOCKS = 1 << 20;

  private static final int FIRST_BLOCKS = 64;

  private final int mostBlocks;
  private final Map<Long, OfFile> files = new HashMap<>();
  private int blocks;

  public SizesOnDisk() {
    this(MOST_BLOCKS);
  }

  /**
   * Makes an empty table.
   *
   * @param mostBlocks of all files; the lengths of more are not noted
   */
  public SizesOnDisk(int mostBlocks) {
    this.mostBlocks = mostBlocks;
  }

  /** The blocks of one file, in the order in which they were written. */
  private static final class OfFile {
    private long[] offsets = new long[FIRST_BLOCKS];
    private int[] lengths = new int[FIRST_BLOCKS];
    private int count;

    void add(long offset, int lengthBytes) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
        lengths = Arrays.copyOf(lengths, 2 * count);
      }
      offsets[count] = offset;
      lengths[count] = lengthBytes;
      count++;
    }

    boolean goesOnAt(long offset) {
      return count == 0 || offset > offsets[count - 1];
    }

    long of(long offset) {
      int found = Arrays.binarySearch(offsets, 0, count, offset);
      return found < 0 ? UNKNOWN : lengths[found];
    }
  }

  /**
   * Notes the length of a block, unless there are too many, or a block behind it was written
   * before.
   *
   * @param lengthBytes with header and checksums
   */
  public void add(long fileId, long offset, int lengthBytes) {
    OfFile file = files.computeIfAbsent(fileId, unknown -> new OfFile());
    if (blocks < mostBlocks && file.goesOnAt(offset)) {
      file.add(offset, lengthBytes);
      blocks++;
    }
  }

  /** Returns the length of a block; {@link #UNKNOWN} if it was not noted. */
  public long of(long fileId, long offset) {
    OfFile file = files.get(fileId);
    return file == null ? UNKNOWN : file.of(offset);
  }
}
