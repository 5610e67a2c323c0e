// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.FileHoles;
import io.nvcache.memory.Uninterruptible;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file or a block device that is read and written past the page cache.
 *
 * <p>Its first granule is the cache's mark; all others are the medium's.
 *
 * <pre>
 *    0        8        16       32          36            granule
 *   +--------+--------+--------+-----------+----…--------+--------------…
 *   | magic  | length | nonce  | CRC32C of | zeros       | block bytes
 *   |        |        |        | the others|             |
 *   +--------+--------+--------+-----------+----…--------+--------------…
 * </pre>
 *
 * <p>The mark is written last. A file of the same length that has one was filled before, so that it
 * needn't be filled at each start: that would be a whole write of the drive. A block device is
 * taken only if it has one, or nothing but zeros where file systems, partition tables and volume
 * managers keep theirs. The nonce, new at each opening, proves that all channels lead to one file.
 *
 * <p>A channel counts the threads inside of it under a lock, which some tens of threads contend
 * for, so there are several, and a thread keeps to one. No interrupt closes them.
 */
final class DirectFile implements Disk {
  /** A power of two. */
  private static final int CHANNELS = 8;

  private static final long MAGIC = 0x4e56_4361_6368_6531L; // "NVCache1"
  private static final int LENGTH_AT = Long.BYTES;
  private static final int NONCE_AT = 2 * Long.BYTES;
  private static final int NONCE_BYTES = 16;
  private static final int SUM_AT = NONCE_AT + NONCE_BYTES;
  private static final int MARK_BYTES = SUM_AT + Integer.BYTES;

  /** Where others leave their marks, at the beginning and the end of a device. */
  private static final int FOREIGN_BYTES = 1 << 20;

  /** No cache counts larger granules. */
  private static final int MAX_GRANULE_BYTES = 64 << 10;

  private final LockedFile file;
  private final Path path;
  private final int granuleBytes;
  private final long lengthBytes;
  private final FileChannel[] channels;

  /** Once it is prepared; set before other threads come. */
  private @Nullable FileHoles holes;

  private DirectFile(LockedFile file, Path path, int granuleBytes, long lengthBytes) {
    this.file = file;
    this.path = path;
    this.granuleBytes = granuleBytes;
    this.lengthBytes = lengthBytes;
    this.channels = new FileChannel[CHANNELS];
  }

  /** Opens a file or device, and makes room for so many bytes of a medium. */
  static DirectFile open(Path named, long capacityBytes) throws IOException {
    Path path = deviceItself(named);
    return over(LockedFile.open(path, LockedFile.Access.DIRECT), path, capacityBytes);
  }

  /** Returns the file that is held, wherever its path may lead by now. */
  static DirectFile over(LockedFile file, Path path, long capacityBytes) throws IOException {
    try {
      int granule = granuleBytes(path);
      DirectFile disk =
          new DirectFile(file, path, granule, granule + roundUp(capacityBytes, granule));
      try {
        disk.prepare();
      } catch (IOException | RuntimeException | Error e) {
        disk.closeOthers();
        throw e;
      }
      return disk;
    } catch (IOException | RuntimeException | Error e) {
      file.abandon();
      throw e;
    }
  }

  /** Devices are best named by what never changes, and such names are links. */
  private static Path deviceItself(Path named) throws IOException {
    if (Files.isSymbolicLink(named) && Files.exists(named)) {
      Path real = named.toRealPath();
      return BlockDevices.contain(real) ? real : named;
    }
    return named;
  }

  /** Returns what the JDK demands of positions, lengths and addresses. */
  static int granuleBytes(Path path) throws IOException {
    long bytes = Files.getFileStore(path).getBlockSize();
    if (Long.bitCount(bytes) != 1 || bytes > MAX_GRANULE_BYTES || bytes < Long.BYTES * 8) {
      throw new IOException(
          "can't use "
              + path
              + ": its file system has blocks of "
              + bytes
              + " bytes; they must be a power of two, at most "
              + MAX_GRANULE_BYTES);
    }
    return (int) bytes;
  }

  private static long roundUp(long bytes, int granule) {
    return (bytes + granule - 1) & -granule;
  }

  private void prepare() throws IOException {
    FileChannel first = file.channel();
    AlignedBuffer granule = AlignedBuffer.allocate(granuleBytes, granuleBytes);
    if (BlockDevices.contain(path)) {
      requireOwnDevice(first, granule);
    } else if (first.size() != lengthBytes || !isMarked(first, granule)) {
      file.fill(lengthBytes);
    }
    byte[] nonce = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    mark(first, granule, nonce);
    channels[0] = Uninterruptible.of(first); // Filling it may take long, and is over.
    for (int i = 1; i < CHANNELS; i++) {
      channels[i] = Uninterruptible.of(file.openAnother());
      if (!isMarked(channels[i], granule) || !Arrays.equals(nonce, nonceOf(granule))) {
        throw new IOException(path + " was replaced while it was opened; try again");
      }
    }
  }

  private void mark(FileChannel channel, AlignedBuffer granule, byte[] nonce) throws IOException {
    granule.zero(0, granuleBytes);
    ByteBuffer mark = granule.first(granuleBytes);
    mark.putLong(0, MAGIC).putLong(LENGTH_AT, lengthBytes).put(NONCE_AT, nonce);
    mark.putInt(SUM_AT, sum(mark));
    transfer(channel, mark, 0, true);
    channel.force(true);
  }

  /**
   * Returns whether a file has the mark of a cache of this length. Leaves the mark in the buffer.
   */
  private boolean isMarked(FileChannel channel, AlignedBuffer granule) throws IOException {
    ByteBuffer mark = granule.first(granuleBytes);
    transfer(channel, mark, 0, false);
    return hasMagic(mark) && mark.getLong(LENGTH_AT) == lengthBytes;
  }

  /**
   * Returns whether a granule is a mark, all of it. A tool that divides a device into partitions
   * keeps the first 440 bytes of boot code, and in them a mark that was there before.
   */
  private static boolean hasMagic(ByteBuffer mark) {
    return mark.getLong(0) == MAGIC
        && mark.getInt(SUM_AT) == sum(mark)
        && isZero(mark.duplicate().clear().position(MARK_BYTES));
  }

  private static boolean isZero(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (bytes.get() != 0) {
        return false;
      }
    }
    return true;
  }

  private static int sum(ByteBuffer mark) {
    CRC32C sum = new CRC32C();
    sum.update(mark.duplicate().clear().limit(SUM_AT));
    return (int) sum.getValue();
  }

  /**
   * Says why the cache that opens a file or a device will not find there what an earlier one wrote;
   * empty if it will.
   */
  static String fault(FileChannel file, Path path) throws IOException {
    ByteBuffer mark = ByteBuffer.allocate(granuleBytes(path));
    long size = file.size();
    if (file.read(mark, 0) < mark.capacity() || !hasMagic(mark)) {
      return "it has no mark of a cache on flash";
    }
    long length = mark.getLong(LENGTH_AT);
    return size < length || (size > length && !BlockDevices.contain(path))
        ? "it has " + size + " bytes, and was written as one of " + length
        : "";
  }

  private byte[] nonceOf(AlignedBuffer granule) {
    byte[] nonce = new byte[NONCE_BYTES];
    granule.first(granuleBytes).get(NONCE_AT, nonce);
    return nonce;
  }

  private void requireOwnDevice(FileChannel device, AlignedBuffer granule) throws IOException {
    long size = device.size();
    if (lengthBytes > size) {
      throw new IOException(
          "no space for a cache on "
              + path
              + ": "
              + lengthBytes
              + " bytes asked for, the device has "
              + size
              + "; lower the capacity");
    }
    ByteBuffer mark = granule.first(granuleBytes);
    transfer(device, mark, 0, false);
    if (!hasMagic(mark) && !(isBlank(device, 0) && isBlank(device, size - FOREIGN_BYTES))) {
      throw new IOException(
          "can't use "
              + path
              + ": it holds something that no cache wrote; name another, or clear this one with"
              + " blkdiscard -z "
              + path);
    }
  }

  private boolean isBlank(FileChannel device, long from) throws IOException {
    long at = Math.max(0, from) & -granuleBytes;
    int length = (int) Math.min(FOREIGN_BYTES, device.size() - at) & -granuleBytes;
    ByteBuffer bytes = AlignedBuffer.allocate(length, granuleBytes).first(length);
    transfer(device, bytes, at, false);
    return isZero(bytes.flip());
  }

  @Override
  public int granuleBytes() {
    return granuleBytes;
  }

  @Override
  public void read(long offset, ByteBuffer dst) throws IOException {
    transfer(channel(), dst, granuleBytes + offset, false);
  }

  @Override
  public void write(long offset, ByteBuffer src) throws IOException {
    transfer(channel(), src, granuleBytes + offset, true);
  }

  private FileChannel channel() {
    return channels[(int) Thread.currentThread().getId() & (CHANNELS - 1)];
  }

  /** Reads into a buffer, or writes from it, until nothing remains. */
  private void transfer(FileChannel channel, ByteBuffer bytes, long at, boolean writes)
      throws IOException {
    int wanted = bytes.remaining();
    int first = bytes.position();
    while (bytes.hasRemaining()) {
      int done = bytes.position() - first;
      int now = writes ? channel.write(bytes, at + done) : channel.read(bytes, at + done);
      if (now <= 0 || now % granuleBytes != 0) {
        throw new IOException(
            path
                + " ends within "
                + wanted
                + " bytes at "
                + at
                + "; it was cut short: close the cache and build it anew");
      }
    }
  }

  @Override
  public void force() throws IOException {
    channels[0].force(false);
  }

  @Override
  public void prepareDiscards() throws IOException {
    FileHoles opened = FileHoles.open(path);
    holes = opened; // Closed with all others even if it is of no use: its closing takes the lock.
    file.requireSame(opened.descriptor());
    if (!BlockDevices.contain(path)) {
      opened.punch(lengthBytes, granuleBytes); // Behind the end: shows that it can be done.
    }
  }

  @Override
  public void discard(long offset, long length) throws IOException {
    if (holes == null) {
      throw new IOException(path + " was not made ready for discards");
    }
    holes.punch(granuleBytes + offset, length);
  }

  @Override
  public void check() throws IOException {
    file.requireLength(lengthBytes);
    file.requireInPlace();
  }

  @Override
  public void end(CloseAction atClose) throws IOException {
    file.end(atClose);
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String describe() {
    return path.toString();
  }

  @Override
  public void close() {
    try {
      closeOthers();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      file.close();
    }
  }

  /** Closes all channels but the first, which has the lock; not all are open if opening failed. */
  private void closeOthers() throws IOException {
    if (holes != null) {
      holes.close();
      holes = null;
    }
    for (int i = 1; i < CHANNELS && channels[i] != null; i++) {
      channels[i].close();
    }
  }
}
