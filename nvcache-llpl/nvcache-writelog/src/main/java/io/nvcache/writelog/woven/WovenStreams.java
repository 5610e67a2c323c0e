// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.woven;

import static io.nvcache.writelog.woven.PathCalls.GO_ON;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.SyncFailedException;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The calls that woven methods of the streams and descriptors of {@code java.io} make first, as
 * {@link WovenPaths}, and the bodies of those that were native.
 */
public final class WovenStreams {
  private static final int OPENED_TO_WRITE = 2;
  private static final int SYNC_OR_DATA_SYNC = 4 | 8;

  private static volatile @Nullable StreamCalls calls;

  private WovenStreams() {}

  /** Begins to answer. */
  public static void install(StreamCalls answers) {
    calls = answers;
  }

  private static StreamCalls calls() {
    return Objects.requireNonNull(calls, "woven without an answer");
  }

  /** What the log refuses, the constructor of the stream refuses. */
  private static FileNotFoundException refused(String path, IOException cause) {
    FileNotFoundException refused =
        new FileNotFoundException(path + " (" + cause.getMessage() + ")");
    refused.initCause(cause);
    return refused;
  }

  private static void read(FileDescriptor descriptor, String path) throws FileNotFoundException {
    try {
      calls().beforeReading(descriptor, path);
    } catch (IOException e) {
      throw refused(path, e);
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
    try {
      calls().beforeWriting(stream, descriptor, path, appends, cuts, syncs);
    } catch (IOException e) {
      throw refused(path, e);
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
    calls().beforeClosing(stream.getFD());
  }

  /** Called by a stream. */
  public static void closeOutput(FileOutputStream stream) throws IOException {
    calls().beforeClosing(stream.getFD());
  }

  /** Called by a file. */
  public static void closeRandomAccess(RandomAccessFile stream) throws IOException {
    calls().beforeClosing(stream.getFD());
  }

  private static int writeOne(Object stream, FileDescriptor descriptor, int value)
      throws IOException {
    return calls().isLogged(descriptor)
        ? calls().write(stream, descriptor, new byte[] {(byte) value}, 0, 1)
        : GO_ON;
  }

  /** Called by a stream. */
  public static int writeByte(FileOutputStream stream, int value) throws IOException {
    return writeOne(stream, stream.getFD(), value);
  }

  /** Called by a stream. */
  public static int writeAll(FileOutputStream stream, byte[] bytes) throws IOException {
    return writeSome(stream, bytes, 0, bytes.length);
  }

  /** Called by a stream. */
  public static int writeSome(FileOutputStream stream, byte[] bytes, int offset, int length)
      throws IOException {
    return calls().write(stream, stream.getFD(), bytes, offset, length);
  }

  /** Called by a file. */
  public static int putByte(RandomAccessFile stream, int value) throws IOException {
    return writeOne(stream, stream.getFD(), value);
  }

  /** Called by a file. */
  public static int putAll(RandomAccessFile stream, byte[] bytes) throws IOException {
    return calls().write(stream, stream.getFD(), bytes, 0, bytes.length);
  }

  /** Called by a file. */
  public static int putSome(RandomAccessFile stream, byte[] bytes, int offset, int length)
      throws IOException {
    return calls().write(stream, stream.getFD(), bytes, offset, length);
  }

  /** Called by a file; the low byte of each character, as it does. */
  public static int putBytes(RandomAccessFile stream, String text) throws IOException {
    FileDescriptor descriptor = stream.getFD();
    if (!calls().isLogged(descriptor)) {
      return GO_ON;
    }
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.charAt(i);
    }
    return calls().write(stream, descriptor, bytes, 0, bytes.length);
  }

  /** Called by a file. */
  public static int putChars(RandomAccessFile stream, String text) throws IOException {
    FileDescriptor descriptor = stream.getFD();
    if (!calls().isLogged(descriptor)) {
      return GO_ON;
    }
    byte[] bytes = new byte[Math.multiplyExact(text.length(), 2)];
    for (int i = 0; i < text.length(); i++) {
      bytes[2 * i] = (byte) (text.charAt(i) >>> 8);
      bytes[2 * i + 1] = (byte) text.charAt(i);
    }
    return calls().write(stream, descriptor, bytes, 0, bytes.length);
  }

  /** Called by a file. */
  public static int setLength(RandomAccessFile stream, long bytes) throws IOException {
    return calls().setLength(stream, stream.getFD(), bytes);
  }

  /** Called by a descriptor. */
  public static int sync(FileDescriptor descriptor) throws SyncFailedException {
    try {
      return calls().sync(descriptor);
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
    return calls().channelOf(stream, stream.getFD());
  }

  /** Called by a file. */
  public static @Nullable FileChannel channelOfRandomAccess(RandomAccessFile stream)
      throws IOException {
    return calls().channelOf(stream, stream.getFD());
  }

  /** Represents the native method of a descriptor. */
  public static void syncPlain(FileDescriptor descriptor) throws SyncFailedException {
    try {
      calls().syncPlain(descriptor);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Represents the native method of a file. */
  public static void setLengthPlain(RandomAccessFile stream, long bytes) throws IOException {
    calls().setLengthPlain(stream, stream.getFD(), bytes);
  }
}
