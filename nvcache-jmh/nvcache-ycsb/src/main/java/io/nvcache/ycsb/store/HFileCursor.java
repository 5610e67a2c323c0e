// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.jspecify.annotations.Nullable;

/** Walks over one HFile. */
class HFileCursor implements RecordCursor {
  private final HFileScanner scanner;
  private final byte @Nullable [] from;
  private boolean started;

  /**
   * Takes over a scanner.
   *
   * @param from the first key, or null for the start of the file
   */
  HFileCursor(HFileScanner scanner, byte @Nullable [] from) {
    this.scanner = scanner;
    this.from = from;
  }

  @Override
  public boolean next() throws IOException {
    if (started) {
      return scanner.next();
    }
    started = true;
    return from == null ? scanner.seekTo() : seekAtOrAfter(from);
  }

  private boolean seekAtOrAfter(byte[] key) throws IOException {
    int position = scanner.seekTo(Cells.key(key));
    if (position > 0) {
      return scanner.next(); // it stands on the last record before the key
    }
    if (position == 0 || position == HConstants.INDEX_KEY_MAGIC) {
      return true; // on the key, or on the first record of a block that starts after it
    }
    return scanner.seekTo(); // the key is before the file's first
  }

  @Override
  public byte[] key() {
    return CellUtil.cloneRow(current());
  }

  @Override
  public byte[] value() {
    return CellUtil.cloneValue(current());
  }

  private Cell current() {
    return scanner.getCell();
  }

  @Override
  public void close() {
    scanner.close();
  }
}
