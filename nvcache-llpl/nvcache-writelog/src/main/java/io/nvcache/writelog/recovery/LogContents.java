// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.recovery;

import io.nvcache.writelog.LogInspection;
import io.nvcache.writelog.LogInspection.FileShare;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.FileTable.Entry;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogScan;
import io.nvcache.writelog.format.LogScan.Cursor;
import io.nvcache.writelog.format.LogState;
import io.nvcache.writelog.format.Orphan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows what a log holds that is not drained, also while it is in use. */
public final class LogContents {
  private LogContents() {}

  /**
   * Reads all lanes.
   *
   * @param path of the log
   * @param use whether a program has it open
   */
  public static LogInspection inspect(Path path, LogMemory memory, LogLayout layout, Use use)
      throws IOException {
    LogState state = new LogState(memory);
    FileTable table = new FileTable(memory.head(), layout.fileSlots(), state.epoch());
    Map<Long, FileShare> shares = new LinkedHashMap<>();
    long records = 0;
    long bytes = 0;
    long unplaced = 0;
    LogScan scan = LogScan.of(memory, layout);
    for (Cursor at = scan.nextChange(); at != null; at = scan.nextChange()) {
      records++;
      bytes += at.length();
      if (table.get(at.fileId()) == null) {
        unplaced++;
      }
      requireFewFiles(shares.size(), layout);
      FileShare one = new FileShare(nameOf(table, at.fileId()), 1, at.length());
      shares.merge(
          at.fileId(),
          one,
          (a, b) -> new FileShare(a.path(), a.records() + 1, a.bytes() + b.bytes()));
    }
    return new LogInspection(
        path,
        use == Use.OPEN,
        layout.lanes(),
        (long) layout.lanes() * layout.laneBytes(),
        state.epoch(),
        state.drainedSeq(),
        records,
        bytes,
        scan.damaged(),
        unplaced,
        List.copyOf(shares.values()));
  }

  /** Whether a program has a log open. */
  public enum Use {
    OPEN,
    CLOSED
  }

  /** Each file with records has its own slot. */
  static void requireFewFiles(int files, LogLayout layout) throws IOException {
    if (files > layout.fileSlots()) {
      throw new IOException(
          "the write log is damaged: its records name more files than it has slots, "
              + layout.fileSlots()
              + "; wipe it, or find the copy that is whole");
    }
  }

  private static String nameOf(FileTable table, long fileId) {
    Entry entry = table.get(fileId);
    return entry == null ? "file " + fileId : entry.path();
  }

  /** Writes the records of each file to an orphan. */
  public static List<Path> export(LogMemory memory, LogLayout layout, Path directory)
      throws IOException {
    int epoch = new LogState(memory).epoch();
    FileTable table = new FileTable(memory.head(), layout.fileSlots(), epoch);
    Map<Long, Orphan> orphans = new LinkedHashMap<>();
    List<Path> paths = new ArrayList<>();
    try {
      LogScan scan = LogScan.of(memory, layout);
      for (Cursor at = scan.nextChange(); at != null; at = scan.nextChange()) {
        Orphan orphan = orphans.get(at.fileId());
        if (orphan == null) {
          requireFewFiles(orphans.size(), layout);
          String name = nameOf(table, at.fileId());
          orphan = Orphan.create(new PlatformDisk(), directory, layout, epoch, at.fileId(), name);
          orphans.put(at.fileId(), orphan);
          paths.add(orphan.path());
        }
        orphan.add(at);
      }
      for (Orphan orphan : orphans.values()) {
        orphan.finish();
      }
    } finally {
      for (Orphan orphan : orphans.values()) {
        orphan.close();
      }
    }
    return paths;
  }
}
