// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/** Which block of an HFile has a row, found past all caches. */
final class BlocksOfRows {
  private static final int LENGTHS_BYTES = 2 * Integer.BYTES;

  private final List<Long> offsets = new ArrayList<>();
  private final List<Integer> firstRows = new ArrayList<>();

  private BlocksOfRows() {}

  static BlocksOfRows of(StoreFiles files, Path path) throws IOException {
    BlocksOfRows blocks = new BlocksOfRows();
    HFile.Reader reader = files.open(path, CacheConfig.DISABLED);
    try {
      long end = reader.getTrailer().getLastDataBlockOffset();
      for (long offset = reader.getTrailer().getFirstDataBlockOffset(); offset <= end; ) {
        HFileBlock block = reader.readBlock(offset, -1, false, true, false, false, null, null);
        if (block.getBlockType().isData()) {
          blocks.offsets.add(offset);
          // A cell begins with the lengths of key and value; a key with the row's.
          blocks.firstRows.add(
              block.getBufferWithoutHeader().getIntAfterPosition(LENGTHS_BYTES + Short.BYTES));
        }
        offset += block.getOnDiskSizeWithHeader();
        block.release();
      }
    } finally {
      reader.close(false);
    }
    return blocks;
  }

  int count() {
    return offsets.size();
  }

  /** Returns where the block begins that has a row. */
  long offsetOf(int row) {
    int found = Collections.binarySearch(firstRows, row);
    return offsets.get(found >= 0 ? found : -found - 2);
  }
}
