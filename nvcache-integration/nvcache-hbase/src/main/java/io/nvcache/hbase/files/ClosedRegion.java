// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;

/** A region that was closed here: moved to another server, disabled, or dropped with its table. */
@FunctionalInterface
public interface ClosedRegion {
  /** Returns whether the region is still there. Asks the file system. */
  boolean exists();

  /** Remembers where a region lies, and nothing else of it. */
  static ClosedRegion of(Region region) {
    if (!(region instanceof HRegion closed) || closed.getRegionFileSystem() == null) {
      return () -> true;
    }
    FileSystem files = closed.getRegionFileSystem().getFileSystem();
    Path directory = closed.getRegionFileSystem().getRegionDir();
    return () -> {
      try {
        return files.exists(directory);
      } catch (IOException | RuntimeException e) {
        return true; // Asked again later.
      }
    };
  }
}
