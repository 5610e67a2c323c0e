// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.recovery;

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

/**
 * The records of a log that are not drained, read also while it is in use.
 *
 * @param epoch how often it was recovered
 * @param drainedSeq the number up to which all is in the files
 * @param records that are whole
 * @param bytes that they hold
 * @param damaged records that lack their bytes
 * @param unplaced records whose file the log does not know any more
 * @param files that they belong to
 */
public record LogContents(
    long epoch,
    long drainedSeq,
    long records,
    long bytes,
    long damaged,
    long unplaced,
    List<OfFile> files) {
  /**
   * The records of a file.
   *
   * @param path of the file
   * @param records of it
   * @param bytes of them
   */
  public record OfFile(String path, long records, long bytes) {
    private OfFile and(OfFile more) {
      return new OfFile(path, records + more.records, bytes + more.bytes);
    }
  }

  /** Copies the list. */
  public LogContents {
    files = List.copyOf(files);
  }

  /** Reads all lanes. */
  public static LogContents read(LogMemory memory, LogLayout layout) throws IOException {
    LogState state = new LogState(memory);
    FileTable table = new FileTable(memory.head(), layout.fileSlots(), state.epoch());
    Map<Long, OfFile> files = new LinkedHashMap<>();
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
      requireFewFiles(files.size(), layout);
      OfFile one = new OfFile(nameOf(table, at.fileId()), 1, at.length());
      files.merge(at.fileId(), one, OfFile::and);
    }
    return new LogContents(
        state.epoch(),
        state.drainedSeq(),
        records,
        bytes,
        scan.damaged(),
        unplaced,
        List.copyOf(files.values()));
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
