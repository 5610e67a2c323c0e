// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import io.nvcache.llpl.LlplHeapMedium;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens a medium of nvcache-llpl, a jar that the class path need not have. */
final class PersistentHeap {
  private PersistentHeap() {}

  /**
   * Opens a heap in a new file, or heaps in a directory.
   *
   * @throws IllegalArgumentException if the class path has no nvcache-llpl
   */
  static Medium open(Path path, long capacityBytes) {
    try {
      return Opener.open(path, capacityBytes);
    } catch (NoClassDefFoundError e) {
      throw new IllegalArgumentException(
          NvCacheConfiguration.MEDIUM
              + " is 'llpl', and the class path has no "
              + e.getMessage()
              + "; add the jars nvcache-llpl and llpl, or choose native or mapped",
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Its own class, which is loaded only when it is called. */
  private static final class Opener {
    static Medium open(Path path, long capacityBytes) throws IOException {
      return Files.isDirectory(path)
          ? LlplHeapMedium.builder(capacityBytes).directory(path).create()
          : LlplHeapMedium.create(path, capacityBytes);
    }
  }
}
