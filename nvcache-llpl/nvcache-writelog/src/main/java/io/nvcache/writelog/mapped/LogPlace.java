// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import io.nvcache.llpl.PmemLibraries;
import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.format.LogLayout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import jdk.nio.mapmode.ExtendedMapMode;

/** The properties of the place of a log: the file system's type, and what its bytes survive. */
final class LogPlace {
  private LogPlace() {}

  /** Returns the type of the file system, in small letters. */
  static String typeOf(Path path) throws IOException {
    return Files.getFileStore(path).type().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether a file lies on persistent memory. The kernel says so by its answer to a mapping
   * with {@code MAP_SYNC}.
   */
  static boolean isPersistentMemory(FileChannel channel) {
    try {
      channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, LogLayout.SUPERBLOCK_BYTES);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Refuses a log that is to be written by PMDK without it. */
  static void requirePmdk(Path path, Persistence persistence) throws IOException {
    if (persistence != Persistence.PMDK) {
      return;
    }
    String problem;
    try {
      problem = PmemLibraries.problem();
    } catch (LinkageError e) {
      problem = "nvcache-llpl is not on the class path (" + e + "); put it and LLPL there";
    }
    if (problem != null) {
      throw new IOException("can't write the write log " + path + " by PMDK: " + problem);
    }
  }

  /** Returns what the log survives where it lies; refuses less than is asked for. */
  static Durability requireGrade(Path path, Persistence persistence, boolean dax, Durability least)
      throws IOException {
    Durability grade = persistence.grade();
    String type = typeOf(path);
    if ((persistence == Persistence.MSYNC && !isLocalDisk(type))
        || (persistence == Persistence.PMDK && !dax)) {
      grade = Durability.PROCESS_CRASH;
    }
    if (grade.compareTo(least) < 0) {
      throw new IOException(
          "the write log "
              + path
              + " is on "
              + type
              + " and survives "
              + grade
              + " as "
              + persistence
              + ", and "
              + least
              + " is asked for; put it on persistent memory (DAX), or choose MSYNC on a local disk,"
              + " or ask for "
              + grade
              + ", with which force still reaches the disk");
    }
    return grade;
  }

  private static boolean isLocalDisk(String type) {
    return type.startsWith("ext")
        || type.equals("xfs")
        || type.equals("btrfs")
        || type.equals("zfs")
        || type.equals("f2fs")
        || type.equals("apfs")
        || type.equals("ntfs");
  }
}
