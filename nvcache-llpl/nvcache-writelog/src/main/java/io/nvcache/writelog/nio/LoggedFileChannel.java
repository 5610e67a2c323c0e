// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A channel that writes through the log. It reads, maps and locks by the platform's channel of the
 * same file, which sees each write once it is durable.
 */
class LoggedFileChannel extends FileChannel {
  private static final int TRANSFER_BYTES = 64 << 10;

  /** How a channel was opened. */
  record Mode(boolean reads, boolean appends, boolean syncsEachWrite) {}

  private final LogEngine engine;
  private final LoggedFile file;
  private final FileChannel platform;
  private final Mode mode;

  /** Guards the cursor, also while bytes are moved. */
  private final Object positionLock = new Object();

  /** One, so that a write makes no garbage; guarded by the position's lock. */
  private final ByteBuffer[] single = new ByteBuffer[1];

  private long cursor;

  /**
   * Takes the platform's channel over.
   *
   * @param platform writable, and closed by no interrupt
   */
  LoggedFileChannel(LogEngine engine, LoggedFile file, FileChannel platform, Mode mode) {
    this.engine = engine;
    this.file = file;
    this.platform = platform;
    this.mode = mode;
  }

  /** Opens the kind of channel that this JDK has. */
  static LoggedFileChannel of(LogEngine engine, LoggedFile file, FileChannel platform, Mode mode) {
    MethodHandle newer = Newer.CONSTRUCTOR;
    if (newer == null) {
      return new LoggedFileChannel(engine, file, platform, mode);
    }
    try {
      return (LoggedFileChannel) newer.invoke(engine, file, platform, mode);
    } catch (Throwable e) {
      throw new IllegalStateException("no channel of this JDK can be made", e);
    }
  }

  /** Finds the class of the jar's part for JDK 22 and later. */
  private static final class Newer {
    private static final @Nullable MethodHandle CONSTRUCTOR = find();

    private static @Nullable MethodHandle find() {
      try {
        Class<?> type = Class.forName("io.nvcache.writelog.nio.ArenaFileChannel");
        return MethodHandles.lookup()
            .findConstructor(
                type,
                MethodType.methodType(
                    void.class, LogEngine.class, LoggedFile.class, FileChannel.class, Mode.class));
      } catch (ClassNotFoundException | UnsupportedClassVersionError e) {
        return null; // An older JDK, or a jar that one has built.
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("the jar's part for JDK 22 does not fit", e);
      }
    }
  }

  /** Returns the channel that reads, maps and locks. */
  FileChannel platform() {
    return platform;
  }

  private void requireOpen() throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  private void requireReadable() throws IOException {
    requireOpen();
    if (!mode.reads()) {
      throw new NonReadableChannelException();
    }
  }

  private static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " is " + value + "; it must not be negative");
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    requireReadable();
    synchronized (positionLock) {
      int n = readAt(target, cursor);
      cursor += Math.max(0, n);
      return n;
    }
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    requireReadable();
    requireNotNegative("position", position);
    return readAt(target, position);
  }

  private int readAt(ByteBuffer target, long position) throws IOException {
    boolean completed = false;
    try {
      begin();
      requireOpen();
      int n = platform.read(target, position);
      completed = true;
      return n;
    } finally {
      end(completed);
    }
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, targets.length);
    requireReadable();
    boolean completed = false;
    synchronized (positionLock) {
      try {
        begin();
        requireOpen();
        platform.position(cursor);
        long n = platform.read(targets, offset, length);
        cursor += Math.max(0, n);
        completed = true;
        return n;
      } finally {
        end(completed);
      }
    }
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    requireOpen();
    synchronized (positionLock) {
      return (int) writeSingle(source, mode.appends() ? -1 : cursor, true);
    }
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    requireNotNegative("position", position);
    requireOpen();
    ByteBuffer[] sources = {source};
    // As Linux does: a channel that appends ignores the position.
    return (int) writeAt(sources, 0, 1, mode.appends() ? -1 : position, false);
  }

  private long writeSingle(ByteBuffer source, long position, boolean moves) throws IOException {
    single[0] = Objects.requireNonNull(source, "source");
    return writeAt(single, 0, 1, position, moves);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    requireOpen();
    synchronized (positionLock) {
      return writeAt(sources, offset, length, mode.appends() ? -1 : cursor, true);
    }
  }

  private long writeAt(ByteBuffer[] sources, int offset, int length, long position, boolean moves)
      throws IOException {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += sources[i].remaining();
    }
    boolean completed = false;
    try {
      begin();
      requireOpen();
      if (bytes > 0) {
        long begin = file.write(sources, offset, length, position);
        if (moves) {
          cursor = begin + bytes;
        }
        if (mode.syncsEachWrite()) {
          file.force();
        }
      }
      completed = true;
      return bytes;
    } finally {
      end(completed);
    }
  }

  @Override
  public long position() throws IOException {
    requireOpen();
    synchronized (positionLock) {
      return mode.appends() ? platform.size() : cursor;
    }
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    requireOpen();
    requireNotNegative("newPosition", newPosition);
    synchronized (positionLock) {
      cursor = newPosition;
    }
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return platform.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    requireOpen();
    requireNotNegative("size", size);
    synchronized (positionLock) {
      boolean completed = false;
      try {
        begin();
        requireOpen();
        if (size < platform.size()) {
          file.truncate(size);
          if (mode.syncsEachWrite()) {
            file.force();
          }
        }
        cursor = Math.min(cursor, size);
        completed = true;
      } finally {
        end(completed);
      }
    }
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    requireOpen();
    boolean completed = false;
    try {
      begin();
      requireOpen();
      file.force();
      completed = true;
    } finally {
      end(completed);
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    requireOpen();
    if (!target.isOpen()) {
      throw new ClosedChannelException();
    }
    requireReadable();
    return platform.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    requireOpen();
    if (!source.isOpen()) {
      throw new ClosedChannelException();
    }
    requireNotNegative("position", position);
    requireNotNegative("count", count);
    if (position > size()) {
      return 0;
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(Math.max(count, 1), TRANSFER_BYTES));
    long moved = 0;
    while (moved < count) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), count - moved));
      int n = source.read(buffer);
      if (n <= 0) {
        break;
      }
      buffer.flip();
      write(buffer, position + moved);
      moved += n;
    }
    return moved;
  }

  /** A file that is mapped for writing leaves the log: a replay might undo what is stored there. */
  final void beforeMap(MapMode mapMode) throws IOException {
    requireOpen();
    if (mapMode == MapMode.READ_ONLY || mapMode == MapMode.PRIVATE || file.hasLeft()) {
      return;
    }
    engine.names().lock();
    try {
      file.lock();
      try {
        file.settle();
        file.leave();
      } finally {
        file.unlock();
      }
      file.keep();
    } finally {
      engine.names().unlock();
    }
  }

  @Override
  public MappedByteBuffer map(MapMode mapMode, long position, long size) throws IOException {
    beforeMap(mapMode);
    return platform.map(mapMode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    requireOpen();
    return Objects.requireNonNull(LoggedFileLock.of(this, platform.lock(position, size, shared)));
  }

  @Override
  public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
    requireOpen();
    return LoggedFileLock.of(this, platform.tryLock(position, size, shared));
  }

  @Override
  protected void implCloseChannel() throws IOException {
    try {
      platform.close();
    } finally {
      engine.names().lock();
      try {
        file.release();
      } finally {
        engine.names().unlock();
      }
    }
  }
}
