// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

/** Spreads numbered blocks over files of {@value #BLOCKS_PER_FILE} blocks, as a store would. */
final class BlockNames {
  static final int BLOCKS_PER_FILE = 4096;

  private BlockNames() {}

  static long fileId(long key) {
    return 1 + key / BLOCKS_PER_FILE;
  }

  static long offset(long key, int blockBytes) {
    return key % BLOCKS_PER_FILE * blockBytes;
  }
}
