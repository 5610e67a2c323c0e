// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/**
 * Passes on what a compaction's scanner gives, and reports whose cells they are. It gives cells of
 * one row at a time, which HBase writes before it asks for more.
 */
public final class RowsOfCompaction implements InternalScanner, Shipper {
  private final InternalScanner scanner;
  private final HotRows rows;
  private final long store;

  /**
   * Whether the last row was read, so that the compaction has not failed before. It may still fail:
   * HBase closes the scanner before it commits what it has written ({@link RunningCompactions}).
   */
  private boolean complete;

  public RowsOfCompaction(InternalScanner scanner, HotRows rows, long store) {
    this.scanner = scanner;
    this.rows = rows;
    this.store = store;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // HBase 3 lists cells of another type.
  public boolean next(List result, ScannerContext context) throws IOException {
    complete = false; // Until it is known that there was no failure.
    boolean more = scanner.next(result, context);
    complete = !more;
    if (!result.isEmpty()) {
      Cell cell = (Cell) result.get(0);
      rows.written(
          store, cell.getRowArray(), cell.getRowOffset(), cell.getRowLength(), result.size());
    }
    return more;
  }

  @Override
  public void shipped() throws IOException {
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    if (!complete) {
      CompactionScope.abandon();
    }
    scanner.close();
  }
}
