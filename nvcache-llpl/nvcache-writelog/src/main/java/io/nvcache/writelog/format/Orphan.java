// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A file of changes that were acknowledged and have no place any more, in their order.
 *
 * <pre>
 *  0 magic u64 | 8 version u32 | 12 path length u32 | 16 changes u64 | 24 the path, UTF-8
 * then each change: 0 type u32 | 4 length u32 | 8 offset u64 | 16 crc32c of the bytes u32 | 20
 * bytes
 * </pre>
 *
 * <p>The head is written last, so a file without it is one that a crash cut short; the recovery
 * that comes then writes it again.
 */
public final class Orphan implements AutoCloseable {
  private static final long MAGIC = 0x4e4148504f2d564eL; // "NV-OPHAN"
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 24;
  private static final int CHANGE_BYTES = 20;
  private static final int OWNER_ONLY = 0600;

  /** Of a change, as much is in memory at once, whatever length the file says. */
  private static final int PIECE_BYTES = 1 << 20;

  private final Disk disk;
  private final Path path;
  private final DiskFile file;
  private final byte[] target;
  private long at;
  private long changes;

  private Orphan(Disk disk, Path path, DiskFile file, String target) {
    this.disk = disk;
    this.path = path;
    this.file = file;
    this.target = target.getBytes(StandardCharsets.UTF_8);
    this.at = (long) HEAD_BYTES + this.target.length;
  }

  /** Begins the orphan of a file of an epoch; one that is there is replaced. */
  public static Orphan create(
      Disk disk, Path directory, LogLayout layout, int epoch, long fileId, String target)
      throws IOException {
    Path path =
        directory.resolve(
            Long.toHexString(layout.logId()) + "-" + epoch + "-" + fileId + ".orphan");
    DiskFile file = disk.create(path, directory, OWNER_ONLY);
    return new Orphan(disk, path, file, target);
  }

  public Path path() {
    return path;
  }

  /** Adds a change, and returns the bytes that it writes; no abort is one. */
  public int add(LogScan.Cursor record) throws IOException {
    int length = record.length();
    CRC32C sum = new CRC32C();
    sum.update(record.payload());
    ByteBuffer head = ByteBuffer.allocate(CHANGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(record.type()).putInt(length).putLong(record.offset());
    head.putInt((int) sum.getValue()).flip();
    file.write(head, at);
    file.write(record.payload(), at + CHANGE_BYTES);
    at += CHANGE_BYTES + length;
    changes++;
    return length;
  }

  /** Makes the orphan durable. */
  public void finish() throws IOException {
    ByteBuffer head =
        ByteBuffer.allocate(HEAD_BYTES + target.length).order(ByteOrder.LITTLE_ENDIAN);
    head.putLong(MAGIC).putInt(VERSION).putInt(target.length).putLong(changes).put(target).flip();
    file.write(head, 0);
    file.force();
    Path directory = path.getParent();
    if (directory != null) {
      disk.syncDirectory(directory);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Returns where the changes of an orphan belong. */
  public static String target(Path orphan) throws IOException {
    try (FileChannel channel = openPlain(orphan)) {
      return new String(head(channel, orphan), StandardCharsets.UTF_8);
    } catch (EOFException e) {
      throw new IOException(orphan + " is damaged: " + e.getMessage(), e);
    }
  }

  /**
   * Makes the changes of an orphan in a file, and syncs it.
   *
   * @return how many bytes were written
   * @throws IOException if the orphan is damaged; the changes before the damage are made
   */
  public static long apply(Path orphan, Path target) throws IOException {
    if (Files.exists(target) && Files.isSameFile(orphan, target)) {
      throw new IOException("can't write an orphan to itself; name the file that it belongs to");
    }
    try (FileChannel in = openPlain(orphan)) {
      long from = (long) HEAD_BYTES + head(in, orphan).length;
      try (FileChannel out = openOrCreate(target)) {
        return apply(in, from, orphan, out);
      }
    } catch (EOFException e) {
      throw new IOException(orphan + " is damaged: " + e.getMessage(), e);
    }
  }

  private static long apply(FileChannel in, long first, Path orphan, FileChannel out)
      throws IOException {
    long written = 0;
    long from = first;
    for (long left = read(in, 0, HEAD_BYTES).getLong(16); left > 0; left--) {
      ByteBuffer change = read(in, from, CHANGE_BYTES);
      int type = change.getInt(0);
      int length = change.getInt(4);
      long offset = change.getLong(8);
      boolean isPossible =
          offset >= 0
              && length >= 0
              && offset <= Long.MAX_VALUE - length
              && (type == LogRecord.WRITE || (type == LogRecord.TRUNCATE && length == 0));
      if (!isPossible || sum(in, from + CHANGE_BYTES, length) != change.getInt(16)) {
        throw new IOException(orphan + " is damaged at byte " + from);
      }
      if (type == LogRecord.TRUNCATE) {
        out.truncate(offset);
      }
      copy(in, from + CHANGE_BYTES, length, out, offset);
      written += length;
      from += CHANGE_BYTES + length;
    }
    if (from != in.size()) { // There were more changes than its head says.
      throw new IOException(orphan + " is damaged at byte " + from);
    }
    out.force(true);
    return written;
  }

  /** To open a pipe would wait for somebody who writes to it. */
  private static FileChannel openPlain(Path orphan) throws IOException {
    if (Files.exists(orphan) && !Files.isRegularFile(orphan)) {
      throw new IOException(orphan + " is not an orphan of a write log; name one");
    }
    return FileChannel.open(orphan, StandardOpenOption.READ);
  }

  private static int sum(FileChannel in, long from, int length) throws IOException {
    CRC32C sum = new CRC32C();
    ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE_BYTES, length));
    for (int done = 0; done < length; done += piece.limit()) {
      fill(in, from + done, piece.clear().limit(Math.min(piece.capacity(), length - done)));
      sum.update(piece);
    }
    return (int) sum.getValue();
  }

  private static void copy(FileChannel in, long from, int length, FileChannel out, long to)
      throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(Math.min(PIECE_BYTES, length));
    for (int done = 0; done < length; ) {
      fill(in, from + done, piece.clear().limit(Math.min(piece.capacity(), length - done)));
      while (piece.hasRemaining()) {
        done += out.write(piece, to + done);
      }
    }
  }

  /** A new file is this user's alone: the mode that it had is not known here. */
  private static FileChannel openOrCreate(Path target) throws IOException {
    if (Files.exists(target)) {
      if (!Files.isRegularFile(target)) {
        throw new IOException("can't write to " + target + ": it is not a plain file; name one");
      }
      return FileChannel.open(target, StandardOpenOption.WRITE);
    }
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    return target.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? FileChannel.open(
            target,
            options,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
        : FileChannel.open(target, options);
  }

  private static byte[] head(FileChannel in, Path orphan) throws IOException {
    ByteBuffer fixed = read(in, 0, (int) Math.min(HEAD_BYTES, in.size()));
    int length = fixed.limit() < HEAD_BYTES ? -1 : fixed.getInt(12);
    if (length < 0
        || fixed.getLong(0) != MAGIC
        || fixed.getInt(8) != VERSION
        || length > FileTable.MAX_PATH_BYTES) {
      throw new IOException(orphan + " is not an orphan of a write log; name one");
    }
    return read(in, HEAD_BYTES, length).array();
  }

  private static ByteBuffer read(FileChannel in, long from, int length) throws IOException {
    if (length > in.size() - from) {
      throw new EOFException("it ends before byte " + (from + length));
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    fill(in, from, bytes);
    return bytes;
  }

  /** Fills a buffer, and makes it ready to be read. */
  private static void fill(FileChannel in, long from, ByteBuffer bytes) throws IOException {
    for (long at = from; bytes.hasRemaining(); ) {
      int n = in.read(bytes, at);
      if (n < 0) {
        throw new EOFException("it ends at byte " + at);
      }
      at += n;
    }
    bytes.flip();
  }
}
