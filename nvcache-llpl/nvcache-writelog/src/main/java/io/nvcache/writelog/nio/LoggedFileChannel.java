// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.disk.FileLength;
import io.nvcache.writelog.disk.FileSource;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A channel that writes through the log. It maps and locks by the platform's channel of the same
 * file, and reads by it as well, what the log does not defer.
 *
 * <p>Thread-safe. The cursor's monitor guards the position, and is held while bytes are moved
 * there; calls with their own position take no lock here, and the {@linkplain LoggedFile file}
 * orders its changes itself. Closing ends the use of the file, by the cursor, and then nothing can
 * be written.
 */
class LoggedFileChannel extends CheckedChannel {
  private static final int TRANSFER_BYTES = 64 << 10;

  private final LogEngine engine;
  private final LoggedFile file;
  private final FileChannel platform;
  private final FileSource source;
  private final FileLength length;

  /** Guards itself, also while bytes are moved. */
  private final Cursor cursor;

  /** One, so that a write makes no garbage; guarded by the cursor. */
  private final ByteBuffer[] single = new ByteBuffer[1];

  /** Whether closing may give a lock back. */
  private volatile boolean mayBeLocked;

  /**
   * Takes the platform's channel over.
   *
   * @param platform writable, and closed by no interrupt
   */
  LoggedFileChannel(
      LogEngine engine, LoggedFile file, FileChannel platform, ChannelMode mode, Cursor cursor) {
    super(mode);
    this.engine = engine;
    this.file = file;
    this.platform = platform;
    this.source = platform::read;
    this.length = platform::size;
    this.cursor = cursor;
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
    ByteBuffer[] own = new ByteBuffer[length]; // Because one may come twice.
    for (int i = 0; i < length; i++) {
      own[i] = sources[offset + i].duplicate();
    }
    long written;
    synchronized (cursor) {
      written = writeAt(own, 0, length, mode.appends() ? -1 : cursor.get(), true);
    }
    for (int i = 0; i < length; i++) {
      sources[offset + i].position(own[i].position());
    }
    return written;
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
      call(
          () -> {
            if (size < size()) {
              file.truncate(size);
              if (mode.syncsEachWrite()) {
                file.force();
              }
            }
            cursor.set(Math.min(cursor.get(), size));
          });
    }
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    requireOpen();
    call(
        () -> {
          if (mode.writes()) {
            file.force();
          } else {
            if (!engine.settings().absorbsForce()) {
              file.publish(); // What another channel wrote, and has closed since.
            }
            platform.force(metaData);
          }
        });
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    requireOpen();
    if (!target.isOpen()) {
      throw new ClosedChannelException();
    }
    requireReadable();
    boolean completed = false;
    try {
      beginCall();
      file.publish();
      long n = platform.transferTo(position, count, target);
      completed = true;
      return n;
    } finally {
      endCall(completed);
    }
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
    call(() -> {}); // An interrupt closes this, and not the source.
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
   * that is mapped for reading is not deferred any more. Either is kept: another name may lead to
   * it, and must find it so.
   */
  final void beforeMap(MapMode mapMode) throws IOException {
    requireOpen();
    call(() -> settleForMap(mapMode));
  }

  private void settleForMap(MapMode mapMode) throws IOException {
    boolean stores = mapMode != MapMode.READ_ONLY && mapMode != MapMode.PRIVATE && mode.writes();
    if (!mode.reads() || (!stores && !file.hasLeft() && !file.isDeferred())) {
      return; // The platform refuses it, or nothing changes for the file.
    }
    engine.names().lock();
    try {
      if (stores && !file.hasLeft()) {
        file.settleAndLeave();
      } else if (file.isDeferred()) {
        file.writeThrough();
      }
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
    try {
      return awaitLock(position, size, shared);
    } catch (ClosedByInterruptException e) {
      throw (IOException) new FileLockInterruptionException().initCause(e);
    }
  }

  private FileLock awaitLock(long position, long size, boolean shared) throws IOException {
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
