// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * Merges store files as a compaction does: on one thread, by scanners that ask the cache and fill
 * it not.
 */
final class StoreFileMerge {
  /** Cells that the merge continues for before it gives the blocks back that it has read. */
  private static final int CELLS_PER_SHIPMENT = 1000;

  private StoreFileMerge() {}

  /**
   * Writes all cells of some files in the order of their keys.
   *
   * @param next called with each cell before it is written
   */
  static void merge(
      List<HStoreFile> inputs,
      HFile.Writer writer,
      Configuration configuration,
      Consumer<Cell> next)
      throws IOException {
    PriorityQueue<HFileScanner> byKey =
        new PriorityQueue<>(
            Comparator.comparing(HFileScanner::getCell, CellComparator.getInstance()));
    List<HFileScanner> scanners = new ArrayList<>();
    try {
      for (HStoreFile input : inputs) {
        HFileScanner scanner =
            input.getReader().getHFileReader().getScanner(configuration, false, true, true);
        scanners.add(scanner);
        if (scanner.seekTo()) {
          byKey.add(scanner);
        }
      }
      int cells = 0;
      while (!byKey.isEmpty()) {
        HFileScanner least = byKey.remove();
        next.accept(least.getCell());
        writer.append(least.getCell());
        if (least.next()) {
          byKey.add(least);
        }
        if (++cells % CELLS_PER_SHIPMENT == 0) {
          writer.beforeShipped();
          for (HFileScanner scanner : scanners) {
            scanner.shipped();
          }
        }
      }
    } finally {
      scanners.forEach(HFileScanner::close);
    }
  }
}
