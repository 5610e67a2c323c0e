// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.medium.file.FillProgress;
import io.nvcache.memory.AlignedBuffer;
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
  private static final int STEP_BYTES = 1 << 20;

  /** No file system asks for more where its files are accessed directly. */
  private static final int MOST_ALIGNED_BYTES = 64 << 10;

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
    fill(file, 0, file.size());
  }

  /** Writes zeros over the first bytes of a file, down to the disk; the file grows if it must. */
  public static void fill(FileChannel file, long lengthBytes) throws IOException {
    fill(file, 0, lengthBytes);
  }

  /**
   * Writes zeros over a part of a file, down to the disk; it grows if it must.
   *
   * @param from where they begin
   * @param lengthBytes where they end
   */
  static void fill(FileChannel file, long from, long lengthBytes) throws IOException {
    FillProgress progress = new FillProgress(from, lengthBytes, System::nanoTime);
    AlignedBuffer zeros = AlignedBuffer.allocate(STEP_BYTES, MOST_ALIGNED_BYTES);
    try {
      for (long at = from; at < lengthBytes; ) {
        at += file.write(zeros.first((int) Math.min(STEP_BYTES, lengthBytes - at)), at);
        progress.reached(at);
      }
    } finally {
      zeros.free();
    }
    file.force(true);
  }
}
