// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferPool;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A read-only view of what a flash medium left in a file or on a device. Takes no lock and changes
 * nothing, so that a cache of another process may have the file open; then what is read is older
 * than what is written at the same time, newer, or half of each. No cache of this process can have
 * it open: POSIX ends a process's lock of a file with any of its descriptors.
 *
 * <p>Thread-safe.
 */
public final class FlashImage implements AutoCloseable {
  private static final int PIECE_BYTES = 256 << 10;

  private final FileChannel file;
  private final String key;
  private final Path path;
  private final int granuleBytes;
  private final String fault;

  /** Pieces for buffers on the heap. Else the JDK would keep a direct one for each thread. */
  private final BufferPool<AlignedBuffer> pieces =
      BufferPool.ofBuffers(PIECE_BYTES, Long.BYTES, BufferPool.usualLimitBytes(PIECE_BYTES));

  private FlashImage(FileChannel file, String key, Path path) throws IOException {
    this.file = file;
    this.key = key;
    this.path = path;
    this.granuleBytes = FileSystemAdvice.granuleBytes(path);
    this.fault = fault(file, path, granuleBytes);
  }

  /**
   * Opens a file or a block device.
   *
   * @throws IOException if it does not exist, is neither file nor block device, can't be read, or a
   *     cache of this process has it open
   */
  public static FlashImage open(Path path) throws IOException {
    Objects.requireNonNull(path, "path");
    if (Files.isDirectory(path)) {
      throw new IOException(path + " is a directory; name the file of a flash medium, or a device");
    }
    Path real = path.toRealPath();
    if (!Files.isRegularFile(real) && !BlockDevices.contain(real)) { // A pipe would wait.
      throw new IOException(
          path + " is neither a file nor a block device; name the file of a flash medium");
    }
    String key = FileLockRegistry.key(real);
    if (key == null) {
      throw new NoSuchFileException(path.toString());
    }
    FileChannel file = LockedFile.openToRead(path, key);
    try {
      return new FlashImage(file, key, path);
    } catch (IOException | RuntimeException | Error e) {
      LockedFile.closeRead(file, key);
      throw e;
    }
  }

  private static String fault(FileChannel file, Path path, int granuleBytes) throws IOException {
    Mark mark = new MarkPlace(file, 0, granuleBytes).read();
    if (mark == null || !mark.isFlash()) {
      return "it has no mark of a cache on flash";
    }
    long size = file.size();
    long length = mark.lengthBytes();
    return size < length || (size > length && !BlockDevices.contain(path))
        ? "it has " + size + " bytes, and was written as one of " + length
        : "";
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
   * Reads bytes of the medium, as its {@code read} does.
   *
   * @throws IOException if they can't be read, or the file ends before
   */
  public void read(long offset, ByteBuffer dst, int dstPosition, int length) throws IOException {
    AlignedBuffer piece = pieces.take(Math.min(PIECE_BYTES, length));
    if (piece == null) {
      throw new NoDirectMemoryException("no memory is left for reading " + path);
    }
    try {
      for (int done = 0; done < length; ) {
        int now = Math.min(piece.capacityBytes(), length - done);
        fill(piece.first(now), granuleBytes + offset + done);
        dst.duplicate().clear().put(dstPosition + done, piece.first(now), 0, now);
        done += now;
      }
    } finally {
      pieces.giveBack(piece);
    }
  }

  private void fill(ByteBuffer piece, long from) throws IOException {
    while (piece.hasRemaining()) {
      long at = from + piece.position();
      if (file.read(piece, at) < 0) {
        throw new EOFException(path + " ends at " + at);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (file.isOpen()) {
      pieces.close();
      LockedFile.closeRead(file, key);
    }
  }
}
