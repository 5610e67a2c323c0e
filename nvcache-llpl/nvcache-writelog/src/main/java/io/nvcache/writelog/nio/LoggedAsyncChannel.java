// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** An asynchronous channel that writes through the log: a logged channel, and threads. */
final class LoggedAsyncChannel extends AsynchronousFileChannel {
  private final LoggedFileChannel channel;
  private final Executor threads;

  private LoggedAsyncChannel(LoggedFileChannel channel, Executor threads) {
    this.channel = channel;
    this.threads = threads;
  }

  /**
   * Returns a channel whose calls threads answer.
   *
   * @param logged one of the log's channels
   */
  static AsynchronousFileChannel of(FileChannel logged, Executor threads) {
    LoggedFileChannel channel = (LoggedFileChannel) logged;
    channel.becomeUninterruptible();
    return new LoggedAsyncChannel(channel, threads);
  }

  private <V extends @Nullable Object> Future<V> run(Callable<V> work) {
    CompletableFuture<V> result = new CompletableFuture<>();
    boolean began = isOpen();
    threads.execute(
        () -> {
          try {
            result.complete(call(work, began));
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private <V extends @Nullable Object, A extends @Nullable Object> void run(
      Callable<V> work, A attachment, CompletionHandler<V, ? super A> handler) {
    Objects.requireNonNull(handler, "handler");
    boolean began = isOpen();
    threads.execute(
        () -> {
          V value;
          try {
            value = call(work, began);
          } catch (Throwable e) {
            handler.failed(e, attachment);
            return;
          }
          handler.completed(value, attachment);
        });
  }

  /** Does what was begun. Who meets a channel that was closed in the meantime hears so. */
  private static <V extends @Nullable Object> V call(Callable<V> work, boolean began)
      throws Exception {
    try {
      return work.call();
    } catch (AsynchronousCloseException e) {
      throw e;
    } catch (ClosedChannelException e) {
      if (began) {
        throw (IOException) new AsynchronousCloseException().initCause(e);
      }
      throw e;
    }
  }

  private void requireRead(ByteBuffer target, long position) {
    if (!channel.mode.reads()) {
      throw new NonReadableChannelException();
    }
    CheckedChannel.requireNotNegative("position", position);
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
  }

  private void requireWrite(long position) {
    if (!channel.mode.writes()) {
      throw new NonWritableChannelException();
    }
    CheckedChannel.requireNotNegative("position", position);
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public AsynchronousFileChannel truncate(long size) throws IOException {
    channel.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    channel.force(metaData);
  }

  @Override
  public <A extends @Nullable Object> void lock(
      long position,
      long size,
      boolean shared,
      A attachment,
      CompletionHandler<FileLock, ? super A> handler) {
    Objects.requireNonNull(handler, "handler");
    Locking locking = new Locking(position, size, shared);
    try {
      run(locking, attachment, handler);
    } catch (RuntimeException | Error e) {
      locking.refused(e);
      throw e;
    }
  }

  @Override
  public Future<FileLock> lock(long position, long size, boolean shared) {
    Locking locking = new Locking(position, size, shared);
    try {
      return run(locking);
    } catch (RuntimeException | Error e) {
      locking.refused(e);
      throw e;
    }
  }

  /**
   * Takes a lock that is free now, so that the caller hears of one that this JVM has already; waits
   * for another in the background.
   */
  private final class Locking implements Callable<FileLock> {
    private final long position;
    private final long size;
    private final boolean shared;
    private @Nullable FileLock free;
    private @Nullable IOException failure;

    /** Whether a thread runs it, and hands the lock over. */
    private volatile boolean begun;

    Locking(long position, long size, boolean shared) {
      this.position = position;
      this.size = size;
      this.shared = shared;
      try {
        this.free = tryLock(position, size, shared);
      } catch (IOException e) {
        this.failure = e;
      }
    }

    @Override
    public FileLock call() throws IOException {
      begun = true;
      if (failure != null) {
        throw failure;
      }
      return free != null ? free : awaitLock(position, size, shared);
    }

    /** Gives the lock back that no caller gets, since the executor took no work. */
    void refused(Throwable why) {
      if (!begun && free != null) {
        try {
          free.release();
        } catch (IOException e) {
          why.addSuppressed(e);
        }
      }
    }
  }

  private FileLock awaitLock(long position, long size, boolean shared) throws IOException {
    FileLock lock = channel.platformToLock().lock(position, size, shared);
    if (!isOpen()) {
      throw new AsynchronousCloseException();
    }
    return Objects.requireNonNull(LoggedFileLock.of(this, channel.file(), lock));
  }

  @Override
  public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return LoggedFileLock.of(
        this, channel.file(), channel.platformToLock().tryLock(position, size, shared));
  }

  @Override
  public <A extends @Nullable Object> void read(
      ByteBuffer target,
      long position,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    requireRead(target, position);
    run(() -> channel.read(target, position), attachment, handler);
  }

  @Override
  public Future<Integer> read(ByteBuffer target, long position) {
    requireRead(target, position);
    return run(() -> channel.read(target, position));
  }

  @Override
  public <A extends @Nullable Object> void write(
      ByteBuffer source,
      long position,
      A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    requireWrite(position);
    run(() -> channel.write(source, position), attachment, handler);
  }

  @Override
  public Future<Integer> write(ByteBuffer source, long position) {
    requireWrite(position);
    return run(() -> channel.write(source, position));
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
