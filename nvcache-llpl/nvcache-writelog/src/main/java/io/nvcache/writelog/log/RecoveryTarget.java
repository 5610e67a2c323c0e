// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.log.FileTable.Entry;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that a log has records of, and what becomes of them in a {@link Recovery}. */
final class RecoveryTarget {
  static final long NOT_CUT = -1;

  /** What becomes of a file's records. */
  enum Fate {
    REPLAY,
    DROP,
    ORPHAN
  }

  final long fileId;
  final @Nullable Entry entry;

  /** Where it was, and then where it is. */
  @Nullable Path path;

  boolean renamed;
  Fate fate = Fate.ORPHAN;
  @Nullable DiskFile file;
  @Nullable Orphan orphan;

  /** The length, once a record has cut the file. */
  long cutLength = NOT_CUT;

  RecoveryTarget(long fileId, @Nullable Entry entry, @Nullable Path path) {
    this.fileId = fileId;
    this.entry = entry;
    this.path = path;
  }

  String name() {
    return entry == null ? "file " + fileId : entry.path();
  }

  Path requirePath() {
    Path known = path;
    if (known == null) {
      throw new IllegalStateException("no path of " + name());
    }
    return known;
  }

  /** Returns the file, which is opened at the first call. */
  DiskFile open(Disk disk) throws IOException {
    DiskFile open = file;
    if (open == null) {
      open = disk.openOwn(requirePath());
      file = open;
    }
    return open;
  }

  void closeOrphan() throws IOException {
    if (orphan != null) {
      orphan.close();
      orphan = null;
    }
  }

  void close() throws IOException {
    if (file != null) {
      file.close();
    }
    closeOrphan();
  }
}
