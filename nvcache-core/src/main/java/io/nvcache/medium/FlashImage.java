// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * What a {@link FlashMedium} left in a file or on a device, for reading only. Takes no lock and
 * changes nothing, so that a cache may have the file open; then what is read is older than what is
 * written at the same time, newer, or half of each.
 *
 * <p>Thread-safe.
 */
public final class FlashImage implements AutoCloseable {
  private final FileChannel file;
  private final Path path;
  private final int granuleBytes;
  private final String fault;

  private FlashImage(FileChannel file, Path path) throws IOException {
    this.file = file;
    this.path = path;
    this.granuleBytes = DirectFile.granuleBytes(path);
    this.fault = DirectFile.fault(file, path);
  }

  /**
   * Opens a file or a block device.
   *
   * @throws IOException if it does not exist, is a directory or can't be read
   */
  public static FlashImage open(Path path) throws IOException {
    Objects.requireNonNull(path, "path");
    if (Files.isDirectory(path)) {
      throw new IOException(path + " is a directory; name the file of a flash medium, or a device");
    }
    FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
    try {
      return new FlashImage(file, path);
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Returns why the next medium on this file will not find there what an earlier one wrote; empty
   * if it will.
   */
  public String fault() {
    return fault;
  }

  /** Returns the length of the file or device, in bytes. */
  public long lengthBytes() throws IOException {
    return file.size();
  }

  /**
   * Reads bytes of the medium, as {@link Medium#read(long, ByteBuffer, int, int)} does.
   *
   * @throws IOException if they can't be read, or the file ends before
   */
  public void read(long offset, ByteBuffer dst, int dstPosition, int length) throws IOException {
    ByteBuffer part = dst.duplicate().clear().position(dstPosition).limit(dstPosition + length);
    while (part.hasRemaining()) {
      long at = granuleBytes + offset + part.position() - dstPosition;
      if (file.read(part, at) < 0) {
        throw new EOFException(path + " ends at " + at);
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
