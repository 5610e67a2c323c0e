// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import org.jspecify.annotations.Nullable;

/**
 * The entry for code that is woven into Cassandra. Of all the files that Cassandra opens, only the
 * data files of SSTables matter: they never change once they are complete, whereas the statistics
 * are replaced in place.
 */
public final class DataFiles {
  private static final String SUFFIX = "-Data.db";

  private static volatile @Nullable SSTableHook hook;

  private DataFiles() {}

  /** Sets the listener of all later openings. */
  public static void tell(SSTableHook listener) {
    hook = listener;
  }

  /**
   * Notes an opened file; called as the last thing by {@code FileHandle.Builder.complete}.
   *
   * @param chunks the {@code CompressionMetadata} that its readers have; null if it has none
   * @param lengthOverride as Cassandra takes it: the length is overridden if it is above 0
   */
  public static void opened(
      Object channel,
      @Nullable Object chunks,
      String path,
      long lengthBytes,
      long lengthOverride,
      boolean mapped,
      int chunkBytes) {
    SSTableHook listener = hook;
    if (listener != null && path.endsWith(SUFFIX)) {
      listener.opened(
          new OpenedFile(
              channel, chunks, path, lengthBytes, lengthOverride > 0, mapped, chunkBytes));
    }
  }

  /**
   * Notes a file that closes; called as the first thing by {@code FileHandle.Cleanup.tidy}, after
   * the last close.
   */
  public static void closing(Object channel) {
    if (channel instanceof Tagged tagged) {
      CachedFile file = tagged.nvcacheFile();
      if (file != null) {
        file.release();
      }
    }
  }
}
