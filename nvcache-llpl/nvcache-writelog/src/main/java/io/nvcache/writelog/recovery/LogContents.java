// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.recovery;

import io.nvcache.writelog.LogInspection.FileShare;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.FileTable.Entry;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.format.LogScan;
import io.nvcache.writelog.format.LogScan.Cursor;
import io.nvcache.writelog.format.Orphan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The contents of a log that are not drained.
 *
 * @param epoch how often it was recovered
 * @param drainedSeq the number up to which all is in the files
 * @param records that are whole and not drained
 * @param bytes that they hold
 * @param damagedRecords that lack their payload, though they were acknowledged
 * @param unplacedRecords whose file the table does not know
 * @param files that they belong to
 */
public record LogContents(
    long epoch,
    long drainedSeq,
    long records,
    long bytes,
    long damagedRecords,
    long unplacedRecords,
    List<FileShare> files) {
  /** Copies the list. */
  public LogContents {
    files = List.copyOf(files);
  }

  /** Reads all lanes. */
  public static LogContents of(LogMemory memory, LogLayout layout) throws IOException {
    long epoch = memory.head().getLong(LogLayout.EPOCH);
    FileTable table = new FileTable(memory.head(), layout.fileSlots(), (int) epoch);
    Map<Long, FileShare> shares = new LinkedHashMap<>();
    long records = 0;
    long bytes = 0;
    long unplaced = 0;
    LogScan scan = LogScan.of(memory, layout);
    for (Cursor at = scan.next(); at != null; at = scan.next()) {
      if (at.type() == LogRecord.ABORT || scan.isVoid(at.seq())) {
        continue;
      }
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
    return new LogContents(
        epoch,
        memory.head().getLong(LogLayout.DRAINED_SEQ),
        records,
        bytes,
        scan.damaged(),
        unplaced,
        List.copyOf(shares.values()));
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
    int epoch = (int) memory.head().getLong(LogLayout.EPOCH);
    FileTable table = new FileTable(memory.head(), layout.fileSlots(), epoch);
    Map<Long, Orphan> orphans = new LinkedHashMap<>();
    List<Path> paths = new ArrayList<>();
    try {
      LogScan scan = LogScan.of(memory, layout);
      for (Cursor at = scan.next(); at != null; at = scan.next()) {
        if (at.type() == LogRecord.ABORT || scan.isVoid(at.seq())) {
          continue;
        }
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
