// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.memory.Uninterruptible;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor that {@code java.io} has opened, as the log knows it. The bytes that it writes go
 * through the log; it reads by itself, so its file is not deferred. The kernel keeps the place of a
 * {@link RandomAccessFile}, whose reads, seeks and channel share it.
 *
 * <p>Holds neither stream nor channel, which would keep what nobody closes from the collector.
 * Takes no lock of a stream while it holds itself: a program may hold the stream and write.
 */
final class LoggedStream implements Cursor {
  private final LogEngine engine;
  private final LoggedFile file;
  private final ChannelMode mode;

  /** Null if another kind of stream has opened the descriptor, which lives as long as it. */
  private final @Nullable WeakReference<RandomAccessFile> opener;

  /** Where the opener is none that has the kernel keep its place; guarded by this. */
  private long place;

  /** Guarded by this. */
  private @Nullable WeakReference<LoggedFileChannel> channel;

  /** The platform's channel over what has opened the descriptor, which keeps it. */
  private volatile @Nullable WeakReference<FileChannel> own;

  /** Who asks the platform for its channel, and so gets that. */
  private final Set<Thread> asking = ConcurrentHashMap.newKeySet();

  /** Whether the log has a cut by it, and nothing that was written since. */
  private volatile boolean onlyCut;

  private volatile boolean ended;

  LoggedStream(LogEngine engine, LoggedFile file, Object stream, ChannelMode mode) {
    this.engine = engine;
    this.file = file;
    this.opener = stream instanceof RandomAccessFile random ? new WeakReference<>(random) : null;
    this.mode = mode;
  }

  LoggedFile file() {
    return file;
  }

  /** Returns whether it was opened for writing. */
  boolean writes() {
    return mode.writes();
  }

  /** Cuts the file to nothing, as an opening does. */
  void cut() throws IOException {
    file.truncate(0);
    onlyCut = true;
  }

  /** Writes all bytes of a range. */
  void write(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer[] source = {ByteBuffer.wrap(bytes, offset, length)};
    if (length == 0) {
      return;
    }
    onlyCut = false;
    FileChannel keeper = platform();
    synchronized (this) {
      long at = mode.appends() ? -1 : keeper == null ? place : keeper.position();
      long end = file.write(source, 0, 1, at) + length;
      if (keeper == null) {
        place = end;
      } else {
        keeper.position(end);
      }
    }
    if (mode.syncsEachWrite()) {
      file.force();
    }
  }

  /** Cuts or extends; what is added is zeros, of which the log has the last one. */
  void setLength(RandomAccessFile stream, long bytes) throws IOException {
    FileChannel keeper = ask(stream::getChannel);
    synchronized (this) {
      long before = keeper.size();
      if (bytes < before) {
        file.truncate(bytes);
      } else if (bytes > before) {
        file.lengthen(bytes);
      }
      if (keeper.position() > bytes) {
        keeper.position(bytes);
      }
    }
    if (mode.syncsEachWrite()) {
      file.force();
    }
  }

  /** Returns the channel that a program gets; null for the platform's own. */
  @Nullable FileChannel channel(Object stream) throws IOException {
    if (asking.contains(Thread.currentThread())) {
      return null;
    }
    boolean reads = stream instanceof RandomAccessFile;
    FileChannel platform =
        stream instanceof RandomAccessFile random
            ? ask(random::getChannel)
            : ask(((FileOutputStream) stream)::getChannel);
    FileChannel unused = platform(); // Before this is held.
    synchronized (this) {
      LoggedFileChannel known = channel == null ? null : channel.get();
      if (known == null || known.platform() != platform) {
        ChannelMode own = new ChannelMode(reads, true, mode.appends(), mode.syncsEachWrite());
        known = LoggedChannels.open(engine, file, platform, own, this);
        channel = new WeakReference<>(known);
      }
      return known;
    }
  }

  /** Returns what moves the place that the kernel keeps; null if it does not. */
  private @Nullable FileChannel platform() {
    if (opener == null) {
      return null;
    }
    FileChannel known = own == null ? null : own.get();
    if (known == null) {
      RandomAccessFile random = opener.get();
      known = random == null ? null : ask(random::getChannel);
      own = known == null ? null : new WeakReference<>(known);
    }
    return known;
  }

  /** A question of the platform; its streams keep their channels. */
  @FunctionalInterface
  private interface Question {
    FileChannel ask();
  }

  private FileChannel ask(Question question) {
    Thread thread = Thread.currentThread();
    boolean isFirst = asking.add(thread);
    try {
      return Uninterruptible.of(question.ask());
    } finally {
      if (isFirst) {
        asking.remove(thread);
      }
    }
  }

  @Override
  public long get() throws IOException {
    FileChannel keeper = platform();
    return keeper == null ? place : keeper.position();
  }

  @Override
  public void set(long newPlace) throws IOException {
    FileChannel keeper = platform();
    if (keeper == null) {
      place = newPlace;
    } else {
      keeper.position(newPlace);
    }
  }

  /** The channel has closed the stream, which ends this. */
  @Override
  public void close() {}

  /** Ends the use of the file, with the stream. */
  void end() throws IOException {
    LoggedFileChannel open;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      open = channel == null ? null : channel.get();
    }
    try {
      if (open != null) {
        open.close();
      }
      if (onlyCut) {
        file.drain(); // A child process may write where it was cut, and a replay would cut again.
      }
    } finally {
      OwnCursor.release(engine, file);
    }
  }
}
