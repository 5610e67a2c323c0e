// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Tells block devices, such as disks and their partitions, from files and other devices. */
final class BlockDevices {
  // Of the type in a file's mode: inode(7).
  private static final int TYPE_MASK = 0170000;
  private static final int BLOCK_DEVICE = 0060000;

  private BlockDevices() {}

  /** Returns whether a path is the name of a block device; a link to one is not. */
  static boolean contain(Path path) throws IOException {
    return contain(path, LinkOption.NOFOLLOW_LINKS);
  }

  static boolean contain(Path path, LinkOption... links) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")
        || !Files.exists(path, links)) {
      return false;
    }
    Object mode = Files.getAttribute(path, "unix:mode", links);
    return mode instanceof Integer bits && (bits & TYPE_MASK) == BLOCK_DEVICE;
  }
}
