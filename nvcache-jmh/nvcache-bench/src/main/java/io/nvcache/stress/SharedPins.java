// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.PinnedBlock;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A pin that the threads of a round have in common, and another one after it: any of them reads it
 * while another one closes it, and that may be a third one than who pinned the block. For some of
 * them all threads meet, and do nothing else until it is closed: what goes wrong between two that
 * begin to read and one that closes takes nanoseconds.
 */
final class SharedPins {
  /** No file's id. */
  static final long CLOSED = 0;

  private final AtomicReference<@Nullable Shared> current = new AtomicReference<>();
  private volatile @Nullable Shared meeting;

  /** A pin, and what its bytes must be. */
  static final class Shared {
    final long fileId;
    final long offset;
    final int oldest;
    final int newest;
    private final PinnedBlock pin;
    private final AtomicInteger copying = new AtomicInteger();
    private volatile boolean ended;

    /**
     * Takes the pin over.
     *
     * @param oldest version that it may be of
     * @param newest and the newest
     */
    Shared(PinnedBlock pin, long fileId, long offset, int oldest, int newest) {
      this.pin = pin;
      this.fileId = fileId;
      this.offset = offset;
      this.oldest = oldest;
      this.newest = newest;
    }

    /** Copies the block's bytes and flips the buffer; false if the pin was closed before. */
    boolean copyTo(ByteBuffer dst) {
      copying.incrementAndGet();
      try {
        pin.copyTo(dst.clear());
        dst.flip();
        return true;
      } catch (IllegalStateException e) {
        if (!ended) {
          throw e;
        }
        return false;
      } finally {
        copying.decrementAndGet();
      }
    }

    /** Whether some thread is copying it, or was interrupted by the system while it did. */
    boolean isBeingCopied() {
      return copying.get() > 0;
    }

    /** What the block says of which file it is; something else if the pin was closed before. */
    long fileIdOr(long closed) {
      try {
        return pin.getLong(0);
      } catch (IllegalStateException e) {
        if (!ended) {
          throw e;
        }
        return closed;
      }
    }

    void end() {
      ended = true;
      pin.close();
    }
  }

  /** The pin; it may be closed by now. */
  @Nullable Shared current() {
    return current.get();
  }

  /** Replaces the last pin by another, which is closed. */
  void put(Shared shared) {
    Shared before = current.getAndSet(shared);
    if (before != null) {
      before.end();
    }
  }

  /** Calls all threads to a pin. */
  void meetAt(Shared shared) {
    meeting = shared;
  }

  /** The pin that all threads are called to just now. */
  @Nullable Shared meeting() {
    Shared called = meeting;
    return called == null || called.ended ? null : called;
  }

  /** Closes what is left. To be called when no thread adds any more. */
  void end() {
    Shared left = current.getAndSet(null);
    if (left != null) {
      left.end();
    }
  }
}
