// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.disk.FileLength;
import io.nvcache.writelog.disk.FileSource;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A channel that writes through the log. It maps and locks by the platform's channel of the same
 * file, and reads by it as well, what the log does not defer.
 */
class LoggedFileChannel extends FileChannel {
  private static final int TRANSFER_BYTES = 64 << 10;

  /** How a channel was opened. */
  record Mode(boolean reads, boolean writes, boolean appends, boolean syncsEachWrite) {}

  private final LogEngine engine;
  private final LoggedFile file;
  private final FileChannel platform;
  private final FileSource source;
  private final FileLength length;
  private final Mode mode;

  /** Guards itself, also while bytes are moved. */
  private final Cursor cursor;

  /** One, so that a write makes no garbage; guarded by the cursor. */
  private final ByteBuffer[] single = new ByteBuffer[1];

  /** Whether no interrupt closes it. */
  private volatile boolean uninterruptible;

  /** Whether closing may give a lock back. */
  private volatile boolean mayBeLocked;

  /**
   * Takes the platform's channel over.
   *
   * @param platform writable, and closed by no interrupt
   */
  LoggedFileChannel(
      LogEngine engine, LoggedFile file, FileChannel platform, Mode mode, Cursor cursor) {
    this.engine = engine;
    this.file = file;
    this.platform = platform;
    this.source = platform::read;
    this.length = platform::size;
    this.mode = mode;
    this.cursor = cursor;
  }

  /** Opens the kind of channel that this JDK has, with the caller's use of the file. */
  static LoggedFileChannel of(LogEngine engine, LoggedFile file, FileChannel platform, Mode mode) {
    return of(engine, file, platform, mode, new OwnCursor(engine, file));
  }

  /** Opens the kind of channel that this JDK has. */
  static LoggedFileChannel of(
      LogEngine engine, LoggedFile file, FileChannel platform, Mode mode, Cursor cursor) {
    MethodHandle newer = Newer.CONSTRUCTOR;
    if (newer == null) {
      return new LoggedFileChannel(engine, file, platform, mode, cursor);
    }
    try {
      return (LoggedFileChannel) newer.invoke(engine, file, platform, mode, cursor);
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
                    void.class,
                    LogEngine.class,
                    LoggedFile.class,
                    FileChannel.class,
                    Mode.class,
                    Cursor.class));
      } catch (ClassNotFoundException | UnsupportedClassVersionError e) {
        return null; // An older JDK, or a jar that one has built.
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("the jar's part for JDK 22 does not fit", e);
      }
    }
  }

  /** Returns the channel that maps and locks. */
  FileChannel platform() {
    return platform;
  }

  /** Returns the channel that takes a lock, which closing this one may give back. */
  FileChannel platformToLock() {
    mayBeLocked = true;
    return platform;
  }

  /** Returns the file. */
  LoggedFile file() {
    return file;
  }

  /** Has it continue when interrupted, as the platform's asynchronous channels do. */
  void becomeUninterruptible() {
    uninterruptible = true;
  }

  private void beginCall() {
    if (!uninterruptible) {
      begin();
    }
  }

  private void endCall(boolean completed) throws AsynchronousCloseException {
    if (!uninterruptible) {
      end(completed);
    } else if (!completed && !isOpen()) {
      throw new AsynchronousCloseException();
    }
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

  private void requireWritable() throws IOException {
    requireOpen();
    if (!mode.writes()) {
      throw new NonWritableChannelException();
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
    synchronized (cursor) {
      long at = cursor.get();
      int n = readAt(target, at);
      cursor.set(at + Math.max(0, n));
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
      beginCall();
      requireOpen();
      int n = file.read(target, position, source);
      completed = true;
      return n;
    } finally {
      endCall(completed);
    }
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, targets.length);
    requireReadable();
    synchronized (cursor) {
      if (file.isDeferred()) {
        return readEach(targets, offset, length);
      }
      file.requireNotSick();
      boolean completed = false;
      try {
        beginCall();
        requireOpen();
        long at = cursor.get();
        platform.position(at);
        long n = platform.read(targets, offset, length);
        cursor.set(at + Math.max(0, n));
        completed = true;
        return n;
      } finally {
        endCall(completed);
      }
    }
  }

  private long readEach(ByteBuffer[] targets, int offset, int length) throws IOException {
    long read = 0;
    for (int i = offset; i < offset + length; i++) {
      if (!targets[i].hasRemaining()) {
        continue;
      }
      long at = cursor.get();
      int n = readAt(targets[i], at);
      if (n < 0) {
        return read == 0 ? -1 : read;
      }
      cursor.set(at + n);
      read += n;
      if (targets[i].hasRemaining()) {
        break;
      }
    }
    return read;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    requireWritable();
    synchronized (cursor) {
      return (int) writeSingle(source, mode.appends() ? -1 : cursor.get(), true);
    }
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    requireNotNegative("position", position);
    requireWritable();
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
    requireWritable();
    synchronized (cursor) {
      return writeAt(sources, offset, length, mode.appends() ? -1 : cursor.get(), true);
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
      beginCall();
      requireOpen();
      if (bytes > 0) {
        long begin = file.write(sources, offset, length, position);
        if (moves) {
          cursor.set(begin + bytes);
        }
        if (mode.syncsEachWrite()) {
          file.force();
        }
      }
      completed = true;
      return bytes;
    } finally {
      endCall(completed);
    }
  }

  @Override
  public long position() throws IOException {
    requireOpen();
    synchronized (cursor) {
      return mode.appends() ? size() : cursor.get();
    }
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    requireOpen();
    requireNotNegative("newPosition", newPosition);
    synchronized (cursor) {
      cursor.set(newPosition);
    }
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return file.length(length);
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    requireWritable();
    requireNotNegative("size", size);
    synchronized (cursor) {
      boolean completed = false;
      try {
        beginCall();
        requireOpen();
        if (size < size()) {
          file.truncate(size);
          if (mode.syncsEachWrite()) {
            file.force();
          }
        }
        cursor.set(Math.min(cursor.get(), size));
        completed = true;
      } finally {
        endCall(completed);
      }
    }
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    requireOpen();
    boolean completed = false;
    try {
      beginCall();
      requireOpen();
      if (mode.writes()) {
        file.force();
      } else {
        if (!engine.settings().absorbsForce()) {
          file.publish(); // What another channel wrote, and has closed since.
        }
        platform.force(metaData);
      }
      completed = true;
    } finally {
      endCall(completed);
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    requireOpen();
    if (!target.isOpen()) {
      throw new ClosedChannelException();
    }
    requireReadable();
    file.publish();
    return platform.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    requireWritable();
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

  /**
   * A file that is mapped for writing leaves the log: a replay might undo what is stored there. One
   * that is mapped for reading is not deferred any more.
   */
  final void beforeMap(MapMode mapMode) throws IOException {
    requireOpen();
    if (!mode.reads()) {
      return; // The platform refuses it.
    }
    if (file.hasLeft()) {
      keep(); // Another name may lead to it, and must find that it has left.
      return;
    }
    if (mapMode == MapMode.READ_ONLY || mapMode == MapMode.PRIVATE || !mode.writes()) {
      if (file.isDeferred()) {
        writeThrough();
      }
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
      file.uses().keep();
    } finally {
      engine.names().unlock();
    }
  }

  private void keep() {
    engine.names().lock();
    try {
      file.uses().keep();
    } finally {
      engine.names().unlock();
    }
  }

  private void writeThrough() throws IOException {
    engine.names().lock();
    try {
      file.writeThrough();
      file.uses().keep();
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
    boolean completed = false;
    try {
      beginCall();
      FileLock lock = platformToLock().lock(position, size, shared);
      // The platform's channel is closed by no interrupt, and returns when this one was.
      completed = isOpen();
      return Objects.requireNonNull(LoggedFileLock.of(this, file, lock));
    } finally {
      endCall(completed);
    }
  }

  @Override
  public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
    requireOpen();
    mayBeLocked = true;
    return LoggedFileLock.of(this, file, platform.tryLock(position, size, shared));
  }

  @Override
  protected void implCloseChannel() throws IOException {
    try (FileChannel closed = platform) {
      if (mayBeLocked) {
        file.publish();
      }
    } finally {
      cursor.close();
    }
  }
}
