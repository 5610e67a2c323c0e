// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import io.nvcache.medium.Wipe;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The superblocks of a file, which make it a log. They come last when one is made: a crash before
 * leaves a file that is no log, and is made again.
 */
final class Superblocks {
  private Superblocks() {}

  /** Returns whether a file has them; without, it holds no log yet. */
  static boolean isIn(FileChannel channel) throws IOException {
    ByteBuffer superblocks = superblocks(channel).flip();
    while (superblocks.hasRemaining()) {
      if (superblocks.get() != 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns a buffer behind what there is of them. */
  private static ByteBuffer superblocks(FileChannel channel) throws IOException {
    ByteBuffer superblocks = ByteBuffer.allocate(2 * LogLayout.SUPERBLOCK_BYTES);
    for (int at = 0; at >= 0 && superblocks.hasRemaining(); ) {
      int n = channel.read(superblocks, at);
      at = n < 0 ? -1 : at + n;
    }
    return superblocks;
  }

  /**
   * Returns what they say.
   *
   * @throws IOException if they are those of no log, or the file is shorter than they say
   */
  static LogLayout read(Path path, FileChannel channel) throws IOException {
    LogLayout layout;
    try {
      layout = LogLayout.read(superblocks(channel).clear());
    } catch (IllegalArgumentException e) {
      throw LogChannel.refusal(path, String.valueOf(e.getMessage()), e);
    }
    if (channel.size() < layout.fileBytes()) {
      throw LogChannel.refusal(
          path,
          "it has "
              + channel.size()
              + " of "
              + layout.fileBytes()
              + " bytes; look for the copy that is whole",
          null);
    }
    return layout;
  }

  /**
   * Makes a log of an empty file, or of one that a crash left while it was made.
   *
   * @throws IOException if the disk has no room
   */
  static void make(Path path, FileChannel channel, LogLayout layout) throws IOException {
    long usable = Files.getFileStore(path).getUsableSpace();
    if (usable < layout.fileBytes()) {
      throw new IOException(
          "no space for the write log "
              + path
              + ": "
              + layout.fileBytes()
              + " bytes asked for, "
              + usable
              + " available; make it shorter or free some");
    }
    Wipe.fill(channel, layout.fileBytes());
    ByteBuffer superblocks = layout.superblocks();
    for (long at = 0; superblocks.hasRemaining(); ) {
      at += channel.write(superblocks, at);
    }
    channel.force(true);
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null) {
      new PlatformDisk().syncDirectory(directory);
    }
  }
}
