// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.medium.file.LockedFile;
import io.nvcache.medium.file.ZeroFill;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Overwrites files that held cached blocks, so that deleting them leaves none of their bytes on the
 * disk. On SSDs, and on file systems that never write in place, old bytes may outlive that; there
 * only an encrypted file system helps.
 */
public final class Wipe {
  private Wipe() {}

  /**
   * Overwrites a file that {@link MappedFileMedium} left behind, and deletes it.
   *
   * @throws IOException if it is not a regular file, is held by a cache or can't be written; it is
   *     then still there
   */
  public static void mappedFile(Path path) throws IOException {
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("can't wipe " + path + ": it is not a file that exists; name one");
    }
    try (LockedFile file = LockedFile.open(path)) {
      file.wipe();
    }
  }

  /** Writes zeros over all of a file, down to the disk. */
  public static void overwrite(FileChannel file) throws IOException {
    ZeroFill.fill(file, 0, file.size());
  }

  /** Writes zeros over the first bytes of a file, down to the disk; the file grows if it must. */
  public static void fill(FileChannel file, long lengthBytes) throws IOException {
    ZeroFill.fill(file, 0, lengthBytes);
  }
}
