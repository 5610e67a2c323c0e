// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

/** Spreads numbered blocks over files of {@value #BLOCKS_PER_FILE} blocks, as a store would. */
final class BlockNames {
  static final int BLOCKS_PER_FILE = 1 << 12;

  /**
   * Added to the number of a block, that of another one further back in the same file. No block
   * from here on is ever put in.
   */
  static final long ABSENT_BLOCKS = 1L << 27;

  /** Added to the number of a block, that of another one in a file of which none is put in. */
  static final long ABSENT_FILES = 1L << 28;

  private static final int FILE_SHIFT = 12;
  private static final int BEYOND_SHIFT = 27 - FILE_SHIFT;

  private BlockNames() {}

  static long fileId(long key) {
    return 1 + ((key & ~ABSENT_BLOCKS) >>> FILE_SHIFT);
  }

  static long offset(long key, int blockBytes) {
    long inFile = key & (BLOCKS_PER_FILE - 1);
    long beyond = (key & ABSENT_BLOCKS) >>> BEYOND_SHIFT;
    return (inFile | beyond) * blockBytes;
  }
}
