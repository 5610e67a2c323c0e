// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

/** Spreads numbered blocks over files of {@value #BLOCKS_PER_FILE} blocks, as a store would. */
public final class BlockNumbering {
  private static final int FILE_SHIFT = 12;
  private static final int ABSENT_SHIFT = 27;

  public static final int BLOCKS_PER_FILE = 1 << FILE_SHIFT;

  /**
   * Added to the number of a block, gives the number of another one further back in the same file.
   * No block from here on is ever put in.
   */
  public static final long ABSENT_BLOCKS = 1L << ABSENT_SHIFT;

  /**
   * Added to the number of a block, gives the number of another one in a file of which none is put
   * in.
   */
  public static final long ABSENT_FILES = ABSENT_BLOCKS << 1;

  private static final int BEYOND_SHIFT = ABSENT_SHIFT - FILE_SHIFT;

  private BlockNumbering() {}

  public static long fileId(long key) {
    return 1 + ((key & ~ABSENT_BLOCKS) >>> FILE_SHIFT);
  }

  public static long offset(long key, int blockBytes) {
    long inFile = key & (BLOCKS_PER_FILE - 1);
    long beyond = (key & ABSENT_BLOCKS) >>> BEYOND_SHIFT;
    return (inFile | beyond) * blockBytes;
  }
}
