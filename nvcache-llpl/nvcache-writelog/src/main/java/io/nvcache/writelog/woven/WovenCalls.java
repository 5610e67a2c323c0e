// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.woven;

import static io.nvcache.writelog.woven.FileCalls.GO_ON;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.SyncFailedException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The calls that woven methods of the JDK make first, with their own arguments: each name occurs
 * once, and is in the table of {@code Weaving}. Loaded by the bootstrap loader, and as little as
 * can be.
 */
public final class WovenCalls {
  private static final int OPENED_TO_WRITE = 2;
  private static final int SYNC_OR_DATA_SYNC = 4 | 8;

  private static volatile @Nullable FileCalls calls;

  /** The file system that the log itself uses, whose calls continue. */
  private static volatile @Nullable Object plain;

  private WovenCalls() {}

  /**
   * Begins to answer.
   *
   * @param unwoven the provider that is left alone
   */
  public static void install(FileCalls answers, Object unwoven) {
    plain = unwoven;
    calls = answers;
  }

  private static @Nullable FileCalls of(Object provider) {
    return provider == plain ? null : calls;
  }

  // ---- java.nio.file

  /** Called by the provider. */
  public static @Nullable FileChannel newFileChannel(
      Object provider, Path path, Set<? extends OpenOption> options, FileAttribute<?>[] attributes)
      throws IOException {
    FileCalls to = of(provider);
    return to == null ? null : to.newFileChannel(path, options, attributes);
  }

  /** Called by the provider. */
  public static @Nullable SeekableByteChannel newByteChannel(
      Object provider, Path path, Set<? extends OpenOption> options, FileAttribute<?>[] attributes)
      throws IOException {
    FileCalls to = of(provider);
    return to == null ? null : to.newByteChannel(path, options, attributes);
  }

  /** Called by the provider. */
  public static @Nullable AsynchronousFileChannel newAsynchronousFileChannel(
      Object provider,
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>[] attributes)
      throws IOException {
    FileCalls to = of(provider);
    return to == null ? null : to.newAsynchronousFileChannel(path, options, executor, attributes);
  }

  /** Called by the provider. */
  public static int delete(Object provider, Path path) throws IOException {
    FileCalls to = of(provider);
    return to == null ? GO_ON : to.delete(path);
  }

  /** Called by the provider. */
  public static int deleteIfExists(Object provider, Path path) throws IOException {
    FileCalls to = of(provider);
    return to == null ? GO_ON : to.deleteIfExists(path);
  }

  /** Called by the provider. */
  public static int move(Object provider, Path from, Path target, CopyOption[] options)
      throws IOException {
    FileCalls to = of(provider);
    return to == null ? GO_ON : to.move(from, target, options);
  }

  /** Called by the provider. */
  public static int copy(Object provider, Path from, Path target, CopyOption[] options)
      throws IOException {
    FileCalls to = of(provider);
    return to == null ? GO_ON : to.copy(from, target, options);
  }

  /** Called by the provider. */
  public static int createDirectory(Object provider, Path path, FileAttribute<?>[] attributes)
      throws IOException {
    FileCalls to = of(provider);
    return to == null ? GO_ON : to.createDirectory(path, attributes);
  }

  /** Called by the provider. */
  public static int createLink(Object provider, Path link, Path existing) throws IOException {
    FileCalls to = of(provider);
    return to == null ? GO_ON : to.createLink(link, existing);
  }

  /** Called by the provider. */
  public static int createSymbolicLink(
      Object provider, Path link, Path target, FileAttribute<?>[] attributes) throws IOException {
    FileCalls to = of(provider);
    return to == null ? GO_ON : to.createSymbolicLink(link, target, attributes);
  }

  /** Called by a view. */
  public static void setTimes(
      Object view, @Nullable FileTime modified, @Nullable FileTime read, @Nullable FileTime made)
      throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeSettingTimes((BasicFileAttributeView) view);
    }
  }

  /** Called by a view. */
  public static void readView(Object view) throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeLooking((BasicFileAttributeView) view);
    }
  }

  /** Called by the provider. */
  public static void readAttributes(Object provider, Path path, Class<?> type, LinkOption[] options)
      throws IOException {
    FileCalls to = of(provider);
    if (to != null) {
      to.beforeLooking(path);
    }
  }

  /** Called by the provider. */
  public static void readNamedAttributes(
      Object provider, Path path, String attributes, LinkOption[] options) throws IOException {
    FileCalls to = of(provider);
    if (to != null) {
      to.beforeLooking(path);
    }
  }

  /** Called by a directory. */
  public static void deleteIn(Object directory, Path name) throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeNameLoss((SecureDirectoryStream<?>) directory, name);
    }
  }

  /** Called by a directory. */
  public static void moveBetween(
      Object directory, Path name, SecureDirectoryStream<?> target, Path newName)
      throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeRenaming((SecureDirectoryStream<?>) directory, name);
      if (target != null) {
        to.beforeNameLoss(target, newName);
      }
    }
  }

  /** Called by a directory. */
  public static void openIn(
      Object directory, Path name, Set<? extends OpenOption> options, FileAttribute<?>[] attributes)
      throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeOpening((SecureDirectoryStream<?>) directory, name, options);
    }
  }

  /** Called by a file. */
  public static int deleteFile(File file) {
    FileCalls to = calls;
    return to == null ? GO_ON : to.delete(file);
  }

  /** Called by a file. */
  public static int renameTo(File file, File target) {
    FileCalls to = calls;
    return to == null || target == null ? GO_ON : to.rename(file, target);
  }

  /** Called by a file. */
  public static int mkdir(File file) {
    FileCalls to = calls;
    return to == null ? GO_ON : to.makeDirectory(file);
  }

  /** Called by a file. */
  public static void look(File file) {
    FileCalls to = calls;
    if (to != null) {
      to.beforeLooking(file);
    }
  }

  /** Called by a file. */
  public static void setLastModified(File file, long time) {
    FileCalls to = calls;
    if (to != null) {
      to.beforeSettingTime(file);
    }
  }

  // ---- streams

  /** What the log refuses, the constructor of the stream refuses. */
  private static FileNotFoundException refused(String path, IOException cause) {
    FileNotFoundException refused =
        new FileNotFoundException(path + " (" + cause.getMessage() + ")");
    refused.initCause(cause);
    return refused;
  }

  private static void read(FileDescriptor descriptor, String path) throws FileNotFoundException {
    FileCalls to = calls;
    if (to != null) {
      try {
        to.beforeReading(descriptor, path);
      } catch (IOException e) {
        throw refused(path, e);
      }
    }
  }

  private static void write(
      Object stream,
      FileDescriptor descriptor,
      String path,
      boolean appends,
      boolean cuts,
      boolean syncs)
      throws FileNotFoundException {
    FileCalls to = calls;
    if (to != null) {
      try {
        to.beforeWriting(stream, descriptor, path, appends, cuts, syncs);
      } catch (IOException e) {
        throw refused(path, e);
      }
    }
  }

  /** Called by a stream. */
  public static void openInput(FileInputStream stream, String path) throws IOException {
    read(stream.getFD(), path);
  }

  /** Called by a stream. */
  public static void openOutput(FileOutputStream stream, String path, boolean appends)
      throws IOException {
    write(stream, stream.getFD(), path, appends, !appends, false);
  }

  /** Called by a file. */
  public static void openRandomAccess(RandomAccessFile stream, String path, int mode)
      throws IOException {
    if ((mode & OPENED_TO_WRITE) != 0) {
      boolean syncs = (mode & SYNC_OR_DATA_SYNC) != 0;
      write(stream, stream.getFD(), path, false, false, syncs);
    } else {
      read(stream.getFD(), path);
    }
  }

  /** Called by a stream. */
  public static void closeInput(FileInputStream stream) throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeClosing(stream.getFD());
    }
  }

  /** Called by a stream. */
  public static void closeOutput(FileOutputStream stream) throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeClosing(stream.getFD());
    }
  }

  /** Called by a file. */
  public static void closeRandomAccess(RandomAccessFile stream) throws IOException {
    FileCalls to = calls;
    if (to != null) {
      to.beforeClosing(stream.getFD());
    }
  }

  private static int write(
      Object stream, FileDescriptor descriptor, byte[] bytes, int offset, int length)
      throws IOException {
    FileCalls to = calls;
    return to == null ? GO_ON : to.write(stream, descriptor, bytes, offset, length);
  }

  private static boolean isLogged(FileDescriptor descriptor) {
    FileCalls to = calls;
    return to != null && to.isLogged(descriptor);
  }

  /** Called by a stream. */
  public static int writeByte(FileOutputStream stream, int value) throws IOException {
    FileDescriptor descriptor = stream.getFD();
    return isLogged(descriptor)
        ? write(stream, descriptor, new byte[] {(byte) value}, 0, 1)
        : GO_ON;
  }

  /** Called by a stream. */
  public static int writeAll(FileOutputStream stream, byte[] bytes) throws IOException {
    return writeSome(stream, bytes, 0, bytes.length);
  }

  /** Called by a stream. */
  public static int writeSome(FileOutputStream stream, byte[] bytes, int offset, int length)
      throws IOException {
    return write(stream, stream.getFD(), bytes, offset, length);
  }

  /** Called by a file. */
  public static int putByte(RandomAccessFile stream, int value) throws IOException {
    FileDescriptor descriptor = stream.getFD();
    return isLogged(descriptor)
        ? write(stream, descriptor, new byte[] {(byte) value}, 0, 1)
        : GO_ON;
  }

  /** Called by a file. */
  public static int putAll(RandomAccessFile stream, byte[] bytes) throws IOException {
    return write(stream, stream.getFD(), bytes, 0, bytes.length);
  }

  /** Called by a file. */
  public static int putSome(RandomAccessFile stream, byte[] bytes, int offset, int length)
      throws IOException {
    return write(stream, stream.getFD(), bytes, offset, length);
  }

  /** Called by a file; the low byte of each character, as it does. */
  public static int putBytes(RandomAccessFile stream, String text) throws IOException {
    FileDescriptor descriptor = stream.getFD();
    if (!isLogged(descriptor)) {
      return GO_ON;
    }
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.charAt(i);
    }
    return write(stream, descriptor, bytes, 0, bytes.length);
  }

  /** Called by a file. */
  public static int putChars(RandomAccessFile stream, String text) throws IOException {
    FileDescriptor descriptor = stream.getFD();
    if (!isLogged(descriptor)) {
      return GO_ON;
    }
    byte[] bytes = new byte[Math.multiplyExact(text.length(), 2)];
    for (int i = 0; i < text.length(); i++) {
      bytes[2 * i] = (byte) (text.charAt(i) >>> 8);
      bytes[2 * i + 1] = (byte) text.charAt(i);
    }
    return write(stream, descriptor, bytes, 0, bytes.length);
  }

  /** Called by a file. */
  public static int setLength(RandomAccessFile stream, long bytes) throws IOException {
    FileCalls to = calls;
    return to == null ? GO_ON : to.setLength(stream, stream.getFD(), bytes);
  }

  /** Called by a descriptor. */
  public static int sync(FileDescriptor descriptor) throws SyncFailedException {
    FileCalls to = calls;
    try {
      return to == null ? GO_ON : to.sync(descriptor);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static SyncFailedException failed(IOException cause) {
    SyncFailedException failed = new SyncFailedException("sync failed: " + cause.getMessage());
    failed.initCause(cause);
    return failed;
  }

  /** Called by a stream. */
  public static @Nullable FileChannel channelOfOutput(FileOutputStream stream) throws IOException {
    FileCalls to = calls;
    return to == null ? null : to.channelOf(stream, stream.getFD());
  }

  /** Called by a file. */
  public static @Nullable FileChannel channelOfRandomAccess(RandomAccessFile stream)
      throws IOException {
    FileCalls to = calls;
    return to == null ? null : to.channelOf(stream, stream.getFD());
  }

  /** Represents the native method of a descriptor. */
  public static void syncPlain(FileDescriptor descriptor) throws SyncFailedException {
    try {
      Objects.requireNonNull(calls).syncPlain(descriptor);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Represents the native method of a file. */
  public static void setLengthPlain(RandomAccessFile stream, long bytes) throws IOException {
    Objects.requireNonNull(calls).setLengthPlain(stream, stream.getFD(), bytes);
  }
}
