// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.mapped.LogFile;
import io.nvcache.writelog.recovery.LogContents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A read-only inspection of a log. Of a log that a program has open it is what a crash at this
 * moment would leave, or a little less.
 *
 * @param path of the log
 * @param inUse whether a program has it open
 * @param lanes of it
 * @param capacityBytes of all lanes
 * @param epoch how often it was recovered
 * @param drainedSeq the number up to which all is in the files
 * @param records that are whole and not drained
 * @param bytes that they hold
 * @param damagedRecords that lack their bytes: the medium is damaged, or another thread changed a
 *     buffer while it was written
 * @param unplacedRecords whose file the log does not know any more
 * @param files that they belong to
 */
public record LogInspection(
    Path path,
    boolean inUse,
    int lanes,
    long capacityBytes,
    long epoch,
    long drainedSeq,
    long records,
    long bytes,
    long damagedRecords,
    long unplacedRecords,
    List<FileShare> files) {
  /**
   * What a log holds of a file.
   *
   * @param path of the file
   * @param records of it
   * @param bytes of them
   */
  public record FileShare(String path, long records, long bytes) {}

  /** Copies the list. */
  public LogInspection {
    files = List.copyOf(files);
  }

  /**
   * Reads a log, and checks the sum of each record that is not drained.
   *
   * @throws IOException if it is no log, or damaged
   */
  public static LogInspection of(Path path) throws IOException {
    boolean inUse = LogFile.isInUse(path);
    try (LogFile file = LogFile.look(path)) {
      LogLayout layout = file.layout();
      LogContents found = LogContents.read(file, layout);
      return new LogInspection(
          path,
          inUse,
          layout.lanes(),
          (long) layout.lanes() * layout.laneBytes(),
          found.epoch(),
          found.drainedSeq(),
          found.records(),
          found.bytes(),
          found.damaged(),
          found.unplaced(),
          found.files().stream()
              .map(its -> new FileShare(its.path(), its.records(), its.bytes()))
              .toList());
    }
  }

  /**
   * Writes what the log holds to a directory, one orphan for each file, and changes nothing. The
   * directory is made if there is none; only this user may use it.
   *
   * @return the orphans
   */
  public static List<Path> export(Path log, Path directory) throws IOException {
    PlatformDisk.createDirectories(directory);
    try (LogFile file = LogFile.look(log)) {
      return LogContents.export(file, file.layout(), directory.toRealPath());
    }
  }

  /**
   * Overwrites a log with zeros and deletes it; drained bytes stay in one otherwise.
   *
   * @throws IOException if a program has it open, or it holds what is not drained
   */
  public static void wipe(Path path) throws IOException {
    if (LogFile.isInUse(path)) {
      throw new IOException("can't wipe " + path + ": a program has it open; end that first");
    }
    try (LogFile taken = LogFile.take(path)) {
      LogContents seen = LogContents.read(taken, taken.layout());
      if (seen.records() > 0) {
        throw new IOException(
            "can't wipe "
                + path
                + ": it holds "
                + seen.records()
                + " acknowledged writes of "
                + seen.bytes()
                + " bytes that are not in their files; recover it first, or export them and delete"
                + " the file yourself");
      }
      taken.wipe();
    }
  }
}
